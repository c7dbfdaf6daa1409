#pragma once

#include "variance/comparisons/comparisons.hpp"
#include "variance/designs/design_family.hpp"
#include "variance/groups/groups.hpp"
#include "variance/offers/offers.hpp"

/// The cells of an offer, by kind. `plain` names the offer and its level.
namespace retrial::variance::inline offers::offer_cells {

using Cells = std::vector<OfferCell>;

// offer_cells_two.cpp: two variants
[[nodiscard]] Cells test_cells(const ComparisonTest& test, const OfferCell& plain, const Levels& levels);
[[nodiscard]] Cells design_cells(const DesignFamily& family, const OfferCell& plain, const Levels& levels);

// offer_cells_many.cpp: several variants or claims
[[nodiscard]] Cells table_cells(OfferCell plain);
/// Equal groups of scores that the test is made for.
[[nodiscard]] Cells group_cells(OfferCell plain, const GroupTest& test);
[[nodiscard]] Cells correction_cells(OfferCell plain);
[[nodiscard]] Cells report_cells(OfferCell plain);

// offer_cells_tasks.cpp: several tasks
[[nodiscard]] Cells aggregate_cells(const OfferCell& plain);

/// The difference at which EQUIVALENT is false, in standard deviations of a run.
constexpr double margin_in_sd = 1.5;

}  // namespace retrial::variance::inline offers::offer_cells
