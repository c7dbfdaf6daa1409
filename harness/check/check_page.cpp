#include "harness/check/check_page.hpp"

#include <cmath>

#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline check {
namespace {

report::Facts size_facts(const CheckReport& report, const CheckSettings& settings) {
  report::Facts out{{{"sources", report.sources.empty() ? "none" : results::joined(report.sources)},
                     {"seeds", std::to_string(settings.seeds) +
                                   " per source, the others held: " + counted(report.identities, "trial")},
                     {"repeats", std::to_string(settings.repeats) + " per trial, the last in a fresh process: " +
                                     std::to_string(report.trials) + " runs"}}};
  const auto add = [&out](const char* name, std::string text) { out.rows.push_back({name, std::move(text)}); };
  if (settings.interrupt)
    add("interrupted", counted(report.interrupted, "trial") + " at " + std::to_string(report.boundaries) +
                           " epoch ends in total, and in between");
  if (report.changed > 0) add("surroundings", counted(report.changed, "run") + " under other settings");
  if (!report.untried.empty()) add("not tried", results::joined(report.untried));
  if (!report.audits.empty()) add("audits", results::joined(report.audits) + ", on each trial");
  return out;
}

/// "source init at pair 2"; a dead source is so at every pair.
std::string place_of(const CheckFinding& finding) {
  if (finding.source.empty()) return "every source at pair 0";
  return "source " + finding.source + (finding.kind == "dead-source" ? "" : " at pair " + std::to_string(finding.pair));
}

report::Facts finding_facts(const CheckFinding& finding) {
  report::Facts out{{{"result", {finding.kind + ": " + place_of(finding), report::Tone::bad}}}};
  const auto add = [&out](const char* name, std::string text) { out.rows.push_back({name, std::move(text)}); };
  const auto& differing = finding.difference;
  if (!differing.what.empty() && finding.kind != "surroundings") {
    const bool metric = differing.what.starts_with("metric ");
    add("first differs", metric ? differing_text(differing) : differing.what + place_text(differing));
    add(metric ? "bits of one run" : "one run", differing.a);
    add(metric ? "bits of another" : "another", differing.b);
    if (finding.runs > 0)
      add("outcomes",
          std::to_string(finding.outcomes) + " different outcomes in " + std::to_string(finding.runs) + " runs");
    if (finding.step) add("optimizer step", std::to_string(*finding.step) + " is the first that differs");
  }
  if (!finding.detail.empty()) add("detail", finding.detail);
  return out;
}

/// What this number of runs can miss: a difference that shows in the share q of all runs.
report::Facts limits_of(std::size_t runs) {
  const auto seen = [runs](double share) {
    return percent(-std::expm1(static_cast<double>(runs) * std::log1p(-share)));
  };
  return {{{"limits", "a difference in 10 % of runs is seen with a chance of " + seen(.1) + ", in 1 % of runs of " +
                          seen(.01) + ": 1 - (1 - q)^" + std::to_string(runs)}}};
}

Json finding_document(const CheckFinding& finding) {
  Json document = difference_document(finding.difference);
  document.update({{"kind", finding.kind},
                   {"variant", finding.variant},
                   {"source", finding.source},
                   {"pair", finding.pair},
                   {"outcomes", finding.outcomes},
                   {"runs", finding.runs},
                   {"optimiser_step", finding.step ? Json(*finding.step) : Json()},
                   {"detail", finding.detail}});
  return document;
}

Json check_document(const CheckReport& report) {
  Json findings = Json::array();
  for (const auto& finding : report.findings) findings.push_back(finding_document(finding));
  return {{"variant", report.variant},      {"sources", report.sources},         {"identities", report.identities},
          {"runs", report.trials},          {"interrupted", report.interrupted}, {"boundaries", report.boundaries},
          {"changed", report.changed},      {"not_tried", report.untried},       {"remarks", report.remarks},
          {"findings", std::move(findings)}};
}

}  // namespace

report::Part check_part(const CheckReport& report, const CheckSettings& settings) {
  report::Section out{.id = "check", .title = "Variant " + report.variant, .blocks = {size_facts(report, settings)}};
  for (const auto& finding : report.findings) out.blocks.emplace_back(finding_facts(finding));
  if (report.findings.empty())
    out.blocks.emplace_back(report::Facts{
        {{"result",
          {"reproducible: all runs agree bit for bit, and every source changes the result", report::Tone::good}}}});
  if (report.findings.empty() && report.trials > 1) out.blocks.emplace_back(limits_of(report.trials));
  for (const auto& remark : report.remarks) out.blocks.emplace_back(report::Warning{remark});
  return {.section = std::move(out), .data = check_document(report)};
}

}  // namespace retrial::harness::inline check
