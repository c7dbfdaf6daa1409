#include "results/store_prepare.hpp"

#include <map>

#include "results/identity.hpp"
#include "results/manifest_split.hpp"
#include "results/text.hpp"
#include "results/utf8.hpp"

namespace retrial::results {
namespace {

constexpr std::size_t longest_text = 4096;  // CHECK of trial.message and event.detail

[[noreturn]] void refuse(const std::string& field, const std::string& value, const std::string& problem) {
  throw Error({.code = "record.invalid", .field = field, .value = one_line(value, 100), .problem = problem});
}

void check_definitions(const TrialRecord& record) {
  std::map<std::string, MetricDef> defs;
  for (const MetricDef& def : record.defs)
    if (const auto [known, fresh] = defs.emplace(def.name, def); !fresh && known->second != def)
      refuse("metric", def.name, "is defined twice, differently, in one trial");
  for (const MetricValue& metric : record.metrics)
    if (!defs.contains(metric.name)) refuse("metric", metric.name, "has no definition");
}

void check_artifact(const ArtifactValue& artifact) {
  if (!artifact.body) return;
  if (static_cast<std::size_t>(artifact.bytes) != artifact.body->size() || sha256(*artifact.body) != artifact.digest)
    throw Error({.exit = Exit::integrity, .code = "record.artifact", .field = "artifact", .value = artifact.name,
                 .problem = "its bytes do not have the digest that is given"});
}

void normalise_digest(DigestValue& digest) {
  const auto bytes = bytes_from_hex(digest.hex);
  if (!bytes || bytes->size() < 8 || bytes->size() > 64) refuse("digest " + digest.name, digest.hex, "is not 8 to 64 bytes in hex");
  digest.hex = hex(std::span<const std::uint8_t>(*bytes));
}

TrialRecord storable(TrialRecord record) {
  if (record.message) record.message = storable_text(*record.message, longest_text);
  for (DigestValue& digest : record.digests) normalise_digest(digest);
  check_definitions(record);
  for (const ArtifactValue& artifact : record.artifacts) check_artifact(artifact);
  return record;
}

// Most trials of a study share their environment: comparing documents is cheaper than writing and hashing them.
void add_environment(StoreState& state, PreparedTrial& trial, const Json& base) {
  if (state.last_base != base || state.last_base.is_null()) {
    trial.base = canonical(base);
    trial.columns = environment_columns(base);
    state.last_base = base;
    state.last_base_digest = sha256(trial.base);
  }
  trial.environment = state.last_base_digest;
}

}  // namespace

Event storable(const Event& event) {
  Event out = event;
  out.detail = storable_text(event.detail, longest_text);
  return out;
}

PreparedTrial prepared(StoreState& state, const TrialRecord& record) {
  PreparedTrial trial{.record = storable(record)};
  const bool has_manifest = !record.manifest.is_null();
  const SplitManifest split = has_manifest ? split_manifest(record.manifest) : SplitManifest{.base = Json::object(), .delta = {}};
  if (has_manifest) trial.manifest = digest_of(record.manifest), trial.delta = canonical(split.delta);
  add_environment(state, trial, split.base);
  trial.points = divided(trial.record.metrics);
  const Json document = record_document(trial.record, trial.environment, trial.manifest);
  trial.digest = digest_of(document);
  trial.payload = digest_from_hex(document.at("payload").get_ref<const std::string&>(), "payload");
  return trial;
}

}  // namespace retrial::results
