// The fixed rule, stopped on the way, when pairs tie or are left out. What it must say is what `pab_exact` says at the
// end; sums over all paths need no other reference.
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"
#include "variance/designs/design_family.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/random/rng.hpp"
#include "variance/sequential/sequential.hpp"
#include "variance/sequential/sequential_sign.hpp"
#include "variance/verdict/sequential_verdict.hpp"

namespace retrial::tests::sequential_wins_tests {

using namespace retrial::variance;

namespace {

/// The fixed rule in the three words of a rule on the way: with gamma few wins are never WORSE, without it they are.
Status at_the_end(std::int64_t wins, std::int64_t untied, const Levels& levels) {
  const Status status = pab_exact(wins, untied, levels);
  if (!levels.gamma || status != Status::worse) return status;
  return excludes_gamma(wins, untied, levels) ? Status::not_meaningful : Status::inconclusive;
}

/// Everything that the fixed rule may still say when up to `left` pairs come, won, lost or tied.
std::set<Status> still_possible(std::int64_t wins, std::int64_t n, std::int64_t left, const Levels& levels,
                                std::map<std::pair<std::int64_t, std::int64_t>, Status>& known) {
  std::set<Status> out;
  for (std::int64_t more = 0; more <= left; ++more)
    for (std::int64_t won = 0; won <= more; ++won) {
      const auto [at, fresh] = known.try_emplace({wins + won, n + more}, Status::invalid);
      if (fresh) at->second = at_the_end(wins + won, n + more, levels);
      out.insert(at->second);
    }
  return out;
}

struct Rates {
  double better = 0.0, against = 0.0;
};

/// All paths of `pairs` pairs, each tied with probability `tie`, else won with probability p, through the rule on the
/// way.
Rates on_the_way(std::int64_t pairs, double tie, double p, const Levels& levels) {
  std::vector<FixedEnds> ends;
  for (std::int64_t n = 0; n <= pairs; ++n) ends.push_back(fixed_ends(n, levels));
  std::map<std::pair<std::int64_t, std::int64_t>, double> open{{{0, 0}, 1.0}};  // by wins and losses
  Rates out;
  for (std::int64_t used = 0; used <= pairs; ++used) {
    std::map<std::pair<std::int64_t, std::int64_t>, double> next;
    for (const auto& [counts, mass] : open) {
      const auto [wins, losses] = counts;
      const std::int64_t ties = used - wins - losses;
      const auto status = ends[static_cast<std::size_t>(pairs - ties)].settled(wins, wins + losses);
      if (status) {
        (*status == Status::better ? out.better : out.against) += *status == Status::inconclusive ? 0.0 : mass;
        continue;
      }
      next[{wins, losses}] += mass * tie;
      next[{wins + 1, losses}] += mass * (1.0 - tie) * p;
      next[{wins, losses + 1}] += mass * (1.0 - tie) * (1.0 - p);
    }
    open = std::move(next);
  }
  CHECK(open.empty());  // nothing is open after the last pair
  return out;
}

/// P(BETTER) of the fixed rule, in closed form.
double fixed_better(std::int64_t pairs, double tie, double p, const Levels& levels) {
  double sum = 0.0;
  for (std::int64_t n = 0; n <= pairs; ++n)
    if (const auto from = fixed_rule(n, levels).better_from)
      sum += binomial_exactly(n, pairs, 1.0 - tie) * binomial_at_least(*from, n, p);
  return sum;
}

Design design_of(const std::string& family, std::int64_t pairs, std::optional<double> gamma = .75) {
  Design design{.candidate = "kd", .baseline = "scratch", .metric = "accuracy", .gamma = gamma, .pairs = pairs};
  design.family = family;
  return design;
}

/// w: won, l: lost, t: tied, f: a trial failed.
PairedScores scores_of(const std::string& outcomes) {
  PairedScores scores{.direction = Direction::higher};
  for (const char c : outcomes) {
    scores.baseline.emplace_back(80.0);
    scores.candidate.emplace_back(c == 'w' ? 81.0 : c == 'l' ? 79.0 : 80.0);
    if (c == 'f') scores.candidate.back().reset();
  }
  return scores;
}

std::string drawn(std::uint64_t index, std::int64_t pairs, double tie, double fail, double p) {
  Stream draws(derive(11, "ties on the way"), index);
  std::string out;
  for (std::int64_t i = 0; i < pairs; ++i) {
    const double kind = uniform(draws.next()), won = uniform(draws.next());
    out += kind < tie ? 't' : kind < tie + fail ? 'f' : won < p ? 'w' : 'l';
  }
  return out;
}

}  // namespace

TEST_CASE("without ties the ends of the fixed rule are the boundaries of the curtailed plan") {
  for (const std::int64_t pairs : {1, 5, 20, 42, 60})
    for (const Levels& levels : {Levels{}, Levels{.gamma = std::nullopt}, Levels{.alpha = .1, .gamma = .6}}) {
      const auto plan = bounded_plan(SignFamily::curtailed, pairs, levels);
      const auto ends = fixed_ends(pairs, levels);
      CHECK(ends.low_means == plan.low_means);
      for (std::int64_t n = 0; n <= pairs; ++n)
        for (std::int64_t wins = 0; wins <= n; ++wins) CHECK(ends.settled(wins, n) == plan.verdict(wins, n));
    }
}

TEST_CASE("the fixed rule is settled exactly when no win, loss or tie to come can change it") {
  constexpr std::int64_t pairs = 24;
  for (const Levels& levels : {Levels{}, Levels{.gamma = std::nullopt}, Levels{.alpha = .2, .beta = .2, .gamma = .6}}) {
    std::map<std::pair<std::int64_t, std::int64_t>, Status> known;
    for (std::int64_t untied = 0; untied <= pairs; ++untied) {
      const auto ends = fixed_ends(untied, levels);
      for (std::int64_t n = 0; n <= untied; ++n)
        for (std::int64_t wins = 0; wins <= n; ++wins) {
          const auto possible = still_possible(wins, n, untied - n, levels, known);
          CAPTURE(untied, n, wins);
          CHECK(ends.settled(wins, n) == (possible.size() == 1 ? std::optional(*possible.begin()) : std::nullopt));
        }
    }
  }
}

TEST_CASE("stopping on the way costs the fixed rule no power, however many pairs tie, and keeps its size") {
  for (const Levels& levels : {Levels{}, Levels{.gamma = std::nullopt}})
    for (const double tie : {0.0, .1, .23, .42, .8})
      for (const double p : {.5, .75, .9}) {
        CAPTURE(tie, p);
        const auto rates = on_the_way(60, tie, p, levels);
        CHECK_THAT(rates.better, WithinAbs(fixed_better(60, tie, p, levels), 1e-12));
        if (p == .5) CHECK(rates.better <= .05);
        if (p == .5 && !levels.gamma) CHECK(rates.against <= .05);  // WORSE
      }
  // 23 % and 42 % ties: the power was .417 and .011 when ties only used up pairs.
  CHECK(on_the_way(60, .23, .85, {}).better > .99);
  CHECK(on_the_way(60, .42, .88, {}).better > .99);
}

TEST_CASE("a study of sixty pairs of which twenty tie says on the way what it says at the end") {
  // 32 won, 8 lost, 20 tied: P(Bin(40, 1/2) >= 32), SciPy 1.17.1, binom.sf(31, 40, .5).
  std::string among, untied;
  for (int i = 0; i < 4; ++i) among += "wwtlwtwtwwtlwtw";
  for (int i = 0; i < 8; ++i) untied += "wwlww";
  const std::string ties(20, 't'), first = ties + untied;
  for (const auto* family : {"curtailed", "sequentialised"})
    for (const auto& outcomes : {first, among, untied + ties}) {
      const auto fixed = judge(scores_of(outcomes), design_of("fixed", 60));
      REQUIRE(fixed.status == Status::better);
      CHECK_THAT(fixed.p_better, WithinRel(9.108291487791575e-05, 1e-9));
      const auto way = judge(scores_of(outcomes), design_of(family, 60));
      CHECK(way.status == Status::better);
      CHECK(way.sequential->state == SequentialState::decided_for);
    }
  const auto way = judge(scores_of(first), design_of("curtailed", 60));
  CHECK(way.sequential->at_n == 52);  // the 26th win: 26 of 40 are needed, where nothing ties 39 of 60
  CHECK_FALSE(way.sequential->always_valid_p);
  CHECK_THAT(sentence(way), has_text("with as many ties"));
  CHECK_THAT(way.false_positive_rate(), WithinAbs(binomial_at_least(26, 40, .5), 1e-12));
  CHECK_THAT(way.planned.size, WithinAbs(binomial_at_least(39, 60, .5), 1e-12));
}

TEST_CASE("judged on the way a design says what the fixed one says, with ties, pairs left out and a limit of ties") {
  int differ = 0, better = 0, invalid = 0;
  for (std::uint64_t i = 0; i < 400; ++i) {
    const std::int64_t pairs = 12 + static_cast<std::int64_t>(i % 20);
    const double tie = .1 * static_cast<double>(i % 7), p = i % 3 == 0 ? .5 : i % 3 == 1 ? .75 : .95;
    const auto scores = scores_of(drawn(i, pairs, tie, .1, p));
    for (const std::optional<double> gamma : {std::optional(.75), std::optional<double>()}) {
      Design fixed = design_of("fixed", pairs, gamma), way = design_of("curtailed", pairs, gamma);
      fixed.failure = way.failure = FailurePolicy::drop;
      fixed.tie_limit = way.tie_limit = .4;
      const auto end = judge(scores, fixed), stopped = judge(scores, way);
      CAPTURE(i, pairs, name_of(end.status), name_of(stopped.status));
      if (end.status == Status::invalid) {
        // Settled before the ties became too many, or INVALID too.
        ++invalid;
        CHECK((stopped.status == Status::invalid || stopped.sequential->at_n < pairs));
        continue;
      }
      const Status expected = at_the_end(end.counts.wins, end.counts.untied(), end.design.levels());
      CHECK(stopped.status == expected);
      better += expected == Status::better ? 1 : 0;
      differ += stopped.sequential->at_n < pairs ? 1 : 0;
    }
  }
  CHECK(better > 50);
  CHECK(differ > 100);
  CHECK(invalid > 50);
}

TEST_CASE("what was said on the way does not change with later pairs, ties and left-out ones among them") {
  for (std::uint64_t i = 0; i < 40; ++i) {
    Design design = design_of("curtailed", 20);
    design.failure = FailurePolicy::drop;
    const std::string outcomes = drawn(1'000 + i, 20, .3, .15, .8);
    const auto all = follow(scores_of(outcomes), design).part;
    for (std::size_t n = 1; n <= outcomes.size(); ++n) {
      const auto some = follow(scores_of(outcomes.substr(0, n)), design).part;
      CAPTURE(outcomes, n);
      if (static_cast<std::int64_t>(n) < all.at_n) CHECK(some.state == SequentialState::go_on);
      if (static_cast<std::int64_t>(n) >= all.at_n) CHECK(some.at_n == all.at_n);
      if (some.wins_to_better)
        CHECK(
            follow(scores_of(outcomes.substr(0, n) + std::string(static_cast<std::size_t>(*some.wins_to_better), 'w')),
                   design)
                .part.state == SequentialState::decided_for);
    }
  }
}

TEST_CASE("the rule waits while too many pairs tie, and ends when that is certain") {
  const std::vector<double> early{0, 0, 0, 0};
  SequentialSettings settings{.gamma = std::nullopt, .horizon = 6};
  settings.tie_limit = .5;
  CHECK(watch("curtailed", early, settings).size() == 4);
  CHECK(watch("curtailed", early, settings).back().state == SequentialState::ended);
  settings.horizon = 16;
  CHECK(watch("curtailed", early, settings).back().state == SequentialState::go_on);
  // Seven ties of sixteen leave nine pairs, of which eight must be won (10/512): seven of fifteen are more than .45.
  const std::vector<double> won{0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  settings.tie_limit = .45;
  CHECK(watch("curtailed", won, settings).back().state == SequentialState::decided_for);
  CHECK(watch("curtailed", won, settings).size() == 16);
  settings.tie_limit = 1.0;
  CHECK(watch("curtailed", won, settings).size() == 15);
  settings.used = {1, 2};
  CHECK(refused_field([&] { (void)watch("curtailed", early, settings); }) == "used");
  settings.used = {1, 2, 2, 3};
  CHECK(refused_field([&] { (void)watch("curtailed", early, settings); }) == "used[2]");
  settings.used.clear();
  settings.tie_limit = 1.5;
  CHECK(refused_field([&] { (void)watch("curtailed", early, settings); }) == "tie_limit");
}

}  // namespace retrial::tests::sequential_wins_tests
