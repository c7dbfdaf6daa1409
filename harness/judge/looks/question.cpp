#include "harness/judge/looks/question.hpp"

#include <algorithm>
#include <vector>

#include "harness/plan/trial_body.hpp"
#include "results/text/text.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline judge::inline looks {
namespace {

/// A key that nothing reads under these values changes no result.
Values only_read(const workloads::Declaration& declaration, Values values) {
  const auto read = declaration.reads(values);
  std::erase_if(values, [&](const auto& entry) { return std::ranges::find(read, entry.first) == read.end(); });
  return values;
}

Json keys_of(const std::string& workload, const std::string& metric, const VariantView& variant) {
  const auto* declaration = workloads::workload_if_known(workload);
  if (declaration == nullptr) return variant.values;
  auto values = only_read(*declaration, values_of(*declaration, variant));
  if (declaration->asked) values = declaration->asked(std::move(values), metric);
  Json out = Json::object();
  for (const auto& [key, value] : workloads::non_default(*declaration, values))
    out[key] = results::canonical_value(value);
  return out;
}

results::Digest digest_of(const Question& question, const std::string& workload, std::vector<Json> sides) {
  std::ranges::sort(sides, {}, results::canonical);
  return results::digest_of(Json{{"schema", "retrial.question/1"},
                                 {"workload", workload},
                                 {"metric", question.metric},
                                 {"direction", question.direction},
                                 {"value", question.value ? Json(results::hex_of_bits(*question.value)) : Json()},
                                 {"sides", sides}});
}

Json side_of(const results::Store& store, const StudyView& study, const std::string& metric, const std::string& name) {
  const auto variant = std::ranges::find(study.variants, name, &VariantView::name);
  const auto first = std::ranges::find(study.plan, name, &results::PlanEntry::variant);
  const std::string data =
      first == study.plan.end() ? "" : TrialBody(store.trial_body(study.digest, first->ordinal)).dataset();
  return {{"keys", keys_of(study.workload, metric, *variant)}, {"data", data}};
}

Json side_of(const Plan& plan, const std::string& metric, const std::string& name) {
  const auto& variants = plan.study.at("variants");
  const auto variant = std::ranges::find_if(variants, [&](const Json& v) { return v.at("name") == name; });
  const auto first = std::ranges::find(plan.entries, name, &results::PlanEntry::variant);
  const std::string data = first == plan.entries.end() ? "" : TrialBody(*first).dataset();
  const VariantView view{
      .name = name, .preset = "", .values = variant->at("values"), .test_items = {}, .search_of = {}};
  return {{"keys", keys_of(plan.study.at("workload").get<std::string>(), metric, view)}, {"data", data}};
}

/// Whether it is the difference of two variants, compared with 0.
bool is_difference(const Question& question) {
  const Contrast& parts = question.contrast;
  return parts.size() == 2 && parts[0].weight == -parts[1].weight && question.value.value_or(0) == 0;
}

/// The weights with the factor under which the variant of the first canonical text has weight 1.
results::Digest digest_of_contrast(Question question, const results::Store& store, const StudyView& study) {
  struct Part {
    Json side;
    double weight;
  };
  std::vector<Part> parts;
  for (const auto& [variant, weight] : question.contrast)
    parts.push_back({side_of(store, study, question.metric, variant), weight});
  std::ranges::stable_sort(parts, {}, [](const Part& part) { return results::canonical(part.side); });
  const double factor = parts.front().weight;
  std::vector<Json> sides;
  for (auto& part : parts) {
    if (!is_difference(question)) part.side["weight"] = results::hex_of_bits(part.weight / factor);
    sides.push_back(std::move(part.side));
  }
  if (is_difference(question))
    question.value.reset();
  else
    question.value = question.value.value_or(0) / factor + 0.0;  // 0, not -0
  return digest_of(question, study.workload, std::move(sides));
}

/// The order of the sets makes no other question.
results::Digest digest_of_share(Question question, const results::Store& store, const StudyView& study) {
  std::vector<Json> sides;
  for (const auto& cell : question.cells)
    sides.push_back({{"candidate", side_of(store, study, cell.metric.metric, cell.candidate)},
                     {"baseline", side_of(store, study, cell.metric.metric, cell.baseline)},
                     {"metric", cell.metric.text()}});
  question.metric = "share";
  return digest_of(question, study.workload, std::move(sides));
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
          .value = claim.value,
          .contrast = claim.contrast,
          .cells = claim.cells};
}

results::Digest digest_of(const Question& question, const results::Store& store, const StudyView& study) {
  if (!question.cells.empty()) return digest_of_share(question, store, study);
  if (!question.contrast.empty()) return digest_of_contrast(question, store, study);
  return digest_of(question, {store, study}, {store, study});
}

results::Digest digest_of(const Question& question, const QuestionSide& baseline, const QuestionSide& candidate) {
  return digest_of(question, baseline.study.workload,
                   {side_of(baseline.store, baseline.study, question.metric, question.baseline),
                    side_of(candidate.store, candidate.study, question.metric, question.candidate)});
}

results::Digest digest_of(const Question& question, const Plan& plan) {
  return digest_of(
      question, plan.study.at("workload").get<std::string>(),
      {side_of(plan, question.metric, question.baseline), side_of(plan, question.metric, question.candidate)});
}

results::Digest draw_of(const Json& study) {
  Json out = study;
  for (const char* key : {"name", "pairs", "design", "metric", "baseline", "candidate", "claims", "variants"})
    out.erase(key);
  return results::digest_of(out);
}

}  // namespace retrial::harness::inline judge::inline looks
