#include "harness/by_source/words.hpp"

#include <algorithm>
#include <cmath>

#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline by_source {
namespace {

using report::right;

using report::Fact;
using variance::Estimate;
using variance::SourceContribution;

/// An upper bound this many times the point says nothing; two degrees of freedom and fewer have such bounds.
constexpr double useless = 1e6;

std::string bounds(const Estimate& estimate, double scale = 1.0) {
  if (!estimate.low || !estimate.high) return "-";
  const bool open = *estimate.high > useless * estimate.point && estimate.point > 0.0;
  return "[" + short_text(*estimate.low * scale, 3) + ", " + (open ? "none" : short_text(*estimate.high * scale, 3)) +
         "]";
}

/// "79.57, 95 % CI [78.5, 80.6]".
std::string with_bounds(const Estimate& estimate) {
  return short_text(estimate.point) + (estimate.low ? ", " + percent(estimate.level) + " CI " + bounds(estimate) : "");
}

std::string share_text(const SourceContribution& row) {
  const std::string text = percent(row.share.point);
  return row.raw_share < 0.0 ? text + " (raw " + percent(row.raw_share) + ")" : text;
}

std::string root_text(double variance) {
  return short_text(std::sqrt(std::max(0.0, variance)));
}

std::vector<report::Cell> row_of(const std::string& name, const SourceContribution& row) {
  return {name,
          root_text(row.variance.point),
          share_text(row),
          row.share.low ? bounds(row.share, 100) + " %" : "-",
          bounds(row.variance),
          std::to_string(row.runs)};
}

std::string noise_text(const VariantSources& variant) {
  const std::string replicates = counted(variant.replicates, "run") + " with every seed frozen ";
  if (!variant.noise)
    return "unknown: it takes five runs with every seed frozen, this study has " + std::to_string(variant.replicates);
  return replicates + (variant.noise->bit_identical ? "are bit-identical"
                                                    : "differ, sd " + root_text(variant.noise->variance.point));
}

void add_limits(const SourceStudy& study, const VariantSources& variant, std::vector<Fact>& out) {
  out.push_back({"numerical noise", noise_text(variant)});
  out.push_back({"not varied", study.held.empty() ? "nothing: every source that matters was varied"
                                                  : results::joined(study.held) +
                                                        ": one draw (pair 0) in every run, so the shares hold for it"});
  if (variant.floor && variant.sd && *variant.sd > 0.0) {
    const double share = (*variant.floor / *variant.sd) * (*variant.floor / *variant.sd);
    out.push_back({"test-set sampling", "alone gives an sd of " + short_text(*variant.floor) + ": " +
                                            (share >= 1.0 ? "100 % or more" : percent(share)) + " of the variance"});
  }
  if (variant.failed > 0) out.push_back({"failed", counted(variant.failed, "run") + ", left out"});
  if (variant.not_finite > 0)
    out.push_back({"not finite", counted(variant.not_finite, "run") +
                                     " without a finite score, left out: the numbers describe runs that did not "
                                     "diverge"});
  if (variant.coarse)
    out.push_back({"coarse metric",
                   "fewer distinct scores than half the runs; intervals that assume normal scores are approximate"});
  if (!variant.shares) return;
  const auto any = [&](auto&& fits) { return std::ranges::any_of(variant.shares->sources, fits); };
  if (any([](const SourceContribution& row) { return row.share.high && *row.share.high > 1.0; }))
    out.push_back({"above 100 %", "the ratio of two variances is poorly estimated from few runs; more runs narrow it"});
  if (any([](const SourceContribution& row) { return bounds(row.variance).ends_with("none]"); }))
    out.push_back({"no upper bound", "too few draws of a source to bound its variance from above"});
  for (const auto& warning : variant.shares->warnings) out.push_back({"note", warning});
}

void add_fixed_search(const VariantSources& variant, std::vector<Fact>& out) {
  if (variant.ideal)
    out.push_back({"IdealEst(" + std::to_string(variant.ideal->k) + ")",
                   "the first run of each group: mean " + with_bounds(variant.ideal->mean) + ", sd " +
                       short_text(*variant.ideal->sd) + " of one run; " + short_text(variant.ideal->trainings, 10) +
                       " trainings"});
  if (!variant.estimator) return;
  const auto& e = *variant.estimator;
  const std::string runs = counted(std::ssize(e.sd_of_mean), "run");
  out.push_back({"fixed search", runs + " of one group are worth " + short_text(e.effective, 3) +
                                     " ideal runs: they correlate by " + short_text(e.rho, 3) + ". Their mean has sd " +
                                     short_text(e.sd_of_mean.back()) + " over groups, that of as many ideal runs " +
                                     short_text(e.ideal.back())});
  out.push_back({"bias", "mean of all runs minus mean of the ideal runs: " + short_text(e.bias) +
                             " (standard error over groups " + short_text(e.bias_se) + ")"});
}

std::string spending(std::int64_t searches, std::int64_t runs) {
  return std::to_string(searches) + " searches with " + counted(runs, "run") + " each";
}

void add_budget(const BudgetAnswer& answer, const BudgetChoice& choice, std::vector<Fact>& out) {
  if (const auto& plan = answer.budget)
    out.push_back({"--budget " + short_text(*choice.budget, 10),
                   spending(plan->searches, plan->runs_per_search) + " give a standard error of " +
                       short_text(plan->se) + ", worth " + short_text(plan->effective) +
                       " ideal runs (ideal runs alone: " + short_text(plan->ideal_se) + ")"});
  if (const auto& plan = answer.se)
    out.push_back({"--se " + short_text(*choice.se), "takes " + spending(plan->searches, plan->runs_per_search) + ": " +
                                                         short_text(plan->trainings, 10) + " trainings"});
}

void add_groups(const SourceStudy& study, const VariantSources& variant, std::vector<Fact>& out) {
  if (!variant.groups) return;
  const auto& table = *variant.groups;
  const std::string source = source_name(study.design.sources.front());
  if (table.p)
    out.push_back({"draws of " + source, (*table.p < 1.0 - table.level ? "differ by more than their runs do: F("
                                                                       : "cannot be told apart by their runs: F(") +
                                             std::to_string(table.df_between) + ", " + std::to_string(table.df_within) +
                                             ") = " + short_text(*table.statistic, 3) +
                                             ", p = " + short_text(*table.p, 2)});
  out.push_back({"CI of a draw", "for one draw alone, from the pooled variance within groups"});
}

}  // namespace

std::string source_name(const std::string& source) {
  return source == search_source ? "hopt (search)" : source;
}

std::string design_sentence(const SourceStudy& study) {
  const auto& d = study.design;
  const std::string runs = std::to_string(d.runs), groups = std::to_string(d.groups);
  if (d.design == "oat") return "one source at a time from one base seed, " + runs + " runs each, then all together";
  if (d.design == "crossed")
    return groups + " seeds of " + source_name(d.sources[0]) + " crossed with " + runs + " of " +
           source_name(d.sources[1]);
  if (d.design == "nested") return groups + " draws of " + source_name(d.sources[0]) + ", " + runs + " runs per draw";
  if (d.design == "saltelli") return runs + " pairs of runs, and for each source one run that exchanges it (Saltelli)";
  if (d.design == "matched") return runs + " runs, matched in pairs that share one source";
  if (d.design == "ideal") return runs + " ideal runs, each of which re-draws every source";
  const std::string noun = study.search ? "search" : "group", many = study.search ? " searches" : " groups";
  return groups + (d.groups == 1 ? " " + noun : many) + ", " + runs + " runs per " + noun + ", which re-draw " +
         results::joined(d.sources);
}

std::string summary_sentence(const VariantSources& variant) {
  std::vector<const SourceContribution*> rows;
  for (const auto& row : variant.shares->sources)
    if (row.share.point > 0.0) rows.push_back(&row);
  std::stable_sort(rows.begin(), rows.end(), [](auto* a, auto* b) { return a->share.point > b->share.point; });
  if (rows.empty()) return "";
  const auto text = [](const SourceContribution& row) {
    return source_name(row.source) + " (" + percent(row.share.point) + ")";
  };
  return "The largest source is " + text(*rows[0]) + (rows.size() > 1 ? ", then " + text(*rows[1]) : "") + ".";
}

std::string claim_text(const SourceClaim& claim) {
  if (!claim.valid)
    return claim.scope + ": INVALID (one-cluster): " + claim.basis + " supports no claim about new ones";
  return claim.scope + ": mean " + with_bounds(claim.mean) + ", from " + claim.basis;
}

report::Table source_table(const VariantSources& variant, std::string caption) {
  const auto& shares = *variant.shares;
  const std::string level = percent(shares.sources.front().share.level) + " CI";
  const bool total = shares.sources.front().total_share.has_value();
  report::Table out{.caption = std::move(caption),
                    .columns = {"source", right("sd"), right("share"), level, "variance " + level, right("runs")}};
  for (const auto& row : shares.sources) out.rows.push_back(row_of(source_name(row.source), row));
  if (shares.interaction) out.rows.push_back(row_of("interaction", *shares.interaction));
  if (shares.noise)
    out.rows.push_back(row_of("numerical noise", *shares.noise));
  else if (variant.noise && variant.noise->bit_identical)
    out.rows.push_back({"numerical noise", "0", "0 %", "bit-identical", "", std::to_string(variant.noise->runs)});
  out.rows.push_back({"all sources", root_text(shares.total), "100 %", "", "", std::to_string(variant.all_drawn)});
  if (!total) return out;
  out.columns.push_back(right("with interactions"));
  for (std::size_t i = 0; i < out.rows.size(); ++i)
    out.rows[i].push_back(i < shares.sources.size() ? percent(shares.sources[i].total_share->point) : "");
  return out;
}

report::Table group_table(const SourceStudy& study, const VariantSources& variant) {
  const std::string level = percent(variant.groups->level) + " CI";
  report::Table out{.caption = "Effect of each draw of " + source_name(study.design.sources.front()) + " on " +
                               variant.variant + " (mean of the group minus the mean of all groups)",
                    .columns = {"group", right("runs"), right("mean"), level, right("effect"), level}};
  for (const auto& one : variant.groups->groups)
    out.rows.push_back({source_name(study.design.sources.front()) + " " + std::to_string(out.rows.size()),
                        std::to_string(one.runs), short_text(one.mean.point), bounds(one.mean),
                        (one.effect.point > 0 ? "+" : "") + short_text(one.effect.point, 3), bounds(one.effect)});
  return out;
}

std::vector<Fact> source_notes(const SourceStudy& study, const VariantSources& variant, const BudgetAnswer& answer,
                               const BudgetChoice& choice) {
  std::vector<Fact> out;
  for (const auto& claim : variant.claims)
    if (claim.valid) out.push_back({"claim", claim_text(claim)});
  add_groups(study, variant, out);
  add_fixed_search(variant, out);
  add_budget(answer, choice, out);
  add_limits(study, variant, out);
  return out;
}

std::vector<Fact> difference_notes(const SourceStudy& study) {
  std::vector<Fact> out;
  if (study.pairing_gain)
    out.push_back({"sharing seeds",
                   "makes a pair of runs worth " + short_text(*study.pairing_gain, 3) + " pairs of unrelated runs"});
  if (!study.difference) return out;
  const auto& d = *study.difference;
  const std::string clusters = counted(d.clusters, "cluster");
  if (d.valid) out.push_back({d.candidate + " - " + d.baseline, with_bounds(d.mean) + ", from " + clusters});
  if (d.p_not_better)
    out.push_back(
        {"sign flips of clusters", "p = " + short_text(*d.p_not_better) + " if " + d.candidate + " is no better"});
  if (d.sign)
    out.push_back(
        {"sign test of clusters", d.candidate + " won " + std::to_string(d.sign->wins) + " of " + clusters +
                                      (d.sign->ties > 0 ? " (" + std::to_string(d.sign->ties) + " tied)" : "") +
                                      ": p = " + short_text(d.sign->p_greater)});
  return out;
}

}  // namespace retrial::harness::inline by_source
