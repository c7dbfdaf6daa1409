#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/scores/aggregates.hpp"
#include "harness/scores/formats/formats.hpp"
#include "results/report/report.hpp"

namespace retrial::harness::inline scores_report {

/// Everything that the report is made from.
struct ScoresMaterial {
  std::vector<ScoreInput> files;
  ScoreTable table;
  TableChoice choice;
  std::string options;  ///< the given ones as words of a command line, and the seed
  std::string scale;    ///< meaning of the scores, for axes: "accuracy (%)", "score"
  TasksOfVariants all;
  std::vector<AggregateReport> aggregates;  ///< iqm, mean, median; gap where higher is better
  AggregateReport profile;
  double target = 1;                           ///< of the optimality gap
  std::optional<AggregateReport> improvement;  ///< with two variants or more
};
[[nodiscard]] ScoresMaterial scores_material(const Arguments& arguments, std::vector<ScoreInput> files);

/// One section of the report each, and its part of the data.
[[nodiscard]] report::Part variants_part(const ScoresMaterial& material);
[[nodiscard]] report::Part aggregates_part(const ScoresMaterial& material);
[[nodiscard]] report::Part profiles_part(const ScoresMaterial& material);
[[nodiscard]] report::Part improvement_part(const ScoresMaterial& material);
/// Both groups and the difference of their means; where two variants are compared.
[[nodiscard]] report::Part estimation_part(const ScoresMaterial& material);
[[nodiscard]] report::Part files_part(const ScoresMaterial& material);

/// The i-th of several variants by color, dash and shape, none of them alone.
[[nodiscard]] report::Series series_style(std::size_t i, report::Draw draw);
/// The place of a variant among the columns of the profile, which is also that of its style.
[[nodiscard]] std::size_t place_in_report(const ScoresMaterial& material, const std::string& variant);

/// Points with intervals, a row for each: name, estimate. `reference`: a gray line, e.g. at no difference.
struct IntervalRow {
  std::string name;
  variance::Estimate estimate;
  std::size_t style = 0;
};
[[nodiscard]] report::Figure interval_figure(std::string title, std::string description, std::string axis,
                                             const std::vector<IntervalRow>& rows,
                                             std::optional<double> reference = {});

}  // namespace retrial::harness::inline scores_report
