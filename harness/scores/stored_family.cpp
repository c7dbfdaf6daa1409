#include "harness/scores/score_test.hpp"

#include <algorithm>
#include <cmath>

#include "harness/scores/compare_table.hpp"
#include "harness/scores/many_test.hpp"
#include "harness/scores/options.hpp"
#include "harness/text/output.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline scores {
namespace {

void add_rows(ScoreTable& table, const std::string& variant, const Comparison& comparison,
              const std::vector<std::optional<double>>& scores) {
  std::int64_t diverged = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const bool finite = scores[i] && std::isfinite(*scores[i]);
    diverged += scores[i] && !finite ? 1 : 0;
    table.rows.push_back({.variant = variant,
                          .pair = static_cast<std::int64_t>(i),
                          .cluster = "",
                          .task = "",
                          .metric = comparison.metric.name,
                          .score = finite ? scores[i] : std::nullopt});
  }
  if (diverged > 0)
    table.notes.push_back(counted(diverged, "trial") + " of " + variant + " diverged; counted as failed");
}

/// The baseline first, then the others in the order of the study, or only the one named by --candidate.
ScoreTable table_of(const results::Store& store, const StudyView& study, const std::vector<PlannedTrial>& trials,
                    const Comparison& declared, const Arguments& arguments) {
  ScoreTable out{.name = store.path().string(), .rows = {}, .metrics = {}, .notes = {}};
  const std::string& baseline = declared.design.baseline;
  for (const auto& variant : judged_variants(study)) {
    const bool selected = !arguments.has("candidate") || variant.name == declared.design.candidate;
    if (variant.name == baseline || !selected) continue;
    const auto comparison = read_comparison(store, study, trials,
                                            {.metric = arguments.value("metric"),
                                             .baseline = baseline,
                                             .candidate = variant.name,
                                             .direction = direction_given(arguments)});
    demand_live_seeds(study, comparison);
    if (arguments.has("require")) refuse_side_by_side(study, comparison);
    if (!comparison.side_by_side.empty()) out.notes.push_back(variant.name + ": " + comparison.side_by_side);
    if (out.rows.empty()) add_rows(out, baseline, comparison, comparison.scores.baseline);
    add_rows(out, variant.name, comparison, comparison.scores.candidate);
  }
  if (const auto test = arguments.value("test"); test && tests_many(*test))
    out.notes.push_back("test " + *test + " was chosen after the runs: a design declares tests of two variants only");
  out.metrics[declared.metric.name] = {.direction = declared.scores.direction, .unit = declared.metric.unit};
  return out;
}

}  // namespace

Exit compare_stored_family(const Arguments& arguments, const results::Store& store, const StudyView& study,
                           const std::vector<PlannedTrial>& trials) {
  const auto declared = read_comparison(store, study, trials,
                                        {.metric = arguments.value("metric"),
                                         .baseline = arguments.value("baseline"),
                                         .candidate = arguments.value("candidate"),
                                         .direction = direction_given(arguments)});
  const auto& design = declared.design;
  return compare_table(arguments, table_of(store, study, trials, declared, arguments),
                       {.root = results::parse_hex16(study.seed),
                        .settings = {.alpha = design.alpha,
                                     .beta = design.beta,
                                     .gamma = design.gamma,
                                     .tie_limit = design.tie_limit,
                                     .resolution = declared.scores.resolution,
                                     .margin = design.margin}});
}

}  // namespace retrial::harness::inline scores
