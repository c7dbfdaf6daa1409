#include "determinism/price/steps.hpp"
#include "results/text/error.hpp"

namespace retrial::determinism::inline price {
namespace {

[[noreturn]] void refuse() {
  throw Error({.exit = Exit::incomparable,
               .code = "price.no_torch",
               .where = "the worker",
               .problem = "was built without LibTorch, whose kernels have the price",
               .help = "run scripts/setup and build the preset release"});
}

}  // namespace

void set_fill(bool) {
  refuse();
}
PriceClocks price_clocks(bool) {
  refuse();
}
StepTimes time_layer(const PriceOrder&, bool) {
  refuse();
}

}  // namespace retrial::determinism::inline price
