// A small table from a formula, which the programs that gave the expected values computed as well.
#pragma once

#include <cmath>
#include <limits>

#include "workloads/automl/models/model.hpp"

namespace retrial::test {

/// Three columns; classes by sums of the row's number.
inline automl::DataSet formula_table(automl::Task task, std::uint32_t rows = 40, bool with_unknown = false) {
  automl::DataSet data{.name = "formula", .task = task, .features = {{"a"}, {"b"}, {"c"}}};
  for (std::uint32_t i = 0; i < rows; ++i) {
    const auto a = static_cast<float>(i * 7 % 11) / 4, b = static_cast<float>(i * i % 13) / 8 - .5F;
    const bool unknown = with_unknown && i % 5 == 0;
    data.cells.insert(data.cells.end(),
                      {a, unknown ? std::numeric_limits<float>::quiet_NaN() : b, static_cast<float>(i % 3)});
    const bool high = i * 5 % 17 + i * 7 % 11 > 12, above = i * i % 13 > 8;
    data.target.push_back(task == automl::Task::binary ? high
                          : task == automl::Task::multiclass
                              ? high + above
                              : std::sin(static_cast<double>(a)) + static_cast<double>(b));
  }
  if (task == automl::Task::binary) data.classes = {"no", "yes"};
  if (task == automl::Task::multiclass) data.classes = {"0", "1", "2"};
  return data;
}

}  // namespace retrial::test
