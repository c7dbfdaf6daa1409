// The body of the kernel, run on the host, beside keep_mask and the product of nn::drop.
#include "determinism/seeds/drop.hpp"
#include "determinism/seeds/seeds.hpp"
#include "tests/catch.hpp"
#include "tests/determinism/kernels/twin.hpp"

namespace retrial::tests::drop_twin_tests {

using namespace retrial::determinism;

namespace {

constexpr std::uint64_t step = 17;

std::vector<float> by_twin(const std::vector<float>& x, std::uint64_t seed, double p, const twin::Grid& grid) {
  const Drop drop{variance::derive(variance::derive(seed, "mask"), step), p, static_cast<float>(1 / (1 - p))};
  std::vector<float> y(x.size(), 9);
  twin::launch(grid, [&](const Where& at) { drop_elements(x.data(), y.data(), x.size(), drop, at); });
  return y;
}

/// As nn::drop: a mask of 0 and 1 / (1 - p), then the product.
std::vector<float> by_mask(const std::vector<float>& x, std::uint64_t seed, double p) {
  const auto kept = keep_mask(seed, step, p, x.size());
  const auto factor = static_cast<float>(1 / (1 - p));
  std::vector<float> y(x.size());
  for (std::size_t e = 0; e < x.size(); ++e) y[e] = x[e] * (kept[e] != 0 ? factor : 0.0F);
  return y;
}

}  // namespace

TEST_CASE("a layer drops on the device what its mask drops on the CPU") {
  const auto grid = twin::Grid{7, 256, true};
  for (const std::size_t n : {1, 31, 32, 33, 255, 256, 257, 270'335, 270'337, (1 << 20) + 3}) {
    const auto x = twin::weights(n, n);
    CHECK(twin::differing(by_twin(x, 5, .5, grid), by_mask(x, 5, .5)) == 0);
  }
  const auto x = twin::any_floats(3, 5000);
  for (const double p : {0.0, 1e-9, .1, .5, 1.0})
    for (const auto& each : twin::grids) CHECK(twin::differing(by_twin(x, 6, p, each), by_mask(x, 6, p)) == 0);
  const auto some = twin::any_floats(4, 64);
  for (std::uint64_t key = 0; key < 1000; ++key)
    CHECK(twin::differing(by_twin(some, key, .3, {1, 32}), by_mask(some, key, .3)) == 0);
}

TEST_CASE("a mask of another step, key or probability is seen as another") {
  const auto x = twin::weights(1, 4096);
  CHECK(twin::differing(by_twin(x, 5, .5, {1, 32}), by_mask(x, 6, .5)) > 1000);
  CHECK(twin::differing(by_twin(x, 5, .5, {1, 32}), by_mask(x, 5, .49)) > 1000);
}

}  // namespace retrial::tests::drop_twin_tests
