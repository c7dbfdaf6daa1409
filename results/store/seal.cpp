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

std::string listing_key(const Digest& study) {
  return "listing/" + hex(study);
}

namespace {

void append_number(std::string& out, std::int64_t value) {
  for (int shift = 0; shift < 64; shift += 8) out += static_cast<char>(static_cast<std::uint64_t>(value) >> shift);
}

void append_text(std::string& out, const std::string& text) {
  append_number(out, static_cast<std::int64_t>(text.size()));
  out += text;
}

}  // namespace

// Not as JSON: pages about 100,000 trials check it each time.
Digest listing_seal(const std::string& name, std::int64_t trials, std::span<const PlanEntry> plan) {
  Sha256 hash;
  std::string row;
  append_text(row, name);
  append_number(row, trials);
  for (const PlanEntry& e : plan) {
    row.append(e.identity.begin(), e.identity.end());
    for (const std::int64_t number : {e.ordinal, std::int64_t{e.replicate}, e.pair_index, e.block, e.estimate_ns})
      append_number(row, number);
    append_text(row, e.workload);
    append_text(row, e.variant);
    hash.update(row);
    row.clear();
  }
  hash.update(row);
  return hash.finish();
}

Digest verdict_seal(const Digest& study, const std::string& claim, const std::string& word, const Digest& inputs) {
  return digest_of(Json::array({hex(study), claim, word, hex(inputs)}));
}

Digest meta_seal(const std::string& key, const std::string& value) {
  return digest_of(Json::array({key, value}));
}

bool reserved_meta_key(std::string_view key) {
  return key.starts_with("study/") || key.starts_with("listing/") || key.starts_with("verdict/") ||
         key.starts_with("check/");
}

}  // namespace retrial::results::inline store
