#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/random/rng.hpp"
#include "variance/ranks/ranks.hpp"

namespace retrial::variance::inline ranks {
namespace {

/// Places of the doubles from the smallest up, and back: neighbors differ by one.
std::uint64_t place_of(double value) {
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  const auto bits = std::bit_cast<std::uint64_t>(value);
  return (bits & sign) != 0 ? ~bits : bits | sign;
}

double double_at(std::uint64_t place) {
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  return std::bit_cast<double>((place & sign) != 0 ? place & ~sign : ~place);
}

/// All differences of two samples in ascending order, never written down: a difference is found by counting those below
/// it. Rounded differences rise with the first and fall with the second term, so that the count is one walk.
class Differences {
 public:
  Differences(std::span<const double> first, std::span<const double> second)
      : first_(first.begin(), first.end()), second_(second.begin(), second.end()) {
    std::ranges::sort(first_);
    std::ranges::sort(second_);
  }
  [[nodiscard]] std::int64_t count() const { return std::ssize(first_) * std::ssize(second_); }
  /// The difference with `below` others below it in order.
  [[nodiscard]] double at(std::int64_t below) const {
    std::uint64_t low = place_of(first_.front() - second_.back()), high = place_of(first_.back() - second_.front());
    while (low < high) {
      const std::uint64_t middle = low + (high - low) / 2;
      if (at_most(double_at(middle)) > below)
        high = middle;
      else
        low = middle + 1;
    }
    return double_at(low) + 0.0;  // -0 is 0
  }

 private:
  [[nodiscard]] std::int64_t at_most(double limit) const {
    std::int64_t count = 0;
    std::size_t above = 0;  // second_[above ...] give differences within the limit
    for (const double x : first_) {
      while (above < second_.size() && x - second_[above] > limit) ++above;
      count += std::ssize(second_) - static_cast<std::int64_t>(above);
    }
    return count;
  }

  std::vector<double> first_, second_;
};

/// Differences that may be cut off at either end: the u for which P(U < u) is at most alpha / 2.
std::int64_t cut_off(std::int64_t n, std::int64_t m, double alpha) {
  if (rank_sum_law_counts(n, m)) {
    const auto at_most = rank_sum_at_most(n, m);
    return std::ranges::upper_bound(at_most, alpha / 2.0) - at_most.begin();
  }
  const double a = static_cast<double>(n), b = static_cast<double>(m);
  const double sd = std::sqrt(a * b * (a + b + 1.0) / 12.0);
  return std::max<std::int64_t>(0,
                                static_cast<std::int64_t>(std::floor(a * b / 2.0 + 0.5 + quantile(alpha / 2.0) * sd)));
}

}  // namespace

Estimate hodges_lehmann_shift(std::span<const double> candidate, std::span<const double> baseline, double alpha) {
  require_between("alpha", alpha, 0.0, 0.5);
  require_at_least("candidate runs", std::ssize(candidate), 1);
  require_at_least("baseline runs", std::ssize(baseline), 1);
  require_finite("candidate", candidate);
  require_finite("baseline", baseline);
  const Differences differences(candidate, baseline);
  const std::int64_t count = differences.count(), middle = count / 2;
  Estimate out{.point = differences.at(middle), .level = 1.0 - alpha, .method = "Hodges-Lehmann, Moses"};
  if (count % 2 == 0) out.point = differences.at(middle - 1) / 2.0 + out.point / 2.0;
  const std::int64_t cut = cut_off(std::ssize(candidate), std::ssize(baseline), alpha);
  if (cut == 0) return out;
  out.low = differences.at(cut - 1);
  out.high = differences.at(count - cut);
  return out;
}

}  // namespace retrial::variance::inline ranks
