#include "harness/stored/result_digest.hpp"

#include "harness/plan/trial_identity.hpp"
#include "harness/plan/trial_name.hpp"
#include "results/store/outcomes.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline stored {

ResultIdentities::ResultIdentities(const results::Store& store) {
  for (const auto& study : store.studies())
    for (auto& entry : store.plan(study.digest)) planned_.emplace(entry.identity, std::move(entry));
}

const ResultIdentities::Answer& ResultIdentities::of(const results::Digest& identity) {
  if (const auto known = known_.find(identity); known != known_.end()) return known->second;
  Answer answer = computed(identity);
  return known_.emplace(identity, std::move(answer)).first->second;
}

ResultIdentities::Answer ResultIdentities::computed(const results::Digest& identity) {
  const auto planned = planned_.find(identity);
  if (planned == planned_.end()) return {{}, "no study plans trial " + results::hex(identity).substr(0, 12)};
  const auto& entry = planned->second;
  if (workloads::workload_if_known(entry.workload) == nullptr)
    return {{}, "this program does not have the workload " + results::one_line(entry.workload, 80)};
  const std::string place = "trial " + results::one_line(trial_name(entry), 80);
  try {
    const TrialBody body(entry);
    const auto both =
        body.search() == nullptr ? both_identities_of(body) : BothIdentities{.identity = identity_of(body)};
    if (both.identity != identity) return {{}, place + " is not the one that its identity names"};
    if (body.search() == nullptr) return {both.result, ""};
    std::vector<results::Digest> search;
    for (const auto& trial : searched_by(body)) {
      const Answer& answer = of(trial);
      if (!answer.identity) return answer;
      search.push_back(*answer.identity);
    }
    return {result_identity_of(body, search), ""};
  } catch (const Error& error) {
    return {{}, place + ": " + results::one_line(error.what(), 200)};
  } catch (const Json::exception& error) {
    return {{}, place + ": " + results::one_line(error.what(), 200)};
  }
}

results::Digest payload_as(const results::Store& store, const results::TrialRow& attempt,
                           const results::Digest& identity, const std::vector<results::MetricDef>& defs) {
  return results::payload_digest({.identity = identity,
                                  .status = attempt.status,
                                  .defs = defs,
                                  .metrics = store.metrics(attempt.id),
                                  .digests = store.digests(attempt.id)});
}

ResultDigest result_digest_of(const results::Store& store, std::span<const results::Outcome> outcomes) {
  ResultIdentities identities(store);
  const auto defs = store.metric_defs();
  std::vector<results::Outcome> rows;
  for (const auto& outcome : outcomes) {
    const auto& answer = identities.of(outcome.identity);
    if (!answer.identity) return {{}, answer.unknown};
    const auto attempt = store.canonical(outcome.identity, outcome.replicate);
    if (!attempt || attempt->payload != outcome.payload) return {{}, "the store was written to meanwhile"};
    rows.push_back({.identity = *answer.identity,
                    .replicate = outcome.replicate,
                    .payload = payload_as(store, *attempt, *answer.identity, defs)});
  }
  return {results::result_digest(std::move(rows)), ""};
}

ResultDigest result_digest_of(const results::Store& store) {
  return result_digest_of(store, results::outcomes_of(store.trials()));
}

bool is_quick_to_digest(const results::Store& store) {
  std::int64_t planned = 0;
  for (const auto& study : store.studies()) planned += study.trials;
  return planned <= 1'000;
}

std::string text_of(const ResultDigest& result) {
  return result.digest ? results::hex(*result.digest) : "unknown: " + result.unknown;
}

Json json_of(const ResultDigest& result) {
  return result.digest ? Json(results::hex(*result.digest)) : Json();
}

}  // namespace retrial::harness::inline stored
