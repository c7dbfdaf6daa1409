#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "variance/bootstrap.hpp"
#include "variance/distributions.hpp"
#include "variance/rng.hpp"

/// Resamples of runs within tasks. An accumulator takes the drawn runs one by one and returns its statistic:
///   reset(), add(slot, task, run), value(); slot is the place of the task in the resample.
/// Nothing here allocates within a resample.
namespace retrial::variance {

/// Draws of resample r, in the order of slots: with `resample_tasks` the tasks first, then the runs of each.
template <typename Accumulator>
double stratified_draw(std::span<const std::uint32_t> sizes, std::span<std::uint32_t> slots, bool resample_tasks,
                       Stream stream, Accumulator& accumulator) {
  accumulator.reset();
  for (std::uint32_t slot = 0; slot < slots.size(); ++slot)
    slots[slot] = resample_tasks ? static_cast<std::uint32_t>(bounded(stream.next(), slots.size())) : slot;
  for (std::uint32_t slot = 0; slot < slots.size(); ++slot) {
    const std::uint32_t task = slots[slot], n = sizes[task];
    for (std::uint32_t i = 0; i < n; ++i)
      accumulator.add(slot, task, static_cast<std::uint32_t>(bounded(stream.next(), n)));
  }
  return accumulator.value();
}

template <typename Accumulator>
std::vector<double> stratified_resamples(std::span<const std::uint32_t> sizes, std::int64_t resamples,
                                         std::uint64_t key, bool resample_tasks, Accumulator& accumulator) {
  std::vector<double> values(static_cast<std::size_t>(resamples));
  std::vector<std::uint32_t> slots(sizes.size());
  for (std::size_t r = 0; r < values.size(); ++r)
    values[r] = stratified_draw(sizes, slots, resample_tasks, Stream(key, r), accumulator);
  return values;
}

/// Number of distinct resamples of n runs: C(2n - 1, n).
[[nodiscard]] inline double log_distinct_resamples(std::uint32_t n) {
  return log_choose(2 * std::int64_t{n} - 1, n);
}

/// Every distinct resample of every task with its probability, as the law of the statistic.
template <typename Accumulator>
class Enumeration {
 public:
  Enumeration(std::span<const std::uint32_t> sizes, Accumulator& accumulator)
      : sizes_(sizes), accumulator_(accumulator), counts_(sizes.size()) {
    for (std::size_t task = 0; task < sizes.size(); ++task) counts_[task].resize(sizes[task]);
  }
  ExactLaw law() {
    walk(0, 0, sizes_[0], 0.0);
    return ExactLaw(std::move(points_));
  }

 private:
  /// `left` runs of the task are still to be given to the runs from `run` on.
  void walk(std::size_t task, std::uint32_t run, std::uint32_t left, double log_weight) {
    if (run + 1 == sizes_[task]) {
      counts_[task][run] = left;
      finish_task(task, log_weight - log_factorial(left));
      return;
    }
    for (std::uint32_t count = 0; count <= left; ++count) {
      counts_[task][run] = count;
      walk(task, run + 1, left - count, log_weight - log_factorial(count));
    }
  }
  void finish_task(std::size_t task, double log_weight) {
    const double n = static_cast<double>(sizes_[task]);
    log_weight += log_factorial(sizes_[task]) - n * std::log(n);
    if (task + 1 < sizes_.size())
      walk(task + 1, 0, sizes_[task + 1], log_weight);
    else
      evaluate(std::exp(log_weight));
  }
  void evaluate(double weight) {
    accumulator_.reset();
    for (std::uint32_t task = 0; task < sizes_.size(); ++task)
      for (std::uint32_t run = 0; run < sizes_[task]; ++run)
        for (std::uint32_t i = 0; i < counts_[task][run]; ++i) accumulator_.add(task, task, run);
    points_.push_back({accumulator_.value(), weight});
  }

  std::span<const std::uint32_t> sizes_;
  Accumulator& accumulator_;
  std::vector<std::vector<std::uint32_t>> counts_;
  std::vector<WeightedPoint> points_;
};

}  // namespace retrial::variance
