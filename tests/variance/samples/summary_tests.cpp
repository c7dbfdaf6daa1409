#include "variance/samples/summary.hpp"

#include <cmath>
#include <vector>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"

namespace retrial::tests::summary_tests {

using namespace retrial::variance;

TEST_CASE("mean and deviation of a small sample have their closed form") {
  const std::vector<double> values{2, 4, 4, 4, 5, 5, 7, 9};  // squares about the mean 5 sum to 32
  CHECK(mean(values) == 5.0);
  CHECK(sample_variance(values) == 32.0 / 7.0);
  CHECK(sd(values) == std::sqrt(32.0 / 7.0));
}

TEST_CASE("what a sample is too small for is absent, not zero") {
  CHECK_FALSE(mean({}));
  CHECK_FALSE(median({}));
  CHECK_FALSE(sample_quantile({}, .5));
  CHECK(mean(std::vector{3.0}) == 3.0);
  CHECK_FALSE(sd(std::vector{3.0}));
  CHECK(sd(std::vector{.1, .1, .1}) == 0.0);
}

TEST_CASE("the deviation of values near 1e8 is not lost to cancellation") {
  // Deviations .01, .02, .03, .025 about 1e8: the one-pass formula gives 0. Representable steps are 1.5e-8.
  const std::vector<double> near{1e8 + .01, 1e8 + .02, 1e8 + .03, 1e8 + .025};
  CHECK_THAT(*sd(near), WithinRel(.008539125638, 1e-5));
}

TEST_CASE("the sample quantile is the least value whose share reaches q") {
  const std::vector<double> values{30, 10, 20, 40};
  CHECK(sample_quantile(values, 0.0) == 10);
  CHECK(sample_quantile(values, .25) == 10);
  CHECK(sample_quantile(values, .2500001) == 20);
  CHECK(sample_quantile(values, .5) == 20);
  CHECK(sample_quantile(values, .75) == 30);
  CHECK(sample_quantile(values, 1.0) == 40);
}

TEST_CASE("a product that rounds above an integer does not move the quantile") {
  std::vector<double> values(100);  // .07 * 100 is 7.000000000000001 in doubles, 7 / 100 is .07
  for (std::size_t i = 0; i < 100; ++i) values[i] = static_cast<double>(i + 1);
  for (std::size_t k = 1; k <= 100; ++k) CHECK(sample_quantile(values, static_cast<double>(k) / 100) == values[k - 1]);
}

TEST_CASE("the median is the middle value or the mean of the two") {
  CHECK(median(std::vector{3.0, 1.0, 2.0}) == 2.0);
  CHECK(median(std::vector{4.0, 1.0, 2.0, 3.0}) == 2.5);
}

TEST_CASE("a value that is not finite is refused with its index") {
  const std::vector<double> values{1, 2, std::nan("")};
  CHECK(refused_field([&] { (void)mean(values); }) == "values[2]");
  CHECK(refused_field([&] { (void)median(values); }) == "values[2]");
  CHECK(refused_field([&] { (void)sample_quantile(values, 2.0); }) == "q");
}

}  // namespace retrial::tests::summary_tests
