#include "workloads/pruning/report/excess.hpp"

#include "results/report/drawing/numbers.hpp"
#include "workloads/pruning/report/views.hpp"

namespace retrial::pruning {
namespace {

/// Mean error over distributions at one step, in percent.
double mean_error(const CascadeRun& run, const std::vector<std::string>& names, std::int64_t step) {
  double sum = 0;
  for (const std::string& name : names) sum += 100 - run.series.at("accuracy_" + name).at(step);
  return sum / static_cast<double>(names.size());
}

double nominal_error(const CascadeRun& run, std::int64_t step) {
  return 100 - run.series.at("accuracy").at(step);
}

std::optional<variance::Estimate> excess_at(const VariantCascades& variant, std::size_t place, double alpha) {
  std::vector<double> values;
  for (const CascadeRun& run : variant.runs) {
    const pruning::Cascade found = excess_of(run);
    if (place < found.e.size()) values.push_back(found.e[place]);
  }
  if (values.empty()) return std::nullopt;
  return pruning::over_seeds(values, alpha);
}

report::Table slopes(const PruningStudy& study) {
  report::Table out{
      .caption =
          "excess error: the additional error of a pruned network under shifts, relative to nominal images, minus the "
          "same for its parent. Slope of the line through the origin, in percentage points from prune ratio 0 to 1; "
          "bootstrap interval over whole cascades.",
      .columns = {{"variant"}, {"pairs", true}, {"shifts", true}, {"slope", true}, {interval_title(study), true}},
      .rows = {}};
  for (const VariantCascades& variant : study.variants) {
    if (variant.runs.empty()) continue;
    const auto slope = slope_of(variant, study.evidence.alpha);
    out.rows.push_back({variant.variant, std::to_string(variant.runs.size()),
                        std::to_string(shifts_of(variant.runs.front()).size()), point_text(slope), range_text(slope)});
  }
  return out;
}

report::Table by_step(const PruningStudy& study) {
  report::Table out{.caption = "excess error by step, percentage points (means over pairs, Student's interval)",
                    .columns = {{"variant"}, {"PR %", true}, {"excess", true}, {interval_title(study), true}},
                    .rows = {}};
  for (const VariantCascades& variant : study.variants) {
    const auto ratios = variant.ratios();
    for (std::size_t i = 1; i < ratios.size(); ++i) {
      const auto excess = excess_at(variant, i - 1, study.evidence.alpha);
      if (excess)
        out.rows.push_back(
            {variant.variant, report::short_text(ratios[i].second), point_text(excess), range_text(excess)});
    }
  }
  return out;
}

Json excess_json(const PruningStudy& study) {
  Json out = Json::array();
  for (const VariantCascades& variant : study.variants) {
    Json steps = Json::array();
    const auto ratios = variant.ratios();
    for (std::size_t i = 1; i < ratios.size(); ++i)
      steps.push_back({{"pr", report::derived(ratios[i].second)},
                       {"excess", estimate_json(excess_at(variant, i - 1, study.evidence.alpha))}});
    out.push_back({{"variant", variant.variant},
                   {"pairs", variant.runs.size()},
                   {"slope", estimate_json(slope_of(variant, study.evidence.alpha))},
                   {"steps", std::move(steps)}});
  }
  return out;
}

}  // namespace

std::vector<std::string> shifts_of(const CascadeRun& run) {
  const std::string prefix = "accuracy_";
  std::vector<std::string> out;
  for (const auto& [name, values] : run.series)
    if (name.starts_with(prefix) && !name.starts_with(prefix + "noise_")) out.push_back(name.substr(prefix.size()));
  return out;
}

pruning::Cascade excess_of(const CascadeRun& run) {
  pruning::Cascade out;
  const auto names = shifts_of(run);
  const auto steps = run.steps();
  if (names.empty() || steps.empty()) return out;
  const double shift = mean_error(run, names, steps.front()), nominal = nominal_error(run, steps.front());
  for (std::size_t i = 1; i < steps.size(); ++i) {
    out.pr.push_back(run.series.at("pr_w").at(steps[i]) / 100);
    out.e.push_back(
        pruning::excess_error(mean_error(run, names, steps[i]), nominal_error(run, steps[i]), shift, nominal));
  }
  return out;
}

std::optional<variance::Estimate> slope_of(const VariantCascades& variant, double alpha) {
  std::vector<pruning::Cascade> cascades;
  for (const CascadeRun& run : variant.runs)
    if (auto found = excess_of(run); !found.pr.empty()) cascades.push_back(std::move(found));
  return pruning::excess_slope(cascades, {.alpha = alpha});
}

report::Part excess_view(const PruningStudy& study, const Values&) {
  report::Section section{.id = "excess-error", .title = "Excess error", .blocks = {}};
  report::Table steps = by_step(study);
  if (steps.rows.empty()) {
    section.blocks.emplace_back(report::Paragraph{"No shifted distribution was measured: corruptions = none."});
  } else {
    section.blocks.emplace_back(slopes(study));
    section.blocks.emplace_back(std::move(steps));
  }
  return {.section = std::move(section), .data = {{"excess", excess_json(study)}}};
}

}  // namespace retrial::pruning
