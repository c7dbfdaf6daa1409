#include "results/record/score_bounds.hpp"

namespace retrial::results::inline record {

using variance::ScoreBound;

std::string bound_name(std::string_view metric) {
  return std::string(metric) + ".bound";
}

MetricDef bound_of(std::string_view metric) {
  return {.name = bound_name(metric), .unit = "bound"};
}

bool is_bound(const MetricDef& def) {
  return def.unit == "bound" && def.name.ends_with(".bound");
}

double value_of(ScoreBound bound) {
  return bound == ScoreBound::at_least ? 1 : bound == ScoreBound::at_most ? -1 : 0;
}

ScoreBound bound_from(std::optional<double> value) {
  if (value == 1.0) return ScoreBound::at_least;
  return value == -1.0 ? ScoreBound::at_most : ScoreBound::exact;
}

}  // namespace retrial::results::inline record
