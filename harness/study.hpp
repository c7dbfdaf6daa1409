#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "determinism/kernel_mode.hpp"
#include "results/json.hpp"
#include "results/value.hpp"
#include "workloads/declaration.hpp"

namespace retrial::harness {

/// A variant as the study names it: a preset of the workload with keys on top, all keys resolved.
struct StudyVariant {
  std::string name, preset;
  Values values;
};

/// The statistics declared before the first run. How many pairs at most is Study::pairs.
struct Compare {
  std::string metric, baseline, candidate;
  double alpha = 0.05, beta = 0.05, gamma = 0.75, tie_limit = 0.5;
  std::optional<double> margin;
  std::string failure = "loss";
  std::string family = "fixed", test = "pab_exact", sides = "one", gamma_mode = "paired";
  std::optional<double> correlation;               ///< of paired scores; with gamma_mode unpaired
  std::optional<std::pair<double, double>> band;   ///< of equivalence, shares of pairs won
  std::optional<std::pair<double, double>> range;  ///< least and largest score
  std::vector<std::int64_t> looks;                 ///< of group_sequential: pairs at each look
  std::string spending;                            ///< of group_sequential; empty: of no meaning

  [[nodiscard]] bool sequential() const { return family != "fixed"; }
};

/// A study, checked and resolved: what remains to be known is only the program and the data set's digest.
struct Study {
  std::string name, workload;
  std::optional<std::uint64_t> seed;  ///< nothing: drawn once, printed, stored
  std::int64_t pairs = 20;
  std::vector<std::string> varied, held;  ///< of the sources that any variant honours
  determinism::KernelMode mode;
  std::vector<StudyVariant> variants;
  std::optional<Compare> compare;  ///< absent with a single variant
  std::string data;                ///< the folder that a key of place names; empty: none does
};

/// What a study is put together from before it is checked: a file, the command line, or both (the command line wins).
struct StudyDraft {
  struct Key {
    std::string key;
    Value value;
    std::string where;  ///< "study.toml:12:7" or "--set"
  };
  struct DraftVariant {
    std::string name, preset, where;
    std::vector<Key> keys;
  };
  std::string where, name, workload;
  std::optional<std::uint64_t> seed;
  std::optional<std::int64_t> pairs;
  std::optional<std::vector<std::string>> vary, hold;
  std::optional<determinism::KernelMode> mode;
  std::vector<Key> set;
  std::vector<DraftVariant> variants;
  std::optional<std::string> metric, baseline, candidate, failure;
  std::optional<double> alpha, beta, gamma, tie_limit, margin, correlation;
  std::optional<std::string> family, test, sides, gamma_mode, spending;
  std::optional<std::int64_t> n_max;
  std::optional<std::vector<double>> band, range;
  std::optional<std::vector<std::int64_t>> looks;  ///< one number: how many looks; several: pairs at each
};

/// Reads a TOML file. Every mistake of form is an Error that names file:line:column, field and allowed values.
[[nodiscard]] StudyDraft read_study_file(const std::string& path);

/// Checks everything that needs the declaration: keys, presets, sources, metric, baseline and candidate.
[[nodiscard]] Study checked(const StudyDraft& draft);

/// Documents of the store. The study's names its design by digest; neither contains the program.
[[nodiscard]] Json design_document(const Study& study);
[[nodiscard]] Json study_document(const Study& study);

/// Sources that a variant honours, and which of them the study varies.
[[nodiscard]] std::vector<std::string> honoured(const Study& study, const StudyVariant& variant);

/// The definition of the judged metric.
[[nodiscard]] results::MetricDef judged_metric(const Study& study);

}  // namespace retrial::harness
