// Scores of the methods. Values without another origin are those of the specification of pruning 15.2.
#include <cmath>
#include <numeric>

#include "tests/catch.hpp"
#include "tests/workloads/pruning/methods/scoring_view.hpp"
#include "variance/numbers/error.hpp"
#include "variance/random/rng.hpp"
#include "workloads/pruning/methods/ratios.hpp"
#include "workloads/pruning/methods/thinet.hpp"

namespace retrial::pruning_scores_tests {
using namespace pruning;

namespace {

std::vector<float> drawn(std::uint64_t key, std::size_t count) {
  std::vector<float> values;
  variance::Stream stream(key);
  for (std::size_t i = 0; i < count; ++i) values.push_back(static_cast<float>(variance::normal(stream.next())));
  return values;
}

/// Three layers of drawn weights, and four samples of what each reads.
struct Drawn {
  test::Toy toy{{4, 6, 5, 3}, {drawn(1, 24), drawn(2, 30), drawn(3, 15)}};
  std::vector<std::vector<std::vector<float>>> inputs;

  Drawn() {
    for (std::uint64_t s = 0; s < 4; ++s) inputs.push_back({drawn(10 + s, 4), drawn(20 + s, 6), drawn(30 + s, 5)});
  }
  [[nodiscard]] Sight sight() const { return toy.sight(inputs); }
};

template <typename Scores>
std::vector<std::vector<std::size_t>> orders(const Scores& scores) {
  std::vector<std::vector<std::size_t>> all;
  for (const auto& layer : scores) {
    auto& order = all.emplace_back(layer.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return layer[a] > layer[b]; });
  }
  return all;
}

}  // namespace

TEST_CASE("sipp gives a weight its share of the neuron's input within its own sign") {
  const test::Toy toy({4, 1}, {{1, 2, -1, -3}});
  CHECK(sipp(toy.sight({{{1, -2, 2, -1}}}))[0] == std::vector<double>{1, 1, 1, 1});
}

TEST_CASE("shares of one sign of one neuron and one patch add up to 1, and scores lie between 0 and 1") {
  const Drawn data;
  const auto row = std::span(data.toy.values[0]).first(4);
  const Patches patch{.values = {1, 2, .5F, 3}, .positions = 1};
  double positive = 0, negative = 0;
  each_share(row, patch, [&](std::int64_t j, std::span<const double> shares) {
    (row[static_cast<std::size_t>(j)] > 0 ? positive : negative) += shares[0];
  });
  CHECK_THAT(positive, WithinRel(1.0, 1e-12));
  CHECK_THAT(negative, WithinRel(1.0, 1e-12));
  for (const auto& layer : sipp(data.sight()))
    for (const double score : layer) CHECK((score >= 0 && score <= 1));
  for (const auto& group : pfp(data.sight()))
    for (const double score : group) CHECK((score >= 0 && score <= 1));
}

TEST_CASE("a denominator too small to divide by gives no share") {
  const test::Toy toy({2, 1}, {{1, 1}});
  CHECK(sipp(toy.sight({{{1e-8F, 0}}}))[0] == std::vector<double>{0, 0});
  CHECK(sipp(toy.sight({{{1e-6F, 0}}}))[0] == std::vector<double>{1, 0});
}

TEST_CASE("sipp takes the mean over patches and the maximum over samples") {
  test::Toy toy({2, 1}, {{1, 3}});
  Sight sight = toy.sight();
  sight.each_patch = [](const Sight::Visit& visit) {
    visit(0, 0, {.values = {1, 0, 1, 1}, .positions = 2});  // column 0 reads (1, 0), column 1 reads (1, 1)
    visit(1, 0, {.values = {0, 0, 1, 1}, .positions = 2});
  };
  CHECK(sipp(sight)[0] == std::vector<double>{.125, 1});
}

TEST_CASE("pfp takes the greatest share over filters, samples and the taps of a channel") {
  const Drawn data;
  const WeightScores shares = sipp(data.sight());
  const ChannelScores scores = pfp(data.sight());
  for (std::size_t c = 0; c < 6; ++c) {
    double best = 0;
    for (std::size_t row = 0; row < 5; ++row) best = std::max(best, shares[1][row * 6 + c]);
    CHECK(scores[1][c] == best);
  }
  CHECK(scores[0] == std::vector<double>(4, 0));  // pixels are not asked
}

TEST_CASE("snip multiplies each weight with its mean gradient before it takes the magnitude") {
  test::Toy toy({2, 2}, {{1, -1, .5F, .25F}});
  Sight sight = toy.sight();
  sight.mean_gradients = [](std::int64_t) { return std::vector<std::vector<double>>{{-.5, .5, 0, 2}}; };
  CHECK(snip(sight)[0] == std::vector<double>{.5, .5, 0, .5});
}

TEST_CASE("ThiNet removes what adds least together") {
  const Contributions x{{1, 2, -1}, {.5, -.5, .25}, {3, 1, 2}, {-1, -2, 1}};
  const auto order = thinet_removals(x, {1, 1, 1, 1});
  CHECK(order == std::vector<std::int64_t>{1, 0, 3, 2});
  const auto together = [&](std::size_t removed) {
    double sum = 0;
    for (std::size_t t = 0; t < 3; ++t) {
      double part = 0;
      for (std::size_t i = 0; i < removed; ++i) part += x[static_cast<std::size_t>(order[i])][t];
      sum += part * part;
    }
    return sum;
  };
  CHECK(together(1) == .5625);
  CHECK(together(2) == 5.0625);
  CHECK(together(3) == .5625);
  CHECK(thinet_removals(x, {0, 1, 1, 0}) == std::vector<std::int64_t>{1, 2});
}

TEST_CASE("of all sets of three channels ThiNet's contributes least, and the inverted ranking keeps what should go") {
  const test::Toy toy({2, 4, 1}, {{1, 0, 0, 1, 1, 1, 2, 2}, {1, 1, 1, 1}});
  const std::vector<std::vector<std::vector<float>>> inputs{{{1, 1}, {1, .5F, 3, -1}}, {{1, 1}, {2, -.5F, 1, -2}}};
  Sight sight = toy.sight(inputs);
  const auto kept_longest = orders(thinet(sight))[1].front(), inverted = orders(thinet_inverted(sight))[1].front();
  CHECK(kept_longest == 2);
  CHECK(inverted == 1);
}

TEST_CASE("lamp divides each square by those of its layer that are not smaller") {
  const test::Toy toy({3, 1}, {{1, -2, 3}});
  const WeightScores scores = lamp(toy.sight());
  CHECK_THAT(scores[0][0], WithinAbs(.0714285714, 5e-11));
  CHECK_THAT(scores[0][1], WithinAbs(.3076923077, 5e-11));
  CHECK(scores[0][2] == 1);
}

TEST_CASE("random scores are those of the documented blocks, and change with layer, step and seed") {
  test::Toy toy({3, 4, 2});
  Sight sight = toy.sight();
  sight.prune = 77;
  sight.step = 3;
  const std::uint64_t key = variance::derive(variance::derive(std::uint64_t{77}, "fc2"), std::uint64_t{3});
  const WeightScores scores = random_weights(sight);
  for (std::size_t e = 0; e < 8; ++e) CHECK(scores[1][e] == variance::uniform_open(variance::block(key, e, 0)[0]));
  CHECK(scores[0][0] != scores[1][0]);
  sight.step = 4;
  CHECK(random_weights(sight) != scores);
  sight.step = 3;
  sight.prune = 78;
  CHECK(random_weights(sight) != scores);
}

TEST_CASE("scaling a network by a positive constant leaves the order of wt, ft and softnet unchanged") {
  const Drawn data;
  test::Toy scaled = data.toy;
  for (auto& layer : scaled.values)
    for (float& weight : layer) weight *= 4;
  CHECK(orders(magnitude(scaled.sight())) == orders(magnitude(data.toy.sight())));
  CHECK(orders(filter_l1(scaled.sight())) == orders(filter_l1(data.toy.sight())));
  CHECK(orders(filter_l2(scaled.sight())) == orders(filter_l2(data.toy.sight())));
}

TEST_CASE("filters permuted consistently get their scores permuted") {
  const Drawn data;
  test::Toy turned = data.toy;  // the hidden units of the first layer in reverse
  for (std::size_t row = 0; row < 6; ++row)
    for (std::size_t column = 0; column < 4; ++column)
      turned.values[0][row * 4 + column] = data.toy.values[0][(5 - row) * 4 + column];
  for (std::size_t row = 0; row < 5; ++row)
    for (std::size_t column = 0; column < 6; ++column)
      turned.values[1][row * 6 + column] = data.toy.values[1][row * 6 + 5 - column];
  auto expected = filter_l1(data.toy.sight())[1];
  std::reverse(expected.begin(), expected.end());
  CHECK(filter_l1(turned.sight())[1] == expected);
}

TEST_CASE("every method is one row with one scoring function, and a mistyped one suggests its neighbour") {
  for (const Method& method : all_methods()) {
    CAPTURE(method.name);
    CHECK(int{method.weights != nullptr} + int{method.channels != nullptr} + int{method.spectra != nullptr} == 1);
    CHECK_FALSE(method.summary.empty());
    CHECK(&find_method(method.name) == &method);
  }
  CHECK_THROWS_WITH(find_method("snap"), has_text("did you mean \"snip\"?"));
}

}  // namespace retrial::pruning_scores_tests
