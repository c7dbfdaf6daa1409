// Delays, spike coefficients, scaled rates and elementary functions. Reference values are those of the specification of
// this workload (sections 4, 7, 8 and 18), computed by two independent programs; the rest are identities.
#include <bit>
#include <cmath>

#include "tests/catch.hpp"
#include "variance/random/rng.hpp"
#include "workloads/pipeline/arithmetic/elementary.hpp"
#include "workloads/pipeline/arithmetic/kernels.hpp"
#include "workloads/pipeline/arithmetic/spike.hpp"
#include "workloads/pipeline/methods/correctors.hpp"
#include "workloads/pipeline/methods/delays.hpp"
#include "workloads/pipeline/methods/scaling.hpp"
#include "workloads/pipeline/methods/semantics.hpp"

namespace retrial::tests::pipeline_formulas_tests {

using namespace retrial;
using namespace retrial::pipeline;
using Delays = std::vector<std::int64_t>;

TEST_CASE("delays of the models, in updates of each stage") {
  CHECK(delays(DelayModel::pb, 8) == Delays{14, 12, 10, 8, 6, 4, 2, 0});
  CHECK(delays(DelayModel::one_f_one_b, 8) == Delays{7, 6, 5, 4, 3, 2, 1, 0});
  CHECK(delays(DelayModel::uniform, 3, 5) == Delays{5, 5, 5});
  CHECK(delays(DelayModel::none, 3) == Delays{0, 0, 0});
  CHECK(delays(DelayModel::custom, 4, 1, Delays{6, 4, 4, 0}) == Delays{6, 4, 4, 0});
  for (std::int64_t stages = 1; stages <= 16; ++stages) {  // the mean of pb is S - 1
    std::int64_t sum = 0;
    for (const std::int64_t delay : delays(DelayModel::pb, stages)) sum += delay;
    CHECK(sum == stages * (stages - 1));
  }
}

TEST_CASE("a list of delays that no pipeline can have is refused with its place") {
  CHECK_THROWS_WITH(delays(DelayModel::custom, 4, 1, Delays{6, 4, 2, 4}),
                    has_text("custom = 6,4,2,4") &&
                        has_text("element 3 is larger than element 2; delays must not increase towards the output"));
  CHECK_THROWS_WITH(delays(DelayModel::custom, 4, 1, Delays{6, 4}), has_text("has 2 elements for stages = 4"));
  CHECK_THROWS_WITH(delays(DelayModel::custom, 1, 1, Delays{-1}), has_text("element 0 is not from 0 to 4096"));
  CHECK_THROWS_WITH(delays(DelayModel::pb, 513), has_text("stages = 513"));
  CHECK_THROWS_WITH(delay_model_named("gpipe"), has_text("delay = gpipe") && has_text("one_f_one_b"));
}

TEST_CASE("spike compensation keeps what a gradient contributes in all") {
  variance::Stream draws(7);
  for (int i = 0; i < 2000; ++i) {
    const double m = variance::uniform(draws.next());
    const auto delay = static_cast<std::int64_t>(variance::bounded(draws.next(), 200));
    const SpikeCoefficients found = sc_coefficients(m, delay);
    INFO("m " << m << ", D " << delay);
    CHECK_THAT(found.b + found.a / (1 - m), WithinRel(1 / (1 - m), 1e-13));
    CHECK_THAT(found.a + found.b, WithinRel((1 - std::pow(m, delay + 1)) / (1 - m), 1e-10));
  }
  const SpikeCoefficients far = sc_coefficients(.9999, 5000), summed = sc_coefficients(.9999, 4096);
  CHECK_THAT(far.b + far.a / 1e-4, WithinRel(1e4, 1e-11));
  CHECK(summed.b < far.b);
  for (const std::int64_t delay : {1, 7, 100}) {  // without friction
    CHECK_THAT(sc_coefficients(1 - 1e-12, delay).b, WithinRel(static_cast<double>(delay), 1e-9));
    CHECK(sc_coefficients(1, delay).b == static_cast<double>(delay));
  }
  CHECK_THROWS_WITH(sc_coefficients(1.1, 1), has_text("m = 1.1"));
  CHECK_THROWS_WITH(sc_coefficients(.9, -1), has_text("D = -1"));
}

TEST_CASE("open loop: spiked updates catch up with undelayed ones, plain ones lag by a shift") {
  // Fixed gradients, zero before and behind them: section 7.2 and its example.
  const auto trained = [](const std::vector<double>& g, std::int64_t delay, double m, const SpikeCoefficients& spike) {
    std::vector<double> w{0}, v{0}, path;
    for (std::int64_t t = 0; t < std::ssize(g); ++t) {
      const std::vector<double> late{t < delay ? 0 : g[static_cast<std::size_t>(t - delay)]};
      apply_update<double>(w, v, late, m, .1, spike);
      path.push_back(w[0]);
    }
    return path;
  };
  const std::vector<double> example{1, -2, 3, .5, -1, 0, 0, 0, 0};
  const std::vector<double> undelayed{-.1, .05, -.175, -.3375, -.31875, -.309375, -.3046875, -.30234375, -.301171875},
      spiked{0, 0, -.175, .1625, -.34375, -.459375, -.3046875, -.30234375, -.301171875};
  const auto plain = trained(example, 0, .5, {}), caught_up = trained(example, 2, .5, sc_coefficients(.5, 2));
  for (std::size_t t = 0; t < example.size(); ++t) {
    CHECK_THAT(plain[t], WithinAbs(undelayed[t], 1e-15));
    CHECK_THAT(caught_up[t], WithinAbs(spiked[t], 1e-15));
  }
  variance::Stream draws(3);
  for (std::int64_t D = 0; D <= 40; ++D) {
    const double m = .99 * variance::uniform(draws.next());
    constexpr std::size_t active = 50;
    std::vector<double> g(active + 41, 0);
    double size = 0;
    for (std::size_t t = 0; t < active; ++t) g[t] = variance::normal(draws.next()), size += std::fabs(g[t]);
    const auto w0 = trained(g, 0, m, {}), late = trained(g, D, m, {}), sc = trained(g, D, m, sc_coefficients(m, D));
    INFO("m " << m << ", D " << D);
    for (std::size_t t = 0; t < g.size(); ++t) {
      const std::size_t d = static_cast<std::size_t>(D);
      CHECK(late[t] == (t < d ? 0 : w0[t - d]));  // a shift, without any error
      double missing = 0;
      for (std::size_t j = 0; j < d && j <= t; ++j)
        missing += .1 * (1 - std::pow(m, static_cast<double>(j + 1))) / (1 - m) * g[t - j];
      CHECK_THAT(sc[t], WithinAbs(w0[t] + missing, 1e-13 * size));
      if (t + 1 >= active + d) CHECK_THAT(sc[t], WithinAbs(w0[t], 1e-13 * size));
    }
  }
}

TEST_CASE("rates scaled to another number of samples") {
  struct Row {
    double lr, m, from, to;
  };
  for (const Row& row : std::initializer_list<Row>{
           {.1, .9, 128, 1}, {.1, .9, 128, 256}, {.1, .9, 64, 12}, {3, .5, 2, 7}, {1e-5, .999, 1, 1024}}) {
    INFO(row.from << " -> " << row.to);
    const Rates found = scale_hyperparameters(row.lr, row.m, row.from, row.to);
    CHECK_THAT(std::log(found.momentum) / row.to, WithinRel(std::log(row.m) / row.from, 1e-11));  // half-life
    // What a sample contributes in all, and the way back.
    CHECK_THAT(found.lr / (row.to * (1 - found.momentum)), WithinRel(row.lr / (row.from * (1 - row.m)), 1e-11));
    const Rates back = scale_hyperparameters(found.lr, found.momentum, row.to, row.from);
    CHECK_THAT(back.lr, WithinRel(row.lr, 1e-11));
    CHECK_THAT(back.momentum, WithinRel(row.m, 1e-12));
  }
  CHECK(scale_hyperparameters(.1, 0, 4, 2).lr == .05);
  CHECK(scale_hyperparameters(.1, 0, 4, 2).momentum == 0);
  CHECK_THROWS_WITH(scale_hyperparameters(.1, 1, 4, 2), has_text("momentum = 1"));
  CHECK_THROWS_WITH(scale_hyperparameters(.1, .9, .5, 2), has_text("from = 0.5"));
}

TEST_CASE("tanh, expm1 and the cross entropy agree with the library") {
  double worst_tanh = 0, worst_expm1 = 0;
  for (int i = -4000; i <= 4000; ++i) {
    const double x = i * .005 + 1e-7 * i;
    if (x != 0) worst_tanh = std::max(worst_tanh, std::fabs(portable_tanh(x) / std::tanh(x) - 1));
    if (x < 0) worst_expm1 = std::max(worst_expm1, std::fabs(portable_expm1(x) / std::expm1(x) - 1));
  }
  CHECK(worst_tanh < 6e-14);
  CHECK(worst_expm1 < 2e-15);
  CHECK(portable_tanh(0) == 0);
  CHECK(portable_tanh(-1e300) == -1);
  CHECK(std::isnan(portable_tanh(std::nan(""))));
  const std::vector<double> logits{.5, -1, 2, 0};
  std::vector<double> delta(4);
  const double loss = cross_entropy<double>(logits, 1, delta);
  const double sum = std::exp(.5) + std::exp(-1) + std::exp(2) + 1;
  CHECK_THAT(loss, WithinRel(std::log(sum) + 1, 1e-14));
  CHECK_THAT(delta[1], WithinRel(std::exp(-1) / sum - 1, 1e-14));
  CHECK_THAT(delta[0] + delta[1] + delta[2] + delta[3], WithinAbs(0, 1e-15));
  for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL})
    CHECK_FALSE(std::isfinite(cross_entropy<double>(std::vector<double>{0, bad}, 0, delta)));
}

TEST_CASE("tanh of many numbers has the bits of one at a time") {
  std::vector<double> values{0, -0.0, 0x1p-10, -0x1p-11, 353.9, 354, 355, -1e300, HUGE_VAL, -HUGE_VAL, 1e-310, .17, 20};
  variance::Stream draws(3);
  while (values.size() < 20003) values.push_back(4 * variance::normal(draws.next()));
  std::vector<double> all = values;
  tanh_of<double>(all);
  std::size_t different = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    different += std::bit_cast<std::uint64_t>(all[i]) != std::bit_cast<std::uint64_t>(portable_tanh(values[i]));
  CHECK(different == 0);
  std::vector<double> lost(9, std::nan(""));
  tanh_of<double>(lost);
  for (const double value : lost) CHECK(std::isnan(value));
}

TEST_CASE("horizons, decays and lowered rates") {
  CHECK(spike_delay(5, .5) == 2);  // halves to even
  CHECK(spike_delay(7, .5) == 4);
  CHECK(spike_delay(5, 2) == 10);
  CHECK(spike_delay(3, 1.1) == 3);
  CHECK(spectrain_horizon(DelayModel::pb, 3) == 3);
  CHECK(spectrain_horizon(DelayModel::one_f_one_b, 3) == 1);
  CHECK_THAT(std::pow(pipemare_gamma(.2, 6), 6), WithinRel(.2, 1e-13));
  CHECK_THAT(pipemare_rate(3, 0, 8), WithinRel(.25, 1e-14));
  CHECK_THAT(pipemare_rate(3, 4, 8), WithinRel(.5, 1e-14));
  CHECK(pipemare_rate(3, 8, 8) == 1);
  CHECK(pipemare_rate(0, 0, 8) == 1);
  CHECK(pipemare_rate(3, 0, 0) == 1);
}

TEST_CASE("the program of a stage") {
  const auto written = [](const Program& program) {
    std::string text;
    std::int64_t forwards = 0, backwards = 0;
    while (backwards < program.total)
      text += program.backward_is_next(forwards, backwards) ? 'B' + std::to_string(backwards++)
                                                            : 'F' + std::to_string(forwards++);
    return text;
  };
  CHECK(written({.delay = 2, .total = 4}) == "F0F1F2B0F3B1B2B3");
  CHECK(written({.delay = 0, .total = 3}) == "F0B0F1B1F2B2");
  CHECK(written({.microbatches = 3, .drains = true, .total = 6}) == "F0F1F2B0B1B2F3F4F5B3B4B5");
  CHECK(written({.delay = 9, .total = 2}) == "F0F1B0B1");
  CHECK(Program{.delay = 2, .total = 4}.backwards_before(3) == 1);
  CHECK(Program{.delay = 2, .total = 4}.backwards_before(4) == 4);
}

}  // namespace retrial::tests::pipeline_formulas_tests
