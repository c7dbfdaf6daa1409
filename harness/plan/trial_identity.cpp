#include "harness/plan/trial_identity.hpp"

#include "results/record/identity.hpp"

namespace retrial::harness::inline plan {

results::Digest identity_of(const TrialBody& body) {
  const auto trial = body.trial();
  results::IdentityParts parts{.workload = trial.workload,
                               .variant = trial.variant,
                               .values = workloads::non_default(body.declaration(), trial.values),
                               .dataset = std::nullopt,
                               .seeds = trial.seeds,
                               .mode = determinism::identity_axes(body.mode()),
                               .program = body.program()};
  if (!trial.dataset.empty()) parts.dataset = results::digest_from_hex(trial.dataset, "dataset");
  if (const Json* search = body.search()) {
    parts.search = results::digest_of(*search);
    for (const auto& key : search->at("keys")) parts.values.erase(key.get<std::string>());
  }
  return results::digest_of(results::identity_document(parts));
}

}  // namespace retrial::harness::inline plan
