#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace retrial::automl::inline core {

/// Cost units for each unit of a formula: a rational number, so that a cost stays an exact integer.
struct CostScale {
  std::uint64_t numerator = 1, denominator = 1;
  [[nodiscard]] std::string text() const;  ///< "3/2", "1"
  bool operator==(const CostScale&) const = default;
};
/// "3/2" or "2"; both from 1 to a million. Nothing for another text.
[[nodiscard]] std::optional<CostScale> cost_scale_from(const std::string& text);
/// "xgboost=3/2,rf=1". Nothing where a part is no NAME=P/Q, or a name comes twice.
[[nodiscard]] std::optional<std::map<std::string, CostScale>> cost_scales_from(const std::string& text);

}  // namespace retrial::automl::inline core
