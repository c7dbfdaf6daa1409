#include <algorithm>
#include <cmath>

#include "harness/scores/selection/options.hpp"
#include "harness/scores/selection/slice.hpp"
#include "harness/text/output.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline scores::inline selection {
namespace {

using variance::ComparisonTest;
using variance::FailurePolicy;
using Scores = std::vector<std::optional<double>>;

/// A value worse than every score of both sides by more than their range and the rope, so that it ties with none.
double below_all(const Scores& a, const Scores& b, const variance::TestSettings& settings) {
  std::vector<double> scores;
  for (const Scores* side : {&a, &b})
    for (const auto& score : *side)
      if (score) scores.push_back(*score);
  if (scores.empty()) return 0.0;
  const auto [low, high] = std::ranges::minmax(scores);
  const double step =
      (high - low) + std::fabs(low) + std::fabs(high) + 2.0 * settings.rope + settings.resolution.value_or(0.0) + 1.0;
  return settings.direction == variance::Direction::lower ? high + step : low - step;
}

std::vector<double> filled(const Scores& scores, double value) {
  std::vector<double> all;
  for (const auto& score : scores) all.push_back(score.value_or(value));
  return all;
}

std::vector<double> present(const Scores& scores) {
  std::vector<double> all;
  for (const auto& score : scores)
    if (score) all.push_back(*score);
  return all;
}

void drop(JudgedPair& pair, const Scores& candidate, const Scores& baseline, bool paired) {
  if (!paired) {
    pair.candidate = present(candidate);
    pair.baseline = present(baseline);
    pair.notes.emplace_back("failed runs were left out, so a variant that fails more often looks better than it is");
    return;
  }
  for (std::size_t i = 0; i < candidate.size(); ++i)
    if (candidate[i] && baseline[i]) {
      pair.candidate.push_back(*candidate[i]);
      pair.baseline.push_back(*baseline[i]);
    }
  pair.notes.push_back(counted(static_cast<std::int64_t>(candidate.size() - pair.candidate.size()), "pair") +
                       " with a failed run left out");
}

[[noreturn]] void ask_for_policy(const ComparisonTest& test, std::int64_t missing) {
  std::string ordinal;
  for (const auto& row : variance::all_comparisons())
    if (row.ordinal && row.pairing == test.pairing) ordinal += (ordinal.empty() ? "" : ", ") + std::string(row.name);
  throw Error({.code = "scores.missing_score",
               .field = "--failure",
               .problem = counted(missing, "score") + (missing == 1 ? " is" : " are") + " missing, and " +
                          std::string(test.name) + " cannot count a failed run as a loss",
               .allowed = "drop, refuse",
               .help = "tests that count a failed run as the worst score: " + ordinal});
}

}  // namespace

void require_holes_decided(const ScoreTable& table, const std::optional<FailurePolicy>& policy) {
  constexpr std::size_t shown = 6;
  if (table.holes.empty() || policy) return;
  std::vector<std::string> names(table.holes.begin(), table.holes.begin() + std::min(shown, table.holes.size()));
  if (table.holes.size() > shown) names.push_back(std::to_string(table.holes.size() - shown) + " more");
  const auto count = std::ssize(table.holes);
  throw Error({.code = "scores.missing_score",
               .where = table.name,
               .field = "--failure",
               .problem = "must be given: " + counted(count, "score") + (count == 1 ? " is" : " are") + " missing, " +
                          results::joined(names),
               .allowed = "drop, loss, refuse",
               .help = "--failure drop leaves out these pairs; --failure loss takes them as failed runs, worse than "
                       "every score"});
}

JudgedPair judged_pair(const Slice& slice, std::size_t candidate, std::size_t baseline, const ComparisonTest& test,
                       const variance::TestSettings& settings, const std::optional<FailurePolicy>& policy) {
  const Scores &a = slice.scores[candidate], &b = slice.scores[baseline];
  JudgedPair pair{.missing_candidate = slice.missing(candidate), .missing_baseline = slice.missing(baseline)};
  const std::int64_t missing = pair.missing_candidate + pair.missing_baseline;
  const bool paired = slice.paired && test.pairing == variance::Pairing::paired;
  if (missing == 0) {
    pair.candidate = present(a);
    pair.baseline = present(b);
    return pair;
  }
  const FailurePolicy chosen = policy.value_or(FailurePolicy::loss);
  if (chosen == FailurePolicy::refuse) {
    pair.refused = true;
  } else if (chosen == FailurePolicy::drop) {
    drop(pair, a, b, paired);
  } else {
    if (!test.ordinal) ask_for_policy(test, missing);
    const double worst = below_all(a, b, settings);
    pair.candidate = filled(a, worst);
    pair.baseline = filled(b, worst);
    pair.notes.push_back(counted(missing, "failed run") + (missing == 1 ? " counts" : " count") +
                         " as worse than every score (--failure loss)");
  }
  return pair;
}

}  // namespace retrial::harness::inline scores::inline selection
