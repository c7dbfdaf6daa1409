#include "variance/sources/splits.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"
#include "variance/random/rng.hpp"

namespace retrial::tests::splits_tests {

using namespace retrial::variance;

namespace {

std::set<std::uint32_t> distinct(const std::vector<std::uint32_t>& rows) {
  return {rows.begin(), rows.end()};
}

bool disjoint(const std::vector<std::uint32_t>& one, const std::vector<std::uint32_t>& other) {
  const auto rows = distinct(one);
  return std::none_of(other.begin(), other.end(), [&](std::uint32_t row) { return rows.count(row) > 0; });
}

/// Rows of one class, without a validation set.
Split oob_split(std::uint32_t n, std::uint32_t train, std::uint32_t test, std::uint64_t seed) {
  return stratified_oob(std::vector<std::uint16_t>(n), {.train = train, .test = test}, seed);
}

std::vector<std::uint16_t> classes_of(std::initializer_list<std::size_t> sizes) {
  std::vector<std::uint16_t> classes;
  std::uint16_t c = 0;
  for (const std::size_t size : sizes) classes.insert(classes.end(), size, c++);
  return classes;
}

}  // namespace

TEST_CASE("an out-of-bootstrap split has the requested sizes and no row in both sets") {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto split = oob_split(100, 100, 40, seed);
    REQUIRE(split.train.size() == 100);
    REQUIRE(split.test.size() == 40);
    REQUIRE(split.valid.empty());
    REQUIRE(disjoint(split.train, split.test));
    REQUIRE(*std::max_element(split.train.begin(), split.train.end()) < 100);
  }
}

TEST_CASE("the draws of a split are those of the key of its source") {
  const std::uint64_t seed = source_seed(42, "data-split", 3);
  const auto split = oob_split(50, 50, 5, seed);
  Stream draws(derive(seed, "split"), 0);
  for (const std::uint32_t row : split.train) REQUIRE(row == bounded(draws.next(), 50));
  std::vector<std::uint32_t> rest;
  for (std::uint32_t row = 0; row < 50; ++row)
    if (distinct(split.train).count(row) == 0) rest.push_back(row);
  for (const std::uint32_t row : split.test) REQUIRE(row == rest[bounded(draws.next(), rest.size())]);
}

TEST_CASE("the share of rows never drawn is (1 - 1/n)^n") {
  // .3486784401 for n = 10, .3660323413 for 100, .3676954248 for 1000: closed form.
  const auto share = [](std::uint32_t n, std::uint64_t splits) {
    double left = 0;
    for (std::uint64_t s = 0; s < splits; ++s)
      left += 1 - static_cast<double>(distinct(oob_split(n, n, 0, derive(7, s)).train).size()) / n;
    return left / static_cast<double>(splits);
  };
  CHECK_THAT(share(10, 20000), WithinAbs(.3486784401, .003));
  CHECK_THAT(share(100, 4000), WithinAbs(.3660323413, .002));
  CHECK_THAT(share(1000, 400), WithinAbs(.3676954248, .002));
}

TEST_CASE("a split that leaves nothing for the test is redrawn, and one that never can is refused") {
  // Two rows: half of the draws take both. Some seed must need a redraw, and then uses the next stream.
  bool redrawn = false;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto split = oob_split(2, 2, 1, seed);
    REQUIRE(split.train[0] == split.train[1]);
    REQUIRE(split.test[0] != split.train[0]);
    redrawn = redrawn || bounded(Stream(derive(seed, "split"), 0).next(), 2) != split.train[0];
  }
  CHECK(redrawn);
  CHECK(refused_field([] { (void)oob_split(1, 1, 1, 0); }) == "classes");
  CHECK(refused_field([] { (void)oob_split(0, 1, 1, 0); }) == "classes");
  CHECK(refused_field([] { (void)oob_split(5, 0, 1, 0); }) == "n_train");
}

TEST_CASE("largest remainders share a total out exactly") {
  CHECK(largest_remainder(10, std::vector{3U, 3U, 3U}) == std::vector{4U, 3U, 3U});  // equal remainders: lower first
  CHECK(largest_remainder(10, std::vector{1U, 2U, 4U}) == std::vector{1U, 3U, 6U});  // 1.43 2.86 5.71
  CHECK(largest_remainder(5, std::vector{0U, 7U, 0U}) == std::vector{0U, 5U, 0U});
  CHECK(largest_remainder(0, std::vector{2U, 3U}) == std::vector{0U, 0U});
  CHECK(refused_field([] { (void)largest_remainder(3, std::vector{0U}); }) == "sizes");
}

TEST_CASE("a stratified split keeps the shares of the classes and puts no row in two sets") {
  const auto classes = classes_of({40, 100, 60});
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const auto split = stratified_oob(classes, {.train = 100, .valid = 20, .test = 21}, seed);
    REQUIRE(split.train.size() == 100);
    REQUIRE(split.valid.size() == 20);
    REQUIRE(split.test.size() == 21);
    REQUIRE(disjoint(split.train, split.valid));
    REQUIRE(disjoint(split.train, split.test));
    REQUIRE(disjoint(split.valid, split.test));
    std::vector<int> train(3);
    for (const std::uint32_t row : split.train) ++train[classes[row]];
    REQUIRE(train == std::vector{20, 50, 30});
    REQUIRE(std::is_sorted(split.train.begin(), split.train.end(),
                           [&](std::uint32_t i, std::uint32_t j) { return classes[i] < classes[j]; }));
  }
}

TEST_CASE("each class draws from a stream of its own, rows in file order") {
  std::vector<std::uint16_t> classes(60);
  for (std::size_t row = 0; row < 60; ++row) classes[row] = static_cast<std::uint16_t>(row % 2);
  const std::uint64_t seed = source_seed(42, "data-split", 0);
  const auto split = stratified_oob(classes, {.train = 40, .valid = 10, .test = 10}, seed);
  for (std::uint64_t c = 0; c < 2; ++c) {
    Stream draws(derive(seed, "split"), c << 32);
    std::set<std::uint32_t> used;
    for (std::size_t i = 0; i < 20; ++i) {
      const auto row = static_cast<std::uint32_t>(2 * bounded(draws.next(), 30) + c);
      REQUIRE(split.train[20 * c + i] == row);
      used.insert(row);
    }
    std::vector<std::uint32_t> rest;
    for (auto row = static_cast<std::uint32_t>(c); row < 60; row += 2)
      if (used.count(row) == 0) rest.push_back(row);
    for (std::size_t i = 0; i < 5; ++i) REQUIRE(split.valid[5 * c + i] == rest[bounded(draws.next(), rest.size())]);
  }
}

TEST_CASE("a class too small for every set is named, an absent class number is not an error") {
  CHECK(refused_field([] {
          (void)stratified_oob(classes_of({10, 1}), {.train = 11, .valid = 0, .test = 11}, 0);
        }) == "classes");
  CHECK(stratified_oob(classes_of({10, 0, 10}), {.train = 10, .valid = 2, .test = 2}, 0).train.size() == 10);
  CHECK(refused_field([] { (void)stratified_oob({}, {.train = 1}, 0); }) == "classes");
}

}  // namespace retrial::tests::splits_tests
