#include <cmath>

#include "variance/comparisons/comparisons.hpp"
#include "variance/designs/design_family.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/offers/offer_judges.hpp"
#include "variance/verdict/sequential_verdict.hpp"
#include "variance/verdict/verdict.hpp"

namespace retrial::variance::inline offers::offer_judges {
namespace {

// Test rows over training rows of the simulated splits: one in five is tested.
constexpr double simulated_overlap = 0.25;

NullPairs two_variants(const OfferCell& cell, Stream& draws) {
  NullPairs out;
  if (cell.paired) {
    out = null_pairs(cell.scores, cell.runs, draws);
  } else {
    for (std::int64_t i = 0; i < cell.runs; ++i) out.candidate.push_back(null_score(cell.scores, draws));
    for (std::int64_t i = 0; i < cell.baseline_runs; ++i) out.baseline.push_back(null_score(cell.scores, draws));
  }
  const double shift = shift_of(cell);
  if (shift != 0.0 || cell.spread != 1.0)
    for (double& score : out.candidate) score = cell.spread * score + shift;
  return out;
}

/// Differences of splits that share training rows have the correlation r = overlap / (1 + overlap) for which the
/// corrected t is exact (Nadeau and Bengio 2003): a part common to all, overlap times the variance of the rest.
void share_training_rows(NullPairs& scores, Stream& draws) {
  const double common = std::sqrt(2.0 * simulated_overlap) * normal(draws.next());
  for (double& score : scores.candidate) score += common;
}

/// Trials that fail: any, or the lowest share of the candidate's.
std::vector<std::optional<double>> with_failures(std::vector<double> scores, double failed, bool worst, Stream& draws) {
  std::vector<std::optional<double>> out;
  const double bar = worst ? quantile(failed) : 0.0;
  for (const double score : scores) {
    const bool fails = worst ? score < bar : failed > 0.0 && uniform(draws.next()) < failed;
    out.push_back(fails ? std::nullopt : std::optional(score));
  }
  return out;
}

Status sequential_status(const PairedScores& scores, const Design& design) {
  const Followed followed = follow(scores, design, Steps::without_intervals);
  if (followed.reason) return Status::invalid;
  const SequentialPart& part = followed.part;
  return part.state == SequentialState::go_on || part.looks.empty() ? Status::inconclusive : part.looks.back().status;
}

Design design_of(const OfferCell& cell, const AuditSettings& s) {
  const NullScoresRow& row = row_of(cell.scores);
  Design design{.candidate = "candidate",
                .baseline = "baseline",
                .metric = "score",
                .alpha = s.levels.alpha,
                .beta = s.levels.beta,
                .gamma = required_gamma(s.levels),
                .pairs = cell.runs,
                .margin = std::nullopt,
                .failure = cell.failure,
                .family = cell.offer.name,
                .test = std::string(cell.test),
                .sides = cell.sides,
                .correlation = std::nullopt,
                .band = cell.band,
                .range = std::nullopt,
                .looks = cell.looks,
                .key = std::nullopt};
  if (cell.error == FalseVerdict::equivalent && !cell.band) design.margin = shift_of(cell);
  if (row.high > row.low) design.range = std::pair(row.low, row.high);
  return design;
}

}  // namespace

double shift_of(const OfferCell& cell) {
  const NullScoresRow& row = row_of(cell.scores);
  const double shift = cell.shift * row.sd;
  return row.resolution ? std::round(shift / *row.resolution) * *row.resolution : shift;
}

OfferJudge test_judge(const OfferCell& cell, const AuditSettings& s) {
  const ComparisonTest& test = *find_comparison(cell.offer.name);
  const bool overlaps = test.needs == "overlap";
  TestSettings settings{.direction = Direction::higher,
                        .alpha = s.levels.alpha,
                        .beta = s.levels.beta,
                        .sides = cell.sides,
                        .resolution = row_of(cell.scores).resolution,
                        .margin = std::nullopt,
                        .overlap = std::nullopt,
                        .resamples = s.resamples,
                        .key = std::nullopt};
  if (cell.error == FalseVerdict::not_meaningful) settings.gamma = required_gamma(s.levels);
  if (cell.error == FalseVerdict::equivalent && test.reads_setting("margin")) settings.margin = shift_of(cell);
  if (overlaps) settings.overlap = simulated_overlap;
  settings.rope = cell.rope * row_of(cell.scores).sd;
  return [cell, settings, overlaps](Stream& draws, std::uint64_t key) {
    NullPairs scores = two_variants(cell, draws);
    if (overlaps) share_training_rows(scores, draws);
    TestSettings keyed = settings;
    keyed.key = key;
    return compare(cell.offer.name, std::move(scores.candidate), std::move(scores.baseline), keyed).status;
  };
}

OfferJudge design_judge(const OfferCell& cell, const AuditSettings& s) {
  const Design design = design_of(cell, s);
  const bool sequential = family_of(design).sequential();
  return [cell, design, sequential](Stream& draws, std::uint64_t key) {
    NullPairs numbers = two_variants(cell, draws);
    PairedScores scores{
        .direction = Direction::higher, .resolution = row_of(cell.scores).resolution, .test_items = std::nullopt};
    scores.candidate = with_failures(std::move(numbers.candidate), cell.failed, cell.worst_fail, draws);
    scores.baseline = with_failures(std::move(numbers.baseline), cell.worst_fail ? 0.0 : cell.failed, false, draws);
    Design keyed = design;
    keyed.key = key;
    return sequential ? sequential_status(scores, keyed) : judge(scores, keyed).status;
  };
}

}  // namespace retrial::variance::inline offers::offer_judges
