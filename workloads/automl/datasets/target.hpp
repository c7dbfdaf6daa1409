#pragma once

#include <string>

#include "workloads/automl/datasets/dataset.hpp"
#include "workloads/data/formats/table.hpp"

namespace retrial::automl::inline datasets {

/// A table becomes a data set: one column is the target, the others are features. `task`: auto or a task's name. Rows
/// without a target are left out and counted. Throws Error{usage} naming the key.
[[nodiscard]] DataSet with_target(const data::Table& table, std::size_t target, const std::string& task);

}  // namespace retrial::automl::inline datasets
