#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/stored/plan_state.hpp"
#include "harness/stored/stored_study.hpp"
#include "results/store/store.hpp"

/// Is only a part of the seed used (`seed % 4`)? Then many pairs are copies of a few.
namespace retrial::harness::inline stored::inline likeness {

/// Results of the trials of one pair: every outcome, digest and the output without the seeds.
struct PairOutcome {
  std::string seeds;  ///< seeds of both trials, canonical
  std::string baseline, candidate;
  bool tied = false;  ///< equal scores
};

struct FoldedSeed {
  std::int64_t pairs = 0;     ///< with different seeds
  std::int64_t outcomes = 0;  ///< distinct outcomes of these pairs
};

/// So many pairs must repeat an earlier one. With two, seed % 4 is found in 77 % of studies of five pairs and in nearly
/// all of six or more, and coarse scores of both variants that share most of their items are taken for it in at most
/// 1.6 % of studies (tests/harness/stored/likeness/folded_seed_tests.cpp).
constexpr std::int64_t repeats_of_folded = 2;

/// A coarse score repeats, too, but then the two variants hardly ever repeat in the same pairs. So a seed counts as
/// folded only if the outcome of either variant determines that of the other, `repeats_of_folded` pairs repeat an
/// earlier one, and half of the pairs or more have different scores: variants of equal scores repeat together anyway.
[[nodiscard]] std::optional<FoldedSeed> folded_seed(const std::vector<PairOutcome>& pairs);

/// The finding on two variants of a stored study, as a sentence; empty without one, and of a workload that reads its
/// seeds itself, a cost, or a design that holds sources by turns.
[[nodiscard]] std::string folded_seed_remark(const results::Store& store, const StudyView& study,
                                             const std::vector<PlannedTrial>& trials, const std::string& baseline,
                                             const std::string& candidate, const results::MetricDef& metric);

}  // namespace retrial::harness::inline stored::inline likeness
