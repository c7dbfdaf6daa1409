#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "variance/comparisons/comparison_parts.hpp"
#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/ranks/ranks.hpp"
#include "variance/samples/summary.hpp"
#include "variance/samples/ties.hpp"

namespace retrial::variance::inline ranks {
namespace {

constexpr std::size_t max_exact_pairs = 200;
constexpr std::int64_t max_pairs_of_differences = 5'000;

using Ranks = std::vector<std::int64_t>;

/// Law of the sum of positive ranks when all signs are equally likely.
struct SumLaw {
  std::vector<double> weight;  ///< weight of the sum `unit * place`
  std::int64_t unit = 1;       ///< doubled ranks without ties are all even, so half of the places would be empty
};

/// At most `max_places` places are kept. Ways are counted and scaled once: a power of two changes no digit.
SumLaw sign_rank_law(const Ranks& ranks, std::size_t max_places = std::numeric_limits<std::size_t>::max()) {
  SumLaw law{.weight = {1.0}, .unit = 0};
  for (const std::int64_t rank : ranks) law.unit = std::gcd(law.unit, rank);
  law.unit = std::max<std::int64_t>(law.unit, 1);
  std::vector<double> next;
  for (const std::int64_t rank : ranks) {
    // Into a second list: in place, every value would wait for the one `step` before it.
    const auto step = static_cast<std::size_t>(rank / law.unit), size = law.weight.size();
    const std::size_t all = std::min(size + step, max_places), both = std::min(size, all);
    next.resize(all);
    // Plain pointers: checked indices would keep the loops from being vectorized.
    const double* const ways = law.weight.data();
    double* const sums = next.data();
    for (std::size_t s = 0; s < std::min(step, both); ++s) sums[s] = ways[s];
    for (std::size_t s = size; s < std::min(step, all); ++s) sums[s] = 0.0;
    for (std::size_t s = step; s < both; ++s) sums[s] = ways[s] + ways[s - step];
    for (std::size_t s = std::max(size, step); s < all; ++s) sums[s] = ways[s - step];
    law.weight.swap(next);
  }
  const double each = std::ldexp(1.0, -static_cast<int>(ranks.size()));
  for (double& weight : law.weight) weight *= each;
  return law;
}

}  // namespace

std::span<const double> signed_rank_at_most(std::size_t n) {
  thread_local std::vector<double> at_most;
  thread_local std::size_t kept = 0;
  if (n == kept) return at_most;
  Ranks ranks(n);
  std::iota(ranks.begin(), ranks.end(), std::int64_t{1});
  const std::size_t top = n * (n + 1) / 2;
  const auto half = sign_rank_law(ranks, top / 2 + 1).weight;
  at_most.resize(top + 1);
  double sum = 0.0;
  for (std::size_t s = 0; s <= top; ++s) at_most[s] = std::min(1.0, sum += half[std::min(s, top - s)]);
  kept = n;
  return at_most;
}

namespace {

struct Ranked {
  Ranks used;  ///< doubled ranks of the nonzero differences
  std::int64_t plus = 0, minus = 0;
};

Ranked ranked(std::span<const double> differences, double tolerance, Zeros zeros) {
  std::vector<double> sizes;
  std::vector<int> signs;
  for (const double d : differences) {
    const int sign = std::fabs(d) <= tolerance ? 0 : d > 0.0 ? 1 : -1;
    if (sign == 0 && zeros == Zeros::drop) continue;
    sizes.push_back(std::fabs(d));
    signs.push_back(sign);
  }
  const Ranks ranks = doubled_midranks(sizes, tolerance);
  Ranked result;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (signs[i] == 0) continue;
    result.used.push_back(ranks[i]);
    (signs[i] > 0 ? result.plus : result.minus) += ranks[i];
  }
  return result;
}

/// True if the ranks are 1 .. n in some order: ties and dropped ranks change their sum or the sum of squares.
bool all_untied(const Ranked& ranks) {
  const auto n = static_cast<std::int64_t>(ranks.used.size());
  std::int64_t sum = 0, squares = 0;
  for (const std::int64_t rank : ranks.used) sum += rank, squares += rank * rank;
  return sum == n * (n + 1) && 3 * squares == 2 * n * (n + 1) * (2 * n + 1);
}

void fill_exact(const Ranked& ranks, TestResult& test) {
  test.exact = true;
  test.method = "exact signed-rank law";
  if (all_untied(ranks)) {
    const auto at_most = signed_rank_at_most(ranks.used.size());
    test.p_less = at_most[static_cast<std::size_t>(ranks.plus / 2)];
    test.p_greater = at_most[static_cast<std::size_t>(ranks.minus / 2)];
    return;
  }
  // The law is symmetric, to the bit: the same two numbers are added at either end.
  std::int64_t all = 0, unit = 0;
  for (const std::int64_t rank : ranks.used) all += rank, unit = std::gcd(unit, rank);
  const auto top = static_cast<std::size_t>(all / unit), plus = static_cast<std::size_t>(ranks.plus / unit);
  const auto lower_half = sign_rank_law(ranks.used, top / 2 + 1).weight;
  const auto law = [&, half = lower_half.data()](std::size_t s) { return half[std::min(s, top - s)]; };
  test.p_less = test.p_greater = 0.0;
  for (std::size_t s = 0; s <= plus; ++s) test.p_less += law(s);
  for (std::size_t s = top + 1; s-- > plus;) test.p_greater += law(s);
  test.p_less = std::min(1.0, test.p_less);
  test.p_greater = std::min(1.0, test.p_greater);
}

/// n (n + 1) (2 n + 1) / 24 - sum (t^3 - t) / 48 is a quarter of the sum of squared mid-ranks, with or without zeros.
void fill_normal(const Ranked& ranks, TestResult& test) {
  double variance = 0.0;
  for (const std::int64_t rank : ranks.used) variance += static_cast<double>(rank * rank) / 16.0;
  const double centre = static_cast<double>(ranks.plus + ranks.minus) / 4.0;
  const double z = (static_cast<double>(ranks.plus) / 2.0 - centre) / std::sqrt(variance);
  test.p_less = normal_cdf(z);
  test.p_greater = normal_cdf(-z);
  test.method = "normal approximation with tie correction";
}

}  // namespace

Wilcoxon wilcoxon(std::span<const double> differences, double tolerance, Zeros zeros) {
  require_finite("differences", differences);
  const Ranked ranks = ranked(differences, tolerance, zeros);
  Wilcoxon result{.w_plus = static_cast<double>(ranks.plus) / 2.0,
                  .w_minus = static_cast<double>(ranks.minus) / 2.0,
                  .used = static_cast<std::int64_t>(ranks.used.size())};
  if (ranks.used.empty()) {
    result.test.note = "every difference is zero";
    return result;
  }
  result.min_p = std::min(1.0, 2.0 * std::pow(0.5, static_cast<double>(ranks.used.size())));
  result.test.statistic = result.w_plus;
  ranks.used.size() <= max_exact_pairs ? fill_exact(ranks, result.test) : fill_normal(ranks, result.test);
  result.test.p_two = doubled_tail(result.test.p_less, result.test.p_greater);
  return result;
}

Estimate hodges_lehmann(std::span<const double> differences, double alpha) {
  require_between("alpha", alpha, 0.0, 0.5);
  require_finite("differences", differences);
  const std::size_t n = differences.size();
  require_within("pairs", static_cast<std::int64_t>(n), 1, max_pairs_of_differences);
  std::vector<double> means;
  means.reserve(n * (n + 1) / 2);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i; j < n; ++j) means.push_back(differences[i] / 2.0 + differences[j] / 2.0);
  // Only three or four places are needed: selecting them takes a fifth of the time of a full sort. The middle comes
  // first and splits the means; the places below and above are selected on their side.
  const auto centre_place = means.begin() + static_cast<std::ptrdiff_t>(means.size() / 2);
  const auto selected = [&](auto from, auto to, std::size_t place) {
    const auto at = means.begin() + static_cast<std::ptrdiff_t>(place);
    std::nth_element(from, at, to);
    return *at;
  };
  const double upper = selected(means.begin(), means.end(), means.size() / 2);
  const double middle =
      means.size() % 2 == 1 ? upper : *std::max_element(means.begin(), centre_place) / 2.0 + upper / 2.0;
  const auto sorted_at = [&](std::size_t place) {
    if (place < means.size() / 2) return selected(means.begin(), centre_place, place);
    return selected(centre_place, means.end(), place);
  };
  Estimate result{.point = middle, .level = 1.0 - alpha, .method = "Hodges-Lehmann"};
  if (n > max_exact_pairs) {  // the law is normal to three digits here, and its exact form would take n^3
    const double count = static_cast<double>(n), centre = static_cast<double>(means.size()) / 2.0;
    const double sd = std::sqrt(count * (count + 1.0) * (2.0 * count + 1.0) / 24.0);
    const auto place = static_cast<std::size_t>(std::floor(centre + quantile(alpha / 2.0) * sd));
    result.low = sorted_at(place);
    result.high = sorted_at(means.size() - 1 - place);
    return result;
  }
  // Max means that may be cut off at either end; fewer than half of them, since alpha is below one half.
  const auto at_most = signed_rank_at_most(n);
  const auto place = static_cast<std::size_t>(std::ranges::upper_bound(at_most, alpha / 2.0) - at_most.begin());
  if (place == 0) return result;
  result.low = sorted_at(place - 1);
  result.high = sorted_at(means.size() - place);
  return result;
}

TestOutcome run_wilcoxon(const TwoSamples& scores, const TestSettings& settings) {
  const auto differences = differences_of(scores);
  const Wilcoxon test = wilcoxon(differences, tolerance_of(scores, settings));
  const bool large = differences.size() > 5'000;
  const char* const estimand = large ? "median difference" : "median of the means of two differences";
  const Estimate estimate = large ? Estimate{.point = *median(differences),
                                             .level = 1.0 - settings.alpha,
                                             .method = "none: more than 5000 pairs"}
                                  : hodges_lehmann(differences, settings.alpha);
  if (test.used == 0) return all_tied("Wilcoxon signed ranks", estimate, estimand);
  TestOutcome outcome = judged(test.test, settings, estimate, estimand);
  note_min_p(outcome, test.min_p, settings);
  outcome.details.emplace_back("w_minus", test.w_minus);
  outcome.details.emplace_back("used", static_cast<double>(test.used));
  return outcome;
}

}  // namespace retrial::variance::inline ranks
