#pragma once

#include <stdexcept>
#include <string>

namespace retrial {

/// A value that a function does not accept. The programs turn it into the one error line of the command line
/// ("<field> = <value>: out of range (allowed: <allowed>)") and exit code 2; it never reaches an assertion.
class InvalidInput : public std::invalid_argument {
 public:
  InvalidInput(std::string field_name, std::string given, std::string allowed_values)
      : std::invalid_argument(field_name + " = " + given + ": out of range (allowed: " + allowed_values + ")"),
        field(std::move(field_name)),
        value(std::move(given)),
        allowed(std::move(allowed_values)) {}

  std::string field, value, allowed;
};

/// A computation that did not converge. A verdict that depends on it becomes INVALID (numerics), exit code 5.
class NumericalFailure : public std::runtime_error {
 public:
  NumericalFailure(const std::string& function, int iterations)
      : std::runtime_error(function + " did not converge in " + std::to_string(iterations) + " iterations") {}
};

}  // namespace retrial

namespace retrial::variance {

/// The same types under the name of the library: retrial::variance::InvalidInput is retrial::InvalidInput.
using retrial::InvalidInput, retrial::NumericalFailure;

}  // namespace retrial::variance
