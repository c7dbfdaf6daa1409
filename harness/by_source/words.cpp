#include "harness/by_source/words.hpp"

#include <algorithm>
#include <cmath>

#include "harness/judge/verdict_words.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline by_source {
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

}  // namespace

std::string source_name(const std::string& source) {
  return source == search_source ? "hopt (search)" : source;
}

std::vector<SourceLine> source_lines(const VariantSources& variant) {
  std::vector<SourceLine> out;
  if (!variant.shares) return out;
  const auto& shares = *variant.shares;
  for (const auto& row : shares.sources) out.push_back(line_of(source_name(row.source), row));
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
  std::string out =
      "The largest source is " + source_name(rows[0]->source) + " (" + percent(rows[0]->share.point) + ")";
  if (rows.size() > 1) out += ", then " + source_name(rows[1]->source) + " (" + percent(rows[1]->share.point) + ")";
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
  const auto beyond = [](const SourceContribution& row) { return row.share.high && *row.share.high > 1.0; };
  if (variant.shares && std::any_of(variant.shares->sources.begin(), variant.shares->sources.end(), beyond))
    out.push_back(
        "an interval beyond 100 %: a source alone and all of them together were each seen in few runs, so the "
        "quotient of the two variances is known badly; more runs narrow it");
  const auto open = [](const SourceContribution& row) { return interval_of(row.variance).ends_with("none]"); };
  if (variant.shares && std::any_of(variant.shares->sources.begin(), variant.shares->sources.end(), open))
    out.push_back("none: with so few levels the variance has no upper bound worth the name");
  if (variant.shares)
    for (const auto& warning : variant.shares->warnings) out.push_back(warning);
  return out;
}

std::vector<GroupLine> group_lines(const SourceStudy& study, const VariantSources& variant) {
  std::vector<GroupLine> out;
  if (!variant.groups) return out;
  const auto bounds = [](const variance::Estimate& e) { return e.low ? interval_of(e) : std::string("-"); };
  const std::string name = source_name(study.design.sources.front());
  for (const auto& one : variant.groups->groups)
    out.push_back({.group = name + " " + std::to_string(out.size()),
                   .runs = std::to_string(one.runs),
                   .mean = short_text(one.mean.point),
                   .interval = bounds(one.mean),
                   .effect = (one.effect.point > 0 ? "+" : "") + short_text(one.effect.point, 3),
                   .effect_interval = bounds(one.effect)});
  return out;
}

std::string group_title(const SourceStudy& study) {
  return "What each draw of " + source_name(study.design.sources.front()) + " is worth";
}

std::vector<std::string> group_notes(const SourceStudy& study, const VariantSources& variant) {
  if (!variant.groups) return {};
  const auto& table = *variant.groups;
  std::vector<std::string> out;
  if (table.p) {
    const std::string what = "the draws of " + source_name(study.design.sources.front());
    out.push_back((*table.p < 1.0 - table.level ? what + " differ by more than their runs do"
                                                : what + " are not told apart by their runs") +
                  ": F(" + std::to_string(table.df_between) + ", " + std::to_string(table.df_within) +
                  ") = " + short_text(*table.statistic, 3) + ", p = " + short_text(*table.p, 2));
  }
  out.push_back("effect: mean of its runs less the mean of all groups; intervals of " + percent(table.level) +
                " each by itself, from the pooled variance within groups");
  return out;
}

std::string claim_text(const SourceClaim& claim) {
  if (!claim.valid)
    return claim.scope + ": INVALID (one-cluster): " + claim.basis + " can carry no claim about new ones";
  std::string out = claim.scope + ": mean " + short_text(claim.mean.point);
  if (claim.mean.low) out += ", " + percent(claim.mean.level) + " interval " + interval_of(claim.mean);
  return out + ", from " + claim.basis;
}

std::vector<std::string> estimator_notes(const VariantSources& variant) {
  std::vector<std::string> out;
  if (variant.ideal) {
    const auto& ideal = *variant.ideal;
    out.push_back("IdealEst(" + std::to_string(ideal.k) + "), the first run of each group: mean " +
                  short_text(ideal.mean.point) + ", " + percent(ideal.mean.level) + " interval " +
                  interval_of(ideal.mean) + ", sd " + short_text(*ideal.sd) + " of one run; " +
                  short_text(ideal.trainings, 10) + " trainings");
  }
  if (!variant.estimator) return out;
  const auto& e = *variant.estimator;
  const auto k = static_cast<std::int64_t>(e.sd_of_mean.size());
  const std::string runs = counted(k, "run") + " of one group";
  out.push_back(runs + " correlate by " + short_text(e.rho, 3) + ": their mean has sd " +
                short_text(e.sd_of_mean.back()) + " over groups, that of as many ideal runs " +
                short_text(e.ideal.back()));
  out.push_back(runs + " are worth " + short_text(e.effective, 3) + " ideal runs");
  out.push_back("bias of all runs against the ideal ones: " + short_text(e.bias) + " (se of the mean over groups " +
                short_text(e.bias_se) + ")");
  return out;
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
    out.push_back(
        who + ": INVALID (one-cluster): one search, or one draw of what is frozen, carries no claim about new ones");
  else
    out.push_back(who + ": " + short_text(d.mean.point) +
                  (d.mean.low ? ", " + percent(d.mean.level) + " interval " + interval_of(d.mean) : "") + ", from " +
                  counted(d.clusters, "cluster"));
  if (d.p_not_better)
    out.push_back("flipping the signs of whole clusters: p = " + short_text(*d.p_not_better) + " of a " + d.candidate +
                  " that is no better");
  if (d.sign)
    out.push_back(d.candidate + " won " + std::to_string(d.sign->wins) + " of " + counted(d.clusters, "cluster") +
                  (d.sign->ties > 0 ? " (" + std::to_string(d.sign->ties) + " tied)" : "") +
                  ": p = " + short_text(d.sign->p_greater) + " by the cluster sign test");
  return out;
}

std::string design_sentence(const SourceStudy& study) {
  const auto& d = study.design;
  const std::string runs = std::to_string(d.runs), groups = std::to_string(d.groups);
  if (d.design == "oat") return "one source at a time around one base seed, " + runs + " runs each, and all together";
  if (d.design == "crossed")
    return groups + " seeds of " + source_name(d.sources[0]) + " crossed with " + runs + " of " +
           source_name(d.sources[1]);
  if (d.design == "nested") return groups + " draws of " + source_name(d.sources[0]) + ", " + runs + " runs with each";
  if (d.design == "saltelli") return runs + " pairs of runs, and for each source one that exchanges it (Saltelli)";
  if (d.design == "matched") return runs + " runs, matched in pairs that share one source";
  if (d.design == "ideal") return runs + " ideal runs, every source drawn anew for each";
  const std::string what =
      study.search ? (d.groups == 1 ? " search" : " searches") : (d.groups == 1 ? " group" : " groups");
  return groups + what + ", " + runs + " runs with each, which draw anew " + results::joined(d.sources);
}

}  // namespace retrial::harness::inline by_source
