#include <algorithm>

#include "results/report/drawing/numbers.hpp"
#include "workloads/pruning/measures/metrics.hpp"
#include "workloads/pruning/report/views.hpp"

namespace retrial::pruning {
namespace {

/// The matrices of a variant that have the same networks as the first one.
struct Matrices {
  std::vector<std::string> names;
  std::vector<double> ratios;      ///< means over pairs, percent
  std::vector<const Json*> found;  ///< one per pair
};

Matrices matrices_of(const VariantCascades& variant) {
  Matrices out;
  for (const CascadeRun& run : variant.runs) {
    if (run.backselect.is_null()) continue;
    std::vector<std::string> names;
    for (const Json& network : run.backselect.at("networks")) names.push_back(network.at("name").get<std::string>());
    if (out.names.empty()) out.names = names;
    if (out.names == names) out.found.push_back(&run.backselect);
  }
  for (std::size_t i = 0; i < out.names.size(); ++i) {
    double sum = 0;
    for (const Json* one : out.found) sum += one->at("networks").at(i).at("pr").get<double>();
    out.ratios.push_back(sum / static_cast<double>(out.found.size()));
  }
  return out;
}

std::optional<variance::Estimate> confidence(const Matrices& of, std::size_t chooser, std::size_t judge, double alpha) {
  std::vector<double> values;
  for (const Json* one : of.found) values.push_back(one->at("matrix").at(chooser).at(judge).get<double>());
  return values.empty() ? std::nullopt : std::optional(pruning::over_seeds(values, alpha));
}

bool is_separate(const Matrices& of, std::size_t i) {
  return of.names[i] == "separate";
}

std::string network_label(const Matrices& of, std::size_t i) {
  return is_separate(of, i) ? "separate" : i == 0 ? "parent" : "PR " + report::short_text(of.ratios[i], 3);
}

/// The rows of the parent, the separately trained network, and the compared steps.
std::vector<std::size_t> shown_matrix_rows(const Matrices& of, const VariantCascades& variant) {
  const auto steps = compared_steps(variant.ratios());
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < of.names.size(); ++i) {
    const bool compared = std::any_of(steps.begin(), steps.end(), [&](const auto& step) {
      return of.names[i] == "step " + std::to_string(step.first);
    });
    if (i == 0 || is_separate(of, i) || compared) out.push_back(i);
  }
  return out;
}

report::Table matrix_table(const VariantCascades& variant, const Matrices& of, double alpha) {
  const auto indices = shown_matrix_rows(of, variant);
  report::Table out{.caption = variant.variant + ", " +
                               report::counted(static_cast<std::int64_t>(of.found.size()), "pair") +
                               ": confidence in the true class. Rows: network that chose the informative pixels; "
                               "columns: network that sees them",
                    .columns = {{"pixels of"}},
                    .rows = {}};
  for (const std::size_t i : indices) out.columns.push_back({network_label(of, i), true});
  for (const std::size_t chooser : indices) {
    std::vector<report::Cell> row{network_label(of, chooser)};
    for (const std::size_t judge : indices) row.push_back(point_text(confidence(of, chooser, judge, alpha)));
    out.rows.push_back(std::move(row));
  }
  return out;
}

report::Table summary_table(const PruningStudy& study) {
  return {
      .caption =
          "confidence in the true class when a network sees only informative pixels: its own, and those of the parent",
      .columns = {{"variant"},
                  {"network"},
                  {"own pixels", true},
                  {interval_title(study), true},
                  {"parent's pixels", true},
                  {interval_title(study), true}},
      .rows = {}};
}

void add_summary(const VariantCascades& variant, const Matrices& of, double alpha, report::Table& to) {
  for (const std::size_t i : shown_matrix_rows(of, variant)) {
    const auto own = confidence(of, i, i, alpha), parents = confidence(of, 0, i, alpha);
    to.rows.push_back({variant.variant, network_label(of, i), point_text(own), range_text(own), point_text(parents),
                       range_text(parents)});
  }
}

Json backselect_json(const VariantCascades& variant, const Matrices& of, double alpha) {
  Json networks = Json::array(), matrix = Json::array();
  for (std::size_t i = 0; i < of.names.size(); ++i) {
    networks.push_back({{"name", of.names[i]}, {"pr", report::derived(of.ratios[i])}});
    Json row = Json::array();
    for (std::size_t judge = 0; judge < of.names.size(); ++judge)
      row.push_back(estimate_json(confidence(of, i, judge, alpha)));
    matrix.push_back(std::move(row));
  }
  return {{"variant", variant.variant},
          {"pairs", of.found.size()},
          {"networks", std::move(networks)},
          {"matrix", std::move(matrix)}};
}

}  // namespace

report::Part backselect_view(const PruningStudy& study, const Values&) {
  report::Section section{.id = "informative-pixels", .title = "Informative pixels", .blocks = {}};
  report::Table summary = summary_table(study);
  std::vector<report::Table> tables;
  Json data = Json::array();
  for (const VariantCascades& variant : study.variants) {
    const Matrices of = matrices_of(variant);
    if (of.found.empty()) continue;
    add_summary(variant, of, study.evidence.alpha, summary);
    tables.push_back(matrix_table(variant, of, study.evidence.alpha));
    data.push_back(backselect_json(variant, of, study.evidence.alpha));
  }
  if (tables.empty())
    section.blocks.emplace_back(report::Paragraph{"Informative pixels were not measured: backselect_images = 0."});
  else
    section.blocks.emplace_back(std::move(summary));
  for (report::Table& table : tables) section.blocks.emplace_back(std::move(table));
  return {.section = std::move(section), .data = {{"backselect", std::move(data)}}};
}

}  // namespace retrial::pruning
