#include <algorithm>

#include "results/report/drawing/numbers.hpp"
#include "workloads/data/corrupt/shift.hpp"
#include "workloads/pruning/measures/metrics.hpp"
#include "workloads/pruning/report/excess.hpp"
#include "workloads/pruning/report/views.hpp"

namespace retrial::pruning {
namespace {

/// A corruption with the metrics of its severities, mildest first; a shift of the digits has one.
struct Corruption {
  std::string name;
  std::vector<std::string> metrics;
};

/// From the recorded names, so that a store can be read by a program that cannot make a corruption.
std::string corruption_of(const std::string& distribution, const std::string& severities) {
  const auto shifts = corrupt::shift_names();
  const bool several = severities.find(',') != std::string::npos;
  if (!several || std::find(shifts.begin(), shifts.end(), distribution) != shifts.end()) return distribution;
  return distribution.substr(0, distribution.rfind('_'));
}

std::vector<Corruption> corruptions_of(const VariantCascades& variant) {
  std::vector<Corruption> out;
  if (variant.runs.empty()) return out;
  for (const std::string& one : shifts_of(variant.runs.front())) {
    const std::string name = corruption_of(one, std::get<std::string>(variant.values.at("severities")));
    if (out.empty() || out.back().name != name) out.push_back({.name = name, .metrics = {}});
    out.back().metrics.push_back("accuracy_" + one);
  }
  return out;
}

std::vector<double> errors_at(const CascadeRun& run, const std::vector<std::string>& names, std::int64_t step) {
  std::vector<double> out;
  for (const std::string& name : names) out.push_back(100 - run.series.at(name).at(step));
  return out;
}

/// For one network of one pair; absent without a denominator.
struct Scores {
  std::vector<std::optional<double>> ce, relative;
  double mean_error = 0;
};

Scores corruption_scores(const CascadeRun& run, const std::vector<Corruption>& corruptions, std::int64_t step) {
  Scores out;
  const pruning::CleanErrors clean{.network = 100 - run.series.at("accuracy").at(step),
                                   .reference = 100 - run.series.at("accuracy").at(0)};
  std::size_t count = 0;
  for (const Corruption& corruption : corruptions) {
    const auto e = errors_at(run, corruption.metrics, step), ref = errors_at(run, corruption.metrics, 0);
    out.ce.push_back(pruning::corruption_error(e, ref));
    out.relative.push_back(pruning::relative_corruption_error(e, ref, clean));
    for (const double error : e) out.mean_error += error;
    count += e.size();
  }
  out.mean_error /= static_cast<double>(count);
  return out;
}

/// Over pairs; undefined if it is undefined in one of them.
struct Means {
  std::optional<variance::Estimate> mce, relative, error;
  std::vector<std::optional<variance::Estimate>> ce;
};

std::optional<variance::Estimate> defined_over_pairs(const std::vector<std::optional<double>>& values, double alpha) {
  std::vector<double> present;
  for (const auto& value : values) {
    if (!value) return std::nullopt;
    present.push_back(*value);
  }
  return present.empty() ? std::nullopt : std::optional(pruning::over_seeds(present, alpha));
}

Means corruption_means(const VariantCascades& variant, const std::vector<Corruption>& corruptions, std::int64_t step,
                       double alpha) {
  std::vector<std::optional<double>> mce, relative, error;
  std::vector<std::vector<std::optional<double>>> ce(corruptions.size());
  for (const CascadeRun& run : variant.runs) {
    const Scores scores = corruption_scores(run, corruptions, step);
    mce.push_back(pruning::mean_corruption_error(scores.ce));
    relative.push_back(pruning::mean_corruption_error(scores.relative));
    error.emplace_back(scores.mean_error);
    for (std::size_t c = 0; c < ce.size(); ++c) ce[c].push_back(scores.ce[c]);
  }
  Means out{.mce = defined_over_pairs(mce, alpha),
            .relative = defined_over_pairs(relative, alpha),
            .error = defined_over_pairs(error, alpha),
            .ce = {}};
  for (const auto& one : ce) out.ce.push_back(defined_over_pairs(one, alpha));
  return out;
}

/// A ratio without a denominator is undefined, not 0.
std::string ratio_text(const std::optional<variance::Estimate>& value) {
  return value ? report::short_text(value->point) : "undefined";
}

report::Table mce_table(const PruningStudy& study) {
  return {.caption =
              "mCE: errors under each distribution, summed over its severities and divided by those of the "
              "parent of the same pair, mean over distributions; relative: errors less the clean error of each "
              "network. Below 1 the pruned network is more robust. Student's intervals over pairs.",
          .columns = {{"variant"},
                      {"PR %", true},
                      {"pairs", true},
                      {"mean error %", true},
                      {"mCE", true},
                      {interval_title(study), true},
                      {"relative mCE", true},
                      {interval_title(study), true}},
          .rows = {}};
}

Json mce_json(const std::vector<Corruption>& corruptions, double ratio, const Means& means) {
  Json each = Json::object();
  for (std::size_t c = 0; c < corruptions.size(); ++c) each[corruptions[c].name] = estimate_json(means.ce[c]);
  return {{"pr", report::derived(ratio)},
          {"mce", estimate_json(means.mce)},
          {"relative_mce", estimate_json(means.relative)},
          {"mean_error", estimate_json(means.error)},
          {"ce", std::move(each)}};
}

}  // namespace

report::Part mce_view(const PruningStudy& study, const Values&) {
  report::Section section{.id = "corruption-error", .title = "Corruption error", .blocks = {}};
  report::Table table = mce_table(study);
  Json data = Json::array();
  for (const VariantCascades& variant : study.variants) {
    const auto corruptions = corruptions_of(variant);
    if (corruptions.empty()) continue;
    Json steps = Json::array();
    const auto shown = compared_steps(variant.ratios());
    for (const auto& [step, ratio] : variant.ratios()) {
      const Means means = corruption_means(variant, corruptions, step, study.evidence.alpha);
      steps.push_back(mce_json(corruptions, ratio, means));
      if (std::find(shown.begin(), shown.end(), std::pair(step, ratio)) == shown.end()) continue;
      table.rows.push_back({variant.variant, report::short_text(ratio), std::to_string(variant.runs.size()),
                            point_text(means.error), ratio_text(means.mce), range_text(means.mce),
                            ratio_text(means.relative), range_text(means.relative)});
    }
    data.push_back({{"variant", variant.variant}, {"pairs", variant.runs.size()}, {"steps", std::move(steps)}});
  }
  if (table.rows.empty())
    section.blocks.emplace_back(report::Paragraph{"No shifted distribution was measured: corruptions = none."});
  else
    section.blocks.emplace_back(std::move(table));
  return {.section = std::move(section), .data = {{"mce", std::move(data)}}};
}

}  // namespace retrial::pruning
