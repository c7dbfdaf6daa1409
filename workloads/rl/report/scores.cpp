#include "workloads/rl/report/scores.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "results/report/drawing/numbers.hpp"
#include "results/text/text.hpp"
#include "variance/bootstrap/aggregate.hpp"
#include "variance/random/rng.hpp"
#include "variance/samples/summary.hpp"
#include "workloads/rl/policies/evaluation.hpp"
#include "workloads/rl/report/bars.hpp"
#include "workloads/rl/settings/settings.hpp"

namespace retrial::rl {
namespace {

namespace page = retrial::report;
using workloads::StudyEvidence, workloads::VariantTrials;

struct VariantScores {
  std::string variant, environment;
  std::vector<double> finite;
  std::size_t trials = 0;
  std::optional<variance::Estimate> iqm;
  std::optional<double> bar;
};

/// The report has no seed of its own: its resamples are those of the study's name, so that it repeats. Up to ten trials
/// every resample is counted.
std::uint64_t key_of(const StudyEvidence& evidence, const std::string& variant) {
  return variance::derive(variance::derive(0, "rl:scores:" + evidence.study), variant);
}

std::optional<variance::Estimate> iqm_of(const VariantScores& scores, std::uint64_t key) {
  const std::size_t missing = scores.trials - scores.finite.size();
  if (scores.finite.empty() || missing > scores.trials / 4) return std::nullopt;
  if (missing == 0)
    return variance::aggregate_interval({.tasks = {scores.finite}}, variance::Aggregate::iqm, {.key = key});
  // They rank last and are among the quarter that is left out.
  std::vector<double> ranked = scores.finite;
  ranked.resize(scores.trials, *std::ranges::min_element(scores.finite) - 1);
  return variance::Estimate{.point = variance::iqm({.tasks = {ranked}}).value, .method = "without an interval"};
}

/// Of the tuned settings as they are; another length of the training is another training.
std::optional<double> bar_under(const Values& values) {
  if (text_in(values, "algorithm") == "policy" || text_in(values, "settings") != "zoo" ||
      integer_in(values, "steps") != -1)
    return std::nullopt;
  return bar_of(text_in(values, "algorithm"), text_in(values, "env"));
}

std::vector<VariantScores> scores_of(const StudyEvidence& evidence) {
  std::vector<VariantScores> out;
  for (const VariantTrials& variant : evidence.variants) {
    VariantScores scores{.variant = variant.name,
                         .environment = text_in(variant.values, "env"),
                         .trials = variant.trials.size(),
                         .bar = bar_under(variant.values)};
    for (const auto& trial : variant.trials)
      if (const auto found = trial.finals.find("return"); found != trial.finals.end() && std::isfinite(found->second))
        scores.finite.push_back(found->second);
    scores.iqm = iqm_of(scores, key_of(evidence, variant.name));
    out.push_back(std::move(scores));
  }
  std::ranges::stable_sort(out, {}, &VariantScores::environment);
  return out;
}

std::string judged(const VariantScores& scores) {
  if (!scores.bar || !scores.iqm) return "-";
  if (scores.iqm->low && *scores.iqm->low >= *scores.bar) return "met with confidence";
  return scores.iqm->point >= *scores.bar ? "met" : "below";
}

std::optional<double> least(const std::vector<double>& values) {
  return values.empty() ? std::nullopt : std::optional(*std::ranges::min_element(values));
}
std::optional<double> greatest(const std::vector<double>& values) {
  return values.empty() ? std::nullopt : std::optional(*std::ranges::max_element(values));
}

page::Table scores_table(const std::vector<VariantScores>& all, Json& data) {
  page::Table table{.caption = "Mean return on the 100 starts, over trials",
                    .columns = {"environment", "variant", page::right("trials"), page::right("IQM"), "95 % interval",
                                page::right("min"), page::right("max"), page::right("bar"), "bar is"}};
  data = Json::array();
  for (const VariantScores& scores : all) {
    const auto low = scores.iqm ? scores.iqm->low : std::nullopt, high = scores.iqm ? scores.iqm->high : std::nullopt;
    const auto point = scores.iqm ? std::optional(scores.iqm->point) : std::nullopt;
    const std::string failed = scores.finite.size() == scores.trials
                                   ? ""
                                   : " (" + std::to_string(scores.trials - scores.finite.size()) + " not finite)";
    table.rows.push_back({scores.environment, scores.variant, std::to_string(scores.trials) + failed,
                          page::or_dash(point),
                          low && high ? "[" + page::short_text(*low) + ", " + page::short_text(*high) + "]" : "-",
                          page::or_dash(least(scores.finite)), page::or_dash(greatest(scores.finite)),
                          page::or_dash(scores.bar), judged(scores)});
    data.push_back({{"environment", scores.environment},
                    {"variant", scores.variant},
                    {"trials", scores.trials},
                    {"returns", scores.finite},
                    {"iqm", page::derived(point)},
                    {"low", page::derived(low)},
                    {"high", page::derived(high)},
                    {"bar", page::derived(scores.bar)},
                    {"judged", judged(scores)}});
  }
  return table;
}

std::vector<std::string> environments_of(const std::vector<VariantScores>& all) {
  std::vector<std::string> out;
  for (const VariantScores& scores : all)
    if (out.empty() || out.back() != scores.environment) out.push_back(scores.environment);
  return out;
}

/// Those that draw nothing; random actions are a variant of their own, with seeds.
page::Table policies_table(const std::vector<std::string>& environments, Json& data) {
  page::Table table{.caption = "Policies written by hand, on the same starts",
                    .columns = {"environment", "policy", "rule", page::right("mean return")}};
  data = Json::array();
  for (const std::string& environment : environments)
    for (const ReferencePolicy& policy : reference_policies(environment)) {
      if (policy.draws) continue;
      const double mean = evaluated(environment, {}, all_starts, acts_by(policy, 0)).mean_return();
      table.rows.push_back({environment, policy.name, policy.rule, page::short_text(mean)});
      data.push_back({{"environment", environment}, {"policy", policy.name}, {"return", page::derived(mean)}});
    }
  return table;
}

page::Figure scores_figure(const std::vector<VariantScores>& all, const std::string& environment) {
  std::vector<const VariantScores*> shown;
  for (const VariantScores& scores : all)
    if (scores.environment == environment && !scores.finite.empty()) shown.push_back(&scores);
  const auto rows = static_cast<double>(shown.size());
  page::Series trials{.label = "a trial", .colour = page::Colour::grey, .shape = page::Shape::diamond},
      means{.label = "interquartile mean, 95 % interval", .draw = page::Draw::interval, .colour = page::Colour::blue};
  page::Figure out{
      .title = "Returns: " + environment,
      .description = "A symbol for each trial; below it the interquartile mean of the variant.",
      .plot = {.y = {.label = "", .low = .3, .high = rows + .7}, .height = 110 + 40 * static_cast<int>(shown.size())}};
  std::vector<double> xs;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const double y = rows - static_cast<double>(i);
    out.plot.y.tics.push_back({y, shown[i]->variant});
    for (const double value : shown[i]->finite) {
      xs.push_back(value);
      if (trials.points.size() < page::max_marks / 2) trials.points.push_back({.x = value, .y = y + .15});
    }
    if (const auto& iqm = shown[i]->iqm)
      means.points.push_back({.x = iqm->point,
                              .y = y - .15,
                              .low = iqm->low.value_or(iqm->point),
                              .high = iqm->high.value_or(iqm->point)});
  }
  out.plot.x = page::axis_over("mean return on the 100 starts", xs);
  out.plot.series = {std::move(trials), std::move(means)};
  return out;
}

}  // namespace

page::Part scores_section(const StudyEvidence& evidence) {
  const auto all = scores_of(evidence);
  const auto environments = environments_of(all);
  Json scores, policies;
  page::Section section{
      .id = "scores",
      .title = "Scores",
      .blocks = {
          page::Paragraph{"Every trial is evaluated without draws on the same 100 starts. IQM: the mean of the "
                          "middle half of the trials, with a stratified bootstrap interval. A bar is the published "
                          "return of the tuned settings less a tenth of its lead over random actions; it is met "
                          "with confidence where the whole interval is above it."},
          scores_table(all, scores)}};
  for (const std::string& environment : environments)
    if (std::ranges::any_of(
            all, [&](const VariantScores& one) { return one.environment == environment && !one.finite.empty(); }))
      section.blocks.emplace_back(scores_figure(all, environment));
  section.blocks.emplace_back(policies_table(environments, policies));
  return {.section = std::move(section), .data = {{"scores", std::move(scores)}, {"policies", std::move(policies)}}};
}

}  // namespace retrial::rl
