#pragma once

#include "results/json/json_fwd.hpp"

namespace retrial::determinism::inline mode {

/// MXCSR of the calling thread without its 6 sticky status bits, as 4 hex digits: "1f80" after a start on x86-64
/// Linux, "9fc0" with FTZ and DAZ set. "unsupported" on other processors.
[[nodiscard]] Json mxcsr();

/// The same for the first OpenMP pool thread, which has its own register: a thread that ran before a switch keeps the
/// old value. "none" if `threads` is 1; "unsupported" if no OpenMP runtime with the GNU interface is loaded.
[[nodiscard]] Json pool_mxcsr(int threads);

/// Rounding mode of the calling thread: nearest, upward, downward, toward-zero.
[[nodiscard]] Json rounding_mode();

/// The reproducibility branch of MKL, read from the one function it exports, by name: {"branch": "AVX2", "strict":
/// true, "automatic": "AVX2"}; "unsupported" if MKL is not loaded. On a CPU that lacks the requested branch, or is not
/// Intel's, MKL silently uses its automatic branch, which reads as "AUTO".
[[nodiscard]] Json mkl_reproducibility();

/// The result of a function `int name()` of a loaded library (omp_get_max_threads); "unsupported" without it.
[[nodiscard]] Json answer_of(const char* function);

}  // namespace retrial::determinism::inline mode
