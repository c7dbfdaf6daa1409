#include "harness/show/audit_page.hpp"

#include <algorithm>
#include <array>

#include "harness/show/audit_offers.hpp"
#include "harness/text/output.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline show {
namespace {

using report::right;

using variance::AuditLabel;
using variance::AuditOutcome;
using variance::AuditRow;
using variance::AuditRule;
using variance::AuditSettings;
using variance::AuditTruth;
using variance::Status;
using Rows = std::span<const AuditRow>;

constexpr std::array statuses{Status::better, Status::worse, Status::not_meaningful, Status::inconclusive,
                              Status::invalid};  // no rule of the table answers EQUIVALENT
constexpr std::array<const char*, 5> status_keys{"better", "worse", "not_meaningful", "inconclusive", "invalid"};

std::string label_of(const AuditRule& rule) {
  return rule.label == AuditLabel::valid ? "valid" : "exhibit";
}

Json row_json(const AuditRow& row) {
  Json out{{"rule", row.rule->name},
           {"label", label_of(*row.rule)},
           {"comparison", variance::comparison_id(row.cell)},
           {"model", variance::row_of(row.cell.model).name},
           {"truth", variance::name_of(row.cell.truth)},
           {"n", row.cell.runs},
           {"spread", row.cell.spread},
           {"correlation", row.cell.correlation},
           {"cluster_sd", results::rounded10(row.cell.cluster_sd)},
           {"clusters", row.cell.clusters},
           {"reps", row.reps},
           {"rate", results::rounded10(row.rate())},
           {"rate_is", row.cell.truth == AuditTruth::null ? "size" : "power"},
           {"se", results::rounded10(row.se())},
           {"mean_pairs", results::rounded10(row.mean_pairs())},
           {"reference", Json()},
           {"outcome", row.outcome == AuditOutcome::none ? Json() : Json(variance::name_of(row.outcome))}};
  if (row.reference && row.reference->rate) out["reference"] = results::rounded10(*row.reference->rate);
  Json shares = Json::object();
  for (std::size_t i = 0; i < statuses.size(); ++i) shares[status_keys[i]] = results::rounded10(row.share(statuses[i]));
  out["verdicts"] = shares;
  return out;
}

bool same_cell(const AuditRow& a, const AuditRow& b) {
  return variance::text_of(a.cell) == variance::text_of(b.cell);
}

/// Result of the gate for one rule.
struct RuleFindings {
  const AuditRule* rule = nullptr;
  std::int64_t cells = 0, bad = 0;
  const AuditRow* shown = nullptr;  ///< most informative row: a failure, else the largest size, else the last power
};

bool bad(const AuditRow& row) {
  return row.outcome == AuditOutcome::failed || row.outcome == AuditOutcome::not_shown;
}

bool more_informative(const AuditRow& row, const AuditRow& other, double alpha) {
  if (bad(row) != bad(other)) return bad(row);
  const bool null = row.cell.truth == AuditTruth::null, other_null = other.cell.truth == AuditTruth::null;
  if (null && other_null) return row.rate() > other.rate();
  if (null) return row.rate() > alpha;
  if (other_null) return other.rate() <= alpha && row.rule->label == AuditLabel::exhibit;
  return row.cell.runs > other.cell.runs;
}

std::vector<RuleFindings> findings_of(Rows rows, double alpha) {
  std::vector<RuleFindings> all;
  for (const AuditRow& row : rows) {
    auto found = std::ranges::find(all, row.rule, &RuleFindings::rule);
    if (found == all.end()) found = all.insert(all.end(), RuleFindings{.rule = row.rule});
    if (row.outcome == AuditOutcome::none) continue;
    ++found->cells;
    found->bad += bad(row) ? 1 : 0;
    if (found->shown == nullptr || more_informative(row, *found->shown, alpha)) found->shown = &row;
  }
  return all;
}

std::string gate_verdict(const RuleFindings& f) {
  if (f.cells == 0) return "no cell";
  if (f.rule->label == AuditLabel::valid) return f.bad > 0 ? "FAILED" : "pass";
  return f.bad > 0 ? "NOT SHOWN" : "shown";
}

report::Table gate_table(Rows rows, double alpha) {
  report::Table table{
      .caption = "Rules side by side, and recipes known to err",
      .columns = {"rule", "kind", right("cells"), right("%"), right("+-"), "in", right("known"), "gate"}};
  for (const RuleFindings& f : findings_of(rows, alpha)) {
    std::vector<report::Cell> cells{
        std::string(f.rule->name), label_of(*f.rule), std::to_string(f.cells), "", "", "", ""};
    if (f.shown) {
      cells[3] = percent_cell(f.shown->rate());
      cells[4] = percent_cell(f.shown->se());
      cells[5] = (f.shown->cell.truth == AuditTruth::null ? "size: " : "power: ") + variance::text_of(f.shown->cell);
      if (f.shown->reference && f.shown->reference->rate) cells[6] = percent_cell(*f.shown->reference->rate);
    }
    cells.push_back(toned(gate_verdict(f)));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

report::Table cell_table(Rows rows) {
  const bool null = rows.front().cell.truth == AuditTruth::null;
  report::Table table{.caption = variance::text_of(rows.front().cell),
                      .columns = {"rule", right(null ? "size %" : "power %"), right("+-"), right("pairs")}};
  for (const Status status : statuses) table.columns.push_back(right(std::string(variance::name_of(status))));
  table.columns.push_back("gate");
  for (const AuditRow& row : rows) {
    std::vector<report::Cell> cells{std::string(row.rule->name), percent_cell(row.rate()), percent_cell(row.se()),
                                    fixed_text(row.mean_pairs(), 1)};
    for (const Status status : statuses) cells.emplace_back(percent_cell(row.share(status)));
    cells.emplace_back(std::string(variance::name_of(row.outcome)));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

/// Cells by outcome, rules and offers together.
struct Outcomes {
  std::ptrdiff_t pass = 0, failed = 0, shown = 0, not_shown = 0;
};

template <typename AnyRows>
void count(Outcomes& all, const AnyRows& rows) {
  for (const auto& row : rows) {
    all.pass += row.outcome == AuditOutcome::pass ? 1 : 0;
    all.failed += row.outcome == AuditOutcome::failed ? 1 : 0;
    all.shown += row.outcome == AuditOutcome::shown ? 1 : 0;
    all.not_shown += row.outcome == AuditOutcome::not_shown ? 1 : 0;
  }
}

std::string conclusion(const AuditResult& result) {
  Outcomes all;
  count(all, result.rules);
  count(all, result.offers);
  const auto bad_cells = all.failed + all.not_shown;
  if (bad_cells == 0 && all.pass + all.shown == 0)
    return "No rule promises anything in these cells: nothing was tested.";
  return std::string("The audit ") + (bad_cells > 0 ? "FAILED: " : "passes: ") + std::to_string(all.pass) + " of " +
         std::to_string(all.pass + all.failed) + " promised rates kept, " + std::to_string(all.shown) + " of " +
         std::to_string(all.shown + all.not_shown) + " known error rates reproduced.";
}

std::string setting_text(const AuditSettings& s) {
  return "Simulated scores with a known truth: " + std::to_string(s.reps) + " simulations per cell, " +
         std::to_string(std::min(s.reps, s.drawing_reps)) + " for rules that draw (" + std::to_string(s.resamples) +
         " resamples each); alpha " + short_text(s.levels.alpha) + ", beta " + short_text(s.levels.beta) + ", gamma " +
         short_text(variance::required_gamma(s.levels)) +
         ". A promise is kept within three standard errors. An exhibit is a recipe known to err, a departure a cell "
         "outside the assumptions of a rule: the audit must reproduce their errors. null: identical variants. gamma: "
         "the candidate wins that share of independent pairs.";
}

Json audit_document(const AuditResult& result, const AuditSettings& s) {
  Json list = Json::array(), offers = Json::array();
  for (const AuditRow& row : result.rules) list.push_back(row_json(row));
  for (const auto& row : result.offers) offers.push_back(offer_json(row));
  return {{"schema", "retrial.audit/1"},
          {"seed", results::hex16(s.seed)},
          {"reps", s.reps},
          {"drawing_reps", s.drawing_reps},
          {"resamples", s.resamples},
          {"alpha", s.levels.alpha},
          {"beta", s.levels.beta},
          {"gamma", variance::required_gamma(s.levels)},
          {"passed", passes(result)},
          {"rows", list},
          {"offers", offers}};
}

void add_every_cell(report::Section& out, const AuditResult& result) {
  for (auto& table : offer_cell_tables(result.offers)) out.blocks.emplace_back(std::move(table));
  const Rows rows = result.rules;
  for (std::size_t from = 0, to = 0; from < rows.size(); from = to) {
    while (to < rows.size() && same_cell(rows[from], rows[to])) ++to;
    out.blocks.emplace_back(cell_table(rows.subspan(from, to - from)));
  }
}

}  // namespace

bool passes(const AuditResult& result) {
  return variance::passes(result.rules) && variance::passes(result.offers);
}

report::Part audit_part(const AuditResult& result, const AuditSettings& s, AuditDetail detail) {
  report::Section out{.id = "audit", .title = "Audit of decision rules"};
  out.blocks.emplace_back(report::Paragraph{conclusion(result)});
  out.blocks.emplace_back(report::Paragraph{setting_text(s)});
  if (auto failed = failed_offers_table(result.offers)) out.blocks.emplace_back(std::move(*failed));
  if (!result.offers.empty()) out.blocks.emplace_back(offers_table(result.offers));
  if (auto departures = departures_table(result.offers)) out.blocks.emplace_back(std::move(*departures));
  if (!result.rules.empty()) out.blocks.emplace_back(gate_table(result.rules, s.levels.alpha));
  if (detail == AuditDetail::all)
    add_every_cell(out, result);
  else
    out.blocks.emplace_back(report::Paragraph{"--all shows every cell, --json has them all."});
  out.blocks.emplace_back(report::Paragraph{"seed: " + std::to_string(s.seed) + " (--seed repeats the simulations)"});
  return {.section = std::move(out), .data = audit_document(result, s)};
}

}  // namespace retrial::harness::inline show
