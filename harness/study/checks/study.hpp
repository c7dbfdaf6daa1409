#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "determinism/mode/kernel_mode.hpp"
#include "harness/study/declared/claims.hpp"
#include "harness/study/declared/design_table.hpp"
#include "harness/study/declared/profile_design.hpp"
#include "harness/study/declared/source_design.hpp"
#include "results/json/json_fwd.hpp"
#include "results/text/value.hpp"
#include "workloads/interface/declaration.hpp"

namespace retrial::harness::inline study::inline checks {

/// A variant of the study: a preset of the workload with keys on top, all keys resolved.
struct StudyVariant {
  std::string name, preset;
  Values values;
};

/// A study, checked and resolved: only the program and the digest of the data set are still unknown.
struct Study {
  std::string name, workload;
  std::optional<std::uint64_t> seed;  ///< nothing: drawn once, printed and stored
  std::int64_t pairs = 20;
  std::vector<std::string> varied, held;  ///< sources that any variant honors
  determinism::KernelMode mode;
  std::vector<StudyVariant> variants;
  std::optional<variance::Design> compare;  ///< declared before the first run; absent with a single variant
  RegisteredClaims claims;                  ///< in addition to the judged comparison; usually none
  std::optional<VarianceDesign> variance;
  std::optional<SearchSpace> search;
  std::optional<ProfileDesign> profile;  ///< of retrial profile
  workloads::Folders folders;            ///< folders that keys name
  workloads::Scripts scripts;            ///< files of networks that keys name
};

/// A study before it is checked, from a file, the command line, or both (the command line wins).
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
  /// A key of the grid with its values, in order.
  struct GridKey {
    std::string key, where;
    std::vector<Key> levels;
  };
  struct Variance {
    std::string where;
    std::optional<std::string> design;
    std::optional<std::vector<std::string>> sources;
    std::optional<std::int64_t> runs, groups, replicates;
  };
  struct Search {
    struct Key {
      std::string key, where;
      std::optional<double> low, high;
      bool log = false;
      std::optional<std::int64_t> points;
    };
    std::string where;
    std::optional<std::string> method, metric;
    std::optional<std::int64_t> trials;
    std::vector<Key> keys;
  };
  struct Profile {
    std::optional<std::int64_t> blocks;
    std::optional<double> tolerance;
    std::optional<std::string> collector, level;
  };
  struct Claim {
    std::string name, where;
    std::optional<std::string> says, expect, test;
    std::optional<std::vector<std::string>> candidate, baseline, metric, against;
    std::optional<double> value, margin, share;
    std::optional<Contrast> contrast;
  };
  std::string where, name, workload;
  /// Places of the keys at the top, in [compare] and in [profile], by field: "study.toml:12:7", "--alpha".
  std::map<std::string, std::string> places;
  std::optional<std::uint64_t> seed;
  std::optional<std::int64_t> pairs;
  std::optional<std::vector<std::string>> vary, hold;
  std::optional<Variance> variance;
  std::optional<Search> search;
  std::optional<Profile> profile;
  std::optional<determinism::KernelMode> mode;
  std::vector<Key> set;
  std::vector<DraftVariant> variants;
  std::vector<GridKey> grid;  ///< every combination of these becomes a variant
  std::vector<Claim> claims;
  std::optional<std::string> claims_about;
  std::optional<std::string> metric, baseline, candidate;
  GivenDesign design;
  workloads::Scripts scripts;  ///< files whose digests stand in the keys

  /// The place of a field, else that of the whole draft.
  [[nodiscard]] const std::string& at(const std::string& field) const {
    const auto found = places.find(field);
    return found == places.end() ? where : found->second;
  }
};

/// Checks everything that needs the declaration: keys, presets, sources, metric, baseline and candidate.
[[nodiscard]] Study checked(const StudyDraft& draft);
/// The same for a study to plan and run: also refuses one whose pairs could not support a verdict.
[[nodiscard]] Study checked_to_run(const StudyDraft& draft);

/// Whether trials of one variant can differ from pair to pair. If no source is varied, a deterministic mode makes all
/// pairs copies of one: n is 1. Noise of a nondeterministic mode or a clock always differs.
[[nodiscard]] bool pairs_differ(const std::vector<std::string>& varied, const determinism::KernelMode& mode,
                                results::Nature judged);

/// The parts of checked() for a study of variance: the search needs the variants, the design needs the sources and the
/// judged metric.
[[nodiscard]] SearchSpace checked_search(const StudyDraft& draft, const workloads::Declaration& declaration,
                                         const Study& study, const std::string& judged);
void set_variance(const StudyDraft& draft, const std::vector<std::string>& honoured, const std::string& judged,
                  Study& study);
/// Checks variants, readings and directions of every claim. Variants and design must be checked before.
[[nodiscard]] RegisteredClaims checked_claims(const StudyDraft& draft, const workloads::Declaration& declaration,
                                              const Study& study);
/// The table [profile] of a draft. `study` has its workload, variants and pairs.
[[nodiscard]] ProfileDesign checked_profile(const StudyDraft& draft, const Study& study);
/// The number of runs in the plan of a profile study.
[[nodiscard]] std::int64_t profile_run_count(const Study& study);
/// The metrics that a claim may name under these values of a variant: of a profile study also shares of time.
[[nodiscard]] std::vector<results::MetricDef> claimable_metrics(const workloads::Declaration& declaration,
                                                                const Study& study, const Values& values);
/// The number of trials in its plan, searches included.
[[nodiscard]] std::int64_t trial_count(const Study& study);
/// The rows of its design. The study's seed must be set.
[[nodiscard]] std::vector<DesignRow> rows_of(const Study& study);
/// The space without the keys that this variant does not read: the number of trials stays, so all are tuned alike.
[[nodiscard]] SearchSpace searched_by(const workloads::Declaration& declaration, const SearchSpace& space,
                                      const StudyVariant& variant);
/// Sources that the workload honors at either end of the searched ranges.
[[nodiscard]] std::vector<std::string> honoured_in_search(const Study& study, const StudyVariant& variant);
/// The variant name of the trials of a variant's searches, in plan and store.
[[nodiscard]] std::string search_variant(const std::string& variant);

/// Documents of the store. The study refers to its design by digest; neither contains the program.
[[nodiscard]] Json design_document(const Study& study);
[[nodiscard]] Json study_document(const Study& study);

/// Sources that a variant honors.
[[nodiscard]] std::vector<std::string> honoured(const Study& study, const StudyVariant& variant);

/// The definition of the metric that a search selects by.
[[nodiscard]] results::MetricDef searched_metric(const Study& study, const StudyVariant& variant);
/// The definition of the judged metric.
[[nodiscard]] results::MetricDef judged_metric(const Study& study);

}  // namespace retrial::harness::inline study::inline checks
