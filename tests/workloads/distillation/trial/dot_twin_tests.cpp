// The body of the kernel, run on the host, beside dot_step.
#include "tests/catch.hpp"
#include "tests/determinism/kernels/twin.hpp"
#include "workloads/distillation/trial/dot_device.hpp"

namespace retrial::tests::dot_twin_tests {

using namespace retrial;

namespace {

constexpr std::size_t n = 1'000'003;

struct Tensor {
  std::vector<float> w = twin::weights(1, n), gradient = twin::weights(2, n), imitation = twin::weights(3, n),
                     v = twin::weights(4, n), u = twin::weights(5, n);
};

std::size_t differing(const Tensor& a, const Tensor& b) {
  return twin::differing(a.w, b.w) + twin::differing(a.v, b.v) + twin::differing(a.u, b.u);
}

void by_twin(Tensor& tensor, double rate, std::uint8_t proceed, double delta, const nn::Sgd& sgd) {
  auto parts = std::make_unique<determinism::Parts<distillation::DotTensor>>();
  REQUIRE(determinism::add(
      *parts,
      {tensor.w.data(), tensor.gradient.data(), tensor.imitation.data(), tensor.v.data(), tensor.u.data(), nullptr},
      n));
  const auto rate_on_device = static_cast<float>(rate);
  twin::launch({7, 256, true}, [&](const determinism::Where& at) {
    distillation::dot_parts(*parts, {&rate_on_device, &proceed}, distillation::dot_numbers(0, delta, sgd), at);
  });
}

}  // namespace

TEST_CASE("one launch of DOT moves a million weights to the CPU's bits") {
  const nn::Sgd sgd{.9, 5e-4, false};
  Tensor kernel, cpu;
  by_twin(kernel, .05, 1, .075, sgd);
  distillation::dot_step(cpu.w, cpu.gradient, cpu.imitation, {cpu.v, cpu.u}, .05, .075, sgd);
  CHECK(differing(kernel, cpu) == 0);
  CHECK(differing(kernel, Tensor{}) > n);
  cpu.u[77] += 1;
  CHECK(differing(kernel, cpu) == 1);
}

TEST_CASE("DOT does nothing after an objective that is not finite") {
  Tensor kernel;
  by_twin(kernel, .05, 0, .075, {.9, 5e-4, false});
  CHECK(differing(kernel, Tensor{}) == 0);
}

}  // namespace retrial::tests::dot_twin_tests
