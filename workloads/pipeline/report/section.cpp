#include <algorithm>
#include <cmath>
#include <set>

#include "results/report/drawing/numbers.hpp"
#include "results/text/text.hpp"
#include "variance/samples/summary.hpp"
#include "workloads/pipeline/report/views.hpp"

namespace retrial::pipeline {
namespace {

using report::short_text, report::right;
using workloads::StudyEvidence;

double mean(const std::vector<double>& values) {
  return variance::mean(values).value();
}

/// Percent of the backwards of all stages that read another version than that of their forward.
double share_of_other_weights(const Json& artifact) {
  double passes = 0;
  for (const Json& row : artifact.at("realised_delays")) passes += row.at(2).get<double>();
  return passes == 0 ? 0 : 100 * artifact.at("counters").at("other_weights").get<double>() / passes;
}

std::string methods_at_work(const Json& counters) {
  static const std::vector<std::pair<const char*, const char*>> names{
      {"predicted_reads", "predicted reads"},  {"spiked_updates", "spiked updates"},
      {"stale_stash_reads", "older versions"}, {"corrected_reads", "corrected reads"},
      {"scaled_rates", "lowered rates"},       {"compensated_updates", "compensated gradients"}};
  std::vector<std::string> found;
  for (const auto& [key, name] : names)
    if (counters.at(key).get<std::int64_t>() > 0) found.emplace_back(name);
  return found.empty() ? "-" : results::joined(found);
}

/// "12", or "2 to 16".
std::string span_text(const StudyEvidence& evidence, const std::string& key) {
  std::set<std::int64_t> all;
  for (const auto& variant : evidence.variants) all.insert(integer_in(variant.values, key));
  const std::string low = std::to_string(*all.begin());
  return all.size() == 1 ? low : low + " to " + std::to_string(*all.rbegin());
}

std::string setting_text(const StudyEvidence& evidence) {
  const std::string level = span_text(evidence, "reference_batch"), batch = span_text(evidence, "batch");
  const std::string name = level == "128" ? "easy " : level == "64" ? "normal " : level == "32" ? "edge " : "";
  return "S = " + span_text(evidence, "stages") + ", " + batch + (batch == "1" ? " sample" : " samples") +
         " a tick, level " + name + "(reference batch " + level + ")";
}

report::Table variants_table(const StudyEvidence& evidence, const std::vector<PipelineVariant>& variants, Json& data) {
  report::Table table{.caption = setting_text(evidence),
                      .columns = {{"variant"},
                                  right("pairs"),
                                  right("accuracy %"),
                                  right("sd"),
                                  right("delay of stage 0: mean"),
                                  right("max"),
                                  right("reads of other weights %"),
                                  {"method at work"},
                                  right("versions"),
                                  right("diverged")},
                      .rows = {}};
  for (const PipelineVariant& variant : variants) {
    const auto scores = variant.finals("accuracy"), delay = variant.finals("delay_mean_first"),
               longest = variant.finals("delay_max_first"), lost = variant.finals("diverged");
    if (variant.artifact.is_null() || scores.empty()) continue;
    const double other = share_of_other_weights(variant.artifact), most = *std::ranges::max_element(longest),
                 diverged = mean(lost) * static_cast<double>(lost.size());
    const std::string methods = methods_at_work(variant.artifact.at("counters"));
    const auto& memory = variant.artifact.at("memory");
    const auto floats = memory.at("versions").get<std::int64_t>() + memory.at("predictors").get<std::int64_t>();
    table.rows.push_back({variant.of->name, std::to_string(scores.size()), short_text(mean(scores)),
                          report::or_dash(variance::sd(scores)), short_text(mean(delay)), short_text(most),
                          short_text(other, 3), methods, grouped(floats), short_text(std::round(diverged))});
    data.push_back({{"variant", variant.of->name},
                    {"pairs", scores.size()},
                    {"accuracy", report::derived(mean(scores))},
                    {"sd", report::derived(variance::sd(scores))},
                    {"delay_mean_first", report::derived(mean(delay))},
                    {"delay_max_first", report::derived(most)},
                    {"other_weights_percent", report::derived(other)},
                    {"methods", methods},
                    {"version_floats", floats},
                    {"diverged", std::round(diverged)}});
  }
  return table;
}

/// Every seed of as many variants as a figure can show, then those of the next.
std::vector<report::Block> accuracy_figures(const std::vector<PipelineVariant>& variants) {
  std::vector<report::Block> out;
  for (std::size_t from = 0; from < variants.size();) {
    std::size_t to = from, marks = 0;
    while (to < variants.size() && marks + variants[to].finals("accuracy").size() < report::max_marks)
      marks += variants[to++].finals("accuracy").size() + 1;
    to = std::max(to, from + 1);
    report::Series seeds{.label = "a pair", .colour = report::Colour::blue, .faint = true, .points = {}};
    report::Series means{.label = "mean",
                         .colour = report::Colour::vermillion,
                         .shape = report::Shape::diamond,
                         .width = 2,
                         .points = {}};
    report::Figure figure{.title = "Accuracy by variant",
                          .description = "Every pair of seeds is a symbol.",
                          .plot = {.x = {}, .y = {}, .series = {}, .height = 90 + 26 * static_cast<int>(to - from)}};
    std::vector<double> xs;
    for (std::size_t i = from; i < to; ++i) {
      const double height = static_cast<double>(to - i);
      figure.plot.y.tics.push_back({height, variants[i].of->name});
      const auto scores = variants[i].finals("accuracy");
      if (scores.empty()) continue;
      for (const double score : scores) seeds.points.push_back({.x = score, .y = height}), xs.push_back(score);
      means.points.push_back({.x = mean(scores), .y = height});
    }
    figure.plot.x = report::axis_over("accuracy (%)", xs);
    figure.plot.y.low = .4, figure.plot.y.high = static_cast<double>(to - from) + .6;
    figure.plot.series = {std::move(seeds), std::move(means)};
    if (!xs.empty()) out.emplace_back(std::move(figure));
    from = to;
  }
  return out;
}

void append(report::Part part, report::Section& to, Json& data) {
  if (part.section)
    for (report::Block& block : part.section->blocks) to.blocks.push_back(std::move(block));
  data.update(part.data);
}

}  // namespace

std::vector<double> PipelineVariant::finals(const std::string& metric) const {
  std::vector<double> out;
  for (const auto& trial : of->trials)
    if (const auto found = trial.finals.find(metric); found != trial.finals.end()) out.push_back(found->second);
  return out;
}

std::vector<PipelineVariant> pipeline_variants(const StudyEvidence& evidence) {
  std::vector<PipelineVariant> out;
  for (const auto& variant : evidence.variants) {
    PipelineVariant& made = out.emplace_back();
    made.of = &variant;
    const auto whole = std::ranges::find_if(variant.trials, [](const workloads::FinishedTrial& trial) {
      const auto lost = trial.finals.find("diverged");
      return lost != trial.finals.end() && lost->second == 0;
    });
    if (!variant.trials.empty())
      made.artifact = (whole == variant.trials.end() ? variant.trials.front() : *whole).artifact("pipeline");
  }
  return out;
}

std::string grouped(std::int64_t count) {
  std::string text = std::to_string(count);
  for (auto place = std::ssize(text) - 3; place > 0; place -= 3) text.insert(static_cast<std::size_t>(place), ",");
  return text;
}

report::Part report_section(const StudyEvidence& evidence) {
  const auto variants = pipeline_variants(evidence);
  report::Section section{.id = "pipeline", .title = "Pipeline", .blocks = {}};
  Json data = Json::object(), rows = Json::array();
  report::Table table = variants_table(evidence, variants, rows);
  if (table.rows.empty()) return {.section = std::nullopt, .data = Json::object()};
  section.blocks.emplace_back(std::move(table));
  data["pipeline"] = std::move(rows);
  for (report::Block& figure : accuracy_figures(variants)) section.blocks.push_back(std::move(figure));
  for (const workloads::View& view : views()) append(view.make(evidence, {}), section, data);
  return {.section = std::move(section), .data = std::move(data)};
}

std::vector<workloads::View> views() {
  return {{.name = "delays",
           .meaning = "delay of each stage, by the model and as counted",
           .options = {},
           .make = delays_view},
          {.name = "memory",
           .meaning = "numbers that a pipeline holds: versions, activations",
           .options = {},
           .make = memory_view},
          {.name = "timeline", .meaning = "the schedule of each delay model", .options = {}, .make = timeline_view}};
}

}  // namespace retrial::pipeline
