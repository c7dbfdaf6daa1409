#include "variance/offers/null_scores.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>

namespace retrial::variance::inline offers {
namespace {

constexpr int count_items = 20;
constexpr double tied_share = 0.4, rounded_to = 0.5;
constexpr double counts_sd = 2.23606797749979;  // sqrt(20 / 4)

constexpr std::array null_rows{
    NullScoresRow{NullScores::gaussian, "normal", 1.0, std::nullopt},
    NullScoresRow{NullScores::t3, "t3", 1.0, std::nullopt},
    NullScoresRow{NullScores::lognormal, "lognormal", 1.0, std::nullopt},
    NullScoresRow{NullScores::counts, "counts of 20", counts_sd, 1.0, 0.0, count_items},
    NullScoresRow{NullScores::rounded, "rounded to sd / 2", 1.0, rounded_to},
    NullScoresRow{NullScores::tied, "40 % tied", 1.0, std::nullopt},
    NullScoresRow{NullScores::zero_sum, "zero sum", 0.5, 1.0, 0.0, 1.0},
    NullScoresRow{NullScores::bits, "bits", 0.4330127018922193, 1.0, 0.0, 1.0},
};

/// Skewed, mean 0, standard deviation 1.
double standard_lognormal(double z) {
  static const double center = std::exp(0.5), sd = std::sqrt((std::numbers::e - 1.0) * std::numbers::e);
  return (std::exp(z) - center) / sd;
}

}  // namespace

std::span<const NullScoresRow> all_null_scores() {
  return null_rows;
}

const NullScoresRow& row_of(NullScores scores) {
  return *std::ranges::find(null_rows, scores, &NullScoresRow::scores);
}

double null_score(NullScores scores, Stream& stream) {
  switch (scores) {
    case NullScores::t3: {  // chi-squared with 3 degrees of freedom is twice a Gamma(1/2) plus an exponential
      const double z = normal(stream.next()), half = gamma_half(stream.next()), rest = exponential(stream.next());
      return z / std::sqrt(2.0 * (half + rest));
    }
    case NullScores::lognormal:
      return standard_lognormal(normal(stream.next()));
    case NullScores::counts:
      return std::popcount(stream.next() >> (64 - count_items));
    case NullScores::rounded:
      return std::round(normal(stream.next()) / rounded_to) * rounded_to;
    case NullScores::zero_sum:
      return static_cast<double>(stream.next() >> 63);
    case NullScores::bits:
      return uniform(stream.next()) < 0.75 ? 1.0 : 0.0;
    default:
      return normal(stream.next());
  }
}

NullPairs null_pairs(NullScores scores, std::int64_t pairs, Stream& stream) {
  NullPairs out;
  for (std::int64_t i = 0; i < pairs; ++i) {
    const double candidate = null_score(scores, stream), other = null_score(scores, stream);
    const bool tie = scores == NullScores::tied && uniform(stream.next()) < tied_share;
    out.candidate.push_back(candidate);
    out.baseline.push_back(scores == NullScores::zero_sum ? 1.0 - candidate : tie ? candidate : other);
  }
  return out;
}

}  // namespace retrial::variance::inline offers
