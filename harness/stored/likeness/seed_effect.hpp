#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/plan/trial_body.hpp"
#include "harness/stored/plan_state.hpp"
#include "harness/stored/stored_study.hpp"
#include "results/store/store.hpp"

/// Does a seed reach the program? Judged by what its trials left; asked only of workloads that may ignore a seed.
namespace retrial::harness::inline stored::inline likeness {

/// As many runs with different seeds must agree before they count as copies of one run.
constexpr std::int64_t copies_needed = 3;

enum class SeedEffect {
  unknown,  ///< fewer than `copies_needed` runs with different seeds
  shown,    ///< the scores differ
  output,   ///< every score is the same, but not every other outcome or the printed output
  bound,    ///< everything is the same, and the score is at a bound (0, 1, 100) or not finite
  none      ///< everything is the same: the seed is dead
};

/// The parts of a finished trial in which its seed can show.
struct SeededRun {
  std::string seeds;            ///< canonical
  std::optional<double> score;  ///< the judged metric
  std::string left;             ///< outcomes, digests of files, and the output without the seeds
};

[[nodiscard]] SeededRun seeded_run(const TrialBody& body, const results::TrialRecord& record,
                                   const std::string& metric);

/// Takes one run of a variant after another; keeps the first one and the seeds.
class SeedRuns {
 public:
  void add(const SeededRun& run);
  [[nodiscard]] SeedEffect effect() const;
  [[nodiscard]] std::int64_t different_seeds() const { return static_cast<std::int64_t>(seeds_.size()); }
  [[nodiscard]] const std::optional<double>& score() const { return first_.score; }

 private:
  SeededRun first_;
  std::map<std::string, std::int64_t> seeds_;
  bool same_score_ = true, same_left_ = true;
};

/// Effect of different seeds in one variant.
struct SeedFinding {
  std::string variant, metric;
  SeedEffect effect = SeedEffect::unknown;
  std::int64_t seeds = 0;       ///< different ones
  std::optional<double> score;  ///< score of the first run
};
/// "the seed of b changes nothing: acc is 0.88 and the output repeats in 3 runs with different
/// seeds"; empty where the seed shows.
[[nodiscard]] std::string seed_sentence(const SeedFinding& finding);

/// The finding on one variant of a stored study. Nothing where the question does not arise: a workload that reads its
/// seeds, a variant without one, a cost as metric, a design that holds sources by turns.
[[nodiscard]] std::optional<SeedFinding> seed_finding(const results::Store& store, const StudyView& study,
                                                      const std::vector<PlannedTrial>& trials,
                                                      const std::string& variant, const results::MetricDef& metric);

/// Variants whose scores are those of another variant in every pair, a sentence each.
[[nodiscard]] std::vector<std::string> repeated_numbers(const results::Store& store, const StudyView& study,
                                                        const std::vector<PlannedTrial>& trials,
                                                        const results::MetricDef& metric);

/// Whether the variant has no seed by declaration, so that its score is one number.
[[nodiscard]] bool constant_by_declaration(const std::string& workload, const Values& values);

/// The user's consent to seeds that change nothing (`run --allow-constant`), kept next to the study: it belongs to no
/// identity.
[[nodiscard]] bool allows_constant(const results::Store& store, const results::Digest& study);
void allow_constant(results::Store& store, const results::Digest& study);

}  // namespace retrial::harness::inline stored::inline likeness
