// The body of the kernel, run on the host, beside sgd_step.
#include "tests/catch.hpp"
#include "tests/determinism/kernels/twin.hpp"
#include "workloads/nn/protocol/sgd_device.hpp"

namespace retrial::tests::sgd_twin_tests {

using namespace retrial;

namespace {

/// Tensors of one network, side by side in three vectors.
struct Network {
  std::vector<std::size_t> sizes{1, 10, 4096, 0, 4097, 1'000'000};
  std::vector<float> w, gradient, v;
  std::vector<std::uint32_t> live;

  Network() {
    std::size_t n = 0;
    for (const std::size_t size : sizes) n += size;
    w = twin::weights(1, n);
    gradient = twin::weights(2, n);
    v = twin::weights(3, n);
    for (std::size_t i = 0; i < n; ++i) live.push_back(variance::keep(variance::block(4, i, 0)[0], .3) ? ~0U : 0U);
  }
};

/// Every second tensor has a mask.
void by_twin(Network& network, double rate, std::uint8_t proceed, const nn::Sgd& sgd, const twin::Grid& grid) {
  std::vector<determinism::Listed<nn::SgdTensor>> list;
  std::size_t from = 0;
  for (const std::size_t size : network.sizes) {
    list.push_back({{network.w.data() + from, network.gradient.data() + from, network.v.data() + from,
                     list.size() % 2 == 1 ? network.live.data() + from : nullptr},
                    size});
    from += size;
  }
  const auto rate_on_device = static_cast<float>(rate);
  const nn::UpdateControl control{&rate_on_device, &proceed};
  const auto momentum = static_cast<float>(sgd.momentum), decay = static_cast<float>(sgd.weight_decay);
  determinism::each_launch(std::span<const determinism::Listed<nn::SgdTensor>>(list),
                           [&](const determinism::Parts<nn::SgdTensor>& parts, std::size_t) {
                             twin::launch(grid, [&](const determinism::Where& at) {
                               if (sgd.nesterov)
                                 nn::sgd_parts<true>(parts, control, momentum, decay, at);
                               else
                                 nn::sgd_parts<false>(parts, control, momentum, decay, at);
                             });
                           });
}

void by_cpu(Network& network, double rate, const nn::Sgd& sgd) {
  std::size_t from = 0;
  for (std::size_t t = 0; t < network.sizes.size(); ++t) {
    const std::size_t n = network.sizes[t];
    nn::sgd_step(std::span(network.w).subspan(from, n), std::span(network.gradient).subspan(from, n),
                 std::span(network.v).subspan(from, n), rate, sgd);
    for (std::size_t i = from; t % 2 == 1 && i < from + n; ++i)
      if (network.live[i] == 0) network.w[i] = network.v[i] = 0;
    from += n;
  }
}

std::size_t differing(const Network& a, const Network& b) {
  return twin::differing(a.w, b.w) + twin::differing(a.v, b.v);
}

}  // namespace

TEST_CASE("one launch moves a million weights to the CPU's bits, masked ones to 0") {
  for (const bool nesterov : {false, true})
    for (const auto& grid : {twin::Grid{1, 1}, twin::Grid{7, 256, true}}) {
      const nn::Sgd sgd{.9, 5e-4, nesterov};
      Network kernel, cpu;
      for (const double rate : {.1, .01}) {
        by_twin(kernel, rate, 1, sgd, grid);
        by_cpu(cpu, rate, sgd);
      }
      CHECK(differing(kernel, cpu) == 0);
    }
}

TEST_CASE("an update after an objective that is not finite changes nothing") {
  Network kernel;
  const Network before;
  by_twin(kernel, .1, 0, {.9, 5e-4, false}, {7, 256});
  CHECK(differing(kernel, before) == 0);
}

TEST_CASE("another rate, a contracted product and one planted bit are each seen") {
  const nn::Sgd sgd{.9, 5e-4, false};
  Network kernel, cpu;
  by_twin(kernel, .1, 1, sgd, {7, 256});
  by_cpu(cpu, .1, sgd);
  Network planted = cpu;
  planted.w[12345] = std::bit_cast<float>(std::bit_cast<std::uint32_t>(planted.w[12345]) ^ 1U);
  CHECK(differing(kernel, planted) == 1);
  Network other;
  by_twin(other, .1000001, 1, sgd, {7, 256});
  CHECK(differing(other, cpu) > 100'000);
  // What a compiler makes of w - rate * v where it may contract.
  const Network start;
  std::size_t moved = 0;
  for (std::size_t i = 0; i < 4000; ++i) {
    const std::size_t at = 12 + i;  // inside the first masked tensor's neighbor, which has no mask
    moved += __builtin_fmaf(-.1F, cpu.v[at], start.w[at]) != cpu.w[at] && cpu.w[at] == cpu.w[at];
  }
  CHECK(moved > 100);
}

}  // namespace retrial::tests::sgd_twin_tests
