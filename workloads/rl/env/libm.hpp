#pragma once

namespace retrial::rlenv {

/// C's pow(x, 2.0) as the library computes it, which rounds differently from x * x in rare cases: NumPy squares its
/// scalars this way. In a file of its own, which is compiled so that the compiler does not replace the call.
[[nodiscard]] double pw2(double x);

}  // namespace retrial::rlenv
