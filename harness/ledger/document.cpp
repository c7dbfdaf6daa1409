#include "harness/estimates/estimate_document.hpp"
#include "harness/ledger/page.hpp"
#include "results/report/drawing/numbers.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline ledger {
namespace {

using published::Row, published::Table;

Json settings_json(const published::Settings& settings) {
  Json out = Json::object();
  for (const auto& [key, value] : settings) out[key] = value;
  return out;
}

Json row_json(const Row& row) {
  Json out{{"id", row.id},
           {"source", row.source},
           {"table", row.table},
           {"origin", row.origin},
           {"dataset", row.dataset},
           {"method", row.method},
           {"label", row.label},
           {"metric", row.metric},
           {"unit", row.unit},
           {"value", row.value},
           {"sd", report::derived(row.sd)},
           {"runs", row.runs ? Json(*row.runs) : Json()},
           {"epoch_rule", published::name_of(row.epoch_rule)},
           {"seeds_published", row.seeds_published},
           {"reading", row.reading},
           {"verified", row.verified},
           {"subject", settings_json(row.subject)},
           {"protocol", settings_json(row.protocol)},
           {"base", report::derived(row.base)},
           {"printed_change", report::derived(row.printed_change)}};
  for (const auto& [part, value] : row.cell) out[part] = value;
  return out;
}

Json claim_json(const Table& table, const published::Conclusion& claim, double sd) {
  Json gaps = Json::array();
  for (const auto& gap : claim.gaps) {
    const double value = published::value_of(table, gap);
    const auto runs = runs_needed(sd, value);
    gaps.push_back({{"what", gap.what},
                    {"row", gap.row},
                    {"baseline", gap.baseline},
                    {"value", results::rounded10(value)},
                    {"seeds_needed", runs ? Json(*runs) : Json()}});
  }
  return {{"name", claim.name}, {"text", claim.text}, {"gaps", std::move(gaps)}};
}

Json check_json(const std::optional<variance::PublishedCheck>& check) {
  if (!check) return {};
  return {{"n", check->n},
          {"mean", results::rounded10(check->mean)},
          {"sd", report::derived(check->sd)},
          {"t", report::derived(check->statistic)},
          {"df", report::derived(check->df)},
          {"p", report::derived(check->p_two)},
          {"difference", estimate_json(check->difference)}};
}

Json judged_json(const JudgedRow& judged) {
  Json differences = Json::array();
  for (const auto& each : judged.differences)
    differences.push_back({{"key", each.key}, {"ours", each.ours}, {"published", each.published}});
  return {{"row", row_json(judged.row)},
          {"variant", judged.variant},
          {"without_score", judged.failed},
          {"check", check_json(judged.check)},
          {"at_best_test", check_json(judged.at_best)},
          {"differences", std::move(differences)},
          {"outcome", name_of(judged.outcome)},
          {"reason", judged.reason}};
}

Json tested_json(const TestedClaim& claim) {
  Json gaps = Json::array();
  for (const auto& gap : claim.gaps)
    gaps.push_back({{"what", gap.gap.what},
                    {"published", results::rounded10(gap.published)},
                    {"candidate", gap.candidate.empty() ? Json() : Json(gap.candidate)},
                    {"baseline", gap.baseline.empty() ? Json() : Json(gap.baseline)},
                    {"comparable", gap.comparable},
                    {"pairs", gap.pairs},
                    {"retried", gap.retried},
                    {"difference", gap.difference ? estimate_json(*gap.difference) : Json()},
                    {"outcome", name_of(gap.outcome)}});
  return {{"name", claim.name}, {"text", claim.text}, {"gaps", std::move(gaps)}, {"outcome", name_of(claim.outcome())}};
}

}  // namespace

Json ledger_document(const Table& table, double sd) {
  Json rows = Json::array(), odd = Json::array(), claims = Json::array();
  for (const Row& row : table.rows) rows.push_back(row_json(row));
  for (const auto& oddity : published::oddities(table.rows))
    odd.push_back({{"kind", oddity.kind}, {"ids", oddity.ids}, {"text", oddity.text}});
  for (const auto& claim : table.conclusions) claims.push_back(claim_json(table, claim, sd));
  return {{"schema", "retrial.ledger/1"}, {"name", table.name},
          {"title", table.title},         {"workload", table.workload},
          {"rows", std::move(rows)},      {"oddities", std::move(odd)},
          {"claims", std::move(claims)},  {"sd", sd},
          {"sd_from", table.sd_from}};
}

Json judged_document(const Table& table, const LedgerReport& report) {
  Json rows = Json::array(), claims = Json::array();
  for (const auto& row : report.rows) rows.push_back(judged_json(row));
  for (const auto& claim : report.claims) claims.push_back(tested_json(claim));
  return {{"schema", "retrial.published/1"}, {"ledger", table.name},
          {"study", report.study},           {"margin", report.settings.margin},
          {"alpha", report.settings.alpha},  {"held", report.held},
          {"recorded", report.recorded},     {"rows", std::move(rows)},
          {"claims", std::move(claims)},     {"exit", static_cast<int>(exit_of(report))}};
}

}  // namespace retrial::harness::inline ledger
