#pragma once

#include <functional>
#include <string>
#include <vector>

#include "results/json/json.hpp"
#include "workloads/interface/effort.hpp"
#include "workloads/interface/parameter.hpp"
#include "workloads/interface/probe.hpp"

/// What a folder of workloads/ adds to the programs besides its trials: pages, tables, lists, options, published
/// numbers. Plain values and torch-free functions, so that both programs and the tests can use them; a workload is then
/// its folder and one line of CMake.
namespace retrial::report {
struct Part;
struct Section;
}  // namespace retrial::report

namespace retrial::published {
struct Table;
}  // namespace retrial::published

namespace retrial::workloads::inline interface {

struct FinishedTrial;
struct StudyEvidence;

/// `retrial report STORE --view NAME --set KEY=VALUE`: a table of the finished trials by itself. The harness makes no
/// view before a declared verdict.
struct View {
  std::string name, meaning;
  std::vector<Parameter> options;  ///< that --set may set
  /// The values are those that were set, and checked; the view knows what an option means that was left out. Error for
  /// a value that the study does not have.
  std::function<report::Part(const StudyEvidence&, const Values& set)> make;
};

/// A topic of `retrial list`. The name is unique among the topics of all folders.
struct Listing {
  struct Column {
    std::string key, title;
  };
  std::string name, title, meaning;
  std::vector<Column> columns;
  std::function<std::vector<Json>()> rows;  ///< each an object with every key of `columns`
  std::string former_option = {};           ///< "prunable": the option of `retrial list` that this topic replaced
};

/// An option of the commands that plan trials, as another spelling of a key: `--read NAME` for `--set read=NAME`.
struct Flag {
  std::string name;        ///< without dashes
  std::string value_name;  ///< "NAME"; empty: the option takes no value
  std::string meaning;
  bool repeats = false;  ///< the values of several are joined to a list
  std::string key;
  std::string value = "true";  ///< that the key gets where the option takes none
  /// Each use is a variant, NAME=TEXT or TEXT, whose key it sets; the workload then needs no name on the command line.
  bool names_variant = false;
};

/// What must hold of every finished trial, whatever its scores: `retrial verify --full` asks it of a store, `retrial
/// check` of the trials that it runs. Probes look inside a run; audits read what it recorded.
struct Audit {
  std::string name, asks;  ///< "mask-density": "the recorded prune ratio is that of the masks"
  /// The kind of each finding is the name of the audit.
  std::function<std::vector<Finding>(const FinishedTrial&, const Values&)> find;
};

/// Every field may be left empty: the folder then adds nothing there.
struct Contribution {
  /// The one section of the report of a finished study.
  std::function<report::Part(const StudyEvidence&)> section = {};
  /// What a reader must know beside every view, and the only thing that is shown before a declared verdict: no number.
  std::function<report::Section(const StudyEvidence&)> notes = {};
  std::vector<View> views = {};
  std::vector<Listing> listings = {};
  std::vector<Flag> flags = {};
  std::vector<Audit> audits = {};
  /// Results from publications, made when asked for.
  std::function<std::vector<published::Table>()> published = {};
  /// What a trial does, for plans.
  EffortOf effort = {};
};

}  // namespace retrial::workloads::inline interface
