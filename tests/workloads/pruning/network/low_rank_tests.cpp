// Factors in the place of weights: how many parameters they have and how ranks are chosen (section 4.7 of the
// specification of pruning; Liebenwein et al., NeurIPS 2021).
#include <algorithm>
#include <functional>

#include "tests/catch.hpp"
#include "tests/workloads/pruning/methods/scoring_view.hpp"
#include "variance/random/rng.hpp"
#include "workloads/interface/trial/trial.hpp"
#include "workloads/pruning/network/size.hpp"
#include "workloads/pruning/steps/step.hpp"

namespace retrial::pruning_low_rank_tests {
using namespace pruning;

namespace {

/// A toy whose singular values are drawn, descending; those of a layer in k groups have drawn values of their own.
Sight sight_of(const test::Toy& toy) {
  Sight sight = toy.sight();
  sight.singular_values = [&toy](std::size_t layer, std::int64_t groups) {
    const Layer& of = toy.network.layers[layer];
    const auto ranks = static_cast<std::size_t>(std::min(of.out.count, of.columns() / groups));
    variance::Stream stream(100 * layer + static_cast<std::uint64_t>(groups));
    std::vector<double> values;
    for (std::int64_t g = 0; g < groups; ++g) {
      std::vector<double> group;
      for (std::size_t j = 0; j < ranks; ++j)
        group.push_back(groups == 1 && j == 0 ? 1 : variance::uniform(stream.next()));
      std::sort(group.rbegin(), group.rend());
      values.insert(values.end(), group.begin(), group.end());
    }
    return values;
  };
  return sight;
}

StepOptions with(const char* method) {
  return {.method = &find_method(method)};
}

/// Every way to factorise a layer, the layer as it is among them.
std::vector<RankChoice> everything(const Layer& layer, const std::vector<Spectrum>& ways) {
  std::vector<RankChoice> all{{{}, layer.weights(), 0}};
  for (const Spectrum& way : ways)
    for (std::size_t e = 0; e < way.errors.size(); ++e) {
      const Rank rank{way.groups, static_cast<std::int64_t>(e) + 1};
      all.push_back({rank, parameters(layer, rank), way.errors[e]});
    }
  return all;
}

/// The smallest maximum error of all combinations within the budget; 2 if there is none.
double best_of_all(const std::vector<std::vector<RankChoice>>& layers, std::int64_t budget) {
  double best = 2;
  const std::function<void(std::size_t, std::int64_t, double)> go = [&](std::size_t l, std::int64_t left,
                                                                        double error) {
    if (left < 0) return;
    if (l == layers.size()) {
      best = std::min(best, error);
      return;
    }
    for (const RankChoice& choice : layers[l]) go(l + 1, left - choice.parameters, std::max(error, choice.error));
  };
  go(0, budget, 0);
  return best;
}

}  // namespace

TEST_CASE("factors of rank j in k groups have j (k outputs + inputs taps) parameters") {
  const Layer conv{.name = "conv", .out = {.count = 16}, .in = {.count = 8}, .taps = 9};
  CHECK(parameters(conv, {}) == 16 * 72);
  CHECK(parameters(conv, {1, 3}) == 3 * (16 + 72));
  CHECK(parameters(conv, {4, 3}) == 3 * (64 + 72));
  CHECK(group_counts(conv) == std::vector<std::int64_t>{1, 2, 4, 8});
}

// Singular values of ((7i + 3j) mod 11 - 5) / 4, 4 x 6, and of its halves and thirds: numpy.linalg.svd of NumPy 1.24.2.
TEST_CASE("the error of a rank is the largest singular value it leaves out in any group, over the largest of all") {
  const double largest = 2.5856433916993686;
  const Spectrum one = spectrum_of(1, {largest, 2.3329337950616096, 1.5866001587129408, 0.9576367240205916}, largest);
  REQUIRE(one.errors.size() == 4);
  CHECK_THAT(one.errors[0], WithinRel(2.3329337950616096 / largest, 1e-15));
  CHECK(one.errors[3] == 0);
  const Spectrum two = spectrum_of(2,
                                   {2.080171930473227, 1.6013680717994632, 0.8921911444822579, 2.1755083794385195,
                                    1.618808088552193, 0.7222351856776159},
                                   largest);
  CHECK(two.errors == std::vector<double>{1.618808088552193 / largest, 0.8921911444822579 / largest, 0});
  CHECK(spectrum_of(1, {0, 0}, 0).errors == std::vector<double>{0, 0});
}

TEST_CASE("ranks have the smallest largest error of all combinations of groups and ranks, at every budget") {
  const test::Toy toy({6, 4, 8, 3});
  const Sight sight = sight_of(toy);
  const Spectra spectra = grouped_spectra(sight);
  std::vector<std::vector<RankChoice>> all, useful;
  for (std::size_t l = 0; l < spectra.size(); ++l) {
    all.push_back(everything(toy.network.layers[l], spectra[l].ways));
    useful.push_back(rank_choices(toy.network.layers[l], spectra[l].ways, {}));
  }
  int reached = 0;
  for (std::int64_t budget = 20; budget <= toy.network.weights(); ++budget) {
    CAPTURE(budget);
    const RankPlan plan = choose_ranks(useful, budget);
    if (plan.parameters > budget) {
      CHECK(best_of_all(all, budget) == 2);
      continue;
    }
    ++reached;
    CHECK(plan.error == best_of_all(all, budget));
  }
  CHECK(reached > 40);
  CHECK(choose_ranks(useful, toy.network.weights()).error == 0);
}

TEST_CASE("choices of a layer cost more only where they lose less, and never more than the layer has now") {
  const test::Toy toy({12, 9});
  const Spectra spectra = grouped_spectra(sight_of(toy));
  const Layer& layer = toy.network.layers[0];
  for (const Rank now : {Rank{}, Rank{1, 3}, Rank{3, 1}}) {
    const auto choices = rank_choices(layer, spectra[0].ways, now);
    REQUIRE(!choices.empty());
    CHECK(choices.back().parameters <= parameters(layer, now));
    CHECK(choices.front().parameters == 9 + 12);
    for (std::size_t i = 1; i < choices.size(); ++i) {
      CHECK(choices[i].parameters > choices[i - 1].parameters);
      CHECK(choices[i].error < choices[i - 1].error);
    }
  }
}

TEST_CASE("svd has one group a layer, alds may have several and never a larger error") {
  const test::Toy toy({12, 16, 12, 10});
  for (const double keep : {.9, .7, .5, .3}) {
    CAPTURE(keep);
    const Allocation svd = prune_step(sight_of(toy), keep, with("svd")),
                     alds = prune_step(sight_of(toy), keep, with("alds"));
    CHECK(std::ranges::all_of(svd.ranks, [](const Rank& rank) { return rank.groups <= 1; }));
    CHECK(*alds.rank_error <= *svd.rank_error);
    const Size size = size_left(toy.network, {alds.masks, alds.ranks});
    CHECK(size.live <= budget_of(keep, toy.network.weights()));
    CHECK(alds.warnings.empty());
  }
  const Allocation alds = prune_step(sight_of(toy), .5, with("alds"));
  CHECK(std::ranges::any_of(alds.ranks, [](const Rank& rank) { return rank.groups > 1; }));
}

TEST_CASE("a budget below rank 1 everywhere leaves rank 1 and says so") {
  const test::Toy toy({12, 16, 10});
  const Allocation made = prune_step(sight_of(toy), .05, with("svd"));
  CHECK(made.ranks == std::vector<Rank>{{1, 1}, {1, 1}});
  REQUIRE(made.warnings.size() == 1);
  CHECK(made.warnings[0] == "factors of rank 1 in every layer have 54 parameters, more than the requested 18");
}

TEST_CASE("the classifier stays as it is where it may not be pruned, and counts apart") {
  const test::Toy toy({12, 16, 10});
  StepOptions options = with("alds");
  options.prune_classifier = false;
  const Allocation made = prune_step(sight_of(toy), .5, options);
  CHECK(made.ranks[1].dense());
  CHECK(parameters(toy.network.layers[0], made.ranks[0]) <= 12 * 16 / 2);
}

TEST_CASE("a factorised network is counted by its factors, position by position") {
  const Network network = test::network_named("cnn4", {3, 16, 16});
  const std::vector<Rank> ranks{{1, 2}, {2, 1}, {}, {1, 3}};
  const Size size = size_left(network, {all_live(network), ranks}), dense = size_left(network, {all_live(network)});
  const std::int64_t first = 2 * (4 + 27), second = 1 * (2 * 8 + 36), third = 8 * 8 * 9, last = 3 * (10 + 8 * 16);
  CHECK(size.live == first + second + third + last);
  CHECK(size.macs == (first + second) * 256 + third * 64 + last);
  CHECK(size.dense_macs == size.macs);
  CHECK_THAT(size.pr_weights, WithinRel(1 - static_cast<double>(size.live) / static_cast<double>(dense.live), 1e-15));
  CHECK_THAT(size.compression, WithinRel(static_cast<double>(network.parameters) /
                                             static_cast<double>(network.parameters - dense.live + size.live),
                                         1e-15));
}

TEST_CASE("ranks come back from their text, and others are refused") {
  const Network network = test::Toy::made({6, 4, 3});
  const std::vector<Rank> ranks{{2, 1}, {}};
  CHECK(ranks_text(network, ranks) == "fc1 2 1\nfc2 0 0\n");
  CHECK(ranks_from(network, ranks_text(network, ranks)) == ranks);
  CHECK(ranks_from(network, "").empty());
  for (const char* damaged : {"fc1 2 1\n", "fc2 2 1\nfc1 0 0\n", "fc1 2 1\nfc2 0 0\nfc3 0 0\n", "fc1 2 1\nfc2 0 x\n"})
    CHECK_THROWS_AS(ranks_from(network, damaged), workloads::TrialFailure);
}

}  // namespace retrial::pruning_low_rank_tests
