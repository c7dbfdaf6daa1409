#include "harness/ledger/reproduction_page.hpp"

#include <algorithm>
#include <cmath>

#include "harness/text/output.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline ledger {
namespace {

using report::right;

using variance::Reproduced;
using variance::ReproducedLine;
using variance::Reproduction;

/// One digit more than the tolerance resolves.
std::string numbers(const std::vector<double>& values, double tolerance) {
  const int decimals = tolerance > 0.0 ? 1 + static_cast<int>(std::ceil(-std::log10(tolerance))) : 0;
  std::vector<std::string> texts;
  for (const double v : values) texts.push_back(fixed_text(v, decimals));
  return results::joined(texts, " ");
}

Json list(const std::vector<double>& values) {
  Json out = Json::array();
  for (const double v : values) out.push_back(results::rounded10(v));
  return out;
}

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

}  // namespace

report::Part reproduction_part(const Reproduction& which, const Reproduced& table) {
  report::Table rows{.caption = "reference: " + std::string(which.source),
                     .columns = {"quantity", "ours", "reference", right("+-"), ""}};
  for (const ReproducedLine& line : table.lines)
    rows.rows.push_back({line.what, numbers(line.value, line.tolerance), numbers(line.reference, line.tolerance),
                         short_text(line.tolerance, 1),
                         line.ok() ? report::Cell("ok") : report::Cell("DIFFERS", report::Tone::bad)});
  report::Section out{.id = "reproduction", .title = std::string(which.title), .blocks = {std::move(rows)}};
  if (!table.corrections.empty()) {
    out.blocks.emplace_back(report::Paragraph{"Corrections to the reference:"});
    out.blocks.emplace_back(report::List{{table.corrections.begin(), table.corrections.end()}});
  }
  out.blocks.emplace_back(report::Paragraph{std::to_string(std::ranges::count_if(table.lines, &ReproducedLine::ok)) +
                                            " of " + std::to_string(table.lines.size()) + " lines agree."});
  return {.section = std::move(out), .data = reproduction_document(which, table)};
}

}  // namespace retrial::harness::inline ledger
