#include "results/store/seal.hpp"

namespace retrial::results::inline store {

std::string study_key(std::size_t place) {
  const std::string number = std::to_string(place);
  return "study/" + std::string(number.size() < 6 ? 6 - number.size() : 0, '0') + number;
}

Digest study_seal(const std::string& name, std::int64_t trials, std::span<const PlanEntry> plan) {
  Sha256 hash;
  hash.update(canonical(Json::array({name, trials, plan.size()})));
  for (const PlanEntry& e : plan)
    hash.update(canonical(Json::array({e.ordinal, hex(e.identity), e.replicate, e.trial_body, e.workload, e.variant,
                                       e.pair_index, e.block, e.estimate_ns})));
  return hash.finish();
}

Digest verdict_seal(const Digest& study, const std::string& claim, const std::string& word, const Digest& inputs) {
  return digest_of(Json::array({hex(study), claim, word, hex(inputs)}));
}

Digest meta_seal(const std::string& key, const std::string& value) {
  return digest_of(Json::array({key, value}));
}

bool reserved_meta_key(std::string_view key) {
  return key.starts_with("study/") || key.starts_with("verdict/") || key.starts_with("check/");
}

}  // namespace retrial::results::inline store
