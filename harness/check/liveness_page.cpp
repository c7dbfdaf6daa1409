#include "harness/check/liveness_page.hpp"

#include <map>

#include "harness/text/output.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline check {
namespace {

std::string size_text(const CheckSettings& settings, const LivenessReport& report) {
  const std::string length =
      settings.max_steps > 0 ? " of at most " + counted(settings.max_steps, "optimizer step") : "";
  return counted(report.parameters, "key") + " and " + counted(report.sources, "source") + " changed one at a time, " +
         counted(report.trials, "trial") + length + ", " + counted(report.probes.size(), "probe") + " of " +
         counted(report.looked_at.size(), "part");
}

/// "select; layer (at, hint)": a key that is left out in every variant has no names after it.
std::string by_key(const std::vector<LeftOut>& all, std::size_t variants) {
  std::map<std::string, std::vector<std::string>> keys;
  for (const auto& [variant, key] : all) keys[key].push_back(variant);
  std::vector<std::string> words;
  for (const auto& [key, where] : keys)
    words.push_back(where.size() == variants ? key : key + " (" + results::joined(where) + ")");
  return results::joined(words, "; ");
}

std::string same_code_text(const LivenessReport& report) {
  std::vector<std::string> words;
  for (const auto& [variant, shown] : report.same_code) words.push_back(variant + " as " + shown);
  return results::joined(words);
}

Json left_out_json(const std::vector<LeftOut>& all) {
  Json out = Json::array();
  for (const auto& [variant, key] : all) out.push_back(variant + "." + key);
  return out;
}

Json liveness_document(const Study& study, const CheckSettings& settings, const LivenessReport& report) {
  Json findings = Json::array(), same_code = Json::array();
  for (const auto& finding : report.findings)
    findings.push_back({{"kind", finding.kind},
                        {"variant", finding.variant},
                        {"subject", finding.subject},
                        {"compared", finding.compared}});
  for (const auto& [variant, shown] : report.same_code) same_code.push_back({{"variant", variant}, {"as", shown}});
  return {{"schema", "retrial.liveness/1"},
          {"workload", study.workload},
          {"steps", settings.max_steps},
          {"parameters", report.parameters},
          {"sources", report.sources},
          {"trials", report.trials},
          {"probes", report.probes},
          {"looked_at", report.looked_at},
          {"same_code", std::move(same_code)},
          {"exempt", left_out_json(report.exempt)},
          {"of_rare", left_out_json(report.of_rare)},
          {"untested", left_out_json(report.untested)},
          {"findings", std::move(findings)}};
}

}  // namespace

report::Part liveness_part(const Study& study, const CheckSettings& settings, const LivenessReport& report) {
  report::Section out{.id = "liveness",
                      .title = "Liveness of " + study.name,
                      .blocks = {report::Paragraph{size_text(settings, report)}}};
  if (report.findings.empty())
    out.blocks.emplace_back(report::Paragraph{"alive: each of them changes the outcome, and no probe found anything"});
  report::List findings;
  for (const auto& f : report.findings)
    findings.items.push_back(f.kind + ": variant " + f.variant + ", " + f.subject + ": " + f.compared);
  if (!report.findings.empty())
    out.blocks.insert(out.blocks.end(),
                      {report::Paragraph{counted(report.findings.size(), "finding")}, std::move(findings)});
  const std::size_t shown = study.variants.size() - report.same_code.size();
  report::Table left_out{.caption = "Not checked", .columns = {"reason", "keys"}};
  for (const auto& [reason, items] : {std::pair{"same code as another variant", same_code_text(report)},
                                      {"affects evaluation only", by_key(report.exempt, shown)},
                                      {"matters only in rare cases", by_key(report.of_rare, shown)},
                                      {"no other legal value", by_key(report.untested, shown)}})
    if (!items.empty()) left_out.rows.push_back({reason, items});
  if (!left_out.rows.empty()) out.blocks.emplace_back(std::move(left_out));
  return {.section = std::move(out), .data = liveness_document(study, settings, report)};
}

}  // namespace retrial::harness::inline check
