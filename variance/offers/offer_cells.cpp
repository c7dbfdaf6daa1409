#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <numbers>
#include <utility>

#include "variance/comparisons/comparisons.hpp"
#include "variance/designs/design_family.hpp"
#include "variance/groups/groups.hpp"
#include "variance/many/multiplicity.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/offers/offer_departures.hpp"
#include "variance/offers/offer_judges.hpp"
#include "variance/offers/offers.hpp"
#include "variance/random/rng.hpp"
#include "variance/tables/method_table.hpp"

namespace retrial::variance::inline offers {
namespace {

using Cells = std::vector<OfferCell>;
using Looks = std::vector<std::int64_t>;

constexpr std::array paired_scores{NullScores::gaussian, NullScores::t3,   NullScores::lognormal, NullScores::counts,
                                   NullScores::rounded,  NullScores::tied, NullScores::zero_sum};
constexpr std::array unpaired_scores{NullScores::gaussian, NullScores::t3, NullScores::lognormal, NullScores::counts,
                                     NullScores::rounded};
constexpr std::array<std::int64_t, 5> pair_counts{10, 2, 3, 5, 20};
constexpr std::int64_t max_slow_pairs = 10;  // exact permutation laws double with every pair
constexpr std::array<std::pair<std::int64_t, std::int64_t>, 5> group_sizes{
    {{10, 10}, {2, 2}, {5, 5}, {3, 10}, {5, 20}}};
constexpr double margin_in_sd = 1.5, common_spread = 3.0, failing = 0.1, worst_third = 1.0 / 3.0;
constexpr std::int64_t design_pairs = 42, watched_pairs = 60, band_pairs = 150;
constexpr std::int64_t claims = 6;

/// Shift with which a candidate of normal scores wins gamma of the pairs.
double gamma_shift(const Levels& levels) {
  return quantile(required_gamma(levels)) * std::numbers::sqrt2;
}

// ---- tests of two variants ----

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

// ---- designs ----

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

Cells design_cells(const DesignFamily& family, const OfferCell& plain, const Levels& levels) {
  constexpr std::array bounded_scores{NullScores::counts, NullScores::zero_sum};
  if (family.looks) return looks_cells(plain);
  if (family.data == SequentialData::differences) return differences_cells(plain, paired_scores);
  if (family.data == SequentialData::bounded) return differences_cells(plain, bounded_scores);
  return wins_cells(family, plain, levels);
}

// ---- several variants, tasks, claims ----

Cells table_cells(OfferCell plain) {
  Cells cells;
  if (find_omnibus(plain.offer.name)->bits) {
    plain.scores = NullScores::bits;
    for (const auto& [methods, items] : {std::pair<std::int64_t, std::int64_t>{4, 100}, {3, 40}})
      cells.push_back(plain), cells.back().many = methods, cells.back().runs = items;
    return cells;
  }
  for (const auto& [methods, data_sets] : {std::pair<std::int64_t, std::int64_t>{6, 20}, {4, 10}, {3, 5}})
    for (const NullScores scores : {NullScores::gaussian, NullScores::lognormal, NullScores::counts}) {
      plain.scores = scores;
      plain.many = methods, plain.runs = data_sets;
      cells.push_back(plain);
    }
  return cells;
}

/// Equal groups of scores that the test is made for.
Cells group_cells(OfferCell plain, const GroupTest& test) {
  Cells cells;
  plain.paired = false;
  const bool ordinal = test.ordinal;
  plain.slow = plain.offer.kind == OfferKind::group_pairs && !ordinal;  // a quantile for every pair
  for (const auto& [groups, runs] : {std::pair<std::int64_t, std::int64_t>{3, 10}, {4, 20}})
    for (const NullScores scores : {NullScores::gaussian, NullScores::t3, NullScores::counts, NullScores::lognormal}) {
      if (scores == NullScores::lognormal && !ordinal) continue;
      cells.push_back(plain);
      cells.back().scores = scores;
      cells.back().many = groups, cells.back().runs = cells.back().baseline_runs = runs;
    }
  return cells;
}

bool keeps_false_discoveries_only(std::string_view name) {
  const auto row = std::ranges::find(all_adjustments(), name, &AdjustmentRow::name);
  return row->adjustment == Adjustment::bh || row->adjustment == Adjustment::by;
}

Cells correction_cells(OfferCell plain) {
  Cells cells;
  const auto row = std::ranges::find(all_adjustments(), plain.offer.name, &AdjustmentRow::name);
  const bool pairs_of_variants = row->adjustment == Adjustment::shaffer;
  plain.many = row->adjustment == Adjustment::none ? 1 : pairs_of_variants ? 4 : claims;
  for (const NullScores scores : {NullScores::gaussian, NullScores::t3})
    cells.push_back(plain), cells.back().scores = scores;
  if (row->adjustment == Adjustment::none) {
    cells.push_back(plain);
    cells.back().many = claims;
  } else if (!pairs_of_variants && !keeps_false_discoveries_only(plain.offer.name)) {
    cells.push_back(plain);
    cells.back().effects = 0.5;
  }
  return cells;
}

Cells aggregate_cells(OfferCell plain) {
  Cells cells;
  plain.paired = false;
  plain.slow = true;
  plain.level /= 2.0;  // level of an interval of level 1 - alpha
  const auto add = [&](std::int64_t tasks, std::int64_t runs, std::int64_t baseline_runs, NullScores scores) {
    cells.push_back(plain);
    cells.back().many = tasks;
    cells.back().runs = runs, cells.back().baseline_runs = baseline_runs;
    cells.back().scores = scores;
  };
  for (const NullScores scores : {NullScores::gaussian, NullScores::lognormal, NullScores::counts})
    for (const auto& [tasks, runs] : {std::pair<std::int64_t, std::int64_t>{5, 3}, {1, 3}, {1, 5}, {5, 10}})
      add(tasks, runs, runs, scores);
  add(1, 4, 12, NullScores::gaussian), add(5, 4, 12, NullScores::lognormal);
  add(2, 5, 5, NullScores::gaussian), cells.back().paired = true;
  if (plain.offer.name == "gap" || plain.offer.name == "poi") return cells;  // no margin in the unit of the scores
  for (const auto& [tasks, runs] : {std::pair<std::int64_t, std::int64_t>{1, 3}, {5, 3}, {1, 10}}) {
    add(tasks, runs, runs, NullScores::gaussian);
    cells.back().error = FalseVerdict::equivalent;
    cells.back().shift = margin_in_sd;
  }
  return cells;
}

/// Whole tasks are drawn again, and labels exchanged: below six tasks there are too few labelings for a verdict.
Cells task_bootstrap_cells(OfferCell plain) {
  Cells cells;
  plain.paired = false;
  plain.slow = true;
  plain.level /= 2.0;
  for (const std::string_view aggregate : {"iqm", "mean", "median", "gap", "poi"})
    for (const double task_effects : {1.0, 0.0})
      for (const std::int64_t tasks : {10, 6}) {
        cells.push_back(plain);
        cells.back().aggregate = aggregate;
        cells.back().task_effects = task_effects;
        cells.back().many = tasks;
        cells.back().runs = cells.back().baseline_runs = 3;
      }
  // The other aggregates of skewed differences are not 0 where their mean is.
  for (const std::int64_t tasks : {10, 20}) {
    cells.push_back(cells.front());
    cells.back().aggregate = "mean";
    cells.back().task_model = NullScores::lognormal;
    cells.back().many = tasks;
  }
  return cells;
}

Cells hierarchical_cells(OfferCell plain) {
  Cells cells;
  plain.slow = true;
  for (const double task_effects : {1.0, 0.0})
    for (const std::int64_t tasks : {5, 10}) {
      cells.push_back(plain);
      cells.back().task_effects = task_effects;
      cells.back().many = tasks;
    }
  cells.push_back(cells[1]);
  cells.back().task_model = NullScores::lognormal;
  return cells;
}

Cells share_cells(OfferCell plain) {
  constexpr std::int64_t sets = 8;
  Cells cells;
  plain.many = sets;
  for (const double together : {0.0, 0.5, 1.0})
    for (const std::int64_t pairs : {44, 20, 10}) {
      cells.push_back(plain);
      cells.back().together = together;
      cells.back().runs = cells.back().baseline_runs = pairs;
      cells.back().slow = pairs == 20 || pairs == 44;  // of sign flips
    }
  return cells;
}

Cells report_cells(OfferCell plain) {
  if (offer_judges::is_share(plain.offer.name)) return share_cells(plain);
  Cells cells;
  plain.many = plain.offer.name == "main_effects" ? 3 : claims;
  if (plain.offer.name != "claims") plain.error = FalseVerdict::both;
  for (const NullScores scores : {NullScores::gaussian, NullScores::t3, NullScores::counts})
    cells.push_back(plain), cells.back().scores = scores;
  return cells;
}

Cells plain_cells(const Offer& offer, const Levels& levels) {
  const OfferCell plain{.offer = offer, .level = levels.alpha};
  switch (offer.kind) {
    case OfferKind::test:
      return test_cells(*find_comparison(offer.name), plain, levels);
    case OfferKind::design:
      return design_cells(*find_family(offer.name), plain, levels);
    case OfferKind::table_test:
      return table_cells(plain);
    case OfferKind::group_test:
      return group_cells(plain, *find_group_test(offer.name));
    case OfferKind::group_pairs:
      return group_cells(plain, *std::ranges::find(all_group_tests(), offer.name, &GroupTest::pairs));
    case OfferKind::correction:
      return correction_cells(plain);
    case OfferKind::aggregate:
      return offer.name == offer_judges::task_bootstrap_name ? task_bootstrap_cells(plain)
             : offer.name == offer_judges::hierarchical_name ? hierarchical_cells(plain)
                                                             : aggregate_cells(plain);
    case OfferKind::report:
      break;
  }
  return report_cells(plain);
}

}  // namespace

std::vector<OfferCell> cells_of(const Offer& offer, const Levels& levels) {
  Cells cells = plain_cells(offer, levels);
  for (OfferCell& cell : cells) cell.departure = known_departure(cell);
  // clang++ 14 does not compile std::ranges::stable_partition of libstdc++ 12.
  std::stable_partition(cells.begin(), cells.end(), [](const OfferCell& cell) { return !cell.departure; });
  return cells;
}

}  // namespace retrial::variance::inline offers
