#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "variance/bootstrap/bootstrap.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/random/bulk_draws.hpp"
#include "variance/random/rng.hpp"

/// Resamples of runs within tasks. An accumulator takes the drawn runs one by one and returns its statistic:
///   reset(), add(slot, task, run), value(); slot is the place of the task in the resample.
/// Nothing here allocates within a resample. For .cpp files of this folder.
namespace retrial::variance::inline bootstrap {

/// Draws resamples one after another in the same memory.
class StratifiedDraws {
 public:
  /// `neighbours`: number of neighbors of the table that are drawn as one task; 0: every task is taken once.
  StratifiedDraws(std::span<const std::uint32_t> sizes, std::uint64_t key, std::uint32_t neighbours)
      : sizes_(sizes),
        key_(key),
        neighbours_(neighbours),
        tasks_(neighbours == 0 ? 0 : sizes.size() / neighbours),
        slots_(sizes.size()) {
    std::size_t largest = 0, all = 0;
    for (const std::uint32_t n : sizes) largest = std::max<std::size_t>(largest, n), all += n;
    const std::size_t runs = neighbours == 0 ? all : sizes.size() * largest;
    words_.resize(tasks_.size() + runs);
    places_.resize(runs);
    for (std::uint32_t slot = 0; slot < slots_.size(); ++slot) slots_[slot] = slot;
  }

  /// The draws of resample r, in the order of slots: first the tasks, if they are drawn, then the runs of each.
  template <typename Accumulator>
  double draw(std::uint64_t r, Accumulator& accumulator) {
    const std::uint32_t* place = take(r).data();
    accumulator.reset();
    for (std::uint32_t slot = 0; slot < slots_.size(); ++slot) {
      const std::uint32_t task = slots_[slot], n = sizes_[task];
      for (std::uint32_t i = 0; i < n; ++i) accumulator.add(slot, task, *place++);
    }
    return accumulator.value();
  }

  /// The drawn runs of resample r, slot by slot; `slots` holds the task of each slot.
  std::span<const std::uint32_t> take(std::uint64_t r) {
    fill_words(key_, r, words_);
    std::span<const std::uint64_t> words = std::span(words_).subspan(tasks_.size());
    if (neighbours_ > 0) {
      fill_bounded(std::span(words_).first(tasks_.size()), static_cast<std::uint32_t>(tasks_.size()), tasks_);
      for (std::uint32_t slot = 0; slot < slots_.size(); ++slot)
        slots_[slot] = tasks_[slot / neighbours_] * neighbours_ + slot % neighbours_;
    }
    std::span<std::uint32_t> places = places_;
    // Neighbors of equal size in one call.
    for (std::size_t slot = 0; slot < slots_.size();) {
      const std::uint32_t n = sizes_[slots_[slot]];
      std::size_t count = 0;
      for (; slot < slots_.size() && sizes_[slots_[slot]] == n; ++slot) count += n;
      fill_bounded(words.first(count), n, places.first(count));
      words = words.subspan(count);
      places = places.subspan(count);
    }
    return places_;
  }
  [[nodiscard]] std::span<const std::uint32_t> slots() const { return slots_; }

 private:
  std::span<const std::uint32_t> sizes_;
  std::uint64_t key_;
  std::uint32_t neighbours_;
  std::vector<std::uint32_t> tasks_, slots_, places_;
  std::vector<std::uint64_t> words_;
};

template <typename Accumulator>
std::vector<double> stratified_resamples(std::span<const std::uint32_t> sizes, std::int64_t resamples,
                                         std::uint64_t key, std::uint32_t neighbours, Accumulator& accumulator) {
  std::vector<double> values(static_cast<std::size_t>(resamples));
  StratifiedDraws draws(sizes, key, neighbours);
  for (std::size_t r = 0; r < values.size(); ++r) values[r] = draws.draw(r, accumulator);
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

}  // namespace retrial::variance::inline bootstrap
