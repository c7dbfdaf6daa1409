#pragma once

#include <functional>
#include <string>
#include <vector>

#include "results/json/json.hpp"
#include "workloads/interface/effort.hpp"
#include "workloads/interface/parameter.hpp"
#include "workloads/interface/trial/probe.hpp"

/// The additions of a folder of workloads/ to the programs, beyond its trials: pages, tables, lists, options,
/// published numbers. Plain values and torch-free functions, so that both programs and the tests can use them; a
/// workload is then its folder and one line of CMake.
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

/// `retrial report STORE --view NAME --set KEY=VALUE`: a page about the finished trials. The harness makes no view
/// before a declared verdict.
struct View {
  std::string name, meaning;
  std::vector<Parameter> options;  ///< for --set
  /// The values are the options that were set, already checked; the view knows the defaults of the others. Throws Error
  /// for a value that the study does not have.
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
  std::string former_option = {};           ///< "prunable": the former option of `retrial list` for this topic
};

/// An option of the commands that plan trials, another spelling of a key: `--read NAME` for `--set read=NAME`.
struct Flag {
  std::string name;        ///< without dashes
  std::string value_name;  ///< "NAME"; empty: the option takes no value; "[NAME,...]": none, or a list
  std::string meaning;
  bool repeats = false;  ///< the values of several uses form a list
  std::string key;
  std::string value = "true";  ///< value of the key if the option has none
  /// Each use declares a variant, NAME=TEXT or TEXT, and sets its key; the command line then needs no name of a
  /// workload.
  bool names_variant = false;
};

/// A condition on every finished trial, whatever its scores: `retrial verify --full` checks the trials of a store,
/// `retrial check` those that it runs. Probes look inside a run; audits read its records.
struct Audit {
  std::string name, asks;  ///< "mask-density": "the recorded prune ratio is that of the masks"
  /// The kind of each finding is the name of the audit.
  std::function<std::vector<Finding>(const FinishedTrial&, const Values&)> find;
};

/// A trial for a purpose of its own. The keys that it does not set are at their defaults.
struct ShortTrial {
  std::string name;  ///< unique in its list: "resnet20, label smoothing"
  Values keys;
};

/// Every field may be empty: the folder then adds nothing there.
struct Contribution {
  /// The section of the folder in the report of a finished study.
  std::function<report::Part(const StudyEvidence&)> section = {};
  /// Text that a reader needs next to every view, shown also before a declared verdict: it contains no number.
  std::function<report::Section(const StudyEvidence&)> notes = {};
  /// Facts about the trials of each variant that a reader needs beside every comparison, such as the rows that were
  /// trained on: a sentence each. The evidence has the artifacts of the trials, no metrics and no `judge`.
  std::function<std::vector<std::string>(const StudyEvidence&)> beside = {};
  std::vector<View> views = {};
  std::vector<Listing> listings = {};
  std::vector<Flag> flags = {};
  std::vector<Audit> audits = {};
  /// Results from publications, made on request.
  std::function<std::vector<published::Table>()> published = {};
  /// Cost of a trial, for plans.
  EffortOf effort = {};
  /// Trials that together use all that the folder offers: every network, loss, method, augmentation and corruption,
  /// with the least data and rows that show it. Audits of operators, trainings on emulated CPUs and golden digests run
  /// these.
  std::function<std::vector<ShortTrial>()> short_trials = {};
  /// A training of each network that people train here, at batch sizes that they use, on data that the program holds,
  /// for at least 100 steps: `retrial price` times its steps.
  std::function<std::vector<ShortTrial>()> trainings = {};
};

}  // namespace retrial::workloads::inline interface
