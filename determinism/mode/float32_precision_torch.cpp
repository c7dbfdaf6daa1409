#include "determinism/mode/float32_precision_torch.hpp"

#include <array>

#include "results/json/json.hpp"

namespace retrial::determinism::inline mode {
namespace {

// The enumerations are deduced from the signatures of the members that take them, so that this file also compiles with
// a library that has neither.
template <typename Backend, typename Op>
struct Pair {
  const char* name;
  Backend backend;
  Op op;
};

// GENERIC with CONV, RNN or MATMUL always throws: these three pairs do not exist.
template <typename B, typename O>
std::array<Pair<B, O>, 9> valid_pairs() {
  return {{{"generic.all", B::GENERIC, O::ALL},
           {"cuda.all", B::CUDA, O::ALL},
           {"cuda.conv", B::CUDA, O::CONV},
           {"cuda.rnn", B::CUDA, O::RNN},
           {"cuda.matmul", B::CUDA, O::MATMUL},
           {"onednn.all", B::MKLDNN, O::ALL},
           {"onednn.conv", B::MKLDNN, O::CONV},
           {"onednn.rnn", B::MKLDNN, O::RNN},
           {"onednn.matmul", B::MKLDNN, O::MATMUL}}};
}

template <typename C, typename B, typename O, typename P>
void set_pairs(C& context, void (C::*set)(B, O, P), bool tf32) {
  for (const auto& pair : valid_pairs<B, O>()) {
    if (pair.op == O::ALL && pair.backend != B::GENERIC) continue;  // decided by the individual operators
    (context.*set)(pair.backend, pair.op, tf32 && pair.backend == B::CUDA ? P::TF32 : P::IEEE);
  }
}

template <typename C>
void set_precision(C& context, bool tf32) {
  if constexpr (requires { &C::setFloat32Precision; }) {
    set_pairs(context, &C::setFloat32Precision, tf32);
  } else {
    context.setFloat32MatmulPrecision(tf32 ? "high" : "highest");
    context.setAllowTF32CuDNN(tf32);
  }
}

template <typename C, typename P, typename B, typename O>
Json read_pairs(const C& context, P (C::*get)(B, O) const) {
  Json read = Json::object();
  for (const auto& pair : valid_pairs<B, O>()) {
    try {
      read[pair.name] = precision2str((context.*get)(pair.backend, pair.op));
    } catch (const c10::Error&) {
      read[pair.name] = "mixed-api";
    }
  }
  return read;
}

template <typename C>
Json read_precision(const C& context) {
  if constexpr (requires { &C::float32Precision; })
    return read_pairs(context, &C::float32Precision);
  else
    return "unsupported";
}

}  // namespace

void set_float32_precision(at::Context& context, bool tf32) {
  set_precision(context, tf32);
}
Json read_float32_precision(const at::Context& context) {
  return read_precision(context);
}

}  // namespace retrial::determinism::inline mode
