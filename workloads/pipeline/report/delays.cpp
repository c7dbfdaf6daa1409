#include <algorithm>
#include <array>
#include <map>

#include "results/report/drawing/numbers.hpp"
#include "results/text/text.hpp"
#include "workloads/pipeline/report/views.hpp"

namespace retrial::pipeline {
namespace {

/// Counted delay of one stage.
struct CountedDelay {
  double sum = 0, count = 0;
  std::int64_t longest = 0;
};

std::vector<CountedDelay> counted_delays(const Json& artifact) {
  std::vector<CountedDelay> stages(artifact.at("delays").size());
  for (const Json& row : artifact.at("realised_delays")) {
    CountedDelay& stage = stages[row.at(0).get<std::size_t>()];
    const auto delay = row.at(1).get<std::int64_t>();
    const double count = row.at(2).get<double>();
    stage.sum += static_cast<double>(delay) * count, stage.count += count;
    stage.longest = std::max(stage.longest, delay);
  }
  return stages;
}

/// Variants with the same delays, those counted included, in the order of the study.
using Group = std::pair<Json, std::vector<std::string>>;

std::vector<Group> groups_of(const workloads::StudyEvidence& evidence) {
  std::vector<Group> groups;
  for (const PipelineVariant& variant : pipeline_variants(evidence)) {
    if (variant.artifact.is_null()) continue;
    const auto same = std::ranges::find_if(groups, [&](const Group& group) {
      return group.first.at("delays") == variant.artifact.at("delays") &&
             group.first.at("realised_delays") == variant.artifact.at("realised_delays");
    });
    if (same == groups.end())
      groups.push_back({variant.artifact, {variant.of->name}});
    else
      same->second.push_back(variant.of->name);
  }
  return groups;
}

/// The model as a line of steps, what was counted as symbols: means filled in, and the longest.
report::Figure delay_figure(const std::vector<Group>& groups) {
  using report::Colour, report::Shape, report::Dash;
  constexpr std::array colours{Colour::blue, Colour::vermillion, Colour::green, Colour::black};
  constexpr std::array shapes{Shape::circle, Shape::triangle, Shape::square, Shape::diamond};
  constexpr std::array dashes{Dash::solid, Dash::dashed, Dash::dotted};
  report::Figure figure{
      .title = "Delay by stage",
      .description = "Lines: the model. Symbols: the mean of what was counted, start-up included.",
      .plot = {.x = {.label = "stage", .low = -.5, .high = .5, .tics = {}, .whole = true}, .y = {}, .series = {}}};
  std::vector<double> ys{0};
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const auto& [artifact, names] = groups[g];
    report::Series model{
        .label = names.front() + (names.size() > 1 ? " and " + std::to_string(names.size() - 1) + " more" : ""),
        .draw = report::Draw::steps,
        .colour = colours[g % colours.size()],
        .dash = dashes[g / colours.size() % dashes.size()],
        .width = 2,
        .points = {}};
    report::Series found{.colour = model.colour, .shape = shapes[g % shapes.size()], .points = {}};
    const auto stages = counted_delays(artifact);
    for (std::size_t s = 0; s < stages.size(); ++s) {
      const double at = static_cast<double>(s), delay = artifact.at("delays").at(s).get<double>();
      model.points.push_back({.x = at - .5, .y = delay});
      if (stages[s].count > 0) found.points.push_back({.x = at, .y = stages[s].sum / stages[s].count});
      ys.push_back(delay);
    }
    model.points.push_back({.x = static_cast<double>(stages.size()) - .5, .y = model.points.back().y});
    figure.plot.x.high = std::max(figure.plot.x.high, model.points.back().x);
    figure.plot.series.push_back(std::move(model));
    figure.plot.series.push_back(std::move(found));
  }
  figure.plot.y = report::axis_over("delay (updates)", ys);
  return figure;
}

}  // namespace

report::Part delays_view(const workloads::StudyEvidence& evidence, const Values&) {
  report::Table table{
      .caption = "delay by stage, in updates of the stage itself between the read of its weights and the write",
      .columns =
          {{"variants"}, report::right("stage"), report::right("model"), report::right("mean"), report::right("max")},
      .rows = {}};
  Json data = Json::array();
  const auto groups = groups_of(evidence);
  for (const auto& [artifact, names] : groups) {
    const auto stages = counted_delays(artifact);
    const auto longest = std::max(artifact.at("delays").at(0).get<std::int64_t>(), stages.at(0).longest);
    Json rows = Json::array();
    for (std::size_t s = 0; s < stages.size(); ++s) {
      const auto model = artifact.at("delays").at(s).get<std::int64_t>();
      const std::optional<double> average =
          stages[s].count > 0 ? std::optional(stages[s].sum / stages[s].count) : std::nullopt;
      if (s == 0 || longest > 0)  // all stages without a delay are one row
        table.rows.push_back({s == 0 ? results::joined(names) : "", longest > 0 ? std::to_string(s) : "all",
                              std::to_string(model), report::or_dash(average), std::to_string(stages[s].longest)});
      rows.push_back({{"stage", s}, {"model", model}, {"mean", report::derived(average)}, {"max", stages[s].longest}});
    }
    data.push_back({{"variants", names}, {"stages", std::move(rows)}, {"counts", artifact.at("realised_delays")}});
  }
  report::Section section{.id = "delays", .title = "Delays", .blocks = {}};
  if (table.rows.empty())
    section.blocks.emplace_back(report::Paragraph{"no trial has a result"});
  else
    section.blocks = {delay_figure(groups), std::move(table)};
  return {.section = std::move(section), .data = {{"delays", std::move(data)}}};
}

report::Part memory_view(const workloads::StudyEvidence& evidence, const Values&) {
  static constexpr std::array parts{"weights", "optimizer", "versions", "predictors", "activations"};
  report::Table table{.caption =
                          "numbers held at once: what the optimizer keeps, the weights of now and older ones, what "
                          "predictors keep, activations of samples in flight",
                      .columns = {{"variant"}},
                      .rows = {}};
  for (const char* part : parts) table.columns.push_back(report::right(part));
  table.columns.push_back(report::right("MiB"));
  Json data = Json::array();
  for (const PipelineVariant& variant : pipeline_variants(evidence)) {
    if (variant.artifact.is_null()) continue;
    const Json& memory = variant.artifact.at("memory");
    const std::int64_t size = text_in(variant.of->values, "dtype") == "float64" ? 8 : 4;
    std::int64_t bytes = 0;
    std::vector<report::Cell> row{variant.of->name};
    for (const char* part : parts) {
      const auto count = memory.at(part).get<std::int64_t>();
      row.emplace_back(grouped(count));
      if (std::string_view(part) != "weights") bytes += count * size;  // the weights of now are one of the versions
    }
    row.emplace_back(report::short_text(static_cast<double>(bytes) / 1048576, 3));
    table.rows.push_back(std::move(row));
    data.push_back({{"variant", variant.of->name}, {"numbers", memory}, {"bytes", bytes}});
  }
  report::Section section{.id = "memory", .title = "Memory", .blocks = {}};
  if (table.rows.empty())
    section.blocks.emplace_back(report::Paragraph{"no trial has a result"});
  else
    section.blocks.emplace_back(std::move(table));
  return {.section = std::move(section), .data = {{"memory", std::move(data)}}};
}

}  // namespace retrial::pipeline
