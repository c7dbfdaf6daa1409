#include "harness/plan/plan.hpp"

#include <algorithm>
#include <map>

#include "harness/plan/profile_blocks.hpp"
#include "harness/plan/variant_order.hpp"
#include "results/record/identity.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "variance/random/rng.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline plan {
namespace {

constexpr std::size_t longest_body = 65536;  ///< CHECK of the column plan.trial_body

/// The parts that all trials of one variant share.
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

/// `search`: the document of the search that gives this trial its keys; null: the keys are the variant's. With a
/// search, the identity holds the digest of its document in place of the keys, which are not known before it has run.
results::PlanEntry entry_of(const Study& study, const VariantParts& parts,
                            const std::map<std::string, std::uint64_t>& pairs, std::uint64_t pair,
                            const Json& search = nullptr) {
  const auto& declaration = workloads::find_workload(study.workload, "");
  auto values_in_identity = workloads::non_default(declaration, parts.variant->values);
  if (!search.is_null())
    for (const auto& key : search.at("keys")) values_in_identity.erase(key.get<std::string>());
  results::IdentityParts identity{.workload = study.workload,
                                  .variant = parts.variant->name,
                                  .values = std::move(values_in_identity),
                                  .dataset = parts.dataset,
                                  .seeds = {},
                                  .mode = determinism::identity_axes(study.mode),
                                  .program = parts.program};
  if (!search.is_null()) identity.search = results::digest_of(search);
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
  Json body{{"identity", results::hex(digest)},
            {"workload", study.workload},
            {"variant", parts.variant->name},
            {"values", std::move(values)},
            {"seeds", std::move(seeds)},
            {"pairs", std::move(indices)},
            {"pair", pair},
            {"mode", determinism::mode_document(study.mode)},
            {"dataset", parts.dataset ? Json(results::hex(*parts.dataset)) : Json()},
            {"program", parts.program}};
  if (!search.is_null()) body["search"] = search;
  auto text = results::canonical(body);
  if (text.size() > longest_body)
    throw Error({.code = "plan.too_long",
                 .where = "variant " + parts.variant->name,
                 .problem = "its command and keys take " + std::to_string(text.size()) +
                            " bytes, a store keeps at most " + std::to_string(longest_body) + " of a trial",
                 .help = "write long texts into a file that the program reads, and name it with --input"});
  return {.identity = digest,
          .trial_body = std::move(text),
          .workload = study.workload,
          .variant = parts.variant->name,
          .pair_index = static_cast<std::int64_t>(pair),
          .block = static_cast<std::int64_t>(pair)};
}

/// The trials of one search and its document, which names them and is part of the identity of trials that use its
/// result.
struct PlannedSearch {
  Json document;
  std::vector<results::PlanEntry> trials;
};

PlannedSearch search_of(const Study& study, const VariantParts& parts, const Indices& indices, std::int64_t number) {
  const auto& declaration = workloads::find_workload(study.workload, "");
  const auto hopt = indices.find(std::string(search_source));
  const auto seed = variance::source_seed(study.seed.value(), search_source, hopt == indices.end() ? 0 : hopt->second);
  const SearchSpace space = searched_by(declaration, *study.search, *parts.variant);
  PlannedSearch out;
  Json identities = Json::array(), keys = Json::array();
  for (std::int64_t t = 0; t < space.trials; ++t) {
    StudyVariant variant = *parts.variant;
    variant.name = search_variant(variant.name);
    for (auto& [key, value] : searched_values(declaration, space, seed, t)) variant.values[key] = value;
    if (declaration.validate)
      for (const auto& problem : declaration.validate(variant.values))
        throw Error({.code = "plan.search_keys",
                     .field = declaration.name + "." + problem.key,
                     .problem = "the search can reach values that are invalid together: " + problem.problem,
                     .allowed = problem.allowed,
                     .help = "narrow the bounds in [search.keys]"});
    auto own = parts;
    own.variant = &variant;
    own.sources = declaration.honours(variant.values);
    out.trials.push_back(entry_of(study, own, indices, static_cast<std::uint64_t>(number * space.trials + t)));
    identities.push_back(results::hex(out.trials.back().identity));
  }
  for (const auto& key : space.keys) keys.push_back(key.key);
  out.document = {{"schema", "retrial.config/1"},
                  {"kind", "hpo_run"},
                  {"variant", parts.variant->name},
                  {"seed", results::hex16(seed)},
                  {"method", space.method},
                  {"metric", space.metric},
                  {"direction", results::name_of(searched_metric(study, *parts.variant).direction)},
                  {"keys", std::move(keys)},
                  {"trials", std::move(identities)}};
  return out;
}

/// Entries in order, each with its place and, where an identity repeats, its replicate number.
class PlanWriter {
 public:
  void add(results::PlanEntry entry) {
    entry.ordinal = static_cast<std::int64_t>(entries_.size());
    entry.replicate = seen_[entry.identity]++;
    hashed_.emplace_back(entry.identity, entry.replicate);
    entries_.push_back(std::move(entry));
  }
  void finish(Plan& plan) {
    plan.plan_digest = results::plan_digest(hashed_);
    plan.entries = std::move(entries_);
  }

 private:
  std::vector<results::PlanEntry> entries_;
  std::map<results::Digest, std::uint32_t> seen_;
  std::vector<std::pair<results::Digest, std::uint32_t>> hashed_;
};

/// The trials of one variant, row by row; a search that several rows share is planned before the first of them.
class VariantPlan {
 public:
  VariantPlan(const Study& study, const StudyVariant& variant, const PlanInputs& inputs)
      : study_(study), parts_(parts_of(study, variant, inputs)) {
    if (!study.search) return;
    parts_.sources = honoured_in_search(study, variant);
    parts_.sources.emplace_back(search_source);
  }
  void add(const DesignRow& row, std::uint64_t pair, PlanWriter& plan, std::vector<Json>& searches) {
    if (!row.search) {
      plan.add(entry_of(study_, parts_, row.indices, pair));
      return;
    }
    auto [found, fresh] = searches_.try_emplace(*row.search);
    if (fresh) {
      auto own = parts_;
      std::erase(own.sources, std::string(search_source));
      auto search = search_of(study_, own, *row.search, static_cast<std::int64_t>(searches_.size()) - 1);
      for (auto& trial : search.trials) plan.add(std::move(trial));
      found->second = search.document;
      searches.push_back(std::move(search.document));
    }
    plan.add(entry_of(study_, parts_, row.indices, pair, found->second));
  }

 private:
  const Study& study_;
  VariantParts parts_;
  std::map<Indices, Json> searches_;
};

/// The runs of a profile, block by block: a block of the plan is one of profile_runs().
void add_profile(const Study& study, const StudyVariant& variant, const PlanInputs& inputs, PlanWriter& plan) {
  const auto parts = parts_of(study, variant, inputs);
  const auto& profile = study.profile.value();
  for (std::int64_t block = 0; block < profile.blocks + study.pairs; ++block) {
    const auto pair = static_cast<std::uint64_t>(profiler::pair_of_block(block, profile.blocks));
    Indices indices;
    for (const std::string& source : study.varied) indices[source] = pair;
    const auto runs = profile_runs(profile, block);
    for (std::size_t i = 0; i < runs.size(); ++i) {
      auto entry = entry_of(study, parts, indices, pair);
      entry.block = block;
      plan.add(std::move(entry));
    }
  }
}

/// Indices of the study's variants in the order they run in each pair.
std::vector<std::vector<std::size_t>> orders(const Study& study) {
  const auto count = study.variants.size();
  const auto root = study.seed.value();
  std::vector<std::vector<std::size_t>> out;
  if (count == 2) {
    const bool first_is_baseline = !study.compare || study.variants[0].name == study.compare->baseline;
    const std::size_t baseline = first_is_baseline ? 0 : 1;
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
  const auto& declaration = workloads::find_workload(study.workload, "");
  // Asked under a label too: it refuses a program that is not there.
  const Json ours = build_id.empty() ? Json() : Json(build_id);
  Json own = declaration.program ? declaration.program(variant.values) : ours;
  return label ? Json(*label) : std::move(own);
}

results::PlanEntry make_trial(const Study& study, const StudyVariant& variant, const PlanInputs& inputs,
                              const std::map<std::string, std::uint64_t>& pairs, std::uint64_t pair) {
  return entry_of(study, parts_of(study, variant, inputs), pairs, pair);
}

Plan make_plan(const Study& study, const PlanInputs& inputs) {
  const auto refuse = [&](std::int64_t trials) {
    if (trials <= inputs.max_trials) return;
    throw Error({.code = "plan.too_large",
                 .field = study.variance ? "variance.runs" : "pairs",
                 .value = std::to_string(study.variance ? study.variance->runs : study.pairs),
                 .problem = "needs " + std::to_string(trials) + " trials",
                 .allowed = "at most " + std::to_string(inputs.max_trials) + " trials",
                 .help = "raise the limit with --max-trials"});
  };
  refuse(study.pairs * static_cast<std::int64_t>(study.variants.size()));
  if (study.variance || study.search || study.profile) refuse(trial_count(study));
  Plan plan{.study = study_document(study)};
  if (study.compare) plan.design = design_document(study);
  plan.study_digest = results::digest_of(plan.study);

  PlanWriter writer;
  if (study.profile) {
    for (const auto& variant : study.variants) add_profile(study, variant, inputs, writer);
    writer.finish(plan);
    return plan;
  }
  std::vector<VariantPlan> variants;
  for (const auto& variant : study.variants) variants.emplace_back(study, variant, inputs);
  const auto rows = rows_of(study);
  const auto order = orders(study);
  for (std::size_t pair = 0; pair < rows.size(); ++pair)
    for (const auto index : order[pair]) variants[index].add(rows[pair], pair, writer, plan.searches);
  for (std::int64_t r = 1; study.variance && r < study.variance->replicates; ++r)
    for (const auto index : order.front()) variants[index].add(rows.front(), 0, writer, plan.searches);
  writer.finish(plan);
  return plan;
}

}  // namespace retrial::harness::inline plan
