#include "harness/ledger/reproduction_page.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include "harness/text/colour.hpp"
#include "harness/text/output.hpp"
#include "harness/text/table.hpp"
#include "results/json/json.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline ledger {
namespace {

using variance::Reproduced;
using variance::ReproducedLine;
using variance::Reproduction;

/// One digit more than the tolerance tells apart.
std::string numbers(const std::vector<double>& values, double tolerance) {
  const int decimals = tolerance > 0.0 ? 1 + static_cast<int>(std::ceil(-std::log10(tolerance))) : 0;
  std::vector<std::string> texts;
  for (const double v : values) {
    std::array<char, 64> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), v, std::chars_format::fixed, decimals);
    texts.emplace_back(text.data(), end.ptr);
  }
  return results::joined(texts, " ");
}

Json list(const std::vector<double>& values) {
  Json out = Json::array();
  for (const double v : values) out.push_back(results::rounded10(v));
  return out;
}

}  // namespace

Json reproduction_document(const Reproduction& which, const Reproduced& table) {
  Json lines = Json::array();
  for (const ReproducedLine& line : table.lines)
    lines.push_back({{"what", line.what},
                     {"value", list(line.value)},
                     {"reference", list(line.reference)},
                     {"tolerance", line.tolerance},
                     {"ok", line.ok()}});
  return {{"schema", "retrial.reproduce/1"}, {"name", which.name}, {"title", which.title},
          {"source", which.source},          {"lines", lines},     {"corrections", table.corrections},
          {"ok", variance::agrees(table)}};
}

std::string reproduction_page(const Reproduction& which, const Reproduced& table) {
  TextTable rows({{"what"}, {"ours"}, {"reference"}, {"+-", Align::right}, {"ok"}});
  std::size_t wrong = 0;
  for (const ReproducedLine& line : table.lines) {
    wrong += line.ok() ? 0 : 1;
    rows.add({line.what, numbers(line.value, line.tolerance), numbers(line.reference, line.tolerance),
              short_text(line.tolerance, 1), line.ok() ? "ok" : red("DIFFERS")});
  }
  std::string out = bold(results::one_line(std::string(which.title), 200)) + "\n";
  for (const auto& text : wrapped("reference: " + std::string(which.source), terminal_width())) out += text + "\n";
  out += "\n" + rows.text(2, terminal_width());
  if (!table.corrections.empty()) out += "\n" + bold("Corrected") + "\n";
  TextTable corrections({{""}, {""}});
  for (const auto& sentence : table.corrections) corrections.add({"-", sentence});
  if (!table.corrections.empty()) out += corrections.text(2, terminal_width());
  return out + "\n" +
         (wrong == 0 ? "All " + std::to_string(table.lines.size()) + " lines agree.\n"
                     : std::to_string(wrong) + " of " + std::to_string(table.lines.size()) + " lines DIFFER.\n");
}

}  // namespace retrial::harness::inline ledger
