#include "harness/study_report/provenance/failure_map.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline study_report::inline provenance {
namespace {

constexpr std::size_t max_rows = 40;
constexpr std::int64_t max_columns = 100;

/// A row of the map.
struct Failures {
  std::string variant;
  std::set<std::int64_t> failed, diverged;  ///< pairs

  [[nodiscard]] std::size_t count() const { return failed.size() + diverged.size(); }
};

bool diverged(const PlannedTrial& trial) {
  return trial.state == TrialState::done && trial.row->status == results::Status::diverged;
}

std::vector<Failures> failures_by_variant(const Material& material) {
  std::vector<Failures> out;
  for (const auto& variant : material.study.variants) out.push_back({.variant = variant.name});
  for (const auto& trial : material.trials) {
    auto& row = *std::ranges::find(out, trial.entry.variant, &Failures::variant);
    const auto pair = static_cast<std::int64_t>(trial.entry.pair_index);
    if (trial.state == TrialState::failed) row.failed.insert(pair);
    if (diverged(trial)) row.diverged.insert(pair);
  }
  return out;
}

/// All variants of a small study; of a large one those with failures, and at most max_rows.
std::vector<Failures> drawn_rows(std::vector<Failures> rows) {
  if (rows.size() <= max_rows) return rows;
  std::ranges::stable_sort(rows, std::ranges::greater{}, &Failures::count);
  rows.resize(max_rows);
  std::erase_if(rows, [](const Failures& row) { return row.count() == 0; });
  return rows;
}

/// The pairs in groups of `width`; each group is one symbol, at its first pair.
std::vector<report::Point> marks(const std::set<std::int64_t>& pairs, std::int64_t width, double y) {
  std::set<std::int64_t> groups;
  for (const auto pair : pairs) groups.insert(pair / width * width);
  std::vector<report::Point> out;
  for (const auto group : groups) out.push_back({.x = static_cast<double>(group), .y = y});
  return out;
}

report::Plot plot_of(const std::vector<Failures>& rows, std::int64_t pairs, std::int64_t width) {
  constexpr int around = 110, row_height = 22;
  report::Series failed{.label = "failed",
                        .draw = report::Draw::points,
                        .colour = report::Colour::vermillion,
                        .shape = report::Shape::square,
                        .points = {}};
  report::Series diverged{.label = "diverged",
                          .draw = report::Draw::points,
                          .colour = report::Colour::blue,
                          .shape = report::Shape::triangle,
                          .points = {}};
  report::Plot out{.x = {.label = width == 1 ? "pair" : "first of " + std::to_string(width) + " pairs",
                         .low = -0.7,
                         .high = static_cast<double>(pairs) - 0.3,
                         .tics = {},
                         .whole = true},
                   .y = {.label = "", .low = 0.3, .high = static_cast<double>(rows.size()) + 0.7, .tics = {}},
                   .series = {},
                   .height = around + row_height * static_cast<int>(rows.size())};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto y = static_cast<double>(rows.size() - i);
    out.y.tics.push_back({y, rows[i].variant});
    std::ranges::move(marks(rows[i].failed, width, y), std::back_inserter(failed.points));
    std::ranges::move(marks(rows[i].diverged, width, y), std::back_inserter(diverged.points));
  }
  out.series = {std::move(failed), std::move(diverged)};
  std::erase_if(out.series, [](const auto& series) { return series.points.empty(); });
  return out;
}

std::string pairs_text(const std::set<std::int64_t>& pairs) {
  std::vector<std::string> out;
  for (const auto pair : pairs) out.push_back(std::to_string(pair));
  return out.empty() ? "-" : results::joined(out);
}

report::Table numbers_of(const std::vector<Failures>& rows) {
  report::Table out{.columns = {"variant", "pairs that failed", "pairs that diverged"}};
  for (const auto& row : rows)
    if (row.count() > 0) out.rows.push_back({row.variant, pairs_text(row.failed), pairs_text(row.diverged)});
  return out;
}

}  // namespace

std::optional<report::Figure> failure_map(const Material& material) {
  const auto all = failures_by_variant(material);
  std::size_t count = 0;
  for (const auto& row : all) count += row.count();
  if (count == 0) return {};
  const auto rows = drawn_rows(all);
  std::int64_t pairs = 0;
  for (const auto& trial : material.trials)
    pairs = std::max(pairs, static_cast<std::int64_t>(trial.entry.pair_index) + 1);
  const std::int64_t width = (pairs + max_columns - 1) / max_columns;
  return report::Figure{
      .title = "Failures by variant and pair, " + counted(static_cast<std::int64_t>(count), "trial"),
      .description = "Each symbol is a trial that failed or diverged" +
                     (width > 1 ? " (" + std::to_string(width) + " neighboring pairs share a place)" : std::string()) +
                     "; empty places finished or have not run. Symbols above each other share their seeds: many of "
                     "them point to the seeds, a long row to its variant." +
                     (rows.size() < all.size() ? " The " + std::to_string(rows.size()) + " of " +
                                                     std::to_string(all.size()) + " variants with most failures."
                                               : ""),
      .plot = plot_of(rows, pairs, width),
      .data = numbers_of(rows),
      .open = true,
      .svg = ""};
}

}  // namespace retrial::harness::inline study_report::inline provenance
