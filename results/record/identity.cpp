#include "results/record/identity.hpp"

#include <algorithm>

#include "results/text/text.hpp"

namespace retrial::results::inline record {
namespace {

void add_text_with_zero(Sha256& hash, std::string_view text) {
  hash.update(text);
  hash.update(std::string_view("\0", 1));
}

void add_big_endian(Sha256& hash, std::uint32_t value) {
  const std::array<std::uint8_t, 4> bytes = {
      static_cast<std::uint8_t>(value >> 24), static_cast<std::uint8_t>(value >> 16 & 0xff),
      static_cast<std::uint8_t>(value >> 8 & 0xff), static_cast<std::uint8_t>(value & 0xff)};
  hash.update(std::span(bytes));
}

Digest digest_of_sorted(std::string_view schema, const std::vector<Outcome>& outcomes) {
  Sha256 hash;
  add_text_with_zero(hash, schema);
  for (const Outcome& outcome : outcomes) {
    hash.update(std::span(outcome.identity));
    add_big_endian(hash, outcome.replicate);
    hash.update(std::span(outcome.payload));
  }
  return hash.finish();
}

}  // namespace

Json identity_document(const IdentityParts& parts) {
  Json seeds = Json::object(), values = Json::object();
  for (const auto& [source, seed] : parts.seeds) seeds[source] = hex16(seed);
  for (const auto& [key, value] : parts.values) values[key] = canonical_value(value);
  Json out{{"dataset", parts.dataset ? Json(hex(*parts.dataset)) : Json()},
           {"mode", parts.mode},
           {"program", parts.program},
           {"schema", "retrial.trial/1"},
           {"seeds", std::move(seeds)},
           {"values", std::move(values)},
           {"variant", parts.variant},
           {"workload", parts.workload}};
  if (parts.search) out["search"] = hex(*parts.search);
  return out;
}

Digest plan_digest(std::span<const std::pair<Digest, std::uint32_t>> plan) {
  Sha256 hash;
  add_text_with_zero(hash, "retrial.plan/1");
  for (const auto& [identity, replicate] : plan) {
    hash.update(std::span(identity));
    add_big_endian(hash, replicate);
  }
  return hash.finish();
}

Digest store_digest(std::vector<Digest> records) {
  std::sort(records.begin(), records.end());
  Sha256 hash;
  add_text_with_zero(hash, "retrial.store/1");
  for (const Digest& record : records) hash.update(std::span(record));
  return hash.finish();
}

Digest outcome_digest(std::vector<Outcome> outcomes) {
  if (!std::is_sorted(outcomes.begin(), outcomes.end())) std::sort(outcomes.begin(), outcomes.end());
  return digest_of_sorted("retrial.outcome/1", outcomes);
}

Digest result_digest(std::vector<Outcome> outcomes) {
  std::sort(outcomes.begin(), outcomes.end());
  outcomes.erase(std::unique(outcomes.begin(), outcomes.end()), outcomes.end());
  return digest_of_sorted("retrial.result/1", outcomes);
}

Id16 attempt_id(const Id16& launch, const Digest& identity, std::uint32_t started_before) {
  Sha256 hash;
  hash.update(std::span(launch));
  hash.update(std::span(identity));
  std::array<std::uint8_t, 4> count;
  for (std::uint8_t& byte : count) byte = static_cast<std::uint8_t>(started_before & 0xff), started_before >>= 8;
  hash.update(std::span(count));
  const Digest digest = hash.finish();
  Id16 out;
  std::copy_n(digest.begin(), out.size(), out.begin());
  return out;
}

std::uint64_t first_bytes(const Digest& digest) {
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < sizeof out; ++i) out = out << 8 | digest[i];
  return out;
}

}  // namespace retrial::results::inline record
