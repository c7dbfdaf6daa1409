#include "variance/offers/offer_cells.hpp"

#include <algorithm>

#include "variance/offers/offer_departures.hpp"

namespace retrial::variance::inline offers {
namespace {

std::vector<OfferCell> plain_cells(const Offer& offer, const Levels& levels) {
  const OfferCell plain{.offer = offer, .level = levels.alpha};
  switch (offer.kind) {
    case OfferKind::test:
      return offer_cells::test_cells(*find_comparison(offer.name), plain, levels);
    case OfferKind::design:
      return offer_cells::design_cells(*find_family(offer.name), plain, levels);
    case OfferKind::table_test:
      return offer_cells::table_cells(plain);
    case OfferKind::group_test:
      return offer_cells::group_cells(plain, *find_group_test(offer.name));
    case OfferKind::group_pairs:
      return offer_cells::group_cells(plain, *std::ranges::find(all_group_tests(), offer.name, &GroupTest::pairs));
    case OfferKind::correction:
      return offer_cells::correction_cells(plain);
    case OfferKind::aggregate:
      return offer_cells::aggregate_cells(plain);
    case OfferKind::report:
      break;
  }
  return offer_cells::report_cells(plain);
}

}  // namespace

std::vector<OfferCell> cells_of(const Offer& offer, const Levels& levels) {
  std::vector<OfferCell> cells = plain_cells(offer, levels);
  for (OfferCell& cell : cells) cell.departure = known_departure(cell);
  // clang++ 14 does not compile std::ranges::stable_partition of libstdc++ 12.
  std::stable_partition(cells.begin(), cells.end(), [](const OfferCell& cell) { return !cell.departure; });
  return cells;
}

}  // namespace retrial::variance::inline offers
