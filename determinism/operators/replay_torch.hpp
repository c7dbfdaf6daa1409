#pragma once

#include <ATen/core/dispatch/Dispatcher.h>

#include <cstdint>
#include <string>

#include "determinism/digest/psum2.hpp"
#include "determinism/operators/call.hpp"

namespace retrial::determinism::inline operators {

/// By its name with the overload. Throws Error if this library has no such operator.
[[nodiscard]] c10::OperatorHandle operator_handle(const std::string& name);

struct Replayed {
  Psum2 digest;
  std::int64_t returned = 0;  ///< elements of the largest returned tensor; 1 for a number
};

/// Makes the call through the dispatcher and digests what it returns, with every tensor argument as the call leaves it:
/// some operators write into arguments that their schema does not mark. Values are drawn from the call's own document
/// and `draw`, by integer arithmetic and one rounding each, so that they are the same on every CPU: uniform in the
/// recorded range, or in [-1, 1). Throws c10::Error if the operator refuses the call, Error if it does not exist in
/// this library.
Replayed replay(const Call& call, std::uint64_t draw);

}  // namespace retrial::determinism::inline operators
