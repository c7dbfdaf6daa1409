// One function counts the pairs of a verdict. Expected counts are those of the letters that made the scores.
#include "variance/verdict/pair_outcomes.hpp"

#include <limits>

#include "tests/catch.hpp"
#include "variance/random/rng.hpp"

namespace retrial::tests::pair_outcomes_tests {

using namespace retrial::variance;

namespace {

/// w: won, l: lost, t: tied, f and b: candidate or baseline failed, F: both failed, d: the candidate diverged, D: both
/// diverged, x: the candidate failed and the baseline diverged.
PairedScores scores_of(const std::string& pairs) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  PairedScores out{.direction = Direction::higher};
  for (const char c : pairs) {
    const std::optional<double> none;
    out.baseline.push_back(c == 'b' || c == 'F' ? none : c == 'D' || c == 'x' ? nan : 80.0);
    out.candidate.push_back(c == 'f' || c == 'F' || c == 'x' ? none
                            : c == 'd' || c == 'D'           ? nan
                            : c == 'w'                       ? 81.0
                            : c == 'l'                       ? 79.0
                                                             : 80.0);
  }
  return out;
}

Design design_of(std::int64_t pairs, FailurePolicy policy) {
  Design out{.candidate = "kd", .baseline = "scratch", .metric = "accuracy", .gamma = .75, .pairs = pairs};
  out.failure = policy;
  return out;
}

std::vector<std::string> names_of(const std::string& pairs, FailurePolicy policy) {
  std::vector<std::string> out;
  for (const PairOutcome outcome : pair_outcomes(scores_of(pairs), design_of(9, policy)))
    out.emplace_back(name_of(outcome));
  return out;
}

}  // namespace

TEST_CASE("a pair with one failed trial is won or lost, one with two is both failed") {
  CHECK(names_of("wltfbFdDx", FailurePolicy::loss) == std::vector<std::string>{"win", "loss", "tie", "loss", "win",
                                                                               "both failed", "loss", "both failed",
                                                                               "both failed"});
  CHECK(names_of("wltfbFdDx", FailurePolicy::drop) == std::vector<std::string>{"win", "loss", "tie", "left out",
                                                                               "left out", "left out", "loss",
                                                                               "both failed", "left out"});
}

TEST_CASE("the counts of a verdict are the sums of its pairs, for every family and policy") {
  Stream random(7);
  const std::string letters = "wwwlltfbFdDx";
  for (const char* family : {"fixed", "dual_e", "mixture_e"})
    for (const FailurePolicy policy : {FailurePolicy::loss, FailurePolicy::drop})
      for (int repeat = 0; repeat < 40; ++repeat) {
        std::string pairs;
        for (int i = 0; i < 24; ++i) pairs += letters[bounded(random.next(), letters.size())];
        Design design = design_of(24, policy);
        design.family = family;
        const Verdict v = judge(scores_of(pairs), design);
        const auto judged = static_cast<std::size_t>(v.sequential ? v.sequential->at_n : 24);
        const PairCounts sums = counts_of(pair_outcomes(scores_of(pairs.substr(0, judged)), design));
        CAPTURE(family, pairs);
        CHECK(v.counts == sums.wins);
        CHECK(v.both_failed == sums.both_failed);
        CHECK(v.dropped_pairs == sums.left_out);
        CHECK(v.counts.pairs() + v.dropped_pairs == static_cast<std::int64_t>(judged));
        if (v.sequential && !v.sequential->looks.empty()) {  // the rule itself counted the same
          CHECK(v.sequential->looks.back().wins == v.counts.wins);
          CHECK(v.sequential->looks.back().ties == v.counts.ties);
        }
        if (!v.sequential && v.counts.untied() > 0)
          CHECK(v.untied_p.point == static_cast<double>(v.counts.wins) / static_cast<double>(v.counts.untied()));
      }
}

TEST_CASE("ties and pairs in which both failed have words of their own") {
  const auto text = [](const std::string& pairs) {
    const Verdict v = judge(scores_of(pairs), design_of(static_cast<std::int64_t>(pairs.size()), FailurePolicy::loss));
    return undecided_text(v) + "; " + undecided_text(v, "more");
  };
  CHECK(text("wwtt") == "2 tied; 2 more tied");
  CHECK(text("wwF") == "both failed in 1; both failed in 1 more");
  CHECK(text("wwwtFF") == "1 tied, both failed in 2; 1 more tied, both failed in 2 more");
  CHECK(text("wwl") == "; ");
}

}  // namespace retrial::tests::pair_outcomes_tests
