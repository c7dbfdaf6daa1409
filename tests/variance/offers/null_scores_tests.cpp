#include "variance/offers/null_scores.hpp"

#include <cmath>

#include "tests/catch.hpp"

namespace retrial::tests::null_scores_tests {

using namespace retrial::variance;

TEST_CASE("models of equal variants have the spread and the steps that their rows say") {
  for (const auto& row : all_null_scores()) {
    CAPTURE(row.name);
    Stream stream(7);
    constexpr int n = 40'000;
    double sum = 0.0, squares = 0.0;
    for (int i = 0; i < n; ++i) {
      const double x = null_score(row.scores, stream);
      sum += x, squares += x * x;
      if (row.resolution) CHECK(std::remainder(x, *row.resolution) == 0.0);
      if (row.high > row.low) CHECK((x >= row.low && x <= row.high));
    }
    const double mean = sum / n, sd = std::sqrt(squares / n - mean * mean);
    // Heavy tails: t3 and the lognormal have no fourth moment, or a large one. Rounding adds 1/48 to the variance.
    const bool heavy = row.scores == NullScores::t3 || row.scores == NullScores::lognormal;
    CHECK_THAT(sd, WithinAbs(row.sd, (heavy ? 0.15 : 0.02) * row.sd));
  }
}

TEST_CASE("in tied pairs two of five have equal scores; in a game one side wins") {
  Stream stream(3);
  const auto tied = null_pairs(NullScores::tied, 20'000, stream);
  int equal = 0;
  for (std::size_t i = 0; i < tied.candidate.size(); ++i) equal += tied.candidate[i] == tied.baseline[i] ? 1 : 0;
  CHECK_THAT(equal / 20'000.0, WithinAbs(.4, 4 * .0035));
  const auto games = null_pairs(NullScores::zero_sum, 1'000, stream);
  for (std::size_t i = 0; i < games.candidate.size(); ++i) CHECK(games.candidate[i] + games.baseline[i] == 1.0);
}

}  // namespace retrial::tests::null_scores_tests
