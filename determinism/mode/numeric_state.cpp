#include "determinism/mode/numeric_state.hpp"

#include <dlfcn.h>

#include <cfenv>
#include <string>

#if defined(__x86_64__)
#include <xmmintrin.h>

#include "results/json/json.hpp"
#endif

namespace retrial::determinism::inline mode {
namespace {

template <typename Function>
Function* loaded(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

struct PoolAnswer {
  int (*thread_number)();
  Json mxcsr = "none";
};

void answer_of_pool_thread(void* data) {
  auto* answer = static_cast<PoolAnswer*>(data);
  if (answer->thread_number() == 1) answer->mxcsr = mxcsr();
}

// Numbers of mkl_cbwr_get (Intel's MKL reference, "conditional numerical reproducibility control").
std::string branch_name(int number) {
  switch (number) {
    case 1:
      return "OFF";
    case 2:
      return "AUTO";
    case 3:
      return "COMPATIBLE";
    case 8:
      return "SSE4_2";
    case 10:
      return "AVX2";
    case 12:
      return "AVX512";
    default:
      return std::to_string(number);
  }
}

}  // namespace

Json mxcsr() {
#if defined(__x86_64__)
  constexpr unsigned sticky = 0x3f;
  const unsigned bits = _mm_getcsr() & ~sticky & 0xffffu;
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (int shift = 12; shift >= 0; shift -= 4) text += digits[bits >> shift & 0xf];
  return text;
#else
  return "unsupported";
#endif
}

// Calls, by name, the function that a compiler emits for `omp parallel`: compiling this file with OpenMP would link a
// second runtime, with a second pool, next to LibTorch's own.
Json pool_mxcsr(int threads) {
  if (threads < 2) return "none";
  auto* parallel = loaded<void(void (*)(void*), void*, unsigned, unsigned)>("GOMP_parallel");
  PoolAnswer answer{.thread_number = loaded<int()>("omp_get_thread_num")};
  if (!parallel || !answer.thread_number) return "unsupported";
  parallel(answer_of_pool_thread, &answer, static_cast<unsigned>(threads), 0);
  return answer.mxcsr;
}

Json rounding_mode() {
  switch (std::fegetround()) {
    case FE_TONEAREST:
      return "nearest";
    case FE_UPWARD:
      return "upward";
    case FE_DOWNWARD:
      return "downward";
    case FE_TOWARDZERO:
      return "towards-zero";
    default:
      return "unsupported";
  }
}

Json mkl_reproducibility() {
  constexpr int ask_branch = 1, ask_all = -1, strict_bit = 0x10000;
  auto* get = loaded<int(int)>("mkl_serv_cbwr_get");
  if (!get) return "unsupported";
  auto* automatic = loaded<int()>("mkl_serv_cbwr_get_auto_branch");
  return {{"branch", branch_name(get(ask_branch))},
          {"strict", (get(ask_all) & strict_bit) != 0},
          {"automatic", automatic ? Json(branch_name(automatic())) : Json("unsupported")}};
}

Json answer_of(const char* function) {
  auto* ask = loaded<int()>(function);
  return ask ? Json(ask()) : Json("unsupported");
}

}  // namespace retrial::determinism::inline mode
