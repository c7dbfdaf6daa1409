#include "harness/estimates/estimate_document.hpp"

#include <cmath>

#include "results/json/json.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline estimates {
namespace {

Json number(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? Json(results::rounded10(*value)) : Json();
}

}  // namespace

Json estimate_json(const variance::Estimate& estimate) {
  return {{"point", number(estimate.point)},
          {"low", number(estimate.low)},
          {"high", number(estimate.high)},
          {"level", number(estimate.level)},
          {"method", estimate.method}};
}

}  // namespace retrial::harness::inline estimates
