#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "results/record/record.hpp"
#include "variance/samples/score_bound.hpp"

/// A final value that is only a bound of the score is stored with a metric of its own beside it, so that every store,
/// export and merge keeps it: NAME.bound with the unit "bound", 1 for "at least" and -1 for "at most". Without one the
/// value is exact.
namespace retrial::results::inline record {

/// "potential_nominal_max.bound".
[[nodiscard]] std::string bound_name(std::string_view metric);
/// Its definition: an outcome without direction.
[[nodiscard]] MetricDef bound_of(std::string_view metric);
[[nodiscard]] bool is_bound(const MetricDef& def);

[[nodiscard]] double value_of(variance::ScoreBound bound);
/// Exact for every other value, and for none.
[[nodiscard]] variance::ScoreBound bound_from(std::optional<double> value);

}  // namespace retrial::results::inline record
