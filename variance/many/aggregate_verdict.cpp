#include "variance/many/aggregate_verdict.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "variance/comparisons/labelling.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::variance::inline many {
namespace {

constexpr std::int64_t max_draws = 10'000, max_enumerated = std::int64_t{1} << 15;
constexpr double rounding = 1e-12;  // relative to the largest score: sums in another order differ by this much

/// All runs of both variants, task by task, the candidate's first.
struct Runs {
  std::vector<double> score;
  std::vector<std::size_t> task, order;  ///< order: places by ascending score
  std::vector<double> rank;              ///< midrank within the task
  std::size_t tasks = 0;
};

/// Midranks of one task, whose runs are at places from .. to - 1.
void rank_task(Runs& runs, std::size_t from, std::size_t to) {
  std::vector<std::size_t> places(to - from);
  std::iota(places.begin(), places.end(), from);
  std::ranges::sort(places, {}, [&](std::size_t i) { return runs.score[i]; });
  for (std::size_t i = 0, end = 0; i < places.size(); i = end) {
    while (end < places.size() && runs.score[places[end]] == runs.score[places[i]]) ++end;
    for (std::size_t k = i; k < end; ++k) runs.rank[places[k]] = 0.5 * static_cast<double>(i + end + 1);
  }
}

Runs runs_of(const TaskScores& candidate, const TaskScores& baseline) {
  Runs runs{.tasks = candidate.tasks.size()};
  for (std::size_t m = 0; m < runs.tasks; ++m)
    for (const auto* side : {&candidate.tasks[m], &baseline.tasks[m]}) {
      runs.score.insert(runs.score.end(), side->begin(), side->end());
      runs.task.resize(runs.score.size(), m);
    }
  runs.order.resize(runs.score.size());
  std::iota(runs.order.begin(), runs.order.end(), std::size_t{0});
  std::ranges::stable_sort(runs.order, {}, [&](std::size_t i) { return runs.score[i]; });
  runs.rank.resize(runs.score.size());
  for (std::size_t m = 0, from = 0; m < runs.tasks; ++m) {
    const std::size_t to = from + candidate.tasks[m].size() + baseline.tasks[m].size();
    rank_task(runs, from, to);
    from = to;
  }
  return runs;
}

/// Labels of all runs: 1, the candidate's.
using Labels = std::vector<char>;

/// Lead of the candidate under a labeling.
class Lead {
 public:
  Lead(const Runs& runs, TaskStatistic which, double gamma) : runs_(runs), which_(which), gamma_(gamma) {}

  [[nodiscard]] double operator()(const Labels& labels) {
    if (!which_) return improvement(labels);
    switch (*which_) {
      case Aggregate::mean:
        return of_task_means(labels, [](std::vector<double>& means) { return *mean(means); });
      case Aggregate::median:
        return of_task_means(labels, [](std::vector<double>& means) { return *median(means); });
      case Aggregate::iqm:
        return middle(labels, 1) - middle(labels, 0);
      case Aggregate::optimality_gap:
        break;
    }
    return shortfall(labels, 0) - shortfall(labels, 1);
  }

 private:
  template <typename Center>
  double of_task_means(const Labels& labels, Center&& center) {
    double lead = 0.0;
    for (const bool of_candidate : {true, false}) {
      means_.assign(runs_.tasks, 0.0), counts_.assign(runs_.tasks, 0.0);
      for (std::size_t i = 0; i < labels.size(); ++i)
        if ((labels[i] == 1) == of_candidate) means_[runs_.task[i]] += runs_.score[i], counts_[runs_.task[i]] += 1.0;
      for (std::size_t m = 0; m < means_.size(); ++m) means_[m] /= counts_[m];
      lead += (of_candidate ? 1.0 : -1.0) * center(means_);
    }
    return lead;
  }

  [[nodiscard]] double middle(const Labels& labels, char side) const {
    const auto n = static_cast<std::size_t>(std::ranges::count(labels, side));
    const std::size_t cut = n / 4;
    std::size_t seen = 0;
    double sum = 0.0;
    for (const std::size_t i : runs_.order) {
      if (labels[i] != side) continue;
      if (seen >= cut && seen < n - cut) sum += runs_.score[i];
      ++seen;
    }
    return sum / static_cast<double>(n - 2 * cut);
  }

  [[nodiscard]] double shortfall(const Labels& labels, char side) const {
    double sum = 0.0, n = 0.0;
    for (std::size_t i = 0; i < labels.size(); ++i)
      if (labels[i] == side) sum += gamma_ - std::min(runs_.score[i], gamma_), n += 1.0;
    return sum / n;
  }

  /// Mean over tasks of U / (n m), U from the sum of the candidate's ranks, minus one half.
  double improvement(const Labels& labels) {
    means_.assign(runs_.tasks, 0.0), counts_.assign(runs_.tasks, 0.0), totals_.assign(runs_.tasks, 0.0);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const std::size_t m = runs_.task[i];
      totals_[m] += 1.0;
      if (labels[i] == 1) means_[m] += runs_.rank[i], counts_[m] += 1.0;
    }
    double sum = 0.0;
    for (std::size_t m = 0; m < runs_.tasks; ++m) {
      const double n = counts_[m], u = means_[m] - n * (n + 1.0) / 2.0;
      sum += u / (n * (totals_[m] - n)) - 0.5;
    }
    return sum / static_cast<double>(runs_.tasks);
  }

  const Runs& runs_;
  TaskStatistic which_;
  double gamma_;
  std::vector<double> means_, counts_, totals_;
};

/// Runs among which labels are exchanged, as groups of runs that keep one label; `chosen` of the groups are the
/// candidate's.
struct Block {
  std::vector<std::vector<std::size_t>> groups;
  std::uint32_t chosen = 1;
};

std::vector<Block> blocks_of(const TaskScores& candidate, const TaskScores& baseline, const AggregateOptions& options) {
  std::vector<Block> blocks;
  const auto places = [](std::size_t from, std::size_t count) {
    std::vector<std::size_t> out(count);
    std::iota(out.begin(), out.end(), from);
    return out;
  };
  for (std::size_t m = 0, from = 0; m < candidate.tasks.size(); ++m) {
    const std::size_t n = candidate.tasks[m].size(), k = baseline.tasks[m].size();
    if (options.resample_tasks) {
      blocks.push_back({.groups = {places(from, n), places(from + n, k)}});
    } else if (options.paired) {
      for (std::size_t i = 0; i < n; ++i) blocks.push_back({.groups = {{from + i}, {from + n + i}}});
    } else {
      Block block{.chosen = static_cast<std::uint32_t>(n)};
      for (const std::size_t i : places(from, n + k)) block.groups.push_back({i});
      blocks.push_back(std::move(block));
    }
    from += n + k;
  }
  return blocks;
}

using Choice = std::vector<std::uint32_t>;

void put(const Block& block, std::span<const std::uint32_t> chosen, Labels& labels) {
  for (const auto& group : block.groups)
    for (const std::size_t i : group) labels[i] = 0;
  for (const std::uint32_t g : chosen)
    for (const std::size_t i : block.groups[g]) labels[i] = 1;
}

/// Calls visit(labels) for every labelling, or for drawn ones.
template <typename Visit>
bool for_each_labelling(const std::vector<Block>& blocks, Labels labels, const AggregateOptions& options,
                        Visit&& visit) {
  double log_count = 0.0;
  std::vector<Choice> items;
  for (const Block& block : blocks) {
    log_count += log_choose(static_cast<std::int64_t>(block.groups.size()), block.chosen);
    items.emplace_back(block.groups.size());
    std::iota(items.back().begin(), items.back().end(), 0U);
  }
  const auto chosen = [&](std::size_t b) { return std::span(items[b]).first(blocks[b].chosen); };
  if (log_count <= std::log(static_cast<double>(std::min(options.enumerate_to, max_enumerated))) + 1e-9) {
    for (std::size_t b = 0; b < blocks.size();) {
      visit(labels);
      for (b = 0; b < blocks.size(); ++b) {
        const bool more = next_choice(chosen(b), static_cast<std::uint32_t>(blocks[b].groups.size()));
        if (!more) std::iota(items[b].begin(), items[b].end(), 0U);
        put(blocks[b], chosen(b), labels);
        if (more) break;
      }
    }
    return true;
  }
  if (!options.key) throw InvalidInput("seed", "none", "a seed: there are too many relabellings to enumerate");
  const std::uint64_t key = derive(*options.key, "permutation");
  for (std::int64_t r = 0; r < std::min(options.resamples, max_draws); ++r) {
    Stream stream(key, static_cast<std::uint64_t>(r));
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      std::iota(items[b].begin(), items[b].end(), 0U);
      permute(items[b], stream);
      put(blocks[b], chosen(b), labels);
    }
    visit(labels);
  }
  return false;
}

/// Runs, or pairs, by their scores: drawn labels must not depend on the order of the lines of a file.
void put_in_order(TaskScores& candidate, TaskScores& baseline, bool paired) {
  for (std::size_t m = 0; m < candidate.tasks.size(); ++m) {
    auto &first = candidate.tasks[m], &second = baseline.tasks[m];
    if (!paired) {
      std::ranges::sort(first);
      std::ranges::sort(second);
      continue;
    }
    std::vector<std::pair<double, double>> pairs;
    for (std::size_t i = 0; i < first.size(); ++i) pairs.emplace_back(first[i], second[i]);
    std::ranges::sort(pairs);
    for (std::size_t i = 0; i < pairs.size(); ++i) std::tie(first[i], second[i]) = pairs[i];
  }
}

TailCount relabelled(TaskScores candidate, TaskScores baseline, TaskStatistic which, const AggregateOptions& options) {
  put_in_order(candidate, baseline, options.paired);
  const Runs runs = runs_of(candidate, baseline);
  Lead lead(runs, which, options.gamma);
  Labels labels;
  for (std::size_t m = 0; m < runs.tasks; ++m) {
    labels.insert(labels.end(), candidate.tasks[m].size(), 1);
    labels.insert(labels.end(), baseline.tasks[m].size(), 0);
  }
  double largest = 1.0;
  for (const double score : runs.score) largest = std::max(largest, std::fabs(score));
  const double observed = lead(labels), slack = rounding * (which ? largest : 1.0);
  TailCount tails;
  tails.exact =
      for_each_labelling(blocks_of(candidate, baseline, options), labels, options, [&](const Labels& exchanged) {
        const double value = lead(exchanged);
        tails.at_most += value <= observed + slack ? 1 : 0;
        tails.at_least += value >= observed - slack ? 1 : 0;
        ++tails.total;
      });
  return tails;
}

TaskScores shifted(TaskScores scores, double by) {
  for (auto& task : scores.tasks)
    for (double& score : task) score += by;
  return scores;
}

bool at_level(double p, double level) {
  return p <= level * (1.0 + rounding);
}

/// Both ends of the margin are rejected: a candidate that much better, and that much worse.
bool within_margin(const TaskScores& candidate, const TaskScores& baseline, TaskStatistic which,
                   const AggregateOptions& options, double margin) {
  if (!which || *which == Aggregate::optimality_gap) return true;  // these are no shift of the scores
  const double level = options.alpha / 2.0;
  return at_level(relabelled(shifted(candidate, -margin), baseline, which, options).p_less(), level) &&
         at_level(relabelled(shifted(candidate, margin), baseline, which, options).p_greater(), level);
}

}  // namespace

AggregateVerdict judge_aggregates(const TaskScores& candidate, const TaskScores& baseline, TaskStatistic which,
                                  const AggregateOptions& options, std::optional<double> margin) {
  AggregateVerdict out{.difference = which ? aggregate_difference(candidate, baseline, *which, options)
                                           : improvement_interval(candidate, baseline, options)};
  const TailCount tails = relabelled(candidate, baseline, which, options);
  out.p_better = tails.p_greater(), out.p_worse = tails.p_less(), out.exact = tails.exact;
  const double center = which ? 0.0 : 0.5;
  double low = *out.difference.low - center, high = *out.difference.high - center;
  if (which == Aggregate::optimality_gap) std::tie(low, high) = std::pair(-high, -low);
  if (low > 0.0 && at_level(out.p_better, options.alpha / 2.0))
    out.status = Status::better;
  else if (high < 0.0 && at_level(out.p_worse, options.alpha / 2.0))
    out.status = Status::worse;
  else if (margin && low > -*margin && high < *margin && within_margin(candidate, baseline, which, options, *margin))
    out.status = Status::equivalent;
  return out;
}

}  // namespace retrial::variance::inline many
