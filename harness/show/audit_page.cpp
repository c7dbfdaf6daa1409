#include "harness/show/audit_page.hpp"

#include <algorithm>
#include <array>

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

/// "5.02", in percent.
std::string percent_cell(double share) {
  return fixed_text(100.0 * share, 2);
}

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

report::Cell toned(const std::string& verdict) {
  if (verdict == "pass") return {verdict, report::Tone::good};
  return {verdict, verdict == "FAILED" || verdict == "NOT SHOWN" ? report::Tone::bad : report::Tone::plain};
}

report::Table gate_table(Rows rows, double alpha) {
  report::Table table{
      .caption = "Gate",
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

std::string conclusion(Rows rows) {
  const auto count = [&](AuditOutcome outcome) { return std::ranges::count(rows, outcome, &AuditRow::outcome); };
  const auto failed = count(AuditOutcome::failed), not_shown = count(AuditOutcome::not_shown);
  const auto pass = count(AuditOutcome::pass), shown = count(AuditOutcome::shown);
  if (failed + not_shown == 0 && pass + shown == 0)
    return "No rule promises anything in these cells: nothing was tested.";
  return std::to_string(pass) + " of " + std::to_string(pass + failed) + " promised sizes kept, " +
         std::to_string(shown) + " of " + std::to_string(shown + not_shown) +
         " known error rates of exhibits reproduced. The audit " + (failed + not_shown > 0 ? "FAILED." : "passes.");
}

Json audit_document(Rows rows, const AuditSettings& s) {
  Json list = Json::array();
  for (const AuditRow& row : rows) list.push_back(row_json(row));
  return {{"schema", "retrial.audit/1"},
          {"seed", results::hex16(s.seed)},
          {"reps", s.reps},
          {"drawing_reps", s.drawing_reps},
          {"resamples", s.resamples},
          {"alpha", s.levels.alpha},
          {"beta", s.levels.beta},
          {"gamma", variance::required_gamma(s.levels)},
          {"passed", variance::passes(rows)},
          {"rows", list}};
}

}  // namespace

report::Part audit_part(Rows rows, const AuditSettings& s) {
  report::Section out{.id = "audit", .title = "Audit of decision rules"};
  out.blocks.emplace_back(report::Paragraph{
      "Simulated scores with a known truth: " + std::to_string(s.reps) + " simulations per cell, " +
      std::to_string(std::min(s.reps, s.drawing_reps)) + " for rules that draw (" + std::to_string(s.resamples) +
      " resamples each); alpha " + short_text(s.levels.alpha) + ", beta " + short_text(s.levels.beta) + ", gamma " +
      short_text(variance::required_gamma(s.levels)) +
      ". null: identical variants. gamma: the candidate wins that share of independent pairs. A valid rule must keep "
      "alpha within three standard errors. An exhibit is a recipe known to err, and the audit must reproduce its "
      "error."});
  out.blocks.emplace_back(gate_table(rows, s.levels.alpha));
  for (std::size_t from = 0, to = 0; from < rows.size(); from = to) {
    while (to < rows.size() && same_cell(rows[from], rows[to])) ++to;
    out.blocks.emplace_back(cell_table(rows.subspan(from, to - from)));
  }
  out.blocks.emplace_back(report::Paragraph{conclusion(rows)});
  out.blocks.emplace_back(report::Paragraph{"seed: " + std::to_string(s.seed) + " (--seed repeats the simulations)"});
  return {.section = std::move(out), .data = audit_document(rows, s)};
}

}  // namespace retrial::harness::inline show
