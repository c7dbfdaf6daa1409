// Three steps of Adam and RMSprop against the formulas of torch.optim, computed by NumPy in double precision.
#include "tests/catch.hpp"
#include "workloads/nn/protocol/adaptive.hpp"

namespace retrial::nn_adaptive_tests {

const std::vector<std::vector<float>> gradients{{.5F, -.25F}, {-.1F, 2}, {.3F, 0}};

TEST_CASE("Adam") {
  std::vector<float> w{1, -2}, m(2), v(2);
  std::int64_t step = 0;
  for (const auto& gradient : gradients) nn::adam_step(w, gradient, m, v, ++step, .1, 1e-5);
  CHECK_THAT(w[0], WithinRel(.7824471324268862F, 1e-6F));
  CHECK_THAT(w[1], WithinRel(-2.0161927038192693F, 1e-6F));
}

TEST_CASE("Adam's epsilon counts where gradients are small") {
  std::vector<float> w{0}, m(1), v(1);
  nn::adam_step(w, std::vector<float>{1e-5F}, m, v, 1, 1, 1e-5);
  CHECK_THAT(w[0], WithinRel(-.5F, 1e-4F));  // g / (g + epsilon)
}

TEST_CASE("RMSprop") {
  std::vector<float> w{1, -2}, v(2);
  for (const auto& gradient : gradients) nn::rmsprop_step(w, gradient, v, .1, 1e-5);
  CHECK_THAT(w[0], WithinRel(-.3134954952751889F, 1e-5F));
  CHECK_THAT(w[1], WithinRel(-1.9927048187520229F, 1e-5F));
}

}  // namespace retrial::nn_adaptive_tests
