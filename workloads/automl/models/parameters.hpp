#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace retrial::automl::inline models {

/// A hyper-parameter of a learner: its domain, where a search starts, and the coordinate of the cheapest start.
struct Hyperparameter {
  enum class Kind { linear, log, log_integer, integer, choice };

  std::string name;
  Kind kind = Kind::linear;
  double low = 0, high = 1;  ///< the upper bound of whole numbers is exclusive
  double init = 0;           ///< of a choice: its place
  std::optional<double> cheapest = {};
  std::vector<std::string> choices = {};
};

/// Values by name: whole numbers, numbers, or the place of a choice as a whole number.
using Chosen = std::map<std::string, std::variant<std::int64_t, double>>;

[[nodiscard]] std::int64_t whole(const Chosen& chosen, const std::string& name, std::int64_t otherwise);
[[nodiscard]] double number(const Chosen& chosen, const std::string& name, double otherwise);

}  // namespace retrial::automl::inline models
