#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "determinism/mode/kernel_mode.hpp"
#include "results/record/record.hpp"
#include "results/text/value.hpp"
#include "workloads/interface/contribution.hpp"
#include "workloads/interface/parameter.hpp"
#include "workloads/interface/score_scale.hpp"
#include "workloads/interface/trial/probe.hpp"
#include "workloads/interface/trial/trial.hpp"
#include "workloads/interface/user_program.hpp"

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

/// A key that does not fit the others: its name, the problem, the allowed values.
struct Problem {
  std::string key, problem, allowed;
};

/// A name that people try because other programs have it, with the keys to use here.
struct RefusedKey {
  std::string name, hint;
};

/// A place outside `Place::out` that all trials under some values use. They run one at a time.
struct SharedPlace {
  bool declared = false;  ///< the values say so themselves
  Problem problem;        ///< problem of those that do not, when several trials are to run at a time
  std::string help;       ///< advice for the user
};

/// A name in braces in the text of another key, for which the user has a key: {lr} in a command.
struct OwnKey {
  std::string name, of;      ///< "lr", in the text of "command"
  bool may_be_text = false;  ///< in single quotes: it stays as it is where the study has no such key
};

/// Keys that only the user's program knows. Their values become part of the keys of the workload, so that a command
/// with {lr} and the same command written out are one trial.
struct OwnKeys {
  std::function<std::vector<OwnKey>(const Values&)> used;  ///< every use in these values
  /// The problem of a key with this text; empty: none.
  std::function<std::string(const std::string& name, const std::string& text)> problem;
  std::function<Values(Values, const std::map<std::string, std::string>& own)> filled;
};

/// A text artifact in which every seed that has an effect shows.
struct PrintedOutput {
  std::string artifact;
  /// The text without what differs although the seed is ignored: the seeds themselves, times, names of folders.
  std::function<std::string(const Trial&, const std::string& text)> without_seeds;
};

enum class Trains { nothing, on_cpu, on_cpu_and_gpu };

/// The knowledge that both programs have of a workload; no torch type, no SQLite, no clock.
struct Declaration {
  std::string name, summary, example;
  std::vector<Parameter> parameters;
  std::vector<RefusedKey> refused;  ///< names that mean opposite things in other programs
  std::optional<OwnKeys> own_keys;  ///< absent: an unknown key is an error
  std::vector<Source> sources;
  std::vector<results::MetricDef> metrics;  ///< the first outcome metric is judged unless the study names another
  std::vector<Variant> variants;            ///< the first is the default baseline
  std::vector<ProbeDef> probes;             ///< for check --liveness: checks inside a run
  /// Checks keys against each other; types, ranges and choices have been checked before.
  std::function<std::vector<Problem>(const Values&)> validate;
  /// The problem of values that give a trial no seed: refused where it is the problem of every variant of a study, else
  /// the variant is constant by declaration. Empty function: none.
  std::function<std::optional<Problem>(const Values&)> without_seed;
  /// The key whose value cannot be combined with a kernel mode, such as one that promises no equal bits under a mode
  /// that does: refused when a study is planned. Empty function, or nothing: every mode is taken.
  std::function<std::optional<Problem>(const Values&, const determinism::KernelMode&)> mode_problem;
  /// Threads that a trial starts in addition to those of the kernel mode, its own included. Empty function: one.
  std::function<std::int64_t(const Values&)> own_threads;
  /// Whether trials under these values keep trained networks for others (Place::cache). Empty function: none does.
  std::function<bool(const Values&)> keeps_networks;
  /// The place that trials under these values share. Empty function, or nothing: none.
  std::function<std::optional<SharedPlace>(const Values&)> shares;
  /// Set if a seed may be ignored, as a user's program can: equal outcomes under three seeds then void a comparison.
  std::optional<PrintedOutput> printed;
  /// Sources honored under these values, in the order of `sources`.
  std::function<std::vector<std::string>(const Values&)> honours;
  /// Keys that are read under these values; a variant's own table may name only these.
  std::function<std::vector<std::string>(const Values&)> reads;
  /// Of the keys that are read, those that can change this metric, in a form that is equal for equal measurements: for
  /// telling whether two studies ask the same. Empty function: all as they are.
  std::function<Values(Values, const std::string& metric)> asked;
  /// SHA-256 of the data set; nothing without one. Throws Error if files are missing or wrong.
  std::function<std::optional<results::Digest>(const Values&, const std::filesystem::path& data)> dataset;
  /// Number of test items of a metric (for the binomial floor); nothing if it is not a share of items.
  std::function<std::optional<std::int64_t>(const Values&, const std::string& metric)> test_items;
  /// The number of items that tell as much, where some of them appear several times among the test items: (sum of w)^2
  /// / sum of w^2 for items that appear w times, rounded. Empty function, or nothing: every item appears once.
  std::function<std::optional<std::int64_t>(const Values&, const std::string& metric)> effective_items;
  /// What the scores of a metric can tell apart: their step or grid, and their range. Empty function: nothing is known.
  std::function<ScoreScale(const Values&, const std::string& metric)> scale;
  /// Test rows / training rows of the divisions, if the source that splits the data redraws them from one set, so that
  /// runs of different pairs share rows: the overlap of the corrected resampled t (Nadeau and Bengio 2003). Nothing
  /// where every pair has fresh data, or all have the same division.
  std::function<std::optional<double>(const Values&)> overlap;
  /// The key by which these values select the reported score on the test set, "select" for example; empty: none does.
  std::function<std::string(const Values&)> selects_on_test;
  /// Notes on these values for readers of the report, a sentence each; empty function: none.
  std::function<std::vector<std::string>(const Values&)> remarks;
  /// Operations that a profile of its trainings has (workloads/profiler); empty: it cannot be profiled.
  std::vector<std::string> operations;
  /// Metrics whose names depend on the keys (a user's program); empty function: `metrics` is all.
  std::function<std::vector<results::MetricDef>(const Values&)> metrics_of;
  /// Whether runs under these values define further metrics, whose names nobody knows before. Empty function: never.
  std::function<bool(const Values&)> finds_metrics;
  /// The program's part of the identity, if that is not the worker's build id: an array of SHA-256 texts.
  std::function<Json(const Values&)> program;
  /// The files of a user's program, and what it runs with: the latter is asked once a launch. Empty functions: the
  /// program is ours.
  std::function<ProgramFiles(const Values&)> program_files;
  std::function<ProgramFacts(const Values&)> program_facts;
  /// The command that a trial would start (argv of a user's program), for a dry run; empty function: none.
  std::function<std::vector<std::string>(const Trial&)> argv;
  /// Pages, lists, options and published numbers of this workload.
  Contribution contributes;
  /// True if trials run under kernel mode `inherit` unless the study sets another.
  bool inherits_mode = false;
  /// True if the worker must have been built with LibTorch.
  bool needs_torch = false;
  /// Where its networks are trained: a study on a GPU is refused where that is the CPU alone.
  Trains trains = Trains::nothing;
  /// The key that --data sets if a study does not; empty: the workload reads no data set from files.
  std::string data_key;
  /// Separates the items of a text with several: a list in a study file, a repeated option.
  std::string list_separator = ",";
  /// True if every trial gets an empty folder of its own. Making and removing one costs as much as a small trial.
  bool needs_out_folder = false;
  /// Whether that folder is kept after the trial, next to the store; empty function: never.
  std::function<bool(const Values&)> keeps_out_folder;
};

/// `metrics_of` if set, else `metrics`.
[[nodiscard]] std::vector<results::MetricDef> metrics_under(const Declaration& declaration, const Values& values);
[[nodiscard]] bool finds_metrics_under(const Declaration& declaration, const Values& values);
/// The overlap of pairs between which these sources vary; nothing where none of them redraws the division of the data
/// under these values.
[[nodiscard]] std::optional<double> overlap_under(const Declaration& declaration, const Values& values,
                                                  const std::vector<std::string>& varied);
[[nodiscard]] const Parameter* find_parameter(const Declaration& declaration, const std::string& key);
[[nodiscard]] const Source* find_source(const Declaration& declaration, const std::string& name);
[[nodiscard]] const Variant* find_variant(const Declaration& declaration, const std::string& name);
/// Every key at its default, then the preset on top.
[[nodiscard]] Values resolved(const Declaration& declaration, const Values& given);
/// The values as studies, trials and reports keep them. Every key that names a place (Reads::place) is at its default,
/// so that none of them names a user's folders; the place itself reaches a worker as Place::data. A key that is not
/// written at its default (Parameter::written_at_default) is absent then; readers give it its default.
[[nodiscard]] Values portable(const Declaration& declaration, Values values);
/// Only the keys whose value differs from the default (by bits), without places: the part of an identity.
[[nodiscard]] Values non_default(const Declaration& declaration, const Values& values);
/// Converts text or a TOML/JSON value to the key's type and checks the allowed set. Throws Error naming
/// "<workload>.<key>", the value and the allowed values; an unknown key suggests its nearest name.
[[nodiscard]] Value checked(const Declaration& declaration, const std::string& key, const Value& given,
                            const std::string& where);
[[nodiscard]] Value parsed(const Declaration& declaration, const std::string& key, const std::string& text,
                           const std::string& where);
/// "(0, 1000]", "ce, kd", "true, false", "text".
[[nodiscard]] std::string allowed_text(const Parameter& parameter);

}  // namespace retrial::workloads::inline interface
