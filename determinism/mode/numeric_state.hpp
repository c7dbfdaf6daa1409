#pragma once

#include "results/json/json_fwd.hpp"

namespace retrial::determinism::inline mode {

/// MXCSR of the calling thread without its 6 sticky status bits, as 4 hex digits: "1f80" after a start on x86-64
/// Linux, "9fc0" with FTZ and DAZ set. "unsupported" on other processors.
[[nodiscard]] Json mxcsr();

/// The same of the first OpenMP pool thread, a register of its own: a thread that ran before a switch keeps the old
/// value. "none" where `threads` is 1; "unsupported" where no OpenMP of the GNU interface is loaded.
[[nodiscard]] Json pool_mxcsr(int threads);

/// Rounding mode of the calling thread: nearest, upward, downward, towards-zero.
[[nodiscard]] Json rounding_mode();

/// The answer of MKL through the one function it exports, found by name: {"branch": "AVX2", "strict": true,
/// "automatic": "AVX2"}; "unsupported" where no MKL is loaded. On a CPU that lacks the branch asked for, or of
/// another maker, MKL takes its automatic branch in silence: that reads "AUTO".
[[nodiscard]] Json mkl_reproducibility();

/// The result of a function `int name()` of a loaded library (omp_get_max_threads); "unsupported" without it.
[[nodiscard]] Json answer_of(const char* function);

}  // namespace retrial::determinism::inline mode
