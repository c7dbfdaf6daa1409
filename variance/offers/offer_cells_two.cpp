#include <algorithm>
#include <array>
#include <initializer_list>
#include <numbers>
#include <utility>

#include "variance/numbers/distributions.hpp"
#include "variance/offers/offer_cells.hpp"

namespace retrial::variance::inline offers::offer_cells {
namespace {

using Looks = std::vector<std::int64_t>;

constexpr std::array paired_scores{NullScores::gaussian, NullScores::t3,   NullScores::lognormal, NullScores::counts,
                                   NullScores::rounded,  NullScores::tied, NullScores::zero_sum};
constexpr std::array unpaired_scores{NullScores::gaussian, NullScores::t3, NullScores::lognormal, NullScores::counts,
                                     NullScores::rounded};
constexpr std::array<std::int64_t, 5> pair_counts{10, 2, 3, 5, 20};
constexpr std::int64_t max_slow_pairs = 10;  // exact permutation laws double with every pair
constexpr std::array<std::pair<std::int64_t, std::int64_t>, 5> group_sizes{
    {{10, 10}, {2, 2}, {5, 5}, {3, 10}, {5, 20}}};
constexpr double common_spread = 3.0, failing = 0.1, worst_third = 1.0 / 3.0;
constexpr std::int64_t design_pairs = 42, watched_pairs = 60, band_pairs = 150;

/// Shift with which a candidate of normal scores wins gamma of the pairs.
double gamma_shift(const Levels& levels) {
  return quantile(required_gamma(levels)) * std::numbers::sqrt2;
}

bool has_ties(NullScores scores) {
  return row_of(scores).resolution.has_value();
}

/// Draws, integrates a posterior or computes an exact law of tied ranks in every simulation.
bool slow_test(const ComparisonTest& test, NullScores scores) {
  const bool integrates = test.evidence == Evidence::posterior && test.unit == Unit::share;
  return test.reads_setting("reps") || integrates ||
         (test.pairing == Pairing::unpaired && test.ordinal && has_ties(scores));
}

void add_pairs(Cells& cells, const ComparisonTest& test, const OfferCell& plain) {
  const bool any_scores = test.needs.empty();  // splits that overlap are simulated with normal scores only
  for (const NullScores scores : paired_scores)
    for (const std::int64_t pairs : pair_counts) {
      const bool slow = slow_test(test, scores);
      if (pairs < test.min_runs || (!any_scores && scores != NullScores::gaussian) || (slow && pairs > max_slow_pairs))
        continue;
      cells.push_back(plain);
      cells.back().scores = scores;
      cells.back().runs = cells.back().baseline_runs = pairs;
      cells.back().slow = slow;
    }
}

void add_groups(Cells& cells, const ComparisonTest& test, const OfferCell& plain) {
  const auto add = [&](NullScores scores, std::int64_t runs, std::int64_t baseline_runs, double spread) {
    if (runs < test.min_runs) return;
    cells.push_back(plain);
    cells.back().scores = scores;
    cells.back().runs = runs, cells.back().baseline_runs = baseline_runs;
    cells.back().spread = spread;
    cells.back().slow = slow_test(test, scores);
  };
  for (const NullScores scores : unpaired_scores)
    for (const auto& [runs, baseline_runs] : group_sizes) add(scores, runs, baseline_runs, 1.0);
  if (test.about == About::spread) return;
  for (const auto& [runs, baseline_runs] : {std::pair<std::int64_t, std::int64_t>{20, 20}, {5, 20}})
    add(NullScores::gaussian, runs, baseline_runs, common_spread);
}

/// The same plain cells with the truth at the margin.
void add_equivalence(Cells& cells, const ComparisonTest& test, const OfferCell& plain) {
  OfferCell cell = plain;
  cell.error = FalseVerdict::equivalent;
  cell.shift = margin_in_sd;
  for (const NullScores scores : {NullScores::gaussian, NullScores::counts, NullScores::t3})
    for (const std::int64_t runs : {10, 2, 5, 20}) {
      if (test.needs == "overlap" && scores != NullScores::gaussian) continue;
      cell.scores = scores;
      cell.runs = cell.baseline_runs = runs;
      cells.push_back(cell);
      if (!plain.paired) cells.back().baseline_runs = 2 * runs;
    }
}

/// Differences of equal variants that are within the rope as often as above and below it: on the edge of all claims
/// about the most frequent.
double rope_of_thirds(const ComparisonTest& test) {
  // For signed ranks these are the means of two differences: within, above or below.
  const double sd = test.name == "bayes_signed_rank" ? 1.0 : std::numbers::sqrt2;
  return sd * quantile(2.0 / 3.0);
}

/// Both claims, with the truth on their edge.
void add_rope(Cells& cells, const ComparisonTest& test, const OfferCell& plain) {
  OfferCell cell = plain;
  const auto add = [&](double rope, double shift) {
    cell.rope = rope, cell.shift = shift;
    for (const FalseVerdict error : {FalseVerdict::either, FalseVerdict::equivalent})
      cell.error = error, cells.push_back(cell);
  };
  for (const std::int64_t pairs : {10, 5}) {
    cell.runs = cell.baseline_runs = pairs;
    if (test.name != "bayes_t") add(rope_of_thirds(test), 0.0);
    if (test.name != "bayes_sign") add(margin_in_sd, margin_in_sd);
  }
}

}  // namespace

Cells test_cells(const ComparisonTest& test, const OfferCell& plain, const Levels& levels) {
  Cells cells;
  if (!test.needs.empty() && test.needs != "margin" && test.needs != "overlap") return cells;
  OfferCell cell = plain;
  cell.paired = test.pairing == Pairing::paired;
  if (test.needs == "margin") {
    add_equivalence(cells, test, cell);
    return cells;
  }
  if (test.scores == ScoreKind::bits) {
    cell.scores = NullScores::bits;
    for (const std::int64_t items : {40, 10, 400}) cell.runs = cell.baseline_runs = items, cells.push_back(cell);
    return cells;
  }
  if (test.scores == ScoreKind::five_by_two) {
    for (const NullScores scores : paired_scores) cell.scores = scores, cells.push_back(cell);
    return cells;
  }
  cell.paired ? add_pairs(cells, test, cell) : add_groups(cells, test, cell);
  if (cells.empty()) return cells;
  cells.push_back(cells.front());
  cells.back().sides = Sides::two;
  cells.back().error = FalseVerdict::both;
  if (test.reads_setting("margin")) add_equivalence(cells, test, cell);
  if (test.reads_setting("rope")) add_rope(cells, test, cells.front());
  if (test.reads_setting("gamma")) {
    cells.push_back(cells.front());
    cells.back().error = FalseVerdict::not_meaningful;
    cells.back().level = levels.beta;
    cells.back().shift = gamma_shift(levels);
    cells.back().runs = cells.back().baseline_runs = design_pairs;
  }
  return cells;
}

namespace {

void add_failures(Cells& cells, const OfferCell& plain, std::initializer_list<FailurePolicy> policies) {
  for (const FailurePolicy policy : policies) {
    cells.push_back(plain);
    cells.back().failed = failing;
    cells.back().failure = policy;
  }
}

/// One test at the declared number of pairs: other tests, and failures that are not at random.
void add_fixed(Cells& cells, const OfferCell& plain) {
  for (const char* test : {"paired_t", "wilcoxon"}) {
    add_failures(cells, plain, {FailurePolicy::drop});
    cells.back().test = test;
  }
  cells.push_back(plain);
  cells.back().failed = worst_third;
  cells.back().worst_fail = true;
  cells.back().failure = FailurePolicy::drop;
  cells.push_back(plain);
  cells.back().error = FalseVerdict::equivalent;
  cells.back().shift = margin_in_sd;
}

/// EQUIVALENT, where the win rate is at the end of the band.
void add_band(Cells& cells, OfferCell cell, bool anytime) {
  constexpr std::pair<double, double> band{0.3, 0.7};
  cell.error = FalseVerdict::equivalent;
  cell.band = band;
  cell.shift = quantile(band.second) * std::numbers::sqrt2;
  if (anytime) cell.runs = cell.baseline_runs = band_pairs, cell.slow = true;
  cells.push_back(cell);
}

Cells wins_cells(const DesignFamily& family, OfferCell plain, const Levels& levels) {
  Cells cells;
  plain.runs = plain.baseline_runs = family.anytime ? watched_pairs : design_pairs;
  for (const NullScores scores : paired_scores) cells.push_back(plain), cells.back().scores = scores;
  add_failures(cells, plain, {FailurePolicy::loss, FailurePolicy::drop});
  cells.push_back(plain);
  cells.back().error = FalseVerdict::not_meaningful;
  cells.back().level = levels.beta;
  cells.back().shift = gamma_shift(levels);
  if (!family.sequential()) add_fixed(cells, plain);
  if (!family.sequential() || family.name == "dual_e") add_band(cells, plain, family.sequential());
  return cells;
}

Cells looks_cells(OfferCell plain) {
  Cells cells;
  plain.error = FalseVerdict::both;
  plain.slow = true;
  for (const Looks& looks : {Looks{2, 4, 6, 8, 10}, Looks{4, 8, 12}, Looks{12, 24, 36, 48, 60}})
    for (const NullScores scores :
         {NullScores::gaussian, NullScores::t3, NullScores::counts, NullScores::rounded, NullScores::zero_sum}) {
      cells.push_back(plain);
      cells.back().scores = scores;
      cells.back().looks = looks;
      cells.back().runs = cells.back().baseline_runs = looks.back();
    }
  add_failures(cells, cells.front(), {FailurePolicy::drop});
  return cells;
}

Cells differences_cells(OfferCell plain, std::span<const NullScores> models) {
  Cells cells;
  plain.error = FalseVerdict::both;
  plain.runs = plain.baseline_runs = watched_pairs;
  for (const NullScores scores : models) cells.push_back(plain), cells.back().scores = scores;
  add_failures(cells, cells.front(), {FailurePolicy::drop});
  return cells;
}

}  // namespace

Cells design_cells(const DesignFamily& family, const OfferCell& plain, const Levels& levels) {
  constexpr std::array bounded_scores{NullScores::counts, NullScores::zero_sum};
  if (family.looks) return looks_cells(plain);
  if (family.data == SequentialData::differences) return differences_cells(plain, paired_scores);
  if (family.data == SequentialData::bounded) return differences_cells(plain, bounded_scores);
  return wins_cells(family, plain, levels);
}

}  // namespace retrial::variance::inline offers::offer_cells
