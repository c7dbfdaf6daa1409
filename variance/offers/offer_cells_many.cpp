#include <algorithm>
#include <utility>

#include "variance/many/multiplicity.hpp"
#include "variance/offers/offer_cells.hpp"
#include "variance/offers/offer_judges.hpp"
#include "variance/tables/method_table.hpp"

namespace retrial::variance::inline offers::offer_cells {
namespace {

constexpr std::int64_t claims = 6;

bool keeps_false_discoveries_only(std::string_view name) {
  const auto row = std::ranges::find(all_adjustments(), name, &AdjustmentRow::name);
  return row->adjustment == Adjustment::bh || row->adjustment == Adjustment::by;
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

}  // namespace

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

Cells report_cells(OfferCell plain) {
  if (offer_judges::is_share(plain.offer.name)) return share_cells(plain);
  Cells cells;
  plain.many = plain.offer.name == "main_effects" ? 3 : claims;
  if (plain.offer.name != "claims") plain.error = FalseVerdict::both;
  for (const NullScores scores : {NullScores::gaussian, NullScores::t3, NullScores::counts})
    cells.push_back(plain), cells.back().scores = scores;
  return cells;
}

}  // namespace retrial::variance::inline offers::offer_cells
