#include "harness/price/arms.hpp"

#include "results/text/error.hpp"

namespace retrial::harness::inline price {
namespace {

using determinism::KernelMode;

KernelMode switched(KernelMode mode, bool deterministic) {
  mode.preset = deterministic ? "deterministic" : "nondeterministic";
  mode.deterministic = deterministic;
  mode.autotune = false;
  return mode;
}

/// The total of a GPU, told apart.
void add_axes(PriceDesign& to, const KernelMode& off) {
  const auto add = [&](const std::string& name, const std::string& meaning, KernelMode mode) {
    to.arms.push_back({.name = name, .meaning = "N with " + meaning, .mode = std::move(mode)});
    to.ratios.push_back({.name = name, .with = name, .without = "N", .meaning = meaning});
  };
  KernelMode mode = off;
  mode.tf32 = true;
  add("tf32", "TF32", mode);
  mode = off;
  mode.preset = "nondeterministic+autotune";
  mode.autotune = true;
  add("autotune", "algorithms of cuDNN chosen by timing", mode);
  mode = off;
  mode.workspace = "4096x8";
  add("workspace", "a fixed workspace of cuBLAS", mode);
  mode = off;
  mode.attention = "math";
  add("attention", "attention by plain products", mode);
}

}  // namespace

PriceDesign price_design(const KernelMode& base, bool control) {
  if (base.inherit() || base.portable)
    throw Error({.code = "price.mode",
                 .field = "mode",
                 .value = base.portable ? "portable" : base.preset,
                 .problem = base.portable ? "has no nondeterministic partner that differs in nothing else"
                                          : "sets no switch, so there is nothing to price",
                 .allowed = "deterministic, nondeterministic",
                 .help = "retrial price WORKLOAD prices mode deterministic"});
  const KernelMode off = switched(base, false), strict = control ? off : switched(base, true);
  PriceDesign out{.arms = {{.name = "N", .meaning = "determinism off", .mode = off},
                           {.name = "D0", .meaning = "deterministic algorithms", .mode = strict, .fill = false},
                           {.name = "D1", .meaning = "and uninitialized memory filled", .mode = strict}},
                  .ratios = {{"total", "D1", "N", "all that mode deterministic does"},
                             {"flag", "D0", "N", "deterministic algorithms"},
                             {"fill", "D1", "D0", "filling uninitialized memory"}}};
  if (control)
    for (Arm& arm : out.arms) arm.meaning = "determinism off (control)";
  if (base.on_gpu() && !control) add_axes(out, off);
  return out;
}

}  // namespace retrial::harness::inline price
