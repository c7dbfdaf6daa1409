#include "harness/by_source/table.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "results/text/text.hpp"

namespace retrial::harness::inline by_source {
namespace {

bool all_drawn(const ScoredDesign& table, const VarianceDesign& design, std::size_t row) {
  if (design.design == "saltelli") return row % (design.sources.size() + 2) < 2;
  if (design.design != "oat" || design.sources.size() == 1) return true;
  return table.rows[row].stratum == "base" || table.rows[row].stratum == "together";
}

}  // namespace

Scores full_runs(const ScoredDesign& table, const VarianceDesign& design) {
  Scores out;
  for (std::size_t row = 0; row < table.scores.size(); ++row)
    if (all_drawn(table, design, row)) out.push_back(table.scores[row]);
  return out;
}

std::vector<std::string> not_among(const std::vector<std::string>& all, const std::vector<std::string>& some) {
  std::vector<std::string> out;
  for (const auto& name : all)
    if (std::find(some.begin(), some.end(), name) == some.end()) out.push_back(name);
  return out;
}

std::uint64_t root_of(const StudyView& study) {
  return results::parse_hex16(study.seed).value_or(0);
}

ScoredDesign scored_design(const StudyView& study, const std::vector<PlannedTrial>& trials, const std::string& variant,
                           const std::map<std::int64_t, double>& values) {
  ScoredDesign out{.rows = rows_of(*study.variance, not_among(study.vary, study.variance->sources),
                                   study.search.has_value(), root_of(study)),
                   .scores = {},
                   .replicates = {}};
  out.scores.resize(out.rows.size());
  std::set<std::int64_t> seen;
  for (const auto& trial : trials) {
    if (trial.entry.variant != variant) continue;
    const auto row = trial.entry.pair_index;
    const bool first = seen.insert(row).second;
    const auto value = trial.row ? values.find(trial.row->id) : values.end();
    const bool done = trial.state == TrialState::done,
               finite = done && value != values.end() && std::isfinite(value->second);
    out.failed += done ? 0 : 1;
    out.not_finite += done && !finite ? 1 : 0;
    if (!finite) continue;
    if (first && static_cast<std::size_t>(row) < out.scores.size())
      out.scores[static_cast<std::size_t>(row)] = value->second;
    if (row == 0) out.replicates.push_back(value->second);
  }
  return out;
}

std::vector<double> present(const Scores& scores) {
  std::vector<double> out;
  for (const auto& score : scores)
    if (score) out.push_back(*score);
  return out;
}

std::vector<double> stratum_of(const ScoredDesign& table, const std::string& name) {
  std::vector<double> out;
  for (std::size_t i = 0; i < table.rows.size(); ++i)
    if (table.scores[i] && (table.rows[i].stratum == "base" || table.rows[i].stratum == name))
      out.push_back(*table.scores[i]);
  return out;
}

variance::Clusters groups_of(const ScoredDesign& table) {
  std::map<std::int64_t, std::vector<double>> groups;
  for (std::size_t i = 0; i < table.rows.size(); ++i)
    if (table.scores[i]) groups[table.rows[i].group].push_back(*table.scores[i]);
  variance::Clusters out;
  for (auto& [group, scores] : groups) out.push_back(std::move(scores));
  return out;
}

}  // namespace retrial::harness::inline by_source
