#include "harness/stored/progress.hpp"

#include <algorithm>

namespace retrial::harness::inline stored {
namespace {

using report::right;

void count(Progress& into, const PlannedTrial& trial) {
  ++into.counts[static_cast<std::size_t>(trial.state)];
  if (trial.state == TrialState::done) into.walls_ns.push_back(trial.row->wall_ns);
}

}  // namespace

std::optional<double> Progress::median_seconds() const {
  if (walls_ns.empty()) return {};
  auto sorted = walls_ns;
  std::sort(sorted.begin(), sorted.end());
  return static_cast<double>(sorted[(sorted.size() - 1) / 2]) * 1e-9;
}

std::vector<Progress> progress_by_variant(const StudyView& study, const std::vector<PlannedTrial>& trials) {
  std::vector<Progress> out;
  for (const auto& variant : study.variants) out.push_back({.name = variant.name});
  for (const auto& trial : trials)
    for (auto& progress : out)
      if (progress.name == trial.entry.variant) count(progress, trial);
  return out;
}

Progress total_progress(const std::vector<PlannedTrial>& trials) {
  Progress out{.name = "all"};
  for (const auto& trial : trials) count(out, trial);
  return out;
}

report::Table progress_table(const std::vector<Progress>& rows) {
  report::Table out{.columns = {"variant"}};
  for (const TrialState state : all_trial_states) out.columns.push_back(right(std::string(name_of(state))));
  out.columns.push_back(right("of"));
  for (const Progress& progress : rows) {
    std::vector<report::Cell> cells{progress.name};
    for (const TrialState state : all_trial_states) cells.emplace_back(std::to_string(progress.of(state)));
    cells.emplace_back(std::to_string(progress.total()));
    out.rows.push_back(std::move(cells));
  }
  return out;
}

std::optional<double> remaining_seconds(const std::vector<Progress>& variants) {
  double out = 0;
  for (const auto& variant : variants) {
    if (variant.open() == 0) continue;
    const auto median = variant.median_seconds();
    if (!median) return {};
    out += *median * static_cast<double>(variant.open());
  }
  return out;
}

}  // namespace retrial::harness::inline stored
