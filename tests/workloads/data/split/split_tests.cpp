// Expected values: section 2.8 of the specification of distillation [computed there by an independent program].
#include <algorithm>
#include <map>
#include <set>

#include "results/text/text.hpp"
#include "tests/catch.hpp"
#include "variance/numbers/error.hpp"
#include "variance/random/rng.hpp"
#include "workloads/data/formats/embedded.hpp"
#include "workloads/data/split/split.hpp"

namespace retrial::tests::split_tests {

using namespace retrial;
using Rows = std::vector<std::uint32_t>;

namespace {

std::string sha256_prefix(const Rows& rows) {
  std::string bytes;
  for (const std::uint32_t row : rows)
    for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<char>(row >> shift & 0xff));
  return results::hex(results::sha256(bytes)).substr(0, 16);
}

Rows first(const Rows& rows, std::size_t n) {
  return {rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(n)};
}

std::map<int, int> per_class(const Rows& rows) {
  std::map<int, int> counts;
  for (const std::uint32_t row : rows) ++counts[data::digits().labels[row]];
  return counts;
}

constexpr std::uint64_t seed = 0x406e6b5de64c0d5d;

}  // namespace

TEST_CASE("constant permutations of published divisions have the specified bytes") {
  struct Known {
    const char* base;
    std::uint64_t key;
    std::uint32_t n;
    Rows begins;
    const char* sha;
  };
  for (const Known& known :
       {Known{"digits-base", 0xd3e9cfd4f562ad30, 1797, {849, 1165, 1522, 1745, 277}, "b38484f174fe79a0"},
        Known{"subset-base", 0x33e3e8539fc6808a, 10000, {6290, 5932, 4134, 165, 3759}, "7e9cf3f835b94d68"},
        Known{"mnist-base", 0xeb2bf3fe9640a5b9, 10000, {3568, 6888, 8821, 9467, 4810}, "8f2b669f66992ed7"}}) {
    CHECK(variance::derive(std::uint64_t{0}, known.base) == known.key);
    const Rows order = variance::permutation(known.key, known.n);
    CHECK(first(order, 5) == known.begins);
    CHECK(sha256_prefix(order) == known.sha);
  }
}

TEST_CASE("the published split of the digits has 1,000 training and 797 test rows in the specified order") {
  const data::Split split = data::make_split(data::digits(), data::Rule::published, std::nullopt, 0);
  REQUIRE(split.train.size() == 1000);
  REQUIRE(split.test.size() == 797);
  CHECK(first(split.train, 5) == Rows{849, 1165, 1522, 1745, 277});
  CHECK(Rows(split.test.end() - 3, split.test.end()) == Rows{1779, 812, 540});
  CHECK(split.valid.empty());
}

TEST_CASE("a set with files of its own keeps its test rows and permutes its training rows") {
  data::ImageSet set{.name = "own",
                     .count = 6,
                     .shape = {1, 1, 1},
                     .classes = 2,
                     .scale = 255,
                     .pixels = std::vector<std::uint8_t>(6),
                     .labels = {0, 1, 0, 1, 0, 1}};
  set.published = {.train = 4, .test = 2, .base = {}};
  const data::Split split = data::make_split(set, data::Rule::published, std::nullopt, 0);
  CHECK(split.train == variance::permutation(0x33e3e8539fc6808a, 4));
  CHECK(split.test == Rows{4, 5});
}

TEST_CASE("a permuted split is a permutation of all rows by the key of data-split") {
  const data::Split split = data::make_split(data::digits(), data::Rule::permuted, seed, 0);
  Rows all = split.train;
  all.insert(all.end(), split.test.begin(), split.test.end());
  CHECK(all == variance::permutation(variance::derive(seed, "split"), 1797));
  CHECK(split.train.size() == 1000);
}

TEST_CASE("an out-of-bootstrap split shares no row between its parts and repeats training rows") {
  const data::Split split = data::make_split(data::digits(), data::Rule::oob, seed, .1);
  REQUIRE(split.train.size() == 1000);
  REQUIRE(split.valid.size() == 100);
  REQUIRE(split.test.size() == 797);
  const std::set<std::uint32_t> train(split.train.begin(), split.train.end()),
      valid(split.valid.begin(), split.valid.end());
  const auto in = [](const std::set<std::uint32_t>& rows) {
    return [&rows](std::uint32_t row) { return rows.contains(row); };
  };
  CHECK(train.size() < 900);
  CHECK(std::none_of(split.valid.begin(), split.valid.end(), in(train)));
  CHECK(std::none_of(split.test.begin(), split.test.end(), in(train)));
  CHECK(std::none_of(split.test.begin(), split.test.end(), in(valid)));
}

TEST_CASE("the training rows of an out-of-bootstrap split do not come class by class") {
  const data::Split split = data::make_split(data::digits(), data::Rule::oob, seed, 0);
  CHECK(per_class(first(split.train, 150)).size() == 10);
}

TEST_CASE("a drawn split without the seed of data-split is refused") {
  CHECK_THROWS_AS(data::make_split(data::digits(), data::Rule::permuted, std::nullopt, 0), InvalidInput);
  CHECK_THROWS_AS(data::make_split(data::digits(), data::Rule::oob, std::nullopt, 0), InvalidInput);
}

TEST_CASE("a first subset is the beginning of the training split") {
  const Rows train = data::make_split(data::digits(), data::Rule::published, std::nullopt, 0).train;
  CHECK(data::take(data::digits(), train, data::Subset::first, 150) == first(train, 150));
  CHECK(data::take(data::digits(), train, data::Subset::first, 0) == train);
  CHECK(data::take(data::digits(), train, data::Subset::balanced, 0) == train);
}

TEST_CASE("a balanced subset gives larger counts to smaller classes and keeps the order") {
  const Rows train = data::make_split(data::digits(), data::Rule::published, std::nullopt, 0).train;
  const Rows rows = data::take(data::digits(), train, data::Subset::balanced, 153);
  const auto counts = per_class(rows);
  for (int c = 0; c < 10; ++c) CHECK(counts.at(c) == (c < 3 ? 16 : 15));
  std::size_t place = 0;
  for (const std::uint32_t row : rows) {
    while (place < train.size() && train[place] != row) ++place;
    REQUIRE(place < train.size());
  }
}

TEST_CASE("a subset larger than the split names the maximum, a balanced one the class that runs short") {
  const Rows train = data::make_split(data::digits(), data::Rule::published, std::nullopt, 0).train;
  CHECK_THROWS_WITH(data::take(data::digits(), train, data::Subset::first, 1001), has_text("at most 1000"));
  CHECK_THROWS_WITH(data::take(data::digits(), train, data::Subset::balanced, 1000), has_text("class"));
}

TEST_CASE("validation takes the last rows away from student and teacher") {
  const data::Parts parts = data::make_parts(data::digits(), {.train_count = 150, .validation = .2});
  const data::Split split = data::make_split(data::digits(), data::Rule::published, std::nullopt, 0);
  CHECK(parts.train == first(split.train, 120));
  CHECK(parts.valid == Rows(split.train.begin() + 120, split.train.begin() + 150));
  CHECK(parts.whole.size() == 970);
  for (const std::uint32_t row : parts.valid) CHECK(std::count(parts.whole.begin(), parts.whole.end(), row) == 0);
}

TEST_CASE("the share of validation rows is cut exactly") {
  // 0.29 * 100 is 28.999999999999996 in doubles.
  CHECK(data::make_parts(data::digits(), {.train_count = 100, .validation = .29}).valid.size() == 29);
}

TEST_CASE("a teacher sees the whole training split whatever the student gets") {
  CHECK(data::make_parts(data::digits(), {.train_count = 150}).whole.size() == 1000);
  CHECK(data::make_parts(data::digits(), {.train_count = 150}).train.size() == 150);
}

TEST_CASE("parts that would be empty are refused") {
  CHECK_THROWS_WITH(data::make_parts(data::digits(), {.train_count = 3, .validation = .1}), has_text("validation"));
}

TEST_CASE("unknown words for split and subset are refused") {
  CHECK(data::rule_from("oob") == data::Rule::oob);
  CHECK(data::subset_from("balanced") == data::Subset::balanced);
  CHECK_THROWS_AS(data::rule_from("kfold"), InvalidInput);
  CHECK_THROWS_AS(data::subset_from("random"), InvalidInput);
}

}  // namespace retrial::tests::split_tests
