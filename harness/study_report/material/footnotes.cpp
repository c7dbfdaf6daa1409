#include "harness/study_report/material/footnotes.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "variance/comparisons/comparisons.hpp"
#include "variance/sequential/sequential.hpp"

namespace retrial::harness::inline study_report::inline material {
namespace {

std::vector<report::Cell> row_of(std::string_view name) {
  const auto cells = [](const auto& row) {
    return std::vector<report::Cell>{std::string(row.name), std::string(row.asks), std::string(row.when)};
  };
  if (const auto* test = variance::find_comparison(name)) return cells(*test);
  if (const auto* rule = variance::find_sequential(name)) return cells(*rule);
  throw std::logic_error("no table of tests has " + std::string(name));
}

}  // namespace

report::Table footnotes_of(const std::vector<std::string_view>& tests) {
  report::Table out{.caption = "Tests (see retrial list tests and retrial list designs)",
                    .columns = {{"test"}, {"question"}, {"use"}},
                    .rows = {}};
  for (auto name = tests.begin(); name != tests.end(); ++name)
    if (std::find(tests.begin(), name, *name) == name) out.rows.push_back(row_of(*name));
  return out;
}

}  // namespace retrial::harness::inline study_report::inline material
