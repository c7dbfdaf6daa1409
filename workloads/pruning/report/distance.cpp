#include <algorithm>
#include <cmath>

#include "results/report/drawing/numbers.hpp"
#include "results/text/text.hpp"
#include "workloads/pruning/keys/keys.hpp"
#include "workloads/pruning/report/views.hpp"

namespace retrial::pruning {
namespace {

constexpr const char* measures[] = {"distance_match",    "distance_softmax_l2", "distance_softmax_linf",
                                    "distance_logit_l2", "distance_logit_linf", "accuracy_noise"};

bool measures_noise(const VariantCascades& variant) {
  return std::get<std::int64_t>(variant.values.at("noise_images")) > 0;
}

bool has_separate(const VariantCascades& variant) {
  return std::get<bool>(variant.values.at("separate"));
}

/// The levels nearest to 0, .3 and .7, each once, for the table.
std::vector<double> noise_levels_shown(const std::vector<double>& levels) {
  std::vector<double> out;
  for (const double wanted : {0.0, .3, .7}) {
    const double nearest = *std::min_element(levels.begin(), levels.end(), [&](double a, double b) {
      return std::fabs(a - wanted) < std::fabs(b - wanted);
    });
    if (std::find(out.begin(), out.end(), nearest) == out.end()) out.push_back(nearest);
  }
  return out;
}

/// A compared network: a step of the cascade, or the separately trained one.
struct Compared {
  std::string name;
  std::optional<std::int64_t> step;
};

std::optional<variance::Estimate> distance_mean(const VariantCascades& variant, const Compared& network,
                                                const std::string& measure, double level, double alpha) {
  const std::string metric = noise_metric(measure, level);
  return network.step ? variant.mean(metric, *network.step, alpha) : variant.mean("separate_" + metric, alpha);
}

std::vector<Compared> shown_networks(const VariantCascades& variant) {
  std::vector<Compared> out;
  for (const auto& [step, ratio] : compared_steps(variant.ratios())) out.push_back({report::short_text(ratio), step});
  if (has_separate(variant)) out.push_back({"separate", std::nullopt});
  return out;
}

void add_distance_rows(const PruningStudy& study, const VariantCascades& variant, report::Table& to) {
  for (const double level : noise_levels_shown(noise_levels_of(variant.values)))
    for (const Compared& network : shown_networks(variant)) {
      const auto of = [&](const char* measure) {
        return distance_mean(variant, network, measure, level, study.evidence.alpha);
      };
      const auto match = of("distance_match"), soft = of("distance_softmax_l2");
      to.rows.push_back({variant.variant, results::text_of(level), network.name, point_text(match), range_text(match),
                         point_text(soft), range_text(soft), point_text(of("accuracy_noise"))});
    }
}

Json distance_json(const PruningStudy& study, const VariantCascades& variant) {
  std::vector<Compared> networks;
  for (const auto& [step, ratio] : variant.ratios()) networks.push_back({results::text_of(ratio), step});
  if (has_separate(variant)) networks.push_back({"separate", std::nullopt});
  Json rows = Json::array();
  for (const double level : noise_levels_of(variant.values))
    for (const Compared& network : networks) {
      Json row{{"level", level}, {"network", network.step ? "step " + std::to_string(*network.step) : network.name}};
      if (network.step) row["pr"] = report::derived(results::parse_double(network.name));
      for (const char* measure : measures)
        row[measure] = estimate_json(distance_mean(variant, network, measure, level, study.evidence.alpha));
      rows.push_back(std::move(row));
    }
  return {{"variant", variant.variant},
          {"units", std::get<std::string>(variant.values.at("noise_units"))},
          {"pairs", variant.runs.size()},
          {"rows", std::move(rows)}};
}

}  // namespace

report::Part distance_view(const PruningStudy& study, const Values&) {
  report::Section section{.id = "functional-distance", .title = "Functional distance", .blocks = {}};
  Json data = Json::array();
  std::string units = "pixel";
  report::Table table{.caption = "",
                      .columns = {{"variant"},
                                  {"noise", true},
                                  {"PR %", true},
                                  {"equal answers %", true},
                                  {interval_title(study), true},
                                  {"softmax l2", true},
                                  {interval_title(study), true},
                                  {"accuracy %", true}},
                      .rows = {}};
  for (const VariantCascades& variant : study.variants) {
    if (!measures_noise(variant) || variant.runs.empty()) continue;
    units = std::get<std::string>(variant.values.at("noise_units"));
    add_distance_rows(study, variant, table);
    data.push_back(distance_json(study, variant));
  }
  table.caption =
      "distance from the parent under uniform noise, level in " + units +
      " units; the steps nearest to prune ratios of 15, 46, 69, 80 and 93.8 %, and a separately trained network";
  if (table.rows.empty())
    section.blocks.emplace_back(report::Paragraph{"Distances were not measured: noise_images = 0."});
  else
    section.blocks.emplace_back(std::move(table));
  return {.section = std::move(section), .data = {{"distance", std::move(data)}}};
}

}  // namespace retrial::pruning
