#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "variance/bootstrap/aggregate.hpp"
#include "variance/bootstrap/aggregate_acceleration.hpp"
#include "variance/bootstrap/aggregate_accumulators.hpp"
#include "variance/bootstrap/bootstrap.hpp"
#include "variance/bootstrap/stratified.hpp"
#include "variance/numbers/check.hpp"

namespace retrial::variance::inline bootstrap {
namespace {

using Sizes = std::vector<std::uint32_t>;

Sizes task_sizes(const Tasks& tasks) {
  Sizes sizes;
  for (const auto& task : tasks) sizes.push_back(static_cast<std::uint32_t>(task.size()));
  return sizes;
}

void require_options(const AggregateOptions& options) {
  require_between("alpha", options.alpha, 0.0, 0.5);
  require_within("resamples", options.resamples, 1'000, 1'000'000'000);
  if (!std::isfinite(options.gamma)) throw InvalidInput("gamma", shortest(options.gamma), "finite numbers");
  require_method(options);
}

std::uint64_t required_key(const AggregateOptions& options) {
  if (options.key) return *options.key;
  throw InvalidInput("seed", "none", "a seed: there are too many resamples to enumerate");
}

/// Runs of a task in ascending order, so that their original order does not change the draws.
Tasks ordered_tasks(Tasks tasks) {
  for (auto& task : tasks) std::sort(task.begin(), task.end());
  return tasks;
}

void order_pairs(Tasks& x, Tasks& y) {
  for (std::size_t m = 0; m < x.size(); ++m) {
    if (x[m].size() != y[m].size())
      throw InvalidInput("tasks[" + std::to_string(m) + "]", std::to_string(y[m].size()) + " runs",
                         "as many as the candidate's " + std::to_string(x[m].size()));
    std::vector<std::pair<double, double>> pairs;
    for (std::size_t i = 0; i < x[m].size(); ++i) pairs.emplace_back(x[m][i], y[m][i]);
    std::sort(pairs.begin(), pairs.end());
    for (std::size_t i = 0; i < pairs.size(); ++i) std::tie(x[m][i], y[m][i]) = pairs[i];
  }
}

double log_resamples(const Sizes& sizes) {
  double sum = 0.0;
  for (const std::uint32_t n : sizes) sum += log_distinct_resamples(n);
  return sum;
}

bool countable(double log_size, const AggregateOptions& options) {
  return !options.resample_tasks && options.enumerate_to > 0 &&
         log_size <= std::log(static_cast<double>(options.enumerate_to)) + 1e-9;
}

/// Number of neighbors in the table of sizes that are drawn as one task; 0: every task is taken once.
std::uint32_t tasks_of(const AggregateOptions& options, std::uint32_t neighbours = 1) {
  return options.resample_tasks ? neighbours : 0;
}

/// BCa only; the other methods need no jackknife.
template <typename LeftOutOf>
double acceleration_of(const AggregateOptions& options, LeftOutOf&& left_out) {
  return options.method == BootstrapMethod::bca ? bca_acceleration(left_out()) : 0.0;
}

LeftOut concatenated(LeftOut first, const LeftOut& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

LeftOut minus(LeftOut first, const LeftOut& second) {
  for (std::size_t m = 0; m < first.size(); ++m)
    for (std::size_t i = 0; i < first[m].size(); ++i) first[m][i] -= second[m][i];
  return first;
}

ExactLaw aggregate_law(const Tasks& tasks, Aggregate which, double gamma) {
  const Sizes sizes = task_sizes(tasks);
  return with_accumulator(tasks, which, gamma, [&](auto& accumulator) {
    return Enumeration(std::span<const std::uint32_t>(sizes), accumulator).law();
  });
}

ExactLaw negated(const ExactLaw& law) {
  std::vector<WeightedPoint> points;
  for (const auto& point : law.points()) points.push_back({-point.value, point.weight});
  return ExactLaw(std::move(points));
}

/// The same drawn runs for both.
template <typename A, typename B>
class Jointly {
 public:
  Jointly(A& a, B& b) : a_(a), b_(b) {}
  void reset() { a_.reset(), b_.reset(); }
  void add(std::uint32_t slot, std::uint32_t task, std::uint32_t run) {
    a_.add(slot, task, run);
    b_.add(slot, task, run);
  }
  [[nodiscard]] double value() { return a_.value() - b_.value(); }

 private:
  A& a_;
  B& b_;
};

/// Draws of resample r: the tasks (the same for both variants), then for each slot the candidate's runs and the
/// baseline's. The draws are those of a table with twice as many tasks, where neighbors are the same task of both
/// variants.
Sizes interleaved(const Sizes& of_a, const Sizes& of_b) {
  Sizes sizes;
  for (std::size_t m = 0; m < of_a.size(); ++m) {
    sizes.push_back(of_a[m]);
    sizes.push_back(of_b[m]);
  }
  return sizes;
}

template <typename A, typename B>
class Apart {
 public:
  Apart(A& a, B& b) : a_(a), b_(b) {}
  void reset() { a_.reset(), b_.reset(); }
  void add(std::uint32_t slot, std::uint32_t task, std::uint32_t run) {
    task % 2 == 0 ? a_.add(slot / 2, task / 2, run) : b_.add(slot / 2, task / 2, run);
  }
  [[nodiscard]] double value() { return a_.value() - b_.value(); }

 private:
  A& a_;
  B& b_;
};

Estimate paired_difference(const Tasks& x, const Tasks& y, Aggregate which, double point,
                           const AggregateOptions& options) {
  const Sizes sizes = task_sizes(x);
  const double acceleration = acceleration_of(options, [&] {
    return minus(left_out_aggregates({x}, which, options.gamma), left_out_aggregates({y}, which, options.gamma));
  });
  return with_accumulator(x, which, options.gamma, [&](auto& a) {
    return with_accumulator(y, which, options.gamma, [&](auto& b) {
      Jointly both(a, b);
      if (countable(log_resamples(sizes), options))
        return stratified_interval(Enumeration(std::span<const std::uint32_t>(sizes), both).law(), point, acceleration,
                                   options);
      return stratified_interval(
          stratified_resamples(sizes, options.resamples, required_key(options), tasks_of(options), both), point,
          acceleration, options);
    });
  });
}

Estimate independent_difference(const Tasks& x, const Tasks& y, Aggregate which, double point,
                                const AggregateOptions& options) {
  const Sizes of_x = task_sizes(x), of_y = task_sizes(y);
  // The signs of the baseline's tasks are flipped to get the difference.
  const double acceleration = acceleration_of(options, [&] {
    LeftOut of_baseline = left_out_aggregates({y}, which, options.gamma);
    for (auto& task : of_baseline)
      for (double& value : task) value = -value;
    return concatenated(left_out_aggregates({x}, which, options.gamma), of_baseline);
  });
  if (countable(log_resamples(of_x) + log_resamples(of_y), options))
    return stratified_interval(
        convolved(aggregate_law(x, which, options.gamma), negated(aggregate_law(y, which, options.gamma))), point,
        acceleration, options);
  const Sizes sizes = interleaved(of_x, of_y);
  return with_accumulator(x, which, options.gamma, [&](auto& a) {
    return with_accumulator(y, which, options.gamma, [&](auto& b) {
      Apart both(a, b);
      return stratified_interval(
          stratified_resamples(sizes, options.resamples, required_key(options), tasks_of(options, 2), both), point,
          acceleration, options);
    });
  });
}

/// Shares of runs above each of a block of thresholds: a run counts at the number of thresholds below it.
class Profile {
 public:
  Profile(const Tasks& tasks, std::span<const double> taus) : places_(tasks.size()), histogram_(taus.size() + 1) {
    for (std::size_t m = 0; m < tasks.size(); ++m) {
      weights_.push_back(1.0 / (static_cast<double>(tasks[m].size()) * static_cast<double>(tasks.size())));
      for (const double x : tasks[m])
        places_[m].push_back(static_cast<std::size_t>(std::lower_bound(taus.begin(), taus.end(), x) - taus.begin()));
    }
  }
  void reset() { std::ranges::fill(histogram_, 0.0); }
  void add(std::uint32_t, std::uint32_t task, std::uint32_t run) { histogram_[places_[task][run]] += weights_[task]; }
  double value() {
    for (std::size_t t = histogram_.size() - 1; t-- > 0;) histogram_[t] += histogram_[t + 1];
    return 0.0;
  }
  [[nodiscard]] double above(std::size_t tau) const { return histogram_[tau + 1]; }

 private:
  std::vector<std::vector<std::size_t>> places_;
  std::vector<double> weights_, histogram_;
};

}  // namespace

Estimate aggregate_interval(const TaskScores& scores, Aggregate which, const AggregateOptions& options) {
  require_options(options);
  const double point = aggregate(scores, which, options.gamma);
  const Tasks tasks = ordered_tasks(scores.tasks);
  const Sizes sizes = task_sizes(tasks);
  const double acceleration =
      acceleration_of(options, [&] { return left_out_aggregates({tasks}, which, options.gamma); });
  if (countable(log_resamples(sizes), options))
    return stratified_interval(aggregate_law(tasks, which, options.gamma), point, acceleration, options);
  return with_accumulator(tasks, which, options.gamma, [&](auto& accumulator) {
    return stratified_interval(
        stratified_resamples(sizes, options.resamples, required_key(options), tasks_of(options), accumulator), point,
        acceleration, options);
  });
}

Estimate aggregate_difference(const TaskScores& candidate, const TaskScores& baseline, Aggregate which,
                              const AggregateOptions& options) {
  require_options(options);
  const double point = aggregate(candidate, which, options.gamma) - aggregate(baseline, which, options.gamma);
  if (candidate.tasks.size() != baseline.tasks.size())
    throw InvalidInput("tasks", std::to_string(baseline.tasks.size()),
                       "as many as the candidate's " + std::to_string(candidate.tasks.size()));
  if (!options.paired)
    return independent_difference(ordered_tasks(candidate.tasks), ordered_tasks(baseline.tasks), which, point, options);
  Tasks x = candidate.tasks, y = baseline.tasks;
  order_pairs(x, y);
  return paired_difference(x, y, which, point, options);
}

std::vector<Estimate> profile_intervals(const TaskScores& scores, std::span<const double> taus,
                                        const AggregateOptions& options) {
  require_options(options);
  require_tasks(scores);
  require_finite("taus", taus);
  if (options.method != BootstrapMethod::percentile)
    throw InvalidInput("method", "of a profile", "percentile: no other interval works for shares near 0 and 1");
  if (!std::ranges::is_sorted(taus)) throw InvalidInput("taus", "not ascending", "thresholds in ascending order");
  constexpr std::size_t block = 16;  // thresholds per pass, so that memory stays at a few doubles per resample
  const Tasks tasks = ordered_tasks(scores.tasks);
  const Sizes sizes = task_sizes(tasks);
  const std::uint64_t key = required_key(options);
  std::vector<Estimate> result;
  StratifiedDraws draws(sizes, key, tasks_of(options));
  for (std::size_t from = 0; from < taus.size(); from += block) {
    const auto part = taus.subspan(from, std::min(block, taus.size() - from));
    Profile profile(tasks, part);
    std::vector<std::vector<double>> values(part.size(),
                                            std::vector<double>(static_cast<std::size_t>(options.resamples)));
    for (std::size_t r = 0; r < static_cast<std::size_t>(options.resamples); ++r) {
      draws.draw(r, profile);
      for (std::size_t t = 0; t < part.size(); ++t) values[t][r] = profile.above(t);
    }
    for (std::size_t t = 0; t < part.size(); ++t)
      result.push_back(stratified_interval(std::move(values[t]), performance_profile(scores, part[t]), 0.0, options));
  }
  return result;
}

}  // namespace retrial::variance::inline bootstrap
