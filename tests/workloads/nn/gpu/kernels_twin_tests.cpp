// Bodies of the kernels of a training, run on the host, beside what they stand for.
#include <limits>

#include "tests/catch.hpp"
#include "tests/determinism/kernels/twin.hpp"
#include "workloads/data/files/image_set.hpp"
#include "workloads/data/split/pixels.hpp"
#include "workloads/nn/gpu/kernels.hpp"
#include "workloads/nn/protocol/adaptive.hpp"

namespace retrial::tests::nn_kernels_twin_tests {

using namespace retrial;

namespace {

/// Images of three channels with every byte in each.
data::ImageSet drawn_set() {
  data::ImageSet set;
  set.name = "drawn";
  set.shape = {.channels = 3, .height = 16, .width = 16};
  set.count = 1000;
  set.classes = 10;
  for (std::size_t e = 0; e < set.count * set.shape.pixels(); ++e)
    set.pixels.push_back(static_cast<std::uint8_t>(variance::block(7, e, 0)[0]));
  return set;
}

/// Step by step, as the CPU's loop adds them.
struct Sums {
  double loss = 0;
  double terms[2] = {};
  std::uint8_t proceed = 1;
  std::int64_t diverged_at = -1;

  [[nodiscard]] nn::Ledger ledger() { return {&loss, terms, &proceed, &diverged_at}; }
  friend bool operator==(const Sums&, const Sums&) = default;
};

Sums by_cpu(const std::vector<float>& a, const std::vector<float>& b, double weight) {
  Sums sums;
  for (std::size_t step = 0; step < a.size() && sums.proceed != 0; ++step) {
    const double rows = step % 2 == 0 ? 32 : 17, first = 1.0 * double{a[step]}, second = weight * double{b[step]},
                 total = first + second;
    sums.terms[0] += first * rows;
    sums.terms[1] += second * rows;
    sums.loss += total * rows;
    if (std::isfinite(total)) continue;
    sums.proceed = 0;
    sums.diverged_at = static_cast<std::int64_t>(step);
  }
  return sums;
}

Sums by_kernel(const std::vector<float>& a, const std::vector<float>& b, double weight, const twin::Grid& grid) {
  Sums sums;
  for (std::size_t step = 0; step < a.size(); ++step) {
    const nn::StepTerms terms{.values = {&a[step], &b[step]},
                              .weights = {1, weight},
                              .slots = {0, 1},
                              .count = 2,
                              .rows = step % 2 == 0 ? 32.0 : 17.0,
                              .step = static_cast<std::int64_t>(step)};
    twin::launch(grid, [&](const determinism::Where& at) { nn::note_step(terms, sums.ledger(), at); });
  }
  return sums;
}

}  // namespace

TEST_CASE("a batch gathered by a kernel has the bits of the table of pixels") {
  const data::ImageSet set = drawn_set();
  const data::PixelTable table(set, {.mean = {.1, .2, .3}, .sd = {.5, .25, .7}});
  std::vector<float> values;
  for (const auto& channel : table.channels()) values.insert(values.end(), channel.begin(), channel.end());
  std::vector<std::int64_t> places;  // 1,500 images: more than a million pixels, some images twice
  for (std::uint64_t i = 0; i < 1500; ++i)
    places.push_back(static_cast<std::int64_t>(variance::block(8, i, 0)[0] % set.count));
  const std::size_t pixels = set.shape.pixels();
  std::vector<float> expected(places.size() * pixels);
  for (std::size_t i = 0; i < places.size(); ++i)
    table.convert(set.image(static_cast<std::uint32_t>(places[i])), expected.data() + i * pixels);
  for (const twin::Grid& grid : twin::grids) {
    std::vector<float> made(expected.size());
    const nn::Gather batch{set.pixels.data(), values.data(), places.data(), made.data(), places.size(), pixels, 256};
    twin::launch(grid, [&](const determinism::Where& at) { nn::gather_elements(batch, at); });
    CHECK(twin::differing(made, expected) == 0);
    ++places.front();  // a planted difference: another image
    twin::launch(grid, [&](const determinism::Where& at) { nn::gather_elements(batch, at); });
    CHECK(twin::differing(made, expected) > 0);
    --places.front();
  }
}

TEST_CASE("sums of an epoch on a device are those of the CPU's loop, to its end") {
  std::vector<float> a = twin::weights(1, 0), b;
  for (std::uint64_t i = 0; i < 5000; ++i) {
    a.push_back(static_cast<float>(variance::uniform(variance::block(3, i, 0)[0], 0, 3)));
    b.push_back(static_cast<float>(variance::uniform(variance::block(4, i, 0)[0], 0, 9)));
  }
  for (const double weight : {.3, 1e-9}) {
    CHECK(by_kernel(a, b, weight, {1, 1}) == by_cpu(a, b, weight));
    CHECK(by_kernel(a, b, weight, {3, 32}) == by_cpu(a, b, weight));  // threads without work add nothing
  }
  const float infinite = std::numeric_limits<float>::infinity();
  for (const std::size_t step : {std::size_t{0}, std::size_t{1}, a.size() / 2, a.size() - 1})
    for (const float value : {std::numeric_limits<float>::quiet_NaN(), infinite, -infinite}) {
      std::vector<float> bad = b;
      bad[step] = value;
      bad.back() = value;  // no step after the first one counts
      const Sums found = by_kernel(a, bad, .3, {1, 1}), expected = by_cpu(a, bad, .3);
      CHECK(found.diverged_at == static_cast<std::int64_t>(step));
      CHECK(found.proceed == 0);
      CHECK(std::isfinite(found.loss) == std::isfinite(expected.loss));
      CHECK(found.terms[0] == expected.terms[0]);
    }
}

TEST_CASE("one launch of Adam and RMSprop moves a million weights to the CPU's bits") {
  constexpr std::size_t n = 1'000'000, first = 4097;
  const std::vector<float> gradient = twin::weights(12, n);
  for (const float scale : {1.0F, .3F}) {
    auto w = twin::weights(11, n), m = twin::weights(13, n), v = twin::weights(14, n);
    for (float& value : v) value = std::abs(value);
    auto w_cpu = w, m_cpu = m, v_cpu = v;
    const auto launch = [&](const auto& body) {
      const std::vector<determinism::Listed<nn::AdaptiveTensor>> list{
          {{w.data(), gradient.data(), m.data(), v.data()}, first},
          {{w.data() + first, gradient.data() + first, m.data() + first, v.data() + first}, n - first}};
      determinism::each_launch(std::span(list), [&](const determinism::Parts<nn::AdaptiveTensor>& parts, std::size_t) {
        twin::launch({7, 256, true}, [&](const determinism::Where& at) { body(parts, at); });
      });
    };
    launch([&](const auto& parts, const determinism::Where& at) {
      nn::adam_parts(parts, nn::adam_numbers(3, .01, 1e-8, scale), at);
    });
    nn::adam_step(w_cpu, gradient, m_cpu, v_cpu, 3, .01, 1e-8, scale);
    CHECK(twin::differing(w, w_cpu) + twin::differing(m, m_cpu) + twin::differing(v, v_cpu) == 0);
    launch([&](const auto& parts, const determinism::Where& at) {
      nn::rmsprop_parts(parts, {.rate = .01F, .epsilon = 1e-5F, .scale = scale}, at);
    });
    nn::rmsprop_step(w_cpu, gradient, v_cpu, .01F, 1e-5F, scale);
    CHECK(twin::differing(w, w_cpu) + twin::differing(v, v_cpu) == 0);
    nn::rmsprop_step(w_cpu, gradient, v_cpu, .02F, 1e-5F, scale);  // a planted difference: another step
    CHECK(twin::differing(w, w_cpu) > 0);
  }
}

TEST_CASE("what a forward pass changes after the last step that counts is undone") {
  std::vector<std::uint8_t> now(10'000), counted(10'000);
  for (std::size_t i = 0; i < now.size(); ++i) now[i] = static_cast<std::uint8_t>(i % 251);
  const std::vector<std::uint8_t> first = now;
  const std::vector<determinism::Listed<nn::Settled>> list{{{now.data(), counted.data()}, 3},
                                                           {{nullptr, nullptr}, 0},
                                                           {{now.data() + 3, counted.data() + 3}, now.size() - 3}};
  const auto settle = [&](std::uint8_t proceed) {
    determinism::each_launch(std::span(list), [&](const determinism::Parts<nn::Settled>& parts, std::size_t) {
      twin::launch({3, 32}, [&](const determinism::Where& at) { nn::settle_parts(parts, &proceed, at); });
    });
  };
  settle(1);
  CHECK(counted == first);
  for (std::uint8_t& value : now) ++value;
  const std::vector<std::uint8_t> second = now;
  settle(1);
  CHECK(counted == second);
  for (std::uint8_t& value : now) ++value;
  settle(0);
  CHECK(now == second);
  CHECK(counted == second);
}

}  // namespace retrial::tests::nn_kernels_twin_tests
