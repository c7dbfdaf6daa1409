#include "harness/by_source/study.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "harness/by_source/table.hpp"
#include "harness/judge/design/scale.hpp"
#include "harness/stored/likeness/emulated_trials.hpp"
#include "harness/stored/metric_summary.hpp"
#include "harness/text/output.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "variance/comparisons/intervals.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/random/rng.hpp"
#include "variance/samples/summary.hpp"
#include "variance/samples/ties.hpp"

namespace retrial::harness::inline by_source {
namespace {

using variance::Clusters;
using variance::NoiseStratum;
using variance::SourceShares;

[[noreturn]] void too_few(const std::string& variant, const std::string& what) {
  throw Error({.exit = Exit::incomparable,
               .code = "variance.missing",
               .where = variant,
               .problem = "too many runs failed or have no finite score: " + what,
               .help = "retrial show shows why they failed; retrial run --retry-failed runs them again"});
}

/// A table that lost runs is solved by restricted maximum likelihood, as far as it can be.
SourceShares crossed_of(const ScoredDesign& table, const VarianceDesign& design,
                        const std::optional<NoiseStratum>& noise, const variance::SharesOptions& options,
                        const std::string& variant) {
  std::vector<std::vector<std::optional<double>>> cells(static_cast<std::size_t>(design.groups));
  std::vector<std::vector<double>> whole(cells.size());
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const auto row = static_cast<std::size_t>(table.rows[i].group);
    cells[row].push_back(table.scores[i]);
    if (table.scores[i]) whole[row].push_back(*table.scores[i]);
  }
  if (present(table.scores).size() == table.scores.size())
    return variance::crossed_shares(design.sources, whole, noise, options);
  if (options.intervals == variance::ShareIntervals::pivotal)
    throw Error({.code = "usage.option_value",
                 .field = "--ci",
                 .value = "pivotal",
                 .problem = "needs mean squares, which the table of " + variant + " does not have: it lost runs",
                 .allowed = "satterthwaite, bootstrap",
                 .help = "retrial run --retry-failed runs the failed ones again"});
  try {
    return variance::incomplete_crossed_shares(design.sources, cells, noise, options);
  } catch (const InvalidInput& invalid) {
    too_few(variant, "a crossed table needs " + invalid.allowed);
  }
}

/// Complete rows of the design; a row that lost a run is left out.
std::vector<double> saltelli_scores(const ScoredDesign& table, std::size_t sources, const std::string& variant) {
  const std::size_t width = sources + 2;
  std::vector<double> out;
  for (std::size_t row = 0; row + width <= table.scores.size(); row += width) {
    const auto begin = table.scores.begin() + static_cast<std::ptrdiff_t>(row);
    const auto end = begin + static_cast<std::ptrdiff_t>(width);
    if (std::all_of(begin, end, [](const auto& score) { return score.has_value(); }))
      for (auto at = begin; at != end; ++at) out.push_back(**at);
  }
  if (out.size() < 2 * width) too_few(variant, "needs two complete rows");
  return out;
}

SourceShares matched_of(const ScoredDesign& table, const VarianceDesign& design,
                        const std::optional<NoiseStratum>& noise, const variance::SharesOptions& options,
                        const std::string& variant) {
  variance::SeedDesign seeds;
  std::vector<double> scores;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    if (!table.scores[i]) continue;
    scores.push_back(*table.scores[i]);
    seeds.emplace_back();
    for (const auto& source : design.sources)
      seeds.back().push_back(static_cast<std::uint32_t>(table.rows[i].indices.at(source)));
  }
  if (scores.size() < 4) too_few(variant, "needs four runs");
  return variance::matched_shares(design.sources, scores, seeds, noise, options);
}

std::string both_names(const std::vector<std::string>& names) {
  return results::joined(names, " + ");
}

/// Nothing for designs that do not separate sources: ideal, and one group of fix_hopt.
std::optional<SourceShares> shares_of(const StudyView& study, const ScoredDesign& table,
                                      const std::optional<NoiseStratum>& noise, const variance::SharesOptions& options,
                                      const std::string& variant) {
  const VarianceDesign& design = *study.variance;
  if (design.design == "oat") {
    Clusters alone;
    for (const auto& source : design.sources) {
      alone.push_back(stratum_of(table, source));
      if (alone.back().size() < 2) too_few(variant, "needs two runs of " + source);
    }
    const bool several = design.sources.size() > 1;
    const auto together = several ? stratum_of(table, "together") : alone.front();
    if (together.size() < 2) too_few(variant, "needs two runs of all sources together");
    return variance::one_at_a_time_shares(design.sources, alone, together, noise, options);
  }
  if (design.design == "crossed") return crossed_of(table, design, noise, options, variant);
  if (design.design == "saltelli")
    return variance::saltelli_shares(design.sources, saltelli_scores(table, design.sources.size(), variant), noise,
                                     options);
  if (design.design == "matched") return matched_of(table, design, noise, options, variant);
  if (design.design == "ideal" || design.groups < 2) return {};
  const bool nested = design.design == "nested";
  const auto outer = nested ? std::vector{design.sources.front()} : not_among(study.vary, design.sources);
  const auto inner = not_among(design.sources, outer);
  const auto clusters = groups_of(table);
  const bool enough =
      clusters.size() > 1 && std::any_of(clusters.begin(), clusters.end(), [](const auto& c) { return c.size() > 1; });
  if (!enough) too_few(variant, "needs two groups, one of them with two runs");
  if (outer.empty()) return {};
  return variance::nested_shares(both_names(outer), both_names(inner), clusters, noise, options);
}

/// Pairs of unrelated runs that one pair with shared seeds is worth.
std::optional<double> pairing_gain(const Scores& baseline, const Scores& candidate) {
  std::vector<double> a, b, differences;
  for (std::size_t i = 0; i < baseline.size(); ++i) {
    if (!baseline[i] || !candidate[i]) continue;
    a.push_back(*candidate[i]);
    b.push_back(*baseline[i]);
    differences.push_back(a.back() - b.back());
  }
  const auto va = variance::sample_variance(a), vb = variance::sample_variance(b),
             vd = variance::sample_variance(differences);
  return vd && *vd > 0.0 ? std::optional((*va + *vb) / *vd) : std::nullopt;
}

variance::Estimate t_interval(const std::vector<double>& scores, double alpha) {
  return variance::ideal_est(scores, 0, {}, alpha).mean;
}

SourceClaim ideal_claim(const StudyView& study, const ScoredDesign& table, double alpha) {
  const auto scores = present(table.scores);
  const std::string runs = counted(static_cast<std::int64_t>(scores.size()), "run");
  return {.scope = study.search ? "pipeline" : "lambda",
          .basis = runs + (study.search ? ", each with a search of its own" : ""),
          .mean = t_interval(scores, alpha)};
}

/// Sources drawn once for all runs of a group. With a single group of fix_hopt: the sources that the study holds.
std::vector<std::string> drawn_once(const StudyView& study) {
  const auto& d = *study.variance;
  if (d.design == "nested") return {d.sources.front()};
  return d.groups > 1 ? not_among(study.vary, d.sources) : study.hold;
}

/// Runs that share a search, or another draw made once, are one observation of it.
std::vector<SourceClaim> claims_of(const StudyView& study, const ScoredDesign& table, double alpha) {
  const auto& d = *study.variance;
  if (d.design == "ideal") return {ideal_claim(study, table, alpha)};
  if (d.design != "fix_hopt" && d.design != "nested") return {};
  const auto clusters = groups_of(table);
  const auto mean = variance::cluster_mean(clusters, alpha);
  const auto once = drawn_once(study);
  const bool search = std::find(once.begin(), once.end(), search_source) != once.end();
  const std::string shared = search ? " that share one search" : " that share one draw of " + both_names(once);
  std::vector<SourceClaim> out;
  if (!once.empty())
    out.push_back({.scope = search ? "pipeline" : "new draws of " + both_names(once),
                   .valid = mean.clusters > 1,
                   .basis = mean.clusters == 1 ? "one cluster of " + counted(mean.runs, "run") + shared
                                               : counted(mean.clusters, "cluster") + " of runs" + shared,
                   .mean = mean.mean});
  if (clusters.size() == 1)
    out.push_back({.scope = "lambda", .basis = counted(mean.runs, "run"), .mean = t_interval(clusters.front(), alpha)});
  return out;
}

/// The first run of each group draws every source itself, the search included: it is an ideal run at no extra cost.
/// Empty unless every group of fix_hopt has its first run.
std::vector<double> ideal_runs(const StudyView& study, const ScoredDesign& table) {
  std::vector<double> out;
  if (study.variance->design != "fix_hopt" || study.variance->groups < 2) return out;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    if (i != 0 && table.rows[i].group == table.rows[i - 1].group) continue;
    if (!table.scores[i]) return {};
    out.push_back(*table.scores[i]);
  }
  return out;
}

/// Absent when a run is missing or the ideal runs do not vary.
std::optional<variance::EstimatorStudy> estimator_of(const ScoredDesign& table, const std::vector<double>& ideal,
                                                     std::uint64_t key) {
  const auto sd = variance::sd(ideal);
  if (!sd || !(*sd > 0.0) || present(table.scores).size() != table.scores.size()) return {};
  return variance::estimator_study(groups_of(table), *variance::mean(ideal), *sd, variance::derive(key, "permutation"));
}

std::optional<double> floor_of(const StudyView& study, const VariantView& variant, const results::MetricDef& metric,
                               std::optional<double> mean) {
  const auto items = variant.test_items.find(metric.name);
  if (items == variant.test_items.end() || items->second < 1 || !mean) return {};
  const double scale = metric.unit == "%" ? 100.0 : 1.0, tau = *mean / scale;
  if (!(tau >= 0.0 && tau <= 1.0)) return {};
  const auto count = effective_items_of(study, variant.name, metric.name).value_or(items->second);
  return variance::binomial_floor(tau, count) * scale;
}

std::vector<Spread> spread_of(const ScoredDesign& table, const VarianceDesign& design) {
  std::vector<Spread> out;
  if (design.design == "oat") {
    for (const auto& source : design.sources) out.push_back({source, stratum_of(table, source)});
    if (design.sources.size() > 1) out.push_back({"all together", stratum_of(table, "together")});
    if (table.replicates.size() > 1) out.push_back({"nothing", table.replicates});
  } else if (design.design == "nested" || design.design == "fix_hopt") {
    const auto groups = groups_of(table);
    for (std::size_t g = 0; g < groups.size(); ++g) out.push_back({"group " + std::to_string(g), groups[g]});
  }
  return out;
}

VariantSources sources_of(const StudyView& study, const VariantView& variant, const ScoredDesign& table,
                          const results::MetricDef& metric, variance::SharesOptions options) {
  options.key = variance::derive(root_of(study), "comparison:variance/" + variant.name);
  VariantSources out{.variant = variant.name, .failed = table.failed, .not_finite = table.not_finite};
  const auto all = present(table.scores), full = present(full_runs(table, *study.variance));
  out.runs = static_cast<std::int64_t>(all.size());
  out.all_drawn = static_cast<std::int64_t>(full.size());
  if (all.empty()) too_few(variant.name, "no run is left");
  out.mean = variance::mean(full);
  out.sd = variance::sd(full);
  out.replicates = static_cast<std::int64_t>(table.replicates.size());
  if (out.replicates >= 5) out.noise = variance::noise_stratum(table.replicates, options.alpha);
  out.shares = shares_of(study, table, out.noise, options, variant.name);
  out.floor = floor_of(study, variant, metric, out.mean);
  out.spread = spread_of(table, *study.variance);
  out.claims = claims_of(study, table, options.alpha);
  if (const auto groups = groups_of(table); study.variance->design == "nested" && groups.size() > 1)
    out.groups = variance::group_effects(groups, options.alpha);
  const auto ideal = ideal_runs(study, table);
  const double trials = study.search ? static_cast<double>(study.search->trials) : 0.0;
  if (ideal.size() > 1)
    out.ideal = variance::ideal_est(ideal, trials, not_among(study.vary, {std::string(search_source)}), options.alpha);
  out.estimator = estimator_of(table, ideal, options.key);
  // In a crossed table a source without effect repeats every score.
  out.coarse =
      study.variance->design != "crossed" && 2 * std::set<double>(full.begin(), full.end()).size() < full.size();
  return out;
}

constexpr std::int64_t max_flipped = 20;

/// Two scores that differ by this or less are tied.
double rounding_of(const ScoredDesign& baseline, const ScoredDesign& candidate) {
  return variance::tie_tolerance(std::nullopt, present(baseline.scores), present(candidate.scores));
}

/// Differences of the first two variants, by cluster.
std::optional<SourceDifference> difference_of(const StudyView& study, const std::vector<VariantView>& variants,
                                              const ScoredDesign& baseline, const ScoredDesign& candidate,
                                              const results::MetricDef& metric, double alpha) {
  std::map<std::int64_t, std::vector<double>> groups;
  const bool ideal = study.variance->design == "ideal";
  const bool grouped = study.variance->design == "fix_hopt" || study.variance->design == "nested";
  if (!ideal && !grouped) return {};
  for (std::size_t i = 0; i < baseline.rows.size(); ++i) {
    if (!baseline.scores[i] || !candidate.scores[i]) continue;
    const auto group = ideal ? static_cast<std::int64_t>(i) : baseline.rows[i].group;
    groups[group].push_back(*candidate.scores[i] - *baseline.scores[i]);
  }
  if (groups.empty()) return {};
  Clusters clusters;
  for (auto& [group, values] : groups) clusters.push_back(std::move(values));
  const auto mean = variance::cluster_mean(clusters, alpha);
  SourceDifference out{.candidate = variants[1].name,
                       .baseline = variants[0].name,
                       .runs = mean.runs,
                       .clusters = mean.clusters,
                       .mean = mean.mean,
                       .valid = mean.clusters > 1};
  if (mean.clusters < 2 || metric.direction == results::Direction::none) return out;
  if (metric.direction == results::Direction::lower)
    for (auto& cluster : clusters)
      for (double& difference : cluster) difference = -difference;
  out.sign = variance::cluster_sign(clusters, rounding_of(baseline, candidate));
  if (mean.clusters > max_flipped) return out;
  std::vector<double> means;
  for (const auto& cluster : clusters) means.push_back(*variance::mean(cluster));
  out.p_not_better = variance::cluster_sign_flip(means);
  return out;
}

void check_complete(const results::Store& store, const std::vector<PlannedTrial>& trials) {
  const auto open = std::count_if(trials.begin(), trials.end(), [](const auto& trial) {
    return trial.state == TrialState::missing || trial.state == TrialState::running;
  });
  if (open == 0) return;
  throw Error({.exit = Exit::incomparable,
               .code = "variance.missing_trials",
               .where = store.path().string(),
               .problem = counted(open, "trial") + " of the plan " + (open == 1 ? "has" : "have") + " not run yet",
               .help = "repeat the same retrial run command; it runs only the missing trials (retrial status " +
                       shell_word(store.path().string()) + ")"});
}

std::vector<VariantView> chosen_variants(const StudyView& study, const std::optional<std::string>& wanted) {
  auto all = judged_variants(study);
  if (!wanted) return all;
  std::vector<std::string> names;
  for (const auto& variant : all) names.push_back(variant.name);
  std::erase_if(all, [&](const auto& variant) { return variant.name != *wanted; });
  if (!all.empty()) return all;
  const auto near = results::nearest(*wanted, names);
  throw Error({.code = "variant.unknown",
               .field = "--variant",
               .value = results::one_line(*wanted, 100),
               .problem = "no such variant in this study",
               .allowed = results::joined(names),
               .help = near ? "did you mean --variant " + *near + "?" : ""});
}

}  // namespace

SourceStudy read_sources(const results::Store& store, const StudyView& study, const std::vector<PlannedTrial>& trials,
                         const SourceChoice& choice) {
  if (!study.variance)
    throw Error({.exit = Exit::incomparable,
                 .code = "variance.no_design",
                 .where = "study " + study.name,
                 .problem = "was not designed to separate sources of variation",
                 .help = "retrial run WORKLOAD --design oat --runs 20 runs such a study (docs/method/variance.md)"});
  check_complete(store, trials);
  demand_one_kind_of_cpu(cpu_kinds(store, study.digest, trials), store.path().string());
  const auto variants = chosen_variants(study, choice.variant);
  SourceStudy out{.metric = metric_named(store.metric_defs(), choice.metric.value_or(study.variance->metric)),
                  .design = *study.variance,
                  .search = study.search,
                  .held = study.hold,
                  .variants = {}};
  const auto stored = store.final_values(out.metric.name);
  const std::map<std::int64_t, double> values(stored.begin(), stored.end());
  std::vector<ScoredDesign> tables;
  for (const auto& variant : variants) {
    tables.push_back(scored_design(study, trials, variant.name, values));
    out.variants.push_back(sources_of(study, variant, tables.back(), out.metric, choice.options));
    for (const auto& trial : trials)
      if (trial.entry.variant == variant.name || trial.entry.variant == variant.name + ".search")
        out.variants.back().trainings += 1.0;
  }
  if (tables.size() > 1)
    out.pairing_gain = pairing_gain(full_runs(tables[0], *study.variance), full_runs(tables[1], *study.variance));
  if (tables.size() > 1)
    out.difference = difference_of(study, variants, tables[0], tables[1], out.metric, choice.options.alpha);
  if (study.search) out.search_trainings = static_cast<double>(study.search->trials);
  return out;
}

}  // namespace retrial::harness::inline by_source
