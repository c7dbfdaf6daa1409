#include "variance/comparisons/status.hpp"

#include <array>

namespace retrial::variance::inline comparisons {

std::string_view name_of(Status status) {
  constexpr std::array<std::string_view, 6> names{"BETTER",         "WORSE",        "EQUIVALENT",
                                                  "NOT MEANINGFUL", "INCONCLUSIVE", "INVALID"};
  return names.at(static_cast<std::size_t>(status));
}

std::string_view name_of(Status status, About about) {
  if (about == About::spread && status == Status::better) return "STEADIER";
  if (about == About::spread && status == Status::worse) return "LESS STEADY";
  return name_of(status);
}

std::string_view name_of(InvalidReason reason) {
  constexpr std::array<std::string_view, 13> names{
      "design-mismatch", "order",       "extended",     "one-cluster",     "ties",   "missing", "numerics", "sampler",
      "null-control",    "dead-source", "side-by-side", "program-changed", "retried"};
  return names.at(static_cast<std::size_t>(reason));
}

}  // namespace retrial::variance::inline comparisons
