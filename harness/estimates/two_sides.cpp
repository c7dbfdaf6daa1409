#include "harness/estimates/two_sides.hpp"

#include <algorithm>
#include <cmath>

#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "variance/samples/summary.hpp"
#include "variance/samples/ties.hpp"

namespace retrial::harness::inline estimates {
namespace {

bool measured(const std::optional<double>& score) {
  return score && std::isfinite(*score);
}

SideNumbers numbers_of(std::string name, const std::vector<double>& values, std::size_t runs) {
  return {.name = std::move(name),
          .n = std::ssize(values),
          .failed = static_cast<std::int64_t>(runs - values.size()),
          .mean = variance::mean(values),
          .sd = variance::sd(values)};
}

SideNumbers side_of(const std::string& name, const RunScores& scores) {
  std::vector<double> values;
  for (const auto& score : scores)
    if (measured(score)) values.push_back(*score);
  return numbers_of(name, values, scores.size());
}

/// Differences of decimal scores carry rounding noise: within it they are all the same, and their sd is 0.
SideNumbers difference_of_pairs(const std::string& name, const RunScores& candidate, const RunScores& baseline) {
  std::vector<double> first, second, differences;
  for (std::size_t i = 0; i < candidate.size(); ++i) {
    if (!measured(candidate[i]) || !measured(baseline[i])) continue;
    first.push_back(*candidate[i]);
    second.push_back(*baseline[i]);
    differences.push_back(*candidate[i] - *baseline[i]);
  }
  auto out = numbers_of(name, differences, candidate.size());
  if (!out.sd) return out;
  const auto [low, high] = std::ranges::minmax(differences);
  if (high - low <= variance::tie_tolerance(std::nullopt, first, second)) out.sd = 0.0;
  return out;
}

Json numbers_document(const SideNumbers& side) {
  return {{"name", side.name},
          {"n", side.n},
          {"failed", side.failed},
          {"mean", json_number(side.mean)},
          {"sd", json_number(side.sd)}};
}

}  // namespace

TwoSides two_sides(const std::string& candidate, const RunScores& candidate_scores, const std::string& baseline,
                   const RunScores& baseline_scores, bool paired) {
  const std::string name = candidate + " - " + baseline;
  TwoSides out{.candidate = side_of(candidate, candidate_scores),
               .baseline = side_of(baseline, baseline_scores),
               .difference = {.name = name},
               .paired = paired && candidate_scores.size() == baseline_scores.size()};
  if (out.paired)
    out.difference = difference_of_pairs(name, candidate_scores, baseline_scores);
  else if (out.candidate.mean && out.baseline.mean)
    out.difference.mean = *out.candidate.mean - *out.baseline.mean;
  return out;
}

std::vector<report::Cell> difference_cells(const TwoSides& sides) {
  const SideNumbers& d = sides.difference;
  return {sides.paired ? std::to_string(d.n) : "-", d.mean ? signed_text(*d.mean) : "-", or_dash(d.sd)};
}

report::Table sides_table(const TwoSides& sides) {
  using report::right;
  const std::string unit = sides.unit.empty() ? "" : " (" + sides.unit + ")";
  report::Table out{.columns = {"", right("n"), right("mean" + unit), right("sd"), right("failed")}};
  for (const SideNumbers* side : {&sides.candidate, &sides.baseline})
    out.rows.push_back(
        {side->name, std::to_string(side->n), or_dash(side->mean), or_dash(side->sd), std::to_string(side->failed)});
  std::vector<report::Cell> last{sides.difference.name + (sides.paired ? ", pairs" : "")};
  std::ranges::move(difference_cells(sides), std::back_inserter(last));
  last.emplace_back("");
  out.rows.push_back(std::move(last));
  return out;
}

Json sides_document(const TwoSides& sides) {
  Json difference = numbers_document(sides.difference);
  difference.erase("failed");
  if (!sides.paired) difference["n"] = nullptr;
  return {{"candidate", numbers_document(sides.candidate)},
          {"baseline", numbers_document(sides.baseline)},
          {"difference", difference},
          {"paired", sides.paired}};
}

}  // namespace retrial::harness::inline estimates
