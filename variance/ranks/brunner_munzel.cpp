#include <cmath>
#include <limits>

#include "variance/comparisons/comparison_parts.hpp"
#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/ranks/ranks.hpp"
#include "variance/wins/theta.hpp"

namespace retrial::variance::inline ranks {
namespace {

constexpr std::size_t student_from = 20;
constexpr std::int64_t max_enumerated_labellings = 20'000;

struct Studentised {
  double w, df;
  bool separated;  ///< no placement varies: every run of one side beats every run of the other, or all are tied
};

/// W from the number of candidate runs in each tie group: R_pool - R_within of a run is the number of runs of the other
/// side below it (ties count as half), so all sums are sums of integers.
class Statistic {
 public:
  explicit Statistic(const PooledRuns& runs)
      : group_(runs.group),
        size_(runs.candidates),
        taken_(size_.size()),
        n_(static_cast<std::int64_t>(runs.candidate_runs())),
        m_(static_cast<std::int64_t>(runs.baseline_runs())) {
    for (std::size_t g = 0; g < size_.size(); ++g) size_[g] += runs.baselines[g];
  }

  Studentised operator()(std::span<const std::uint32_t> chosen) {
    for (auto& t : taken_) t = 0;
    for (const std::uint32_t i : chosen) ++taken_[group_[i]];
    Sums candidate, baseline;
    std::int64_t ours = 0, theirs = 0;
    for (std::size_t g = 0; g < size_.size(); ++g) {
      const std::int64_t a = taken_[g], b = size_[g] - a;
      candidate.add(a, 2 * theirs + b);
      baseline.add(b, 2 * ours + a);
      ours += a;
      theirs += b;
    }
    const double n = static_cast<double>(n_), m = static_cast<double>(m_);
    const double y = n * candidate.variance(n_), x = m * baseline.variance(m_), v = x + y;
    const double distance = static_cast<double>(candidate.sum) / 2.0 - n * m / 2.0;
    if (v == 0.0)
      return {distance == 0.0 ? 0.0 : std::copysign(std::numeric_limits<double>::infinity(), distance), 1.0, true};
    return {distance / std::sqrt(v), v * v / (x * x / (m - 1.0) + y * y / (n - 1.0)), false};
  }

 private:
  struct Sums {
    std::int64_t sum = 0, squares = 0;
    void add(std::int64_t runs, std::int64_t doubled) {
      sum += runs * doubled;
      squares += runs * doubled * doubled;
    }
    /// Sample variance of the placements, which are half of what was added.
    [[nodiscard]] double variance(std::int64_t runs) const {
      return static_cast<double>(runs * squares - sum * sum) / static_cast<double>(4 * runs * (runs - 1));
    }
  };
  const std::vector<std::size_t>& group_;
  std::vector<std::int64_t> size_, taken_;
  std::int64_t n_, m_;
};

TestResult by_student(const Studentised& observed) {
  const StudentTails tails = student_tails(observed.w, observed.df);
  return {.statistic = observed.w,
          .df = observed.df,
          .p_less = tails.below,
          .p_greater = tails.above,
          .p_two = tails.two(),
          .method = "Brunner-Munzel, t approximation"};
}

/// Exactly one of the C(n + m, n) labelings separates the sides in this direction.
TestResult separated(double w, std::uint32_t total, std::uint32_t n) {
  const double p = std::exp(-log_choose(total, n));
  return {.statistic = w,
          .p_less = w < 0.0 ? p : 1.0,
          .p_greater = w > 0.0 ? p : 1.0,
          .p_two = std::min(1.0, 2.0 * p),
          .exact = true,
          .method = "Brunner-Munzel, exact permutation law",
          .note = "complete separation"};
}

}  // namespace

TestResult brunner_munzel(std::span<const double> candidate, std::span<const double> baseline, BrunnerMunzelLaw law,
                          Relabelling how, std::optional<double> resolution) {
  return brunner_munzel(pooled_runs(candidate, baseline, resolution), law, how);
}

TestResult brunner_munzel(const PooledRuns& runs, BrunnerMunzelLaw law, Relabelling how) {
  require_at_least("candidate runs", static_cast<std::int64_t>(runs.candidate_runs()), 2);
  require_at_least("baseline runs", static_cast<std::int64_t>(runs.baseline_runs()), 2);
  const auto total = static_cast<std::uint32_t>(runs.group.size()),
             n = static_cast<std::uint32_t>(runs.candidate_runs());
  Statistic statistic(runs);
  std::vector<std::uint32_t> items(n);
  std::iota(items.begin(), items.end(), 0U);
  const Studentised observed = statistic(items);
  if (observed.separated && observed.w == 0.0) return {.method = "Brunner-Munzel", .note = "all scores are tied"};

  const bool small = runs.candidate_runs() < student_from || runs.baseline_runs() < student_from;
  const bool student = law == BrunnerMunzelLaw::student || (law == BrunnerMunzelLaw::automatic && !small);
  if (student && !observed.separated) return by_student(observed);
  if (student) return separated(observed.w, total, n);
  how.enumerate_to = std::min(how.enumerate_to, max_enumerated_labellings);
  const double slack = observed.separated ? 0.0 : 1e-12 * (1.0 + std::fabs(observed.w));
  const auto tails = relabelled_tails(total, n, how, observed.w, slack,
                                      [&](std::span<const std::uint32_t> chosen) { return statistic(chosen).w; });
  TestResult result{.statistic = observed.w,
                    .p_less = tails.p_less(),
                    .p_greater = tails.p_greater(),
                    .drawn = !tails.exact,
                    .exact = tails.exact,
                    .method = "Brunner-Munzel, " +
                              std::string(tails.exact ? "exact permutation law"
                                                      : "permutation law, " + std::to_string(tails.total) + " draws")};
  if (!observed.separated) result.df = observed.df;
  if (observed.separated) result.note = "complete separation";
  result.p_two = doubled_tail(result.p_less, result.p_greater);
  return result;
}

TestOutcome run_brunner_munzel(const TwoSamples& scores, const TestSettings& settings) {
  const PooledRuns runs = pooled_runs(scores.candidate, scores.baseline, settings.resolution);
  const Estimate theta = unpaired_theta(runs, settings.alpha).interval;
  if (runs.all_tied()) return all_tied("Brunner-Munzel", theta, beating);
  return judged(brunner_munzel(runs, BrunnerMunzelLaw::automatic, relabelling(settings)), settings, theta, beating);
}

}  // namespace retrial::variance::inline ranks
