#include "harness/verdict_document.hpp"

#include "results/text.hpp"

namespace retrial::harness {
namespace {

using variance::Estimate;
using variance::Verdict;

Json number(double value) {
  return results::rounded10(value);
}
Json number(const std::optional<double>& value) {
  return value ? number(*value) : Json();
}

Json estimate_json(const Estimate& estimate) {
  return {{"point", number(estimate.point)},
          {"low", number(estimate.low)},
          {"high", number(estimate.high)},
          {"level", number(estimate.level)},
          {"method", estimate.method}};
}

Json summary_json(const variance::VariantSummary& summary) {
  return {{"runs", summary.runs},
          {"missing", summary.missing},
          {"diverged", summary.diverged},
          {"mean", number(summary.mean)},
          {"sd", number(summary.sd)},
          {"binomial_floor", number(summary.binomial_floor)},
          {"floor_share", number(summary.floor_share)}};
}

Json rule_json(const variance::FixedRule& rule) {
  return {{"pairs", rule.pairs},
          {"better_from", rule.better_from ? Json(*rule.better_from) : Json()},
          {"not_meaningful_to", rule.not_meaningful_to ? Json(*rule.not_meaningful_to) : Json()},
          {"size", number(rule.size)},
          {"power", number(rule.power)},
          {"least_p", number(rule.least_p)}};
}

Json difference_json(const variance::PairedT& t) {
  Json out = estimate_json(t.mean);
  out.update({{"statistic", number(t.statistic)},
              {"df", number(t.df)},
              {"p_less", number(t.p_less)},
              {"p_greater", number(t.p_greater)},
              {"p_two", number(t.p_two)},
              {"degenerate", t.degenerate}});
  return out;
}

Json unpaired_json(const variance::UnpairedTheta& theta, const std::optional<double>& paired_se) {
  return {{"theta", number(theta.theta)},
          {"ties", theta.ties},
          {"se", number(theta.se)},
          {"paired_se", number(paired_se)},
          {"interval", estimate_json(theta.interval)}};
}

Json equivalence_json(const variance::Equivalence& equivalence) {
  return {{"p_above", number(equivalence.test.p_above)},
          {"p_below", number(equivalence.test.p_below)},
          {"equivalent", equivalence.test.equivalent},
          {"difference", estimate_json(equivalence.difference)}};
}

Json design_json(const variance::Design& design) {
  static const std::vector<std::string> policies{"loss", "drop", "refuse"};
  return {{"alpha", number(design.alpha)},
          {"beta", number(design.beta)},
          {"gamma", number(design.gamma)},
          {"gamma_mode", "paired"},
          {"tie_limit", number(design.tie_limit)},
          {"margin", number(design.margin)},
          {"pairs", design.pairs},
          {"failure", policies.at(static_cast<std::size_t>(design.failure))},
          {"family", "fixed"},
          {"test", "pab_exact"}};
}

Json flags_json(const variance::Flags& flags) {
  return {{"drift", flags.drift},
          {"coarse_metric", flags.coarse_metric},
          {"small_sample", flags.small_sample},
          {"degenerate", flags.degenerate},
          {"conditional_on_ties", flags.conditional_on_ties}};
}

Json more_pairs_json(const variance::MorePairs& more) {
  return {{"pairs", more.pairs ? Json(*more.pairs) : Json()}, {"probability", number(more.probability)}};
}

template <typename T, typename Writer>
Json or_null(const std::optional<T>& value, const Writer& writer) {
  return value ? writer(*value) : Json();
}

/// What is compared, under which names and documents.
Json subject_json(const Judged& judged) {
  const Comparison& c = judged.comparison;
  return {{"schema", "retrial.verdict/1"},
          {"study", judged.study.name},
          {"study_digest", results::hex(judged.study.digest)},
          {"seed", judged.study.seed},
          {"workload", judged.study.workload},
          {"candidate", c.design.candidate},
          {"baseline", c.design.baseline},
          {"claim", claim_of(c.design)},
          {"metric", c.metric.name},
          {"unit", c.metric.unit},
          {"direction", results::name_of(c.metric.direction)},
          {"design", design_json(c.design)},
          {"design_digest", c.design_digest ? Json(results::hex(*c.design_digest)) : Json()},
          {"declared", c.undeclared.empty()},
          {"undeclared", c.undeclared},
          {"inputs", results::hex(c.inputs)},
          {"randomised", judged.study.vary},
          {"frozen", judged.study.hold}};
}

}  // namespace

std::string claim_of(const variance::Design& design) {
  return design.candidate + "|" + design.baseline + "/" + design.metric;
}

Json verdict_document(const Judged& judged) {
  const Verdict& v = judged.verdict;
  Json out = subject_json(judged);
  out.update(
      {{"status", variance::name_of(v.status)},
       {"reason", v.reason ? Json(variance::name_of(*v.reason)) : Json()},
       {"detail", v.detail},
       {"sentence", variance::sentence(v)},
       {"pairs", v.counts.pairs()},
       {"wins", v.counts.wins},
       {"ties", v.counts.ties},
       {"losses", v.counts.losses},
       {"dropped_pairs", v.dropped_pairs},
       {"complete_pairs", v.complete_pairs},
       {"candidate_summary", summary_json(v.candidate)},
       {"baseline_summary", summary_json(v.baseline)},
       {"paired_p", estimate_json(v.paired_p)},
       {"unpaired", or_null(v.unpaired, [&](const auto& theta) { return unpaired_json(theta, v.paired_theta_se); })},
       {"difference", or_null(v.difference, difference_json)},
       {"pairing_gain", number(v.pairing_gain)},
       {"equivalence", or_null(v.equivalence, equivalence_json)},
       {"planned", rule_json(v.planned)},
       {"applied", rule_json(v.applied)},
       {"p_better", number(v.p_better)},
       {"p_worse", number(v.p_worse)},
       {"more_pairs", or_null(v.more_pairs, more_pairs_json)},
       {"drift_p", v.drift_test ? number(v.drift_test->p_two) : Json()},
       {"flags", flags_json(v.flags)},
       {"warnings", v.warnings}});
  return out;
}

Json stored_form(const Json& document) {
  if (document.is_number_float()) return results::hex_of_bits(document.get<double>());
  if (!document.is_structured()) return document;
  Json out = document;
  for (Json& part : out) part = stored_form(part);
  return out;
}

}  // namespace retrial::harness
