#include <cmath>

#include "harness/by_source/part.hpp"
#include "harness/estimates/estimate_document.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline by_source {
namespace {

using variance::Estimate;
using variance::SourceContribution;

Json number(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? Json(results::rounded10(*value)) : Json();
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

Json ideal_json(const std::optional<variance::PipelineEstimate>& ideal) {
  if (!ideal) return nullptr;
  return {{"runs", ideal->k},
          {"trainings", number(ideal->trainings)},
          {"mean", estimate_json(ideal->mean)},
          {"sd", number(ideal->sd)},
          {"randomised", ideal->randomised}};
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

Json budget_json(const BudgetAnswer& answer) {
  Json out = nullptr;
  if (answer.budget)
    out["budget"] = {{"searches", answer.budget->searches},
                     {"runs_per_search", answer.budget->runs_per_search},
                     {"trainings", number(answer.budget->trainings)},
                     {"se", number(answer.budget->se)},
                     {"effective_runs", number(answer.budget->effective)},
                     {"ideal_se", number(answer.budget->ideal_se)}};
  if (answer.se)
    out["se"] = {{"searches", answer.se->searches},
                 {"runs_per_search", answer.se->runs_per_search},
                 {"trainings", number(answer.se->trainings)}};
  return out;
}

Json groups_json(const std::optional<variance::GroupEffects>& table) {
  if (!table) return nullptr;
  Json groups = Json::array();
  for (const auto& one : table->groups)
    groups.push_back({{"runs", one.runs}, {"mean", estimate_json(one.mean)}, {"effect", estimate_json(one.effect)}});
  return {{"statistic", number(table->statistic)},
          {"df_between", table->df_between},
          {"df_within", table->df_within},
          {"p", number(table->p)},
          {"groups", std::move(groups)}};
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
          {"ideal", ideal_json(variant.ideal)},
          {"claims", claims_json(variant.claims)},
          {"groups", groups_json(variant.groups)},
          {"budget", budget_json(budget_answer(study, variant, choice))}};
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
      {"cluster_sign", d->sign ? Json{{"wins", d->sign->wins},
                                      {"ties", d->sign->ties},
                                      {"losses", d->sign->losses},
                                      {"p_not_better", number(d->sign->p_greater)}}
                               : Json()},
  };
}

}  // namespace

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

}  // namespace retrial::harness::inline by_source
