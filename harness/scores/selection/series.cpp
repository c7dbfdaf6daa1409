#include "harness/scores/selection/series.hpp"

#include <algorithm>

#include "harness/scores/selection/options.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::harness::inline scores::inline selection {
namespace {

std::vector<const ScoreRow*> runs_at(const ScoreTable& table, const std::string& metric, const std::string& task,
                                     const std::string& variant) {
  std::vector<const ScoreRow*> rows;
  for (const ScoreRow& row : table.rows)
    if (row.metric == metric && row.task == task && row.variant == variant) rows.push_back(&row);
  return rows;
}

/// Each run of one variant is a point.
Series along_runs(const std::vector<const ScoreRow*>& rows, std::string name) {
  Series out{.name = std::move(name), .points = {}};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string label = rows[i]->pair_label.empty() ? std::to_string(i + 1) : rows[i]->pair_label.text();
    if (rows[i]->score)
      out.points.push_back({.label = label, .value = *rows[i]->score});
    else
      ++out.empty;
  }
  return out;
}

/// Each variant is a point.
Series along_variants(const ScoreTable& table, const SeriesChoice& choice, const std::string& task) {
  Series out{.name = task, .points = {}};
  for (const std::string& variant : table.variants()) {
    std::vector<double> scores;
    for (const ScoreRow* row : runs_at(table, choice.metric, task, variant))
      if (row->score) scores.push_back(*row->score);
    std::ranges::sort(scores);  // so that the order of the runs changes no bit of the value
    if (scores.empty()) {
      ++out.empty;
      continue;
    }
    const double value = choice.within == Within::median ? *variance::median(scores) : *variance::mean(scores);
    out.points.push_back({.label = variant, .value = value, .runs = std::ssize(scores)});
  }
  return out;
}

void require_task(const ScoreTable& table, const std::string& task) {
  const auto tasks = table.tasks();
  if (std::ranges::find(tasks, task) != tasks.end()) return;
  const auto near = results::nearest(task, tasks);
  throw Error({.code = "changes.task",
               .field = "--task",
               .value = results::one_line(task, 100),
               .problem = "no such task in " + table.name,
               .allowed = results::joined(tasks),
               .help = near ? "did you mean --task " + *near + "?" : ""});
}

}  // namespace

std::vector<Series> series_of(const ScoreTable& table, const SeriesChoice& choice) {
  if (choice.task) require_task(table, *choice.task);
  auto variants = table.variants();
  if (choice.variant) {
    const std::size_t place = place_of_variant({table.name, variants}, "--variant", *choice.variant);
    variants = {std::string(variants[place])};
  }
  const bool runs = table.by_line || variants.size() == 1;
  std::vector<Series> out;
  for (const std::string& task : table.tasks()) {
    if (choice.task && task != *choice.task) continue;
    if (!runs) {
      out.push_back(along_variants(table, choice, task));
      continue;
    }
    for (const std::string& variant : variants) {
      const std::string name = task.empty() ? table.by_line ? variant : "" : task;
      out.push_back(along_runs(runs_at(table, choice.metric, task, variant), name));
    }
  }
  std::erase_if(out, [](const Series& one) { return one.points.empty() && one.empty == 0; });
  return out;
}

}  // namespace retrial::harness::inline scores::inline selection
