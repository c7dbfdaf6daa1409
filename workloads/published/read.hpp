#pragma once

#include <string_view>

#include "workloads/published/table.hpp"

namespace retrial::published {

/// A table from its JSON document (distillation/published/kd_survey.json is an example). Rows are in the order of the
/// file. A row has the fields of its group and one value per name of the group's `columns`: the fields of Row, and one
/// field per part of its cell. A missing field has the default of Row; a missing part is "none"; a missing label is the
/// method. `subject` and `protocol` name lists of `settings`, separated by blanks. An entry of such a list is
/// "key=value", or the name of a field of the row. `note` is for readers of the file. Throws for other documents.
[[nodiscard]] Table read_table(std::string_view json);

}  // namespace retrial::published
