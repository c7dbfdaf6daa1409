#include <algorithm>

#include "harness/by_source/part.hpp"
#include "harness/by_source/words.hpp"
#include "harness/command_line/command.hpp"
#include "harness/estimates/estimate_document.hpp"
#include "harness/scores/formats/formats.hpp"
#include "harness/scores/lines/clusters.hpp"
#include "harness/scores/selection/options.hpp"
#include "harness/stored/store_choice.hpp"
#include "harness/system/entropy.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "variance/components/components.hpp"
#include "variance/random/rng.hpp"

namespace retrial::harness::inline commands {
namespace {

variance::ShareIntervals intervals_from(const Arguments& arguments) {
  const auto method = arguments.value("ci");
  if (method == "bootstrap") return variance::ShareIntervals::bootstrap;
  return method == "pivotal" ? variance::ShareIntervals::pivotal : variance::ShareIntervals::satterthwaite;
}

variance::SharesOptions options_from(const Arguments& arguments) {
  return {.alpha = arguments.number("alpha", {0, 0.5, true, true}).value_or(0.05),
          .intervals = intervals_from(arguments),
          .resamples = arguments.integer("resamples", 100, 1'000'000).value_or(1000)};
}

void refuse_ci(const Arguments& arguments, const VarianceDesign& design) {
  const auto method = arguments.value("ci");
  if (!method || *method == "bootstrap" || (design.design != "saltelli" && design.design != "matched")) return;
  throw Error({.code = "usage.option_value",
               .field = "--ci",
               .value = *method,
               .problem = "needs mean squares, which design " + design.design + " does not have",
               .allowed = "bootstrap"});
}

/// One-way analysis of runs of another tool.
struct FileStudy {
  ClusterScores file;
  variance::OneWay table;
  variance::ClusterMean mean;
  std::optional<variance::SourceShares> shares;
  std::optional<double> rho_moment;
  std::uint64_t seed = 0;
};

/// A CSV can hold clusters only in the long form.
ScoreTable scores_in(const Arguments& arguments) {
  const auto inputs = score_inputs({{*arguments.value("scores")}}, roles_given(arguments));
  const auto format = std::string(score_format_of(inputs.front(), arguments.value("format")).name);
  return read_score_table(inputs, format == "csv" ? "long-csv" : format);
}

FileStudy file_study(const Arguments& arguments) {
  FileStudy out{.file = clusters_of(scores_in(arguments),
                                    {.variant = arguments.value("variant"), .metric = arguments.value("metric")}),
                .table = {},
                .mean = {}};
  auto options = options_from(arguments);
  out.seed = arguments.has("seed") ? *arguments.u64("seed") : draw_root_seed();
  options.key = variance::derive(out.seed, "comparison:variance");
  out.table = variance::oneway(out.file.scores, options.alpha);
  out.mean = variance::cluster_mean(out.file.scores, options.alpha);
  const auto& clusters = out.file.scores;
  const bool balanced =
      std::all_of(clusters.begin(), clusters.end(), [&](const auto& c) { return c.size() == clusters.front().size(); });
  if (balanced) out.rho_moment = variance::rho_moment(clusters);
  if (out.table.between)
    out.shares = variance::nested_shares("between clusters", "within", out.file.scores, {}, options);
  return out;
}

Json file_json(const FileStudy& study) {
  const auto number = [](const std::optional<double>& v) { return v ? Json(results::rounded10(*v)) : Json(); };
  const auto component = [&](const std::optional<variance::Component>& c) {
    return c ? Json{{"raw", results::rounded10(c->raw)},
                    {"variance", estimate_json(c->variance)},
                    {"df", number(c->df)}}
             : Json();
  };
  const auto& t = study.table;
  const bool pipeline = t.clusters > 1;
  return {{"schema", "retrial.variance_file/1"},
          {"clusters", t.clusters},
          {"runs", t.runs},
          {"missing", study.file.missing},
          {"seed", results::hex16(study.seed)},
          {"msb", number(t.msb)},
          {"msw", number(t.msw)},
          {"k0", number(t.clusters > 1 ? std::optional(t.k0) : std::nullopt)},
          {"between", component(t.between)},
          {"within", component(t.within)},
          {"icc", number(t.icc)},
          {"icc_interval", t.icc ? estimate_json(t.icc_interval) : Json()},
          {"rho_moment", number(study.rho_moment)},
          {"mean", estimate_json(study.mean.mean)},
          {"sd_of_cluster_means", number(study.mean.sd)},
          {"pipeline_claim", pipeline ? Json("estimate") : Json("INVALID (one-cluster)")},
          {"warnings", study.shares ? Json(study.shares->warnings) : Json::array()}};
}

std::string with_bounds(double point, int digits, const variance::Estimate& e) {
  return short_text(point, digits) +
         (e.low && e.high ? " [" + short_text(*e.low, 5) + ", " + short_text(*e.high, 5) + "]" : " -");
}

report::Section file_section(const FileStudy& study) {
  const auto& t = study.table;
  report::Section out{
      .id = "clusters",
      .title = "Runs in clusters:",
      .aside = counted(t.runs, "run") + " in " + counted(t.clusters, "cluster") +
               (study.file.missing > 0 ? ", " + std::to_string(study.file.missing) + " without a score left out" : "")};
  if (study.shares && !(study.shares->total > 0.0))
    out.blocks.emplace_back(report::Paragraph{"all scores are equal: no variance to attribute"});
  else if (study.shares)
    out.blocks.emplace_back(source_table({.all_drawn = t.runs, .shares = study.shares}, ""));
  report::Facts facts;
  if (t.icc) facts.rows.push_back({"correlation within a cluster", with_bounds(*t.icc, 4, t.icc_interval)});
  if (study.rho_moment)
    facts.rows.push_back({"published moment estimate (not a correlation)", short_text(*study.rho_moment)});
  facts.rows.push_back({"mean over clusters", with_bounds(study.mean.mean.point, 6, study.mean.mean)});
  facts.rows.push_back({"pipeline claim", t.clusters > 1 ? "from " + counted(t.clusters, "cluster")
                                                         : "INVALID (one-cluster): a single cluster supports no claim "
                                                           "about new ones"});
  if (study.shares)
    facts.rows.push_back(
        {"seed", std::to_string(study.seed) + " (--seed repeats the draws for the intervals of the shares)"});
  if (study.shares)
    for (const auto& warning : study.shares->warnings) facts.rows.push_back({"note", warning});
  out.blocks.emplace_back(std::move(facts));
  return out;
}

int run_variance(const Arguments& arguments) {
  if (arguments.has("scores")) {
    refuse_extra(arguments, 0, "variance --scores FILE.csv");
    const auto study = file_study(arguments);
    print_part({.section = file_section(study), .data = file_json(study)}, arguments.has("json"));
    return 0;
  }
  refuse_options(arguments, {"columns", "format"}, {.problem = "needs --scores"});
  const StoreChoice choice = store_choice(arguments, {.usage = "variance [STORE]"});
  const results::Store store = open_for_reading(choice.path);
  const auto study = read_study(store, chosen_study(store, arguments.value("study")));
  if (study.variance) refuse_ci(arguments, *study.variance);
  const auto sources = read_sources(
      store, study, plan_state(store, study.plan),
      {.metric = arguments.value("metric"), .variant = arguments.value("variant"), .options = options_from(arguments)});
  const BudgetChoice budget{.budget = arguments.number("budget", {0, 1e9, true, false}),
                            .se = arguments.number("se", {0, 1e12, true, false})};
  report::Part part = source_part(sources, budget);
  std::erase_if(part.section->blocks, [](const auto& block) { return std::holds_alternative<report::Figure>(block); });
  print_part(part, arguments.has("json"));
  return 0;
}

}  // namespace

Command variance_command() {
  return {
      .name = "variance",
      .group = "judge",
      .purpose = "show where the variance comes from, source by source, and the gain from re-drawing each source",
      .examples = {"retrial variance sources.db", "retrial variance sources.db --metric accuracy --ci bootstrap",
                   "retrial variance searches.db --budget 500 --se 0.2", "retrial variance --scores runs.csv"},
      .arguments = "[STORE]",
      .options = {{.name = "scores",
                   .value_name = "FILE",
                   .meaning = "analyze your own runs in clusters: a CSV file with the columns cluster and score"},
                  score_file_options()[0],
                  score_file_options()[1],
                  {.name = "metric", .value_name = "NAME", .meaning = "metric to analyze (default: the declared one)"},
                  {.name = "variant", .value_name = "NAME", .meaning = "analyze only this variant"},
                  {.name = "ci",
                   .value_name = "METHOD",
                   .meaning = "method for intervals (default: satterthwaite; for seed designs bootstrap)",
                   .choices = {"satterthwaite", "pivotal", "bootstrap"}},
                  {.name = "alpha", .value_name = "X", .meaning = "intervals have the level 1 - alpha (default 0.05)"},
                  {.name = "resamples", .value_name = "R", .meaning = "bootstrap draws per interval (default 1000)"},
                  {.name = "budget",
                   .value_name = "TRAININGS",
                   .meaning = "best number of searches and runs for this many trainings"},
                  {.name = "se", .value_name = "X", .meaning = "cheapest plan for a standard error of X"},
                  {.name = "seed",
                   .value_name = "N",
                   .meaning = "--scores only: root seed of the draws (default: drawn and printed)"},
                  study_option(),
                  {.name = "json",
                   .meaning = "one JSON document (schema retrial.variance/1; with --scores retrial.variance_file/1)"}},
      .run = run_variance};
}

}  // namespace retrial::harness::inline commands
