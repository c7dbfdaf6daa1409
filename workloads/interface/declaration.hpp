#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "results/record/record.hpp"
#include "results/text/value.hpp"
#include "workloads/interface/contribution.hpp"
#include "workloads/interface/parameter.hpp"
#include "workloads/interface/probe.hpp"
#include "workloads/interface/trial.hpp"

namespace retrial::workloads::inline interface {

struct Source {
  std::string name, covers;
  bool of_test_data = false;  ///< part of the data: held at pair 0 unless a study names it in `vary`
  bool splits_data = false;   ///< draws which rows train and which test: varied, pairs have different test items
};

/// A named preset of keys.
struct Variant {
  std::string name, summary;
  Values preset;
};

/// Keys that do not go together: which key, what is wrong, what is allowed.
struct Problem {
  std::string key, problem, allowed;
};

/// A name that people try because other programs have it, and why it is no key here.
struct RefusedKey {
  std::string name, hint;
};

/// What both programs know of a workload; no torch type, no SQLite, no clock.
struct Declaration {
  std::string name, summary, example;
  std::vector<Parameter> parameters;
  std::vector<RefusedKey> refused;  ///< names that mean opposite things in other programs
  std::vector<Source> sources;
  std::vector<results::MetricDef> metrics;  ///< the first outcome metric is judged unless the study names another
  std::vector<Variant> variants;            ///< the first is the default baseline
  std::vector<ProbeDef> probes;             ///< what check --liveness may ask a worker about the inside of a run
  /// Keys that must agree with each other; the types, ranges and choices have been checked before.
  std::function<std::vector<Problem>(const Values&)> validate;
  /// Sources honoured under these keys, in the order of `sources`.
  std::function<std::vector<std::string>(const Values&)> honours;
  /// Keys that are read under these keys; a variant's own table may only name these.
  std::function<std::vector<std::string>(const Values&)> reads;
  /// SHA-256 of the data set, nothing when there is none. Throws Error when files are missing or wrong.
  std::function<std::optional<results::Digest>(const Values&, const std::filesystem::path& data)> dataset;
  /// Number of test items behind the metric (for the binomial floor), nothing when it is not a share of items.
  std::function<std::optional<std::int64_t>(const Values&, const std::string& metric)> test_items;
  /// The key by which these values choose on the test set what is reported, "select" say; empty: none does.
  std::function<std::string(const Values&)> selects_on_test;
  /// What whoever reads the results should know of these keys, a sentence each, for the report; empty function:
  /// nothing.
  std::function<std::vector<std::string>(const Values&)> remarks;
  /// Metrics whose names depend on the keys (somebody's own program); empty function: `metrics` is all.
  std::function<std::vector<results::MetricDef>(const Values&)> metrics_of;
  /// What stands for the program in the identity when that is not the worker's build id: an array of SHA-256 texts.
  std::function<Json(const Values&)> program;
  /// What a trial would start (the argv of somebody's own program), for a dry run; empty function: nothing.
  std::function<std::vector<std::string>(const Trial&)> argv;
  /// Pages, lists, options and published numbers of this workload.
  Contribution contributes;
  /// True when trials run under kernel mode `inherit` unless the study says otherwise.
  bool inherits_mode = false;
  /// True when the worker must have been built with LibTorch to run it.
  bool needs_torch = false;
  /// The key of place that --data stands for where a study leaves it out; empty: it reads no data set from files.
  std::string data_key;
  /// Separates the items of a text that holds several: a list of a study file, a flag that was repeated.
  std::string list_separator = ",";
  /// True when every trial is handed an empty folder of its own. Making and removing one costs as much as a small
  /// trial.
  bool needs_out_folder = false;
  /// Whether that folder is kept after the trial, next to the store; empty function: never.
  std::function<bool(const Values&)> keeps_out_folder;
};

/// `metrics_of` where there is one, else `metrics`.
[[nodiscard]] std::vector<results::MetricDef> metrics_under(const Declaration& declaration, const Values& values);
[[nodiscard]] const Parameter* find_parameter(const Declaration& declaration, const std::string& key);
[[nodiscard]] const Source* find_source(const Declaration& declaration, const std::string& name);
[[nodiscard]] const Variant* find_variant(const Declaration& declaration, const std::string& name);
/// Every key at its default, then the preset on top.
[[nodiscard]] Values resolved(const Declaration& declaration, const Values& given);
/// The values with every key that names a place (Reads::place) at its default: what a study, a trial and a report keep,
/// so that neither says whose disk it ran on. The place itself reaches a worker as Place::data.
[[nodiscard]] Values portable(const Declaration& declaration, Values values);
/// Only the keys whose value differs from the default (by bits), and no place: what an identity holds.
[[nodiscard]] Values non_default(const Declaration& declaration, const Values& values);
/// Converts text or a TOML/JSON value to the key's type and checks the allowed set. Throws Error naming
/// "<workload>.<key>", the value and what is allowed; an unknown key suggests its neighbour.
[[nodiscard]] Value checked(const Declaration& declaration, const std::string& key, const Value& given,
                            const std::string& where);
[[nodiscard]] Value parsed(const Declaration& declaration, const std::string& key, const std::string& text,
                           const std::string& where);
/// "(0, 1000]", "ce, kd", "true, false", "text".
[[nodiscard]] std::string allowed_text(const Parameter& parameter);

}  // namespace retrial::workloads::inline interface
