#include "variance/comparisons/comparisons.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"
#include "variance/random/rng.hpp"

namespace retrial::tests::comparisons_tests {

// What every row of the table of tests must do, generated from the table.

using namespace retrial::variance;

namespace {

struct Data {
  std::vector<double> candidate, baseline;
};

/// Null scores of one row; `shift` is added to the candidate.
Data scores_for(const ComparisonTest& test, std::uint64_t simulation, double shift = 0.0) {
  const std::size_t n = test.scores == ScoreKind::five_by_two ? 10 : test.scores == ScoreKind::bits ? 40 : 12;
  Stream stream(derive(17, "scores"), simulation);
  Data data;
  for (std::size_t i = 0; i < n; ++i) {
    if (test.scores == ScoreKind::bits) {
      data.candidate.push_back(uniform(stream.next()) < .5 + shift / 6 ? 1 : 0);
      data.baseline.push_back(uniform(stream.next()) < .5 ? 1 : 0);
      continue;
    }
    data.candidate.push_back(normal(stream.next()) + shift);
    data.baseline.push_back(normal(stream.next()));
  }
  return data;
}

TestSettings usual() {
  return {.direction = Direction::higher,
          .gamma = .75,
          .margin = 1.5,
          .overlap = .1,
          .rope = .1,
          .resamples = 1'000,
          .key = derive(17, "draws")};
}

TestOutcome run(const ComparisonTest& test, const Data& data, const TestSettings& settings = usual()) {
  return compare(test.name, data.candidate, data.baseline, settings);
}

bool same_bits(const std::optional<double>& a, const std::optional<double>& b) {
  return a.has_value() == b.has_value() && (!a || std::bit_cast<std::uint64_t>(*a) == std::bit_cast<std::uint64_t>(*b));
}

bool same_bits(const TestOutcome& a, const TestOutcome& b) {
  bool same = a.status == b.status && same_bits(a.statistic, b.statistic) && same_bits(a.p, b.p) &&
              same_bits(a.p_better, b.p_better) && same_bits(a.p_worse, b.p_worse) && same_bits(a.df, b.df) &&
              same_bits(a.estimate.point, b.estimate.point) && same_bits(a.estimate.low, b.estimate.low) &&
              same_bits(a.estimate.high, b.estimate.high);
  if (a.posterior) same = same && same_bits(a.posterior->right, b.posterior->right);
  return same;
}

/// Draws differ when the data do; a thousand of them put p within four standard errors.
double slack_of(const TestOutcome& outcome) {
  return outcome.method.find("draws") != std::string::npos ? 4 * std::sqrt(2 * .25 / 1'000) : 1e-9;
}

Status opposite(Status status) {
  if (status == Status::better) return Status::worse;
  return status == Status::worse ? Status::better : status;
}

}  // namespace

TEST_CASE("every test has a name of its own and says what it asks and when to use it") {
  for (const auto& test : all_comparisons()) {
    CAPTURE(test.name);
    CHECK(find_comparison(test.name) == &test);
    CHECK_FALSE(test.asks.empty());
    CHECK_FALSE(test.when.empty());
    CHECK(test.run != nullptr);
  }
  CHECK(find_comparison("t_test") == nullptr);
}

TEST_CASE("the order of the scores changes no bit of any test") {
  for (const auto& test : all_comparisons()) {
    if (test.scores == ScoreKind::five_by_two) continue;  // there the order is part of the data
    CAPTURE(test.name);
    const Data data = scores_for(test, 1, .4);
    const auto order = permutation(5, static_cast<std::uint32_t>(data.candidate.size()));
    Data shuffled;
    for (const auto i : order) {
      shuffled.candidate.push_back(data.candidate[i]);
      shuffled.baseline.push_back(data.baseline[i]);
    }
    CHECK(same_bits(run(test, data), run(test, shuffled)));
  }
}

TEST_CASE("the order within one sample matters to no unpaired test, and to paired ones it does") {
  for (const auto& test : all_comparisons()) {
    if (test.scores == ScoreKind::five_by_two) continue;
    CAPTURE(test.name);
    const Data data = scores_for(test, 1, .4);
    Data turned = data;
    std::rotate(turned.candidate.begin(), turned.candidate.begin() + 3, turned.candidate.end());
    const bool mean_only = test.name == "bayes_sign" || test.name == "pab_exact" || test.name == "sign";
    if (test.pairing == Pairing::unpaired) {
      CHECK(same_bits(run(test, data), run(test, turned)));
    } else if (!mean_only) {
      CHECK_FALSE(same_bits(run(test, data), run(test, turned)));
    }
  }
}

TEST_CASE("exchanging candidate and baseline exchanges the alternatives of every test") {
  for (const auto& test : all_comparisons())
    for (std::uint64_t s = 0; s < 8; ++s) {
      CAPTURE(test.name, s);
      const Data data = scores_for(test, s, s % 2 == 0 ? 0.0 : 1.2);
      const auto there = run(test, data), back = run(test, {data.baseline, data.candidate});
      const double slack = slack_of(there);
      REQUIRE(there.p_better.has_value() == back.p_worse.has_value());
      if (there.p_better) CHECK_THAT(*there.p_better, WithinAbs(*back.p_worse, slack));
      if (there.p) CHECK_THAT(*there.p, WithinAbs(*back.p, 2 * slack));
      if (there.posterior) CHECK_THAT(there.posterior->right, WithinAbs(back.posterior->left, slack + .09));
      if (slack > 1e-6 || test.evidence != Evidence::p_value) continue;
      // "Not meaningful" applies to the candidate only: its opposite is not decided.
      const bool directed = there.status == Status::better || there.status == Status::worse;
      if (test.name != "pab_exact" || directed) CHECK(there.status == opposite(back.status));
    }
}

TEST_CASE("a metric where lower is better gives the same verdict on negated scores, in its own unit") {
  for (const auto& test : all_comparisons()) {
    if (test.scores == ScoreKind::bits) continue;
    CAPTURE(test.name);
    const Data data = scores_for(test, 3, 1.0);
    Data negated = data;
    for (auto* side : {&negated.candidate, &negated.baseline})
      for (double& x : *side) x = -x;
    auto settings = usual();
    const auto higher = run(test, data, settings);
    settings.direction = Direction::lower;
    const auto lower = run(test, negated, settings);
    CHECK(lower.status == higher.status);
    CHECK(same_bits(lower.p_better, higher.p_better));
    const double sign = test.unit == Unit::share ? 1.0 : -1.0;
    CHECK(lower.estimate.point == sign * higher.estimate.point);
    if (test.unit != Unit::share && higher.estimate.low) CHECK(*lower.estimate.high == -*higher.estimate.low);
    if (test.unit == Unit::score && higher.statistic) CHECK(*lower.statistic == -*higher.statistic);
  }
}

TEST_CASE("adding a number to every score changes no p value") {
  for (const auto& test : all_comparisons()) {
    if (!test.shift_invariant) continue;
    CAPTURE(test.name);
    const Data data = scores_for(test, 2, .5);
    Data moved = data;
    for (auto* side : {&moved.candidate, &moved.baseline})
      for (double& x : *side) x += 8.0;
    const auto before = run(test, data), after = run(test, moved);
    if (before.p) CHECK_THAT(*after.p, WithinAbs(*before.p, 1e-9));
    if (before.posterior) CHECK_THAT(after.posterior->right, WithinAbs(before.posterior->right, 1e-9));
    if (test.evidence == Evidence::bound) CHECK_THAT(*after.estimate.high, WithinAbs(*before.estimate.high, 1e-9));
    CHECK(after.status == before.status);
  }
}

TEST_CASE("the unit of the scores changes no p value") {
  for (const auto& test : all_comparisons()) {
    if (!test.scale_invariant) continue;
    CAPTURE(test.name);
    const Data data = scores_for(test, 2, .5);
    Data scaled = data;
    for (auto* side : {&scaled.candidate, &scaled.baseline})
      for (double& x : *side) x *= 100.0;
    auto settings = usual();
    settings.margin = *settings.margin * 100.0;
    settings.rope *= 100.0;
    const auto before = run(test, data), after = run(test, scaled, settings);
    if (before.p) CHECK_THAT(*after.p, WithinAbs(*before.p, 1e-9));
    if (before.posterior) CHECK_THAT(after.posterior->right, WithinAbs(before.posterior->right, 1e-9));
    if (test.evidence == Evidence::bound) CHECK_THAT(*after.estimate.high, WithinAbs(*before.estimate.high, 1e-9));
    CHECK(after.status == before.status);
  }
}

TEST_CASE("what cannot be judged is refused by name, never answered with a number") {
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  for (const auto& test : all_comparisons()) {
    CAPTURE(test.name);
    const Data data = scores_for(test, 4);
    const auto refusal = [&](Data changed, TestSettings settings = usual()) {
      return refused_field([&] { (void)run(test, changed, settings); });
    };
    Data bad = data;
    bad.candidate[3] = nan;
    CHECK(refusal(bad) == "candidate[3]");
    bad = data;
    bad.baseline[0] = infinity;
    CHECK(refusal(bad) == "baseline[0]");
    CHECK(refusal({{}, data.baseline}) == "candidate");
    CHECK(refusal({data.candidate, {}}) == "baseline");
    bad = data;
    bad.baseline.pop_back();
    if (test.pairing == Pairing::paired) CHECK(refusal(bad) == "baseline");
    if (test.min_runs > 1)
      CHECK(refusal({{1.0}, {0.0}}) == (test.pairing == Pairing::paired ? "pairs" : "candidate runs"));
    auto settings = usual();
    settings.direction = Direction::none;
    CHECK(refusal(data, settings) == "direction");
    settings = usual();
    settings.alpha = .5;
    CHECK(refusal(data, settings) == "alpha");
    settings.alpha = 0.0;
    CHECK(refusal(data, settings) == "alpha");
  }
  CHECK(refused_field([] { (void)compare("t_test", {1, 2}, {1, 2}, usual()); }) == "test");
}

TEST_CASE("nothing but ties gives no verdict that one variant is better") {
  for (const auto& test : all_comparisons()) {
    if (test.scores == ScoreKind::bits) continue;
    CAPTURE(test.name);
    const std::vector<double> same(10, .5);
    auto settings = usual();
    settings.margin.reset();
    settings.rope = 0.0;
    if (test.name == "tost" || test.name == "welch_tost") settings.margin = .1;
    const auto outcome = compare(test.name, same, same, settings);
    CHECK(outcome.status != Status::better);
    CHECK(outcome.status != Status::worse);
    if (outcome.status == Status::invalid) {
      CHECK(outcome.reason == InvalidReason::ties);
      CHECK_FALSE(outcome.p);
      CHECK_FALSE(outcome.statistic);
    }
  }
}

TEST_CASE("a difference of three standard deviations is found by every test") {
  for (const auto& test : all_comparisons()) {
    if (test.name == "tost" || test.name == "welch_tost" || test.name == "five_by_two_t") continue;
    if (test.about == About::spread) continue;  // of which a shift is none
    CAPTURE(test.name);
    const Data data = scores_for(test, 6, 3.0);
    CHECK(run(test, data).status == Status::better);
    CHECK(run(test, {data.baseline, data.candidate}).status == Status::worse);
  }
}

TEST_CASE("two equal variants are called different at the level of the test") {
  // 400 null data sets at alpha = .05 for the claim BETTER: at most 20 + 3.3 * sqrt(400 * .05 * .95) = 34.
  constexpr int simulations = 400, most = 34;
  for (const auto& test : all_comparisons()) {
    if (test.evidence != Evidence::p_value && test.name != "bayes_t") continue;
    const bool equivalence = test.name == "tost" || test.name == "welch_tost";
    auto settings = usual();
    settings.rope = 0.0;
    if (!equivalence) settings.margin.reset();
    int better = 0, worse = 0, equivalent = 0;
    for (int s = 0; s < simulations; ++s) {
      // The null of an equivalence test is a difference on the margin.
      const auto outcome =
          run(test, scores_for(test, 1'000 + static_cast<std::uint64_t>(s), equivalence ? 1.5 : 0.0), settings);
      better += outcome.status == Status::better ? 1 : 0;
      worse += outcome.status == Status::worse ? 1 : 0;
      equivalent += outcome.status == Status::equivalent ? 1 : 0;
    }
    CAPTURE(test.name, better, worse, equivalent);
    CHECK(better <= most);
    CHECK(worse <= most);
    CHECK(equivalent <= most);
  }
}

TEST_CASE("the settings that a row says it reads are those that can change its outcome") {
  const std::vector<std::pair<std::string, void (*)(TestSettings&)>> changes{
      {"margin", [](TestSettings& s) { s.margin = .01; }},
      {"overlap", [](TestSettings& s) { s.overlap = .9; }},
      {"rope", [](TestSettings& s) { s.rope = .8; }},
      {"rho", [](TestSettings& s) { s.rho = .5; }},
      {"tau", [](TestSettings& s) { s.tau = .45; }},
      {"beta", [](TestSettings& s) { s.beta = .45; }},
      {"gamma", [](TestSettings& s) { s.gamma = .9; }},
      {"resolution", [](TestSettings& s) { s.resolution = 20.0; }},
      {"interval", [](TestSettings& s) { s.interval = WinMethod::wilson; }},
      {"reps", [](TestSettings& s) { s.resamples = 2'000; }},
  };
  // Of many pairs, so that what can be drawn is; on a grid, so that there are ties; far apart and close together.
  const auto data_of = [](const ComparisonTest& test) {
    std::vector<Data> all;
    for (std::uint64_t k = 0; k < 12; ++k) {
      Data data = scores_for(test, 40 + k, .25 * static_cast<double>(k));
      all.push_back(data);
      if (test.scores == ScoreKind::numbers)
        for (std::uint64_t more = 0; more < 2; ++more) {
          const Data rest = scores_for(test, 900 + 2 * k + more, .25 * static_cast<double>(k));
          data.candidate.insert(data.candidate.end(), rest.candidate.begin(), rest.candidate.end());
          data.baseline.insert(data.baseline.end(), rest.baseline.begin(), rest.baseline.end());
        }
      all.push_back(data);
      if (test.scores != ScoreKind::numbers) continue;
      for (auto* side : {&data.candidate, &data.baseline})
        for (double& score : *side) score = std::round(score);
      all.push_back(data);
    }
    return all;
  };
  for (const auto& test : all_comparisons()) {
    const auto data = data_of(test);
    for (const auto& [name, change] : changes) {
      auto changed = usual();
      change(changed);
      const bool matters = std::ranges::any_of(data, [&](const Data& d) {
        const auto before = run(test, d), after = run(test, d, changed);
        return !same_bits(before, after) || before.details != after.details;
      });
      CAPTURE(test.name, name);
      CHECK(matters == test.reads_setting(name));
    }
    if (!test.needs.empty()) CHECK(test.reads_setting(test.needs));
  }
}

TEST_CASE("two-sided claims take half of alpha each") {
  // p_better = 1/32 of five pairs won: enough one-sided at .05, not two-sided.
  const std::vector<double> won{1, 2, 3, 4, 5}, lost(5, 0.0);
  auto settings = usual();
  const auto one_sided = compare("sign", won, lost, settings);
  CHECK(one_sided.status == Status::better);
  CHECK(one_sided.notes.empty());
  settings.sides = Sides::two;
  CHECK(compare("sign", won, lost, settings).status == Status::inconclusive);
  CHECK(compare("sign", {1, 2, 3, 4, 5, 6}, {0, 0, 0, 0, 0, 0}, settings).status == Status::better);
}

TEST_CASE("a test notes that too few runs can never decide") {
  auto settings = usual();
  settings.sides = Sides::two;
  settings.margin.reset();
  const auto outcome = compare("mann_whitney", {4, 5, 6}, {1, 2, 3}, settings);
  CHECK(outcome.status == Status::inconclusive);
  REQUIRE(outcome.notes.size() == 1);
  CHECK_THAT(outcome.notes[0], has_text("the smallest attainable two-sided p is 0.1"));
}

TEST_CASE("equivalence needs a margin and has to be shown") {
  const std::vector<double> a{.80, .81, .79, .80, .82, .80}, b{.80, .80, .80, .80, .81, .81};
  auto settings = usual();
  settings.margin.reset();
  CHECK(compare("paired_t", a, b, settings).status == Status::inconclusive);
  CHECK(refused_field([&] { (void)compare("tost", a, b, settings); }) == "margin");
  settings.margin = .02;
  CHECK(compare("paired_t", a, b, settings).status == Status::equivalent);
  CHECK(compare("tost", a, b, settings).status == Status::equivalent);
  settings.margin = .001;
  CHECK(compare("tost", a, b, settings).status == Status::inconclusive);
}

TEST_CASE("McNemar refuses what is not a bit and keeps its chi-squared from 25 discordant items") {
  CHECK(refused_field([] { (void)compare("mcnemar", {1, .5}, {0, 1}, usual()); }) == "candidate[1]");
  std::vector<double> candidate(30), baseline(30);
  for (std::size_t i = 0; i < 30; ++i) (i < 21 ? candidate : baseline)[i] = 1.0;
  const auto outcome = compare("mcnemar", candidate, baseline, usual());
  CHECK_THAT(*outcome.p, WithinAbs(.0446097180, 1e-10));  // R: mcnemar.test
  CHECK(outcome.status == Status::better);
}

TEST_CASE("a sample cannot be empty or hold what is not a number") {
  CHECK(refused_field([] { Sample s({}); }) == "scores");
  CHECK(refused_field([] { Sample s({1, std::nan("")}, "kd"); }) == "kd[1]");
  CHECK(Sample({3, 1, 2}).sorted()[0] == 1.0);
}

}  // namespace retrial::tests::comparisons_tests
