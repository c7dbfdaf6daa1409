#include "harness/gate/ci_files.hpp"

#include <algorithm>
#include <map>

#include "harness/gate/gate_page.hpp"
#include "results/report/render.hpp"
#include "results/text/text.hpp"
#include "results/text/utf8.hpp"

namespace retrial::harness::inline gate {
namespace {

/// Characters that XML 1.0 does not have, given as well-formed UTF-8.
bool unknown_to_xml(std::string_view character) {
  const auto first = static_cast<unsigned char>(character.front());
  return (first < 0x20 && first != '\t' && first != '\n' && first != '\r') || character == "\xEF\xBF\xBE" ||
         character == "\xEF\xBF\xBF";
}

std::string xml(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = results::utf8_length(text, at);
    const std::string_view character = std::string_view(text).substr(at, std::max<std::size_t>(1, length));
    at += character.size();
    if (length == 0 || unknown_to_xml(character))
      out += results::replacement_character;
    else if (character == "&")
      out += "&amp;";
    else if (character == "<")
      out += "&lt;";
    else if (character == ">")
      out += "&gt;";
    else if (character == "\"")
      out += "&quot;";
    else if (static_cast<unsigned char>(character.front()) < 0x20)
      out += "&#" + std::to_string(static_cast<int>(character.front())) + ";";  // a parser would make a blank of it
    else
      out += character;
  }
  return out;
}

std::string what_happened(const GateVerdict& claim, const GateResult& result, const GateSettings& settings) {
  if (claim.verdict == "regressed") return claim_sentence(claim, result, settings);
  return claim.verdict + (claim.reason.empty() ? "" : ": " + claim.reason);
}

std::string test_case(const GateVerdict& claim, const GateResult& result, const GateSettings& settings) {
  const std::string open = "    <testcase classname=\"" + xml(claim.workload) + "\" name=\"" +
                           xml((claim.metric.empty() ? "score" : claim.metric) +
                               (claim.against.empty() ? "" : " against " + claim.against)) +
                           "\"";
  const std::string message = xml(what_happened(claim, result, settings));
  const auto with = [&](const std::string& element) { return open + ">\n      " + element + "\n    </testcase>\n"; };
  if (claim.verdict == "regressed") return with("<failure type=\"regressed\" message=\"" + message + "\"/>");
  if (claim.verdict == "inconclusive") return with("<skipped message=\"" + message + "\"/>");
  if (claim.verdict == "failed" || claim.verdict == "missing" || claim.verdict == "incomparable")
    return with("<error type=\"" + claim.verdict + "\" message=\"" + message + "\"/>");
  return open + "/>\n";
}

/// Escapes of GitHub's workflow commands.
std::string command_text(const std::string& text, bool property) {
  std::string out;
  for (const char c : text) {
    if (c == '%')
      out += "%25";
    else if (c == '\r')
      out += "%0D";
    else if (c == '\n')
      out += "%0A";
    else if (property && c == ':')
      out += "%3A";
    else if (property && c == ',')
      out += "%2C";
    else
      out += c;
  }
  return out;
}

/// Facts would be a second table in Markdown.
report::List as_list(const report::Facts& facts) {
  report::List out;
  for (const report::Fact& fact : facts.rows) out.items.push_back(fact.name + ": " + fact.value + "; " + fact.detail);
  return out;
}

std::string commands_of(const std::string& level, const std::vector<const GateVerdict*>& claims,
                        const GateResult& result, const GateSettings& settings) {
  constexpr std::size_t most = 10;
  std::string out;
  for (std::size_t i = 0; i < std::min(most, claims.size()); ++i) {
    const bool last = i + 1 == most && claims.size() > most;
    const std::string text =
        last ? "and " + std::to_string(claims.size() - i) + " more" : what_happened(*claims[i], result, settings);
    const std::string title = last ? "retrial gate" : claim_name(*claims[i]);
    out += "::" + level + " title=" + command_text(results::one_line(title, 200), true) +
           "::" + command_text(results::one_line(text), false) + "\n";
  }
  return out;
}

}  // namespace

std::string junit(const GateResult& result, const GateSettings& settings) {
  std::map<std::string, std::vector<const GateVerdict*>> suites;
  for (const GateVerdict& claim : result.claims) suites[claim.workload].push_back(&claim);
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"retrial gate\">\n";
  for (const auto& suite : suites) {
    const auto& name = suite.first;
    const auto& claims = suite.second;
    const auto count = [&](std::initializer_list<const char*> words) {
      return std::ranges::count_if(claims, [&](const GateVerdict* claim) {
        return std::ranges::any_of(words, [&](const char* word) { return claim->verdict == word; });
      });
    };
    out += "  <testsuite name=\"" + xml(name) + "\" tests=\"" + std::to_string(claims.size()) + "\" failures=\"" +
           std::to_string(count({"regressed"})) + "\" errors=\"" +
           std::to_string(count({"failed", "missing", "incomparable"})) + "\" skipped=\"" +
           std::to_string(count({"inconclusive"})) + "\">\n";
    for (const GateVerdict* claim : claims) out += test_case(*claim, result, settings);
    out += "  </testsuite>\n";
  }
  return out + "</testsuites>\n";
}

std::string summary_markdown(const GateResult& result, const GateSettings& settings, std::size_t limit) {
  const auto written = [&](std::size_t rows) {
    report::Section section = gate_section(result, settings, rows);
    for (report::Block& block : section.blocks)
      if (const auto* facts = std::get_if<report::Facts>(&block)) block = as_list(*facts);
    return report::markdown(section);
  };
  std::size_t rows = result.claims.size();
  std::string out = written(rows);
  while (out.size() > limit && rows > 0) {
    rows = std::min(rows - 1, rows * limit / out.size());
    out = written(rows);
  }
  return out;
}

std::string annotations(const GateResult& result, const GateSettings& settings) {
  std::vector<const GateVerdict*> errors, warnings;
  for (const GateVerdict* claim : result.worst_first()) {
    if (claim->verdict == "inconclusive")
      warnings.push_back(claim);
    else if (std::ranges::find(gate_words(), claim->verdict, &VerdictWord::word)->exit != 0)
      errors.push_back(claim);
  }
  return commands_of("error", errors, result, settings) + commands_of("warning", warnings, result, settings);
}

std::string github_output(const GateResult& result) {
  return "verdict=" + result.verdict + "\nexit=" + std::to_string(result.exit) +
         "\nregressed_count=" + std::to_string(result.count("regressed")) + "\n";
}

}  // namespace retrial::harness::inline gate
