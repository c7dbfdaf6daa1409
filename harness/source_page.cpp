#include "harness/source_page.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "harness/output.hpp"
#include "harness/table.hpp"
#include "harness/terminal.hpp"
#include "harness/verdict_words.hpp"
#include "results/error.hpp"
#include "results/text.hpp"
#include "variance/power.hpp"

namespace retrial::harness {
namespace {

using variance::Estimate;
using variance::SourceContribution;

/// So far above the point that it says nothing: two degrees of freedom and fewer have such bounds.
constexpr double useless = 1e6;

std::string interval_of(const Estimate& estimate, double scale = 1.0) {
  if (!estimate.low || !estimate.high) return "-";
  if (*estimate.high > useless * estimate.point && estimate.point > 0.0)
    return "[" + short_text(*estimate.low * scale, 3) + ", none]";
  return "[" + short_text(*estimate.low * scale, 3) + ", " + short_text(*estimate.high * scale, 3) + "]";
}

std::string share_text(const SourceContribution& row) {
  const std::string text = percent(row.share.point);
  return row.raw_share < 0.0 ? text + " (raw " + percent(row.raw_share) + ")" : text;
}

std::string root_text(double variance) {
  return short_text(std::sqrt(std::max(0.0, variance)));
}

SourceLine line_of(const std::string& name, const SourceContribution& row) {
  return {.source = name,
          .sd = root_text(row.variance.point),
          .share = share_text(row),
          .interval = row.share.low ? interval_of(row.share, 100) + " %" : "-",
          .variance = row.variance.low ? interval_of(row.variance) : "-",
          .runs = std::to_string(row.runs)};
}

std::string named(const std::string& source) {
  return source == search_source ? "hopt (search)" : source;
}

std::string level_text(double level) {
  return percent(level);
}

/// Components between and within clusters that share one search, where the design has them.
struct Between {
  double between = 0.0, within = 0.0;
};
std::optional<Between> between_of(const SourceStudy& study, const VariantSources& variant) {
  const bool grouped = study.design.design == "fix_hopt" || study.design.design == "nested";
  if (!grouped || !variant.shares || variant.shares->sources.size() != 2 || !study.search) return {};
  const double noise = variant.shares->noise ? variant.shares->noise->variance.point : 0.0;
  return Between{.between = variant.shares->sources[0].variance.point,
                 .within = variant.shares->sources[1].variance.point + noise};
}

Between demand_between(const SourceStudy& study, const VariantSources& variant, const char* option) {
  const auto found = between_of(study, variant);
  if (found && found->within > 0.0) return *found;
  throw Error({.exit = Exit::incomparable,
               .code = "variance.no_clusters",
               .field = option,
               .problem = "needs runs in groups that share one search",
               .help = "design = \"fix_hopt\" or \"nested\" with groups = 2 and more, and a [search]"});
}

std::string purchase_text(const VariantSources& variant, std::int64_t k) {
  const auto& shares = *variant.shares;
  if (shares.sources.size() < 2 || !(shares.total > 0.0)) return "";
  TextTable table({{"drawn anew for every run"}, {std::to_string(k) + " runs are worth", Align::right}, {""}});
  table.add({"nothing", "1", "one run and its copies"});
  std::string so_far;
  for (const auto& step : variance::order_of_purchase(shares, k)) {
    so_far += (so_far.empty() ? "" : " + ") + named(step.source);
    table.add({so_far, short_text(step.worth, 3), "independent runs at most"});
  }
  return "\n" + bold("What drawing one more source anew buys") + "\n" + table.text(2, terminal_width());
}

std::string shares_text(const SourceStudy& study, const VariantSources& variant) {
  std::string out;
  if (variant.shares) {
    const auto lines = source_lines(variant);
    const bool total = !variant.shares->sources.empty() && variant.shares->sources.front().total_share.has_value();
    const std::string level = level_text(variant.shares->sources.front().share.level);
    std::vector<Column> columns{
        {"source"},          {"sd", Align::right},  {"share", Align::right}, {level + " interval"},
        {"of the variance"}, {"runs", Align::right}};
    if (total) columns.push_back({"with interactions", Align::right});
    TextTable table(columns);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const auto& line = lines[i];
      std::vector<std::string> cells{line.source, line.sd, line.share, line.interval, line.variance, line.runs};
      if (total && i < variant.shares->sources.size())
        cells.push_back(percent(variant.shares->sources[i].total_share->point));
      table.add(cells);
    }
    out += table.text(2, terminal_width());
  } else {
    out += "  sd " + (variant.sd ? short_text(*variant.sd) : "-") + " over " + counted(variant.runs, "run") +
           "; this design tells no sources apart\n";
  }
  out += "\n";
  for (const auto& text : source_notes(study, variant))
    for (const auto& line : wrapped(text, terminal_width() - 2)) out += "  " + line + "\n";
  return out;
}

std::string budget_text(const SourceStudy& study, const VariantSources& variant, const BudgetChoice& choice) {
  std::string out;
  if (choice.budget) {
    const auto parts = demand_between(study, variant, "--budget");
    const auto plan = variance::plan_budget(*choice.budget, *study.search_trainings, parts.between, parts.within);
    out += "  " + short_text(*choice.budget, 10) + " trainings: " + counted(plan.searches, "search") +
           (plan.searches == 1 ? "" : "es") + " with " + counted(plan.runs_per_search, "run") +
           " each give a standard error of " + short_text(plan.se) + ", worth " + short_text(plan.effective) +
           " ideal runs (ideal runs alone: " + short_text(plan.ideal_se) + ")\n";
  }
  if (choice.se) {
    const auto parts = demand_between(study, variant, "--se");
    const auto plan = variance::allocate_runs(*study.search_trainings, parts.between, parts.within, *choice.se);
    out += "  a standard error of " + short_text(*choice.se) + " takes " + std::to_string(plan.searches) +
           " searches with " + counted(plan.runs_per_search, "run") + " each: " + short_text(plan.trainings, 10) +
           " trainings\n";
  }
  return out.empty() ? "" : "\n" + bold("What precision costs") + "\n" + out;
}

Json number(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? Json(results::rounded10(*value)) : Json();
}

Json estimate_json(const Estimate& estimate) {
  return {{"point", number(estimate.point)},
          {"low", number(estimate.low)},
          {"high", number(estimate.high)},
          {"level", number(estimate.level)},
          {"method", estimate.method}};
}

Json contribution_json(const SourceContribution& row) {
  return {{"source", row.source},
          {"runs", row.runs},
          {"raw_variance", number(row.raw)},
          {"variance", estimate_json(row.variance)},
          {"raw_share", number(row.raw_share)},
          {"share", estimate_json(row.share)},
          {"total_share", row.total_share ? estimate_json(*row.total_share) : Json()}};
}

Json numbers(const std::vector<double>& values) {
  Json out = Json::array();
  for (const double value : values) out.push_back(number(value));
  return out;
}

Json shares_json(const variance::SourceShares& shares, std::int64_t runs) {
  Json sources = Json::array(), steps = Json::array();
  for (const auto& row : shares.sources) sources.push_back(contribution_json(row));
  if (shares.sources.size() > 1 && shares.total > 0.0)
    for (const auto& step : variance::order_of_purchase(shares, runs))
      steps.push_back({{"source", step.source}, {"worth", number(step.worth)}});
  return {{"method", shares.method},
          {"total_variance", number(shares.total)},
          {"sources", std::move(sources)},
          {"interaction", shares.interaction ? contribution_json(*shares.interaction) : Json()},
          {"noise", shares.noise ? contribution_json(*shares.noise) : Json()},
          {"one_more_source", std::move(steps)},
          {"warnings", shares.warnings}};
}

Json claims_json(const std::vector<SourceClaim>& claims) {
  Json out = Json::array();
  for (const auto& claim : claims)
    out.push_back({{"scope", claim.scope},
                   {"status", claim.valid ? Json("estimate") : Json("INVALID")},
                   {"reason", claim.valid ? Json() : Json("one-cluster")},
                   {"basis", claim.basis},
                   {"mean", claim.valid ? estimate_json(claim.mean) : Json()}});
  return out;
}

Json noise_json(const VariantSources& variant) {
  if (!variant.noise) return nullptr;
  return {{"replicates", variant.noise->runs},
          {"bit_identical", variant.noise->bit_identical},
          {"variance", estimate_json(variant.noise->variance)}};
}

Json estimator_json(const std::optional<variance::EstimatorStudy>& estimator) {
  if (!estimator) return nullptr;
  return {{"rho", number(estimator->rho)},
          {"bias", number(estimator->bias)},
          {"bias_se", number(estimator->bias_se)},
          {"mse", number(estimator->mse)},
          {"effective_runs", number(estimator->effective)},
          {"sd_of_mean", numbers(estimator->sd_of_mean)},
          {"ideal_sd_of_mean", numbers(estimator->ideal)}};
}

Json budget_json(const SourceStudy& study, const VariantSources& variant, const BudgetChoice& choice) {
  Json out = nullptr;
  if (choice.budget) {
    const auto parts = demand_between(study, variant, "--budget");
    const auto plan = variance::plan_budget(*choice.budget, *study.search_trainings, parts.between, parts.within);
    out["budget"] = {
        {"searches", plan.searches}, {"runs_per_search", plan.runs_per_search},  {"trainings", number(plan.trainings)},
        {"se", number(plan.se)},     {"effective_runs", number(plan.effective)}, {"ideal_se", number(plan.ideal_se)}};
  }
  if (choice.se) {
    const auto parts = demand_between(study, variant, "--se");
    const auto plan = variance::allocate_runs(*study.search_trainings, parts.between, parts.within, *choice.se);
    out["se"] = {
        {"searches", plan.searches}, {"runs_per_search", plan.runs_per_search}, {"trainings", number(plan.trainings)}};
  }
  return out;
}

Json variant_json(const SourceStudy& study, const VariantSources& variant, const BudgetChoice& choice) {
  std::optional<double> floor_share;
  if (variant.floor && variant.sd && *variant.sd > 0.0)
    floor_share = (*variant.floor / *variant.sd) * (*variant.floor / *variant.sd);
  return {{"variant", variant.variant},
          {"runs", variant.runs},
          {"all_drawn", variant.all_drawn},
          {"failed", variant.failed},
          {"not_finite", variant.not_finite},
          {"trainings", number(variant.trainings)},
          {"mean", number(variant.mean)},
          {"sd", number(variant.sd)},
          {"shares", variant.shares ? shares_json(*variant.shares, study.design.runs) : Json()},
          {"numerical_noise", noise_json(variant)},
          {"binomial_floor", number(variant.floor)},
          {"binomial_floor_share", number(floor_share)},
          {"coarse_metric", variant.coarse},
          {"estimator", estimator_json(variant.estimator)},
          {"claims", claims_json(variant.claims)},
          {"budget", budget_json(study, variant, choice)}};
}

Json difference_json(const std::optional<SourceDifference>& d) {
  if (!d) return nullptr;
  return {
      {"candidate", d->candidate},
      {"baseline", d->baseline},
      {"runs", d->runs},
      {"clusters", d->clusters},
      {"status", d->valid ? "estimate" : "INVALID"},
      {"reason", d->valid ? Json() : Json("one-cluster")},
      {"mean", d->valid ? estimate_json(d->mean) : Json()},
      {"p_not_better", number(d->p_not_better)},
  };
}

}  // namespace

std::vector<SourceLine> source_lines(const VariantSources& variant) {
  std::vector<SourceLine> out;
  if (!variant.shares) return out;
  const auto& shares = *variant.shares;
  for (const auto& row : shares.sources) out.push_back(line_of(named(row.source), row));
  if (shares.interaction) out.push_back(line_of("interaction", *shares.interaction));
  if (shares.noise) {
    out.push_back(line_of("numerical noise", *shares.noise));
  } else if (variant.noise && variant.noise->bit_identical) {
    out.push_back({.source = "numerical noise",
                   .sd = "0",
                   .share = "0 %",
                   .interval = "bit-identical",
                   .variance = "",
                   .runs = std::to_string(variant.noise->runs)});
  }
  out.push_back({.source = "one run, all drawn",
                 .sd = root_text(shares.total),
                 .share = "100 %",
                 .interval = "",
                 .variance = "",
                 .runs = std::to_string(variant.all_drawn)});
  return out;
}

std::string summary_sentence(const VariantSources& variant) {
  if (!variant.shares) return "";
  std::vector<const SourceContribution*> rows;
  for (const auto& row : variant.shares->sources)
    if (row.share.point > 0.0) rows.push_back(&row);
  std::stable_sort(rows.begin(), rows.end(), [](auto* a, auto* b) { return a->share.point > b->share.point; });
  if (rows.empty()) return "";
  std::string out = "The largest source is " + named(rows[0]->source) + " (" + percent(rows[0]->share.point) + ")";
  if (rows.size() > 1) out += ", then " + named(rows[1]->source) + " (" + percent(rows[1]->share.point) + ")";
  return out + ".";
}

std::vector<std::string> source_notes(const SourceStudy& study, const VariantSources& variant) {
  std::vector<std::string> out;
  const std::string replicates = counted(variant.replicates, "run") + " with every seed frozen";
  if (variant.noise && variant.noise->bit_identical)
    out.push_back("numerical noise: " + replicates + " are bit-identical");
  else if (variant.noise)
    out.push_back("numerical noise: " + replicates + " differ, sd " + root_text(variant.noise->variance.point));
  else
    out.push_back("numerical noise: not known, it takes five runs with every seed frozen and there " +
                  std::string(variant.replicates == 1 ? "is 1" : "are " + std::to_string(variant.replicates)));
  out.push_back("not varied: " + (study.held.empty()
                                      ? "nothing that is honoured"
                                      : results::joined(study.held) +
                                            " (pair 0 in every run, so that the shares hold for this draw of them)"));
  if (variant.floor && variant.sd && *variant.sd > 0.0) {
    const double share = (*variant.floor / *variant.sd) * (*variant.floor / *variant.sd);
    out.push_back("the choice of the test items alone gives an sd of " + short_text(*variant.floor) + ": " +
                  (share >= 1.0 ? "100 % or more" : percent(share)) + " of the variance");
  }
  if (variant.failed > 0) out.push_back(counted(variant.failed, "run") + " failed and left out");
  if (variant.not_finite > 0)
    out.push_back(counted(variant.not_finite, "run") +
                  " without a finite score left out: what is said holds for those "
                  "that did not diverge");
  if (variant.coarse)
    out.push_back(
        "fewer distinct scores than half the runs: the metric is a coarse count, and intervals that take "
        "scores for normal are approximate");
  if (variant.shares)
    for (const auto& warning : variant.shares->warnings) out.push_back(warning);
  return out;
}

std::string claim_text(const SourceClaim& claim) {
  if (!claim.valid)
    return claim.scope + ": INVALID (one-cluster): " + claim.basis + " can carry no claim about new ones";
  std::string out = claim.scope + ": mean " + short_text(claim.mean.point);
  if (claim.mean.low) out += ", " + level_text(claim.mean.level) + " interval " + interval_of(claim.mean);
  return out + ", from " + claim.basis;
}

std::vector<std::string> estimator_notes(const SourceStudy&, const VariantSources& variant) {
  if (!variant.estimator) return {};
  const auto& e = *variant.estimator;
  const auto k = static_cast<std::int64_t>(e.sd_of_mean.size());
  return {"runs of one group correlate by " + short_text(e.rho, 3),
          "the mean of " + counted(k, "run") + " of one group has sd " + short_text(e.sd_of_mean.back()) +
              " over groups, where as many ideal runs would have " + short_text(e.ideal.back()),
          counted(k, "run") + " of one group are worth " + short_text(e.effective, 3) + " ideal runs",
          "bias against the first runs of the groups, which are ideal ones: " + short_text(e.bias) + " (se " +
              short_text(e.bias_se) + ")"};
}

std::vector<std::string> difference_notes(const SourceStudy& study) {
  std::vector<std::string> out;
  if (study.pairing_gain)
    out.push_back("sharing seeds makes a pair of runs worth " + short_text(*study.pairing_gain, 3) +
                  " pairs of unrelated ones");
  if (!study.difference) return out;
  const auto& d = *study.difference;
  const std::string who = d.candidate + " - " + d.baseline;
  if (!d.valid)
    out.push_back(who + ": INVALID (one-cluster): one search, so that nothing is claimed of the pipeline");
  else
    out.push_back(who + ": " + short_text(d.mean.point) +
                  (d.mean.low ? ", " + level_text(d.mean.level) + " interval " + interval_of(d.mean) : "") + ", from " +
                  counted(d.clusters, "cluster"));
  if (d.p_not_better)
    out.push_back("flipping the signs of whole clusters: p = " + short_text(*d.p_not_better) + " of a " + d.candidate +
                  " that is no better");
  return out;
}

std::string design_sentence(const SourceStudy& study) {
  const auto& d = study.design;
  const std::string runs = std::to_string(d.runs), groups = std::to_string(d.groups);
  if (d.design == "oat") return "one source at a time around one base seed, " + runs + " runs each, and all together";
  if (d.design == "crossed")
    return groups + " seeds of " + named(d.sources[0]) + " crossed with " + runs + " of " + named(d.sources[1]);
  if (d.design == "nested") return groups + " draws of " + named(d.sources[0]) + ", " + runs + " runs with each";
  if (d.design == "saltelli") return runs + " pairs of runs, and for each source one that exchanges it (Saltelli)";
  if (d.design == "matched") return runs + " runs, matched in pairs that share one source";
  if (d.design == "ideal") return runs + " ideal runs, every source drawn anew for each";
  return groups + (d.groups == 1 ? " search" : " searches") + ", " + runs +
         " runs with the result of each, which draw anew " + results::joined(d.sources);
}

std::string source_page(const SourceStudy& study, const BudgetChoice& choice) {
  std::string out;
  for (const auto& variant : study.variants) {
    if (!out.empty()) out += "\n";
    out += bold("Where the variance of " + study.metric.name + " comes from: " + variant.variant) + "\n";
    for (const auto& line :
         wrapped(design_sentence(study) + "; " + short_text(variant.trainings, 10) + " trainings in all",
                 terminal_width() - 2))
      out += "  " + line + "\n";
    if (const auto summary = summary_sentence(variant); !summary.empty()) out += "  " + summary + "\n";
    out += "\n" + shares_text(study, variant);
    if (variant.shares) out += purchase_text(variant, study.design.runs);
    std::vector<std::string> lines = estimator_notes(study, variant);
    if (!lines.empty()) out += "\n" + bold("What a search that is fixed costs") + "\n";
    for (const auto& line : lines) out += "  " + line + "\n";
    if (!variant.claims.empty()) out += "\n" + bold("What may be claimed") + "\n";
    for (const auto& claim : variant.claims)
      for (const auto& line : wrapped(claim_text(claim), terminal_width() - 2)) out += "  " + line + "\n";
    out += budget_text(study, variant, choice);
  }
  const auto notes = difference_notes(study);
  if (!notes.empty()) out += "\n" + bold("Both variants under the same seeds") + "\n";
  for (const auto& line : notes) out += "  " + line + "\n";
  return out;
}

Json source_document(const SourceStudy& study, const BudgetChoice& choice) {
  Json variants = Json::array();
  for (const auto& variant : study.variants) variants.push_back(variant_json(study, variant, choice));
  return {{"schema", "retrial.variance/1"},
          {"metric", study.metric.name},
          {"unit", study.metric.unit},
          {"design", document_of(study.design)},
          {"search", study.search ? document_of(*study.search) : Json()},
          {"not_varied", study.held},
          {"variants", std::move(variants)},
          {"difference", difference_json(study.difference)},
          {"pairing_gain", number(study.pairing_gain)}};
}

}  // namespace retrial::harness
