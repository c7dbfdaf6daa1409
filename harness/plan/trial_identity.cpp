#include "harness/plan/trial_identity.hpp"

#include "results/record/identity.hpp"

namespace retrial::harness::inline plan {
namespace {

/// With this document of the search in place of the trial's own.
Json document_with(const TrialBody& body, const Json* search) {
  const auto trial = body.trial();
  results::IdentityParts parts{.workload = trial.workload,
                               .variant = trial.variant,
                               .values = workloads::non_default(body.declaration(), trial.values),
                               .dataset = std::nullopt,
                               .seeds = trial.seeds,
                               .mode = determinism::identity_axes(body.mode()),
                               .program = body.program()};
  if (!trial.dataset.empty()) parts.dataset = results::digest_from_hex(trial.dataset, "dataset");
  if (search != nullptr) {
    parts.search = results::digest_of(*search);
    for (const auto& key : search->at("keys")) parts.values.erase(key.get<std::string>());
  }
  return results::identity_document(parts);
}

}  // namespace

results::Digest identity_of(const TrialBody& body) {
  return results::digest_of(document_with(body, body.search()));
}

BothIdentities both_identities_of(const TrialBody& body) {
  Json document = document_with(body, nullptr);
  const auto identity = results::digest_of(document);
  if (body.declaration().program) return {.identity = identity, .result = identity};
  document.erase("program");
  return {.identity = identity, .result = results::digest_of(document)};
}

std::vector<results::Digest> searched_by(const TrialBody& body) {
  std::vector<results::Digest> out;
  if (const Json* search = body.search())
    for (const auto& trial : search->at("trials"))
      out.push_back(results::digest_from_hex(trial.get<std::string>(), "search"));
  return out;
}

results::Digest result_identity_of(const TrialBody& body, std::span<const results::Digest> search) {
  Json searched = body.search() ? *body.search() : Json();
  if (!searched.is_null()) searched["trials"] = Json::array();
  for (const auto& trial : search) searched["trials"].push_back(results::hex(trial));
  Json document = document_with(body, searched.is_null() ? nullptr : &searched);
  if (!body.declaration().program) document.erase("program");
  return results::digest_of(document);
}

}  // namespace retrial::harness::inline plan
