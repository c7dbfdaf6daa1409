#include <algorithm>
#include <cmath>
#include <tuple>

#include "variance/bootstrap/aggregate.hpp"
#include "variance/bootstrap/aggregate_acceleration.hpp"
#include "variance/bootstrap/bootstrap.hpp"
#include "variance/bootstrap/stratified.hpp"
#include "variance/numbers/check.hpp"

namespace retrial::variance::inline bootstrap {
namespace {

using Counts = std::vector<std::uint32_t>;

/// One task. For each run of the candidate, `below` and `up_to` count the baseline's runs below its score and at most
/// at its score: all that a resample needs to know about the scores.
struct TaskRanks {
  std::uint32_t n = 0, m = 0;
  Counts below, up_to;
  std::vector<std::uint32_t> place;  ///< place of each of the baseline's runs in ascending order
};

TaskRanks ranks_of(std::span<const double> x, std::span<const double> y) {
  TaskRanks task{.n = static_cast<std::uint32_t>(x.size()), .m = static_cast<std::uint32_t>(y.size())};
  std::vector<std::uint32_t> order(y.size());
  for (std::uint32_t j = 0; j < order.size(); ++j) order[j] = j;
  std::sort(order.begin(), order.end(), [&](auto i, auto j) { return y[i] != y[j] ? y[i] < y[j] : i < j; });
  std::vector<double> sorted;
  task.place.resize(y.size());
  for (std::uint32_t k = 0; k < order.size(); ++k) {
    task.place[order[k]] = k;
    sorted.push_back(y[order[k]]);
  }
  for (const double score : x) {
    task.below.push_back(static_cast<std::uint32_t>(std::ranges::lower_bound(sorted, score) - sorted.begin()));
    task.up_to.push_back(static_cast<std::uint32_t>(std::ranges::upper_bound(sorted, score) - sorted.begin()));
  }
  return task;
}

/// Share of pairs of drawn runs that the candidate wins, from how often each run was drawn: the candidate's by run, the
/// baseline's by place in ascending order. Integers until the final division.
class DrawnShare {
 public:
  explicit DrawnShare(std::size_t max_runs) : before_(max_runs + 1), histogram_(max_runs) {}
  double operator()(const TaskRanks& task, std::span<const std::uint32_t> of_x,
                    std::span<const std::uint32_t> by_place) {
    before_[0] = 0;
    for (std::uint32_t k = 0; k < task.m; ++k) before_[k + 1] = before_[k] + by_place[k];
    std::uint64_t doubled = 0;
    for (std::uint32_t i = 0; i < task.n; ++i)
      doubled += std::uint64_t{of_x[i]} * (before_[task.below[i]] + before_[task.up_to[i]]);
    return static_cast<double>(doubled) / (2.0 * task.n * task.m);
  }
  /// From the drawn runs themselves. Plain pointers: checked indices cost a third of the loop.
  double of_draws(const TaskRanks& task, const std::uint32_t* of_x, const std::uint32_t* of_y) {
    std::fill_n(histogram_.begin(), task.m, 0U);
    const std::uint32_t *const place = task.place.data(), *const below = task.below.data(),
                               *const up_to = task.up_to.data();
    std::uint32_t* const histogram = histogram_.data();
    std::uint64_t* const before = before_.data();
    for (std::uint32_t j = 0; j < task.m; ++j) ++histogram[place[of_y[j]]];
    before[0] = 0;
    for (std::uint32_t k = 0; k < task.m; ++k) before[k + 1] = before[k] + histogram[k];
    std::uint64_t doubled = 0;
    for (std::uint32_t i = 0; i < task.n; ++i) doubled += before[below[of_x[i]]] + before[up_to[of_x[i]]];
    return static_cast<double>(doubled) / (2.0 * task.n * task.m);
  }
  /// Both sides drew the same runs.
  double of_pairs(const TaskRanks& task, std::span<const std::uint32_t> of_both) {
    for (std::uint32_t j = 0; j < task.m; ++j) histogram_[task.place[j]] = of_both[j];
    return (*this)(task, of_both, histogram_);
  }

 private:
  std::vector<std::uint64_t> before_;
  Counts histogram_;
};

struct Multiset {
  Counts counts;
  double weight;
};

/// Every way to draw n of n runs, with its probability.
std::vector<Multiset> multisets(std::uint32_t n) {
  std::vector<Multiset> result;
  Counts counts(n);
  const double log_all = log_factorial(n) - n * std::log(static_cast<double>(n));
  const auto walk = [&](auto&& self, std::uint32_t run, std::uint32_t left, double log_weight) -> void {
    if (run + 1 == n) {
      counts[run] = left;
      result.push_back({counts, std::exp(log_weight - log_factorial(left))});
      return;
    }
    for (std::uint32_t count = 0; count <= left; ++count) {
      counts[run] = count;
      self(self, run + 1, left - count, log_weight - log_factorial(count));
    }
  };
  walk(walk, 0, n, log_all);
  return result;
}

std::vector<TaskRanks> ranked_tasks(const TaskScores& candidate, const TaskScores& baseline, bool paired) {
  std::vector<TaskRanks> result;
  for (std::size_t m = 0; m < candidate.tasks.size(); ++m) {
    auto x = candidate.tasks[m], y = baseline.tasks[m];
    if (!paired) {
      std::sort(x.begin(), x.end());
      std::sort(y.begin(), y.end());
    } else {
      if (x.size() != y.size())
        throw InvalidInput("tasks[" + std::to_string(m) + "]", std::to_string(y.size()) + " runs",
                           "as many as the candidate's " + std::to_string(x.size()));
      std::vector<std::pair<double, double>> pairs;
      for (std::size_t i = 0; i < x.size(); ++i) pairs.emplace_back(x[i], y[i]);
      std::sort(pairs.begin(), pairs.end());
      for (std::size_t i = 0; i < pairs.size(); ++i) std::tie(x[i], y[i]) = pairs[i];
    }
    result.push_back(ranks_of(x, y));
  }
  return result;
}

std::size_t max_runs(const std::vector<TaskRanks>& tasks) {
  std::size_t largest = 0;
  for (const auto& task : tasks) largest = std::max<std::size_t>({largest, task.n, task.m});
  return largest;
}

ExactLaw improvement_law(const TaskRanks& task, std::size_t tasks, bool paired, DrawnShare& share) {
  const auto of_x = multisets(task.n), of_y = paired ? std::vector<Multiset>(1) : multisets(task.m);
  std::vector<WeightedPoint> points;
  for (const auto& x : of_x)
    for (const auto& y : of_y) {
      // All multisets of the baseline are visited, so counts by run and by place are equivalent.
      const double won = paired ? share.of_pairs(task, x.counts) : share(task, x.counts, y.counts);
      points.push_back({won / static_cast<double>(tasks), paired ? x.weight : x.weight * y.weight});
    }
  return ExactLaw(std::move(points));
}

/// Enumerated up to six runs per variant and task, as long as the convolved law stays small.
std::optional<ExactLaw> exact_law(const std::vector<TaskRanks>& tasks, const AggregateOptions& options,
                                  DrawnShare& share) {
  constexpr std::uint32_t max_runs = 6;
  constexpr std::size_t max_points = std::size_t{1} << 20;
  const bool few = std::ranges::all_of(tasks, [](const auto& t) { return t.n <= max_runs && t.m <= max_runs; });
  if (!few || options.resample_tasks || options.enumerate_to == 0) return std::nullopt;
  std::optional<ExactLaw> law;
  for (const auto& task : tasks) {
    const ExactLaw next = improvement_law(task, tasks.size(), options.paired, share);
    if (law && law->points().size() * next.points().size() > max_points) return std::nullopt;
    law = law ? convolved(*law, next) : next;
  }
  return law;
}

/// Resamples of the share over all tasks. Neighbors of the table of sizes are the candidate's and the baseline's runs
/// of one task; pairs have one entry for both.
std::vector<double> drawn_shares(const std::vector<TaskRanks>& tasks, const AggregateOptions& options,
                                 DrawnShare& share) {
  Counts sizes;
  for (const TaskRanks& task : tasks) {
    sizes.push_back(task.n);
    if (!options.paired) sizes.push_back(task.m);
  }
  const std::uint32_t entries = options.paired ? 1 : 2;
  StratifiedDraws draws(sizes, *options.key, options.resample_tasks ? entries : 0);
  std::vector<double> shares(static_cast<std::size_t>(options.resamples));
  for (std::size_t r = 0; r < shares.size(); ++r) {
    const std::uint32_t* place = draws.take(r).data();
    double sum = 0.0;
    for (std::size_t slot = 0; slot < sizes.size(); slot += entries) {
      const TaskRanks& task = tasks[draws.slots()[slot] / entries];
      const std::uint32_t* const of_x = place;
      const std::uint32_t* const of_y = options.paired ? of_x : of_x + task.n;
      sum += share.of_draws(task, of_x, of_y);
      place = of_y + task.m;
    }
    shares[r] = sum / static_cast<double>(tasks.size());
  }
  return shares;
}

}  // namespace

Estimate improvement_interval(const TaskScores& candidate, const TaskScores& baseline,
                              const AggregateOptions& options) {
  require_between("alpha", options.alpha, 0.0, 0.5);
  require_within("resamples", options.resamples, 1'000, 1'000'000'000);
  const double point = probability_of_improvement(candidate, baseline);
  const auto tasks = ranked_tasks(candidate, baseline, options.paired);
  require_method(options);
  const double acceleration = options.method == BootstrapMethod::bca
                                  ? bca_acceleration(left_out_improvements(candidate, baseline, options.paired))
                                  : 0.0;
  DrawnShare share(max_runs(tasks));
  if (const auto law = exact_law(tasks, options, share)) return stratified_interval(*law, point, acceleration, options);
  if (!options.key) throw InvalidInput("seed", "none", "a seed: there are too many resamples to enumerate");
  return stratified_interval(drawn_shares(tasks, options, share), point, acceleration, options);
}

}  // namespace retrial::variance::inline bootstrap
