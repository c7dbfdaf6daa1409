#include "harness/plan/trial_body.hpp"

#include "harness/text/output.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline plan {
namespace {

std::uint64_t seed_in(const std::string& source, const Json& seed) {
  if (const auto value = results::parse_hex16(seed.get<std::string>())) return *value;
  throw Error({.exit = Exit::integrity,
               .code = "trial.seed",
               .where = "trial",
               .field = "seeds." + source,
               .problem = "not 16 hex digits"});
}

}  // namespace

Values values_stored(const workloads::Declaration& declaration, const Json& values) {
  Values out;
  for (const auto& key : declaration.parameters)
    out[key.name] = values.contains(key.name) ? results::value_from_canonical(values.at(key.name), key.fallback,
                                                                              declaration.name + "." + key.name)
                                              : key.fallback;
  return out;
}

TrialBody::TrialBody(const results::PlanEntry& entry) : document_(results::parse_json(entry.trial_body, "plan")) {}

const workloads::Declaration& TrialBody::declaration() const {
  return workloads::find_workload(document_.at("workload").get<std::string>(), "trial");
}

workloads::Trial TrialBody::trial() const {
  const auto& workload = declaration();
  workloads::Trial trial{.workload = workload.name,
                         .variant = document_.at("variant").get<std::string>(),
                         .values = values_stored(workload, document_.at("values")),
                         .pair = document_.at("pair").get<std::uint64_t>(),
                         .identity = document_.at("identity").get<std::string>(),
                         .dataset = dataset()};
  for (const auto& [source, seed] : seeds().items()) trial.seeds[source] = seed_in(source, seed);
  for (const auto& [source, pair] : document_.at("pairs").items()) trial.pairs[source] = pair.get<std::uint64_t>();
  return trial;
}

std::string TrialBody::dataset() const {
  const auto dataset = document_.find("dataset");
  return dataset != document_.end() && dataset->is_string() ? dataset->get<std::string>() : "";
}

determinism::KernelMode TrialBody::mode() const {
  return determinism::mode_from_document(document_.at("mode"));
}

const Json* TrialBody::search() const {
  const auto search = document_.find("search");
  return search == document_.end() ? nullptr : &*search;
}

std::string dry_argv(const TrialBody& body) {
  const auto& declaration = body.declaration();
  if (!declaration.argv) return "";
  std::string line;
  for (const auto& word : declaration.argv(body.trial())) {
    if (!line.empty()) line += " ";
    line += shell_word(word);
  }
  return line;
}

}  // namespace retrial::harness::inline plan
