#include "variance/verdict/pair_outcomes.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "variance/designs/design_family.hpp"
#include "variance/samples/ties.hpp"
#include "variance/verdict/decided_scores.hpp"

namespace retrial::variance::inline verdict {
namespace {

using Score = std::optional<double>;

bool has_score(const Score& score) {
  return score && std::isfinite(*score);
}

std::vector<double> numbers_of(const std::vector<Score>& scores) {
  std::vector<double> out;
  for (const Score& score : scores)
    if (has_score(score)) out.push_back(*score);
  return out;
}

PairOutcome outcome_of(const Score& candidate, const Score& baseline, const Design& design, Direction direction,
                       double tolerance) {
  if ((!candidate || !baseline) && design.failure != FailurePolicy::loss) return PairOutcome::left_out;
  if (!has_score(candidate) && !has_score(baseline)) return PairOutcome::both_failed;
  if (!has_score(candidate)) return PairOutcome::loss;
  if (!has_score(baseline)) return PairOutcome::win;
  const double difference = *candidate - *baseline;
  if (std::fabs(difference) <= tolerance) return PairOutcome::tie;
  return (difference > 0.0) == (direction == Direction::higher) ? PairOutcome::win : PairOutcome::loss;
}

}  // namespace

std::string_view name_of(PairOutcome outcome) {
  switch (outcome) {
    case PairOutcome::win:
      return "win";
    case PairOutcome::tie:
      return "tie";
    case PairOutcome::loss:
      return "loss";
    case PairOutcome::both_failed:
      return "both failed";
    case PairOutcome::left_out:
      return "left out";
  }
  return "";
}

double own_tolerance(double candidate, double baseline, const PairedScores& scores) {
  const double noise = 1e-12 * std::max(std::fabs(candidate), std::fabs(baseline));
  return scores.resolution ? std::max(*scores.resolution / 2.0, noise) : noise;
}

std::vector<PairOutcome> pair_outcomes(const PairedScores& given, const Design& design) {
  const PairedScores scores = decided_scores(given);
  // A sequential design ties a pair by its own scores: a later score must not change an earlier answer.
  const bool sequential = family_of(design).sequential();
  const double common =
      sequential ? 0.0 : tie_tolerance(scores.resolution, numbers_of(scores.candidate), numbers_of(scores.baseline));
  std::vector<PairOutcome> out;
  for (std::size_t i = 0; i < scores.candidate.size(); ++i) {
    const Score &candidate = scores.candidate[i], &baseline = scores.baseline[i];
    const bool own = sequential && has_score(candidate) && has_score(baseline);
    const double tolerance = own ? own_tolerance(*candidate, *baseline, scores) : common;
    out.push_back(outcome_of(candidate, baseline, design, scores.direction, tolerance));
  }
  return out;
}

PairCounts counts_of(const std::vector<PairOutcome>& outcomes) {
  const auto count = [&](PairOutcome outcome) { return std::ranges::count(outcomes, outcome); };
  const std::int64_t both_failed = count(PairOutcome::both_failed);
  return {.wins = {.wins = count(PairOutcome::win),
                   .ties = count(PairOutcome::tie) + both_failed,
                   .losses = count(PairOutcome::loss)},
          .both_failed = both_failed,
          .left_out = count(PairOutcome::left_out)};
}

std::string undecided_text(const Verdict& verdict, std::string_view more) {
  const std::string after = more.empty() ? "" : " " + std::string(more);
  const std::int64_t tied = verdict.tied_scores();
  std::string out;
  if (tied > 0) out = std::to_string(tied) + after + " tied";
  if (tied > 0 && verdict.open_pairs > 0)
    out += verdict.open_pairs == tied ? " at bounds" : ", " + std::to_string(verdict.open_pairs) + " of them at bounds";
  if (verdict.both_failed > 0)
    out += (out.empty() ? "" : ", ") + ("both failed in " + std::to_string(verdict.both_failed)) + after;
  return out;
}

}  // namespace retrial::variance::inline verdict
