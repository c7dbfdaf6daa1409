// Ticks of axes. Expected places and labels are the multiples themselves, written by hand.
#include <cmath>
#include <cstdlib>
#include <random>
#include <set>

#include "results/report/drawing/label_text.hpp"
#include "results/report/drawing/scale.hpp"
#include "tests/catch.hpp"

namespace retrial::tests::scale_tests {

using namespace retrial::report;

namespace {

std::vector<std::string> labels(const std::vector<Tic>& tics) {
  std::vector<std::string> out;
  for (const auto& tic : tics) out.push_back(tic.label);
  return out;
}

std::vector<std::string> labels_of(const Step& step, double low, double high) {
  return labels(multiples(step, low, high));
}

using Labels = std::vector<std::string>;

}  // namespace

TEST_CASE("a step is 1, 2 or 5 times a power of ten, the smallest that is enough", "[report]") {
  const auto is = [](double least, std::int64_t digit, int power) {
    CAPTURE(least);
    const Step step = step_of_at_least(least);
    CHECK(step.digit == digit);
    CHECK(step.power == power);
  };
  is(1, 1, 0);
  is(1.01, 2, 0);
  is(2.5, 5, 0);
  is(5.1, 1, 1);
  is(0.1, 1, -1);
  is(0.03, 5, -2);
  is(1e-7, 1, -7);
  is(6e300, 1, 301);
}

TEST_CASE("ticks are the multiples of the step, nearest double and all, with equal decimals", "[report]") {
  CHECK(labels_of({2, -1}, 0, 1) == Labels{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"});
  const auto tics = multiples({2, -1}, 0, 1);
  for (int i = 0; i <= 5; ++i) CHECK(tics[static_cast<std::size_t>(i)].at == i / 5.0);
  CHECK(labels_of({2, 1}, -30, 38) == Labels{"-20", "0", "20"});
  CHECK(labels_of({1, 0}, -1, 1) == Labels{"-1", "0", "1"});
  CHECK(labels_of({5, -2}, -0.07, 0.07) == Labels{"-0.05", "0.00", "0.05"});
  CHECK(labels_of({5, -4}, 999.9995, 1000.0005) == Labels{"999.9995", "1000.0000", "1000.0005"});
  CHECK(labels_of({5, 6}, 0, 9e6) == Labels{"0", "5000000"});
}

TEST_CASE("the largest and the smallest numbers share one exponent", "[report]") {
  CHECK(labels_of({1, -6}, 1e-7, 3.1e-6) == Labels{"1e-6", "2e-6", "3e-6"});
  CHECK(labels_of({5, -7}, 1e-7, 1.6e-6) == Labels{"0.5e-6", "1.0e-6", "1.5e-6"});
  CHECK(labels_of({2, 7}, -3e7, 3e7) == Labels{"-2e7", "0", "2e7"});
}

TEST_CASE("an axis of whole numbers has no tick between them", "[report]") {
  const Axis axis{.label = "pair", .low = -0.05, .high = 1.05, .tics = {}, .whole = true},
      broken{.low = -0.05, .high = 1.05};
  const auto scale = scale_of(axis, 40, 700);
  CHECK(labels(ticks_of(axis, scale, LabelSide::below, 720)) == Labels{"0", "1"});
  CHECK(ticks_of(broken, scale, LabelSide::below, 720).size() > 2);
}

TEST_CASE("given ticks stay, except those that touch a neighbor or are outside", "[report]") {
  const Axis axis{.low = 0, .high = 10, .tics = {{1, "a"}, {1.1, "b"}, {5, "c"}, {11, "d"}}};
  CHECK(labels(ticks_of(axis, scale_of(axis, 0, 300), LabelSide::below, 300)) == Labels{"a", "c"});
}

TEST_CASE("round ticks of any axis rise evenly, say where they are and never touch", "[report]") {
  std::mt19937_64 bits(7);
  const auto uniform = [&] { return static_cast<double>(bits() >> 11) * 0x1p-53; };
  for (int i = 0; i < 2000; ++i) {
    const double size = std::pow(10, 24 * uniform() - 12), low = size * (2 * uniform() - 1) * (i % 3 == 0 ? 1e3 : 1);
    const Axis axis{.low = low, .high = low + size * (0.1 + uniform())};
    CAPTURE(axis.low, axis.high);
    const double pixels = 120 + 560 * uniform();
    const auto tics = ticks_of(axis, scale_of(axis, 60, 60 + pixels), LabelSide::below, 80 + pixels);
    CHECK(tics.size() <= 15);
    REQUIRE(!tics.empty());
    std::set<std::string> different;
    for (std::size_t k = 0; k < tics.size(); ++k) {
      different.insert(tics[k].label);
      CHECK(std::strtod(tics[k].label.c_str(), nullptr) == Approx(tics[k].at).margin(1e-9 * size));
      if (k == 0) continue;
      const double apart = (tics[k].at - tics[k - 1].at) * pixels / (axis.high - axis.low);
      CHECK(apart > (label_width(tics[k].label) + label_width(tics[k - 1].label)) / 2);
      CHECK(tics[k].at - tics[k - 1].at == Approx(tics[1].at - tics[0].at));
    }
    CHECK(different.size() == tics.size());
  }
}

TEST_CASE("an axis that cannot be computed with still has an end", "[report]") {
  for (const Axis& axis : {Axis{.low = 1, .high = 1}, Axis{.low = -1.7e308, .high = 1.7e308},
                           Axis{.low = 0, .high = 5e-324}, Axis{.low = 1e17, .high = 1e17}}) {
    const auto scale = scale_of(axis, 0, 300);
    CHECK(std::isfinite(scale.high - scale.low));
    CHECK(scale.low < scale.high);
    CHECK(ticks_of(axis, scale, LabelSide::left, 300).size() < 20);
  }
}

TEST_CASE("a label that does not fit keeps both ends", "[report]") {
  CHECK(fitted("kd", 100) == "kd");
  const std::string first = fitted("distillation_T4_a0.9", 100), second = fitted("distillation_T4_a0.5", 100);
  CHECK(label_width(first) <= 100);
  CHECK_THAT(first, has_text("\xE2\x80\xA6"));
  CHECK(first != second);
  CHECK(fitted("distillation", 1) == "\xE2\x80\xA6");
}

TEST_CASE("a title is broken at a blank, into two lines at most", "[report]") {
  CHECK(label_lines("accuracy (%)", 200) == Labels{"accuracy (%)"});
  CHECK(label_lines("accuracy of the student (%)", 150) == Labels{"accuracy of the", "student (%)"});
  CHECK(label_lines(std::string(80, 'x'), 150).size() == 1);
}

}  // namespace retrial::tests::scale_tests
