#include "harness/show/audit_offers.hpp"

#include <algorithm>
#include <array>

#include "harness/text/output.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline show {
namespace {

using report::right;
using variance::AuditOutcome;
using variance::OfferRow;
using variance::Status;

bool failed_row(const OfferRow& row) {
  return row.outcome == AuditOutcome::failed || row.outcome == AuditOutcome::not_shown;
}

/// Rows of one offer are neighbors.
std::vector<OfferRows> by_offer(OfferRows rows) {
  std::vector<OfferRows> groups;
  for (std::size_t from = 0, to = 0; from < rows.size(); from = to) {
    while (to < rows.size() && rows[to].cell.offer == rows[from].cell.offer) ++to;
    groups.push_back(rows.subspan(from, to - from));
  }
  return groups;
}

/// A failure, else the promise that is nearest to its level.
const OfferRow& worst(OfferRows rows) {
  const auto rank = [](const OfferRow& row) {
    return (failed_row(row) ? 100.0 : row.cell.departure ? -100.0 : 0.0) + row.rate() - row.cell.level;
  };
  return *std::ranges::max_element(rows, {}, rank);
}

std::string outcome_text(const OfferRow& row) {
  const std::string text(name_of(row.outcome));
  return row.repeated && row.outcome == AuditOutcome::pass ? text + ", repeated" : text;
}

std::string known_text(const OfferRow& row) {
  if (!row.cell.departure) return "";
  return row.cell.departure->rate ? percent_cell(*row.cell.departure->rate) : "above";
}

constexpr std::array shown_statuses{Status::better, Status::worse, Status::equivalent, Status::not_meaningful,
                                    Status::invalid};
constexpr std::array<const char*, 6> verdict_keys{"better",         "worse",        "equivalent",
                                                  "not_meaningful", "inconclusive", "invalid"};

}  // namespace

std::string percent_cell(double share) {
  return fixed_text(100.0 * share, 2);
}

report::Cell toned(const std::string& verdict) {
  if (verdict == "pass") return {verdict, report::Tone::good};
  return {verdict, verdict == "FAILED" || verdict == "NOT SHOWN" ? report::Tone::bad : report::Tone::plain};
}

report::Table offers_table(OfferRows rows) {
  report::Table table{
      .caption = "Rules, tests and designs on offer: for each, the cell nearest to its level or above it",
      .columns = {"offer", "kind", right("cells"), right("%"), right("+-"), right("level"), "false verdict", "in",
                  "gate"}};
  for (const OfferRows group : by_offer(rows)) {
    const OfferRow& row = worst(group);
    const auto failures = std::ranges::count_if(group, failed_row);
    table.rows.push_back({row.cell.offer.name, std::string(name_of(row.cell.offer.kind)), std::to_string(group.size()),
                          percent_cell(row.rate()), percent_cell(row.se()), percent_cell(row.cell.level),
                          std::string(name_of(row.cell.error)), text_of(row.cell),
                          toned(failures > 0 ? std::string(name_of(row.outcome)) : "pass")});
  }
  return table;
}

std::optional<report::Table> failed_offers_table(OfferRows rows) {
  report::Table table{.caption = "Failed",
                      .columns = {"offer", right("%"), right("+-"), right("level"), right("known"),
                                  right("simulations"), "false verdict", "in", "gate"}};
  for (const OfferRow& row : rows)
    if (failed_row(row))
      table.rows.push_back({row.cell.offer.name, percent_cell(row.rate()), percent_cell(row.se()),
                            percent_cell(row.cell.level), known_text(row), std::to_string(row.reps),
                            std::string(name_of(row.cell.error)), text_of(row.cell),
                            toned(std::string(name_of(row.outcome)))});
  return table.rows.empty() ? std::nullopt : std::optional(std::move(table));
}

std::optional<report::Table> departures_table(OfferRows rows) {
  report::Table table{
      .caption = "Known departures: outside its assumptions a rule promises nothing, and errs as measured",
      .columns = {"offer", right("%"), right("+-"), right("known"), "in", "why", "gate"}};
  for (const OfferRow& row : rows)
    if (row.cell.departure)
      table.rows.push_back({row.cell.offer.name, percent_cell(row.rate()), percent_cell(row.se()), known_text(row),
                            text_of(row.cell), std::string(row.cell.departure->why),
                            toned(std::string(name_of(row.outcome)))});
  return table.rows.empty() ? std::nullopt : std::optional(std::move(table));
}

std::vector<report::Table> offer_cell_tables(OfferRows rows) {
  std::vector<report::Table> tables;
  for (const OfferRows group : by_offer(rows)) {
    const auto& offer = group.front().cell.offer;
    report::Table table{.caption = std::string(name_of(offer.kind)) + " " + offer.name,
                        .columns = {right("%"), right("+-"), right("level"), right("simulations")}};
    for (const Status status : shown_statuses) table.columns.push_back(right(std::string(variance::name_of(status))));
    table.columns.insert(table.columns.end(), {"false verdict", "in", "gate"});
    for (const OfferRow& row : group) {
      std::vector<report::Cell> cells{percent_cell(row.rate()), percent_cell(row.se()), percent_cell(row.cell.level),
                                      std::to_string(row.reps)};
      for (const Status status : shown_statuses) cells.emplace_back(percent_cell(row.share(status)));
      cells.insert(cells.end(), {std::string(name_of(row.cell.error)), text_of(row.cell), outcome_text(row)});
      table.rows.push_back(std::move(cells));
    }
    tables.push_back(std::move(table));
  }
  return tables;
}

Json offer_json(const OfferRow& row) {
  const auto& cell = row.cell;
  Json out{{"offer", cell.offer.name},
           {"kind", name_of(cell.offer.kind)},
           {"cell", text_of(cell)},
           {"false_verdict", name_of(cell.error)},
           {"level", results::rounded10(cell.level)},
           {"reps", row.reps},
           {"repeated", row.repeated},
           {"rate", results::rounded10(row.rate())},
           {"se", results::rounded10(row.se())},
           {"departure", Json()},
           {"known", Json()},
           {"outcome", variance::name_of(row.outcome)}};
  if (cell.departure) out["departure"] = cell.departure->why;
  if (cell.departure && cell.departure->rate) out["known"] = results::rounded10(*cell.departure->rate);
  Json counts = Json::object();
  for (std::size_t v = 0; v < verdict_keys.size(); ++v) counts[verdict_keys[v]] = row.verdicts[v];
  out["counts"] = counts;
  return out;
}

}  // namespace retrial::harness::inline show
