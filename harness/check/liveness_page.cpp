#include "harness/check/liveness_page.hpp"

#include <map>

#include "harness/text/colour.hpp"
#include "harness/text/output.hpp"
#include "harness/text/table.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline check {
namespace {

std::string number(std::size_t count, const char* noun) {
  return counted(static_cast<std::int64_t>(count), noun);
}

std::string headline(const Study& study, const CheckSettings& settings, const LivenessReport& report) {
  const std::string length =
      settings.most_steps > 0 ? " of " + counted(settings.most_steps, "optimiser step") + " at most" : "";
  return bold("Liveness of " + study.name) + ": " + number(report.parameters, "key") + " and " +
         number(report.sources, "source") + " changed one at a time, " + number(report.trials, "trial") + length +
         ", " + number(report.probes.size(), "probe") + " of " + number(report.looked_at.size(), "part") + "\n\n";
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

std::string line_of(const std::string& what, const std::string& items) {
  std::string out;
  if (!items.empty())
    for (const auto& line : wrapped(what + ": " + items, terminal_width())) out += line + "\n";
  return out;
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

}  // namespace

std::string liveness_page(const Study& study, const CheckSettings& settings, const LivenessReport& report) {
  std::string out = headline(study, settings, report);
  for (const auto& finding : report.findings)
    out += "  " + red(finding.kind) + ": variant " + finding.variant + ", " + finding.subject + "\n    " +
           finding.compared + "\n";
  out += report.findings.empty() ? green("alive") + ": each of them changes the outcome, and no probe found anything\n"
                                 : number(report.findings.size(), "finding") + "\n";
  const std::size_t shown = study.variants.size() - report.same_code.size();
  return out + line_of("shown once, as the code is the same and only numbers differ", same_code_text(report)) +
         line_of("not checked (evaluation only)", by_key(report.exempt, shown)) +
         line_of("not checked (matters only where scores tie)", by_key(report.of_ties, shown)) +
         line_of("not checked (no other legal value)", by_key(report.untested, shown));
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
          {"steps", settings.most_steps},
          {"parameters", report.parameters},
          {"sources", report.sources},
          {"trials", report.trials},
          {"probes", report.probes},
          {"looked_at", report.looked_at},
          {"same_code", std::move(same_code)},
          {"exempt", left_out_json(report.exempt)},
          {"of_ties", left_out_json(report.of_ties)},
          {"untested", left_out_json(report.untested)},
          {"findings", std::move(findings)}};
}

}  // namespace retrial::harness::inline check
