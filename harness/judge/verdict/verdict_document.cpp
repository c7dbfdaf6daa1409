#include "harness/judge/verdict/verdict_document.hpp"

#include "harness/estimates/estimate_document.hpp"
#include "harness/judge/verdict/answers_text.hpp"
#include "harness/study/declared/design_document.hpp"
#include "harness/text/numbers.hpp"

#include <cmath>

#include "results/record/identity.hpp"
#include "results/text/text.hpp"
#include "variance/designs/design_family.hpp"

namespace retrial::harness::inline judge::inline verdict {
namespace {

using variance::Estimate;
using variance::Verdict;

Json summary_json(const variance::VariantSummary& summary) {
  return {{"runs", summary.runs},
          {"missing", summary.missing},
          {"diverged", summary.diverged},
          {"at_least", summary.at_least},
          {"at_most", summary.at_most},
          {"mean", derived(summary.mean)},
          {"sd", derived(summary.sd)},
          {"binomial_floor", derived(summary.binomial_floor)},
          {"floor_share", derived(summary.floor_share)}};
}

/// `power` is that of a candidate with a true win rate of `power_at`: an assumption where the design has no gamma.
Json rule_json(const variance::FixedRule& rule, const variance::Design& design) {
  return {{"pairs", rule.pairs},
          {"power_at", derived(design.levels().win_rate())},
          {"better_from", rule.better_from ? Json(*rule.better_from) : Json()},
          {"not_meaningful_to", rule.not_meaningful_to ? Json(*rule.not_meaningful_to) : Json()},
          {"size", derived(rule.size)},
          {"power", derived(rule.power)},
          {"least_p", derived(rule.min_p)}};
}

Json difference_json(const variance::PairedT& t) {
  Json out = estimate_json(t.mean);
  out.update({{"statistic", derived(t.statistic)},
              {"df", derived(t.df)},
              {"p_less", derived(t.p_less)},
              {"p_greater", derived(t.p_greater)},
              {"p_two", derived(t.p_two)},
              {"degenerate", t.degenerate}});
  return out;
}

Json unpaired_json(const variance::UnpairedTheta& theta, const std::optional<double>& paired_se) {
  return {{"theta", derived(theta.theta)},
          {"ties", theta.ties},
          {"se", derived(theta.se)},
          {"paired_se", derived(paired_se)},
          {"interval", estimate_json(theta.interval)}};
}

Json equivalence_json(const variance::Equivalence& equivalence) {
  return {{"p_above", derived(equivalence.test.p_above)},
          {"p_below", derived(equivalence.test.p_below)},
          {"equivalent", equivalence.test.equivalent},
          {"difference", estimate_json(equivalence.difference)}};
}

}  // namespace

Json design_fields(const variance::Design& design) {
  Json out = design_json(design, [](double value) { return derived(value); });
  out.emplace("gamma", nullptr);
  out.emplace("gamma_mode", "paired");
  return out;
}

namespace {

Json step_json(const variance::SequentialStep& step, std::int64_t pair) {
  const auto e = [](const std::optional<double>& log_e) { return log_e ? derived(std::exp(*log_e)) : Json(); };
  return {{"pair", pair},
          {"pairs", step.pairs},
          {"wins", step.wins},
          {"ties", step.ties},
          {"state", variance::name_of(step.state)},
          {"status", variance::name_of(step.status)},
          {"e", e(step.log_e)},
          {"e_against", e(step.log_e_against)},
          {"statistic", derived(step.statistic)},
          {"boundary", derived(step.boundary)},
          {"boundary_against", derived(step.boundary_against)},
          {"note", step.note},
          {"interval", estimate_json(step.interval)}};
}

Json operating_json(const variance::Operating& at) {
  return {{"better", derived(at.better)},
          {"against", derived(at.against)},
          {"undecided", derived(at.undecided)},
          {"pairs", derived(at.pairs)}};
}

}  // namespace

Json sequential_fields(const Verdict& v) {
  const auto& part = *v.sequential;
  const bool invalid = v.status == variance::Status::invalid;
  const auto count = [](const std::optional<std::int64_t>& value) { return value ? Json(*value) : Json(); };
  Json out{{"state", variance::name_of(part.state)},
           {"decided", part.state != variance::SequentialState::go_on},
           {"at_n", part.at_n},
           {"pairs_given", part.given},
           {"guarantee", variance::family_of(v.design).guarantee},
           {"always_valid_p", invalid ? Json() : derived(part.always_valid_p)},
           {"wins_to_better", count(part.wins_to_better)},
           {"losses_to_against", count(part.losses_to_against)},
           {"at_half", part.at_half ? operating_json(*part.at_half) : Json()},
           {v.design.gamma ? "at_gamma" : "at_assumed_win_rate",
            part.at_win_rate ? operating_json(*part.at_win_rate) : Json()},
           {"last", Json()}};
  if (!part.looks.empty() && !invalid) out["last"] = step_json(part.looks.back(), part.pair_of.back());
  return out;
}

namespace {

Json test_json(const variance::TestOutcome& test) {
  return {{"test", test.test},
          {"status", variance::name_of(test.status)},
          {"statistic", derived(test.statistic)},
          {"p", derived(test.p)},
          {"p_better", derived(test.p_better)},
          {"p_worse", derived(test.p_worse)},
          {"exact", test.exact},
          {"drawn", test.drawn},
          {"method", test.method},
          {"estimand", test.estimand},
          {"estimate", estimate_json(test.estimate)}};
}

/// Numbers that are valid at a single look only are no part of a verdict with several.
void leave_out_fixed_numbers(Json& out) {
  for (const char* key : {"p_better", "p_worse", "applied", "planned", "drift_p"}) out[key] = Json();
  if (out["difference"].is_object())
    for (const char* key : {"statistic", "df", "p_less", "p_greater", "p_two"}) out["difference"][key] = Json();
}

Json flags_json(const variance::Flags& flags) {
  return {{"drift", flags.drift},
          {"coarse_metric", flags.coarse_metric},
          {"small_sample", flags.small_sample},
          {"degenerate", flags.degenerate},
          {"conditional_on_ties", flags.conditional_on_ties}};
}

Json more_pairs_json(const variance::MorePairs& more) {
  return {{"pairs", more.pairs ? Json(*more.pairs) : Json()}, {"probability", derived(more.probability)}};
}

/// By variant: attempts after a failed one, and pairs in which only this variant failed, with the exact McNemar p.
Json failures_json(const Verdict& v, const Comparison& comparison) {
  return {{"candidate_retries", comparison.retries.candidate},
          {"baseline_retries", comparison.retries.baseline},
          {"only_candidate", v.failures.candidate},
          {"only_baseline", v.failures.baseline},
          {"p_candidate_fails_more", derived(v.failures.p_candidate)},
          {"p_baseline_fails_more", derived(v.failures.p_baseline)}};
}

template <typename T, typename Writer>
Json or_null(const std::optional<T>& value, const Writer& writer) {
  return value ? writer(*value) : Json();
}

/// The subject of the comparison: names and documents.
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
          {"scope", scope_of(judged.study)},
          {"metric", c.metric.name},
          {"unit", c.metric.unit},
          {"direction", results::name_of(c.metric.direction)},
          {"design", design_fields(c.design)},
          {"design_digest", c.design_digest ? Json(results::hex(*c.design_digest)) : Json()},
          {"declared", c.undeclared.empty()},
          {"undeclared", c.undeclared},
          {"recorded", c.recorded},
          {"inputs", results::hex(inputs_of(judged.comparison, judged.verdict))},
          {"randomised", judged.study.vary},
          {"frozen", judged.study.hold}};
}

}  // namespace

results::Digest inputs_of(const Comparison& comparison, const Verdict& verdict) {
  Json records = comparison.records;
  if (verdict.sequential)
    while (records.size() > static_cast<std::size_t>(2 * verdict.sequential->at_n)) records.erase(records.size() - 1);
  return digest_of_records(records);
}

Json look_json(const Sequence& sequence) {
  Json before = Json::array();
  for (const auto& look : sequence.before) before.push_back(look.by);
  return {{"number", sequence.place()}, {"rate", derived(sequence.rate)}, {"before", std::move(before)}};
}

std::string claim_of(const variance::Design& design) {
  return design.candidate + "|" + design.baseline + "/" + design.metric;
}

namespace {

/// An INVALID verdict holds nothing that could be mistaken for a result.
void leave_out_results(Json& document) {
  for (const char* key : {"paired_p", "untied_p", "unpaired", "difference", "pairing_gain", "equivalence", "p_better",
                          "p_worse", "more_pairs", "drift_p", "test_outcome"})
    if (document.contains(key)) document[key] = nullptr;
}

}  // namespace

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
       {"both_failed", v.both_failed},
       {"dropped_pairs", v.dropped_pairs},
       {"complete_pairs", v.complete_pairs},
       {"candidate_summary", summary_json(v.candidate)},
       {"baseline_summary", summary_json(v.baseline)},
       {"paired_p", estimate_json(v.paired_p)},
       {"untied_p", estimate_json(v.untied_p)},
       {"unpaired", or_null(v.unpaired, [&](const auto& theta) { return unpaired_json(theta, v.paired_theta_se); })},
       {"difference", or_null(v.difference, difference_json)},
       {"pairing_gain", derived(v.pairing_gain)},
       {"equivalence", or_null(v.equivalence, equivalence_json)},
       {"planned", rule_json(v.planned, v.design)},
       {"applied", rule_json(v.applied, v.design)},
       {"p_better", derived(v.p_better)},
       {"p_worse", derived(v.p_worse)},
       {"more_pairs", or_null(v.more_pairs, more_pairs_json)},
       {"drift_p", v.drift_test ? derived(v.drift_test->p_two) : Json()},
       {"flags", flags_json(v.flags)},
       {"overlap", derived(judged.comparison.overlap)},
       {"warnings", v.warnings},
       {"failures", failures_json(v, judged.comparison)},
       {"look", look_json(judged.comparison.sequence)}});
  out.update(answers_fields(v));
  if (v.test) out["test_outcome"] = test_json(*v.test);
  if (v.status == variance::Status::invalid) leave_out_results(out);
  if (!v.sequential) return out;
  out["family"] = v.design.family;
  out["guarantee"] = variance::family_of(v.design).guarantee;
  out["at_n"] = v.sequential->at_n;
  out["sequential"] = sequential_fields(v);
  out["outcome_digest"] = results::hex(judged_outcome_digest(judged.comparison, v));
  leave_out_fixed_numbers(out);
  return out;
}

std::vector<results::Outcome> judged_outcomes(const Comparison& comparison, const Verdict& verdict) {
  auto outcomes = comparison.outcomes;
  const auto trials = static_cast<std::size_t>(2 * verdict.sequential->at_n);
  if (outcomes.size() > trials) outcomes.resize(trials);
  std::erase_if(outcomes, [](const auto& outcome) { return outcome.payload == results::Digest{}; });
  return outcomes;
}

results::Digest judged_outcome_digest(const Comparison& comparison, const Verdict& verdict) {
  return results::outcome_digest(judged_outcomes(comparison, verdict));
}

Json look_rows(const Verdict& verdict) {
  Json out = Json::array();
  const auto& part = *verdict.sequential;
  for (std::size_t i = 0; i < part.looks.size(); ++i) out.push_back(step_json(part.looks[i], part.pair_of[i]));
  return out;
}

}  // namespace retrial::harness::inline judge::inline verdict
