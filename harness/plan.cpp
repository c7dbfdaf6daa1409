#include "harness/plan.hpp"

#include <algorithm>
#include <map>

#include "harness/order.hpp"
#include "results/error.hpp"
#include "results/identity.hpp"
#include "results/text.hpp"
#include "variance/rng.hpp"
#include "workloads/registry.hpp"

namespace retrial::harness {
namespace {

/// What all trials of one variant share.
struct VariantParts {
  const StudyVariant* variant;
  std::vector<std::string> sources;
  std::optional<results::Digest> dataset;
  Json program;
};

VariantParts parts_of(const Study& study, const StudyVariant& variant, const PlanInputs& inputs) {
  const auto& declaration = workloads::find_workload(study.workload, "");
  return {.variant = &variant,
          .sources = declaration.honours(variant.values),
          .dataset = declaration.dataset ? declaration.dataset(variant.values, inputs.data) : std::nullopt,
          .program = program_of(study, variant, inputs.build_id, inputs.program_label)};
}

results::PlanEntry entry_of(const Study& study, const VariantParts& parts,
                            const std::map<std::string, std::uint64_t>& pairs, std::uint64_t pair) {
  const auto& declaration = workloads::find_workload(study.workload, "");
  results::IdentityParts identity{.workload = study.workload,
                                  .variant = parts.variant->name,
                                  .values = workloads::non_default(declaration, parts.variant->values),
                                  .dataset = parts.dataset,
                                  .seeds = {},
                                  .mode = determinism::identity_axes(study.mode),
                                  .program = parts.program};
  Json seeds = Json::object(), indices = Json::object(), values = Json::object();
  for (const auto& source : parts.sources) {
    const auto index = pairs.contains(source) ? pairs.at(source) : 0;
    const auto seed = variance::source_seed(study.seed.value(), source, index);
    identity.seeds[source] = seed;
    seeds[source] = results::hex16(seed);
    indices[source] = index;
  }
  for (const auto& [key, value] : workloads::portable(declaration, parts.variant->values))
    values[key] = results::canonical_value(value);
  const auto digest = results::digest_of(results::identity_document(identity));
  const Json body{{"identity", results::hex(digest)},
                  {"workload", study.workload},
                  {"variant", parts.variant->name},
                  {"values", std::move(values)},
                  {"seeds", std::move(seeds)},
                  {"pairs", std::move(indices)},
                  {"pair", pair},
                  {"mode", determinism::mode_document(study.mode)},
                  {"dataset", parts.dataset ? Json(results::hex(*parts.dataset)) : Json()},
                  {"program", parts.program}};
  return {.identity = digest,
          .trial_body = results::canonical(body),
          .workload = study.workload,
          .variant = parts.variant->name,
          .pair_index = static_cast<std::int64_t>(pair),
          .block = static_cast<std::int64_t>(pair)};
}

/// Indices of the study's variants in the order they run in each pair.
std::vector<std::vector<std::size_t>> orders(const Study& study) {
  const auto count = study.variants.size();
  const auto root = study.seed.value();
  std::vector<std::vector<std::size_t>> out;
  if (count == 2) {
    const auto baseline = study.variants[0].name == study.compare->baseline ? std::size_t{0} : std::size_t{1};
    for (const int first : candidate_first(root, study.workload, static_cast<std::uint32_t>(study.pairs)))
      out.push_back(first ? std::vector{1 - baseline, baseline} : std::vector{baseline, 1 - baseline});
    return out;
  }
  for (std::int64_t pair = 0; pair < study.pairs; ++pair) {
    out.emplace_back();
    for (const auto index :
         variant_order(root, study.workload, static_cast<std::uint32_t>(count), static_cast<std::uint64_t>(pair)))
      out.back().push_back(index);
  }
  return out;
}

}  // namespace

Json program_of(const Study& study, const StudyVariant& variant, const std::string& build_id,
                const std::optional<std::string>& label) {
  if (label) return *label;
  const auto& declaration = workloads::find_workload(study.workload, "");
  return declaration.program ? declaration.program(variant.values) : Json(build_id);
}

results::PlanEntry make_trial(const Study& study, const StudyVariant& variant, const PlanInputs& inputs,
                              const std::map<std::string, std::uint64_t>& pairs, std::uint64_t pair) {
  return entry_of(study, parts_of(study, variant, inputs), pairs, pair);
}

Plan make_plan(const Study& study, const PlanInputs& inputs) {
  const auto trials = study.pairs * static_cast<std::int64_t>(study.variants.size());
  if (trials > inputs.max_trials)
    throw Error({.code = "plan.too_large",
                 .field = "pairs",
                 .value = std::to_string(study.pairs),
                 .problem = "gives " + std::to_string(trials) + " trials",
                 .allowed = "at most " + std::to_string(inputs.max_trials) + " trials",
                 .help = "raise the limit with --max-trials"});
  Plan plan{.study = study_document(study)};
  if (study.compare) plan.design = design_document(study);
  plan.study_digest = results::digest_of(plan.study);

  std::vector<VariantParts> parts;
  for (const auto& variant : study.variants) parts.push_back(parts_of(study, variant, inputs));
  std::map<results::Digest, std::uint32_t> seen;
  std::vector<std::pair<results::Digest, std::uint32_t>> hashed;
  std::uint64_t pair = 0;
  for (const auto& order : orders(study)) {
    for (const auto index : order) {
      std::map<std::string, std::uint64_t> pairs;
      for (const auto& source : study.varied) pairs[source] = pair;
      auto entry = entry_of(study, parts[index], pairs, pair);
      entry.ordinal = static_cast<std::int64_t>(plan.entries.size());
      entry.replicate = seen[entry.identity]++;
      hashed.emplace_back(entry.identity, entry.replicate);
      plan.entries.push_back(std::move(entry));
    }
    ++pair;
  }
  plan.plan_digest = results::plan_digest(hashed);
  return plan;
}

}  // namespace retrial::harness
