#include "harness/judge/looks/question.hpp"

#include <algorithm>
#include <array>

#include "harness/plan/trial_body.hpp"
#include "results/text/text.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline judge::inline looks {
namespace {

Json keys_of(const std::string& workload, const VariantView& variant) {
  const auto* declaration = workloads::workload_if_known(workload);
  if (declaration == nullptr) return variant.values;
  Json out = Json::object();
  for (const auto& [key, value] : workloads::non_default(*declaration, values_of(*declaration, variant)))
    out[key] = results::canonical_value(value);
  return out;
}

results::Digest digest_of(const Question& question, const std::string& workload, std::array<Json, 2> sides) {
  std::ranges::sort(sides, {}, results::canonical);
  return results::digest_of(Json{{"schema", "retrial.question/1"},
                                 {"workload", workload},
                                 {"metric", question.metric},
                                 {"direction", question.direction},
                                 {"value", question.value ? Json(results::hex_of_bits(*question.value)) : Json()},
                                 {"sides", sides}});
}

Json side_of(const results::Store& store, const StudyView& study, const std::string& name) {
  const auto variant = std::ranges::find(study.variants, name, &VariantView::name);
  const auto first = std::ranges::find(study.plan, name, &results::PlanEntry::variant);
  const std::string data =
      first == study.plan.end() ? "" : TrialBody(store.trial_body(study.digest, first->ordinal)).dataset();
  return {{"keys", keys_of(study.workload, *variant)}, {"data", data}};
}

Json side_of(const Plan& plan, const std::string& name) {
  const auto& variants = plan.study.at("variants");
  const auto variant = std::ranges::find_if(variants, [&](const Json& v) { return v.at("name") == name; });
  const auto first = std::ranges::find(plan.entries, name, &results::PlanEntry::variant);
  const std::string data = first == plan.entries.end() ? "" : TrialBody(*first).dataset();
  const VariantView view{
      .name = name, .preset = "", .values = variant->at("values"), .test_items = {}, .search_of = {}};
  return {{"keys", keys_of(plan.study.at("workload").get<std::string>(), view)}, {"data", data}};
}

}  // namespace

Question question_of(const DesignView& design) {
  return {.baseline = design.baseline,
          .candidate = design.candidate,
          .metric = design.metric,
          .direction = design.direction};
}

Question question_of(const RegisteredClaim& claim, const std::vector<results::MetricDef>& defs) {
  const std::string& metric = claim.metric.front().metric;
  const auto def = std::ranges::find(defs, metric, &results::MetricDef::name);
  return {.baseline = claim.value ? claim.candidate : claim.baseline,
          .candidate = claim.candidate,
          .metric = metric,
          .direction = def == defs.end() ? "" : std::string(results::name_of(def->direction)),
          .value = claim.value};
}

results::Digest digest_of(const Question& question, const results::Store& store, const StudyView& study) {
  return digest_of(question, {store, study}, {store, study});
}

results::Digest digest_of(const Question& question, const QuestionSide& baseline, const QuestionSide& candidate) {
  return digest_of(question, baseline.study.workload,
                   {side_of(baseline.store, baseline.study, question.baseline),
                    side_of(candidate.store, candidate.study, question.candidate)});
}

results::Digest digest_of(const Question& question, const Plan& plan) {
  return digest_of(question, plan.study.at("workload").get<std::string>(),
                   {side_of(plan, question.baseline), side_of(plan, question.candidate)});
}

results::Digest draw_of(const Json& study) {
  Json out = study;
  for (const char* key : {"name", "pairs", "design", "metric", "baseline", "candidate", "claims", "variants"})
    out.erase(key);
  return results::digest_of(out);
}

}  // namespace retrial::harness::inline judge::inline looks
