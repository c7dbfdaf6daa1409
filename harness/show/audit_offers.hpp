#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "results/report/report.hpp"
#include "variance/offers/offers.hpp"

/// The parts of the audit's page about what the program offers.
namespace retrial::harness::inline show {

using OfferRows = std::span<const variance::OfferRow>;

/// "5.02", in percent.
[[nodiscard]] std::string percent_cell(double share);
/// "pass" and "shown" as they are, failures with the tone of bad news.
[[nodiscard]] report::Cell toned(const std::string& verdict);

/// One line per offer: its worst cell.
[[nodiscard]] report::Table offers_table(OfferRows rows);
/// Cells that fail; absent without one.
[[nodiscard]] std::optional<report::Table> failed_offers_table(OfferRows rows);
/// Cells outside the assumptions of a rule; absent without one.
[[nodiscard]] std::optional<report::Table> departures_table(OfferRows rows);
/// One table per offer, with all its cells.
[[nodiscard]] std::vector<report::Table> offer_cell_tables(OfferRows rows);
[[nodiscard]] Json offer_json(const variance::OfferRow& row);

}  // namespace retrial::harness::inline show
