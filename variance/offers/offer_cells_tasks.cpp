#include <utility>

#include "variance/offers/offer_cells.hpp"
#include "variance/offers/offer_judges.hpp"

namespace retrial::variance::inline offers::offer_cells {
namespace {

Cells interval_cells(OfferCell plain) {
  Cells cells;
  plain.paired = false;
  plain.slow = true;
  plain.level /= 2.0;  // level of an interval of level 1 - alpha
  const auto add = [&](std::int64_t tasks, std::int64_t runs, std::int64_t baseline_runs, NullScores scores) {
    cells.push_back(plain);
    cells.back().many = tasks;
    cells.back().runs = runs, cells.back().baseline_runs = baseline_runs;
    cells.back().scores = scores;
  };
  for (const NullScores scores : {NullScores::gaussian, NullScores::lognormal, NullScores::counts})
    for (const auto& [tasks, runs] : {std::pair<std::int64_t, std::int64_t>{5, 3}, {1, 3}, {1, 5}, {5, 10}})
      add(tasks, runs, runs, scores);
  add(1, 4, 12, NullScores::gaussian), add(5, 4, 12, NullScores::lognormal);
  add(2, 5, 5, NullScores::gaussian), cells.back().paired = true;
  if (plain.offer.name == "gap" || plain.offer.name == "poi") return cells;  // no margin in the unit of the scores
  for (const auto& [tasks, runs] : {std::pair<std::int64_t, std::int64_t>{1, 3}, {5, 3}, {1, 10}}) {
    add(tasks, runs, runs, NullScores::gaussian);
    cells.back().error = FalseVerdict::equivalent;
    cells.back().shift = margin_in_sd;
  }
  return cells;
}

/// Whole tasks are drawn again, and labels exchanged: below six tasks there are too few labelings for a verdict.
Cells task_bootstrap_cells(OfferCell plain) {
  Cells cells;
  plain.paired = false;
  plain.slow = true;
  plain.level /= 2.0;
  for (const std::string_view aggregate : {"iqm", "mean", "median", "gap", "poi"})
    for (const double task_effects : {1.0, 0.0})
      for (const std::int64_t tasks : {10, 6}) {
        cells.push_back(plain);
        cells.back().aggregate = aggregate;
        cells.back().task_effects = task_effects;
        cells.back().many = tasks;
        cells.back().runs = cells.back().baseline_runs = 3;
      }
  // The other aggregates of skewed differences are not 0 where their mean is.
  for (const std::int64_t tasks : {10, 20}) {
    cells.push_back(cells.front());
    cells.back().aggregate = "mean";
    cells.back().task_model = NullScores::lognormal;
    cells.back().many = tasks;
  }
  return cells;
}

Cells hierarchical_cells(OfferCell plain) {
  Cells cells;
  plain.slow = true;
  for (const double task_effects : {1.0, 0.0})
    for (const std::int64_t tasks : {5, 10}) {
      cells.push_back(plain);
      cells.back().task_effects = task_effects;
      cells.back().many = tasks;
    }
  cells.push_back(cells[1]);
  cells.back().task_model = NullScores::lognormal;
  return cells;
}

}  // namespace

Cells aggregate_cells(const OfferCell& plain) {
  if (plain.offer.name == offer_judges::task_bootstrap_name) return task_bootstrap_cells(plain);
  if (plain.offer.name == offer_judges::hierarchical_name) return hierarchical_cells(plain);
  return interval_cells(plain);
}

}  // namespace retrial::variance::inline offers::offer_cells
