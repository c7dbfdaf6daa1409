#include "results/store/append/prepare.hpp"

#include <set>
#include <tuple>

#include "results/record/manifest_split.hpp"
#include "results/store/append/storable.hpp"
#include "results/text/file_system.hpp"
#include "results/text/text.hpp"
#include "results/text/utf8.hpp"

namespace retrial::results::inline store {
namespace {

constexpr std::size_t longest_text = 4096;  // CHECK of trial.message and event.detail

[[noreturn]] void refuse_field(const std::string& field, const std::string& value, const std::string& problem) {
  throw Error({.code = "record.invalid", .field = field, .value = one_line(value, 100), .problem = problem});
}

void check_artifact(const ArtifactValue& artifact) {
  if (!artifact.body) return;
  if (static_cast<std::size_t>(artifact.bytes) != artifact.body->size() || sha256(*artifact.body) != artifact.digest)
    throw Error({.exit = Exit::integrity,
                 .code = "record.artifact",
                 .field = "artifact",
                 .value = artifact.name,
                 .problem = "its bytes do not match the given digest"});
}

std::string normal_hex(const DigestValue& digest) {
  const auto bytes = bytes_from_hex(digest.hex);
  if (!bytes || bytes->size() < 8 || bytes->size() > 64)
    refuse_field("digest " + digest.name, digest.hex, "is not 8 to 64 bytes in hex");
  return hex(std::span<const std::uint8_t>(*bytes));
}

bool is_storable(const TrialRecord& record) {
  for (const DigestValue& digest : record.digests)
    if (normal_hex(digest) != digest.hex) return false;
  return !record.message || storable_text(*record.message, longest_text) == *record.message;
}

std::unique_ptr<TrialRecord> made_storable(const TrialRecord& record) {
  if (is_storable(record)) return nullptr;
  auto out = std::make_unique<TrialRecord>(record);
  if (out->message) out->message = storable_text(*out->message, longest_text);
  for (DigestValue& digest : out->digests) digest.hex = normal_hex(digest);
  return out;
}

// Most trials of a study share their environment, and comparing documents is cheaper than writing and hashing them.
std::shared_ptr<const Environment> environment_of(StoreState& state, const Json& base) {
  if (!state.last_environment || state.last_environment->document != base) {
    std::string text = canonical(base);
    const Digest digest = sha256(text);
    state.last_environment =
        std::make_shared<Environment>(Environment{base, std::move(text), digest, environment_columns(base)});
  }
  return state.last_environment;
}

}  // namespace

Event storable(const Event& event) {
  Event out = event;
  out.detail = storable_text(event.detail, longest_text);
  return out;
}

namespace {

// Fills environment, manifest id and delta.
void add_manifest(StoreState& state, PreparedTrial& trial, const Json& manifest) {
  if (manifest.is_null()) {
    trial.environment = environment_of(state, Json::object());
    return;
  }
  trial.manifest = digest_of(manifest);
  const bool known = state.last_environment && has_base(manifest, state.last_environment->document);
  if (known) trial.delta = canonical(delta_of(manifest));
  if (known && fits(trial.delta)) {
    trial.environment = state.last_environment;
    return;
  }
  const SplitManifest split = split_manifest(manifest);
  trial.environment = environment_of(state, split.base);
  trial.delta = canonical(split.delta);
}

}  // namespace

namespace {

constexpr std::size_t longest_name = 200;  // CHECK of metric_def.name and artifact.name

void require_name(const std::string& field, const std::string& name) {
  if (name.empty() || name.size() > longest_name) refuse_field(field, name, "is not a name of 1 to 200 bytes");
}

void require_step(const std::string& field, const std::string& name, std::int64_t step) {
  if (step < -1) refuse_field(field + " " + name, std::to_string(step), "is not a step, nor -1 for the end");
}

void require_plain_sizes(const TrialRecord& record) {
  if (record.wall_ns < 0 || record.cpu_ns.value_or(0) < 0 || record.peak_rss.value_or(0) < 0)
    refuse_field("wall_ns, cpu_ns, peak_rss", "", "a time or a size below 0");
  for (const MetricValue& metric : record.metrics) {
    require_name("metric", metric.name);
    require_step("metric", metric.name, metric.step);
  }
  for (const DigestValue& digest : record.digests) {
    require_step("digest", digest.name, digest.step);
  }
  for (const ArtifactValue& artifact : record.artifacts) {
    require_name("artifact", artifact.name);
    if (artifact.bytes < 0) refuse_field("artifact " + artifact.name, std::to_string(artifact.bytes), "is no size");
  }
}

/// The store has one row for each of these.
template <typename Key>
void require_once(const std::string& field, const std::vector<Key>& keys) {
  const std::set<Key> different(keys.begin(), keys.end());
  if (different.size() != keys.size()) refuse_field(field, "", "the same one is given twice");
}

}  // namespace

std::optional<std::string> why_not_storable(const TrialRecord& record) try {
  require_plain_sizes(record);
  std::vector<std::tuple<std::string, std::int64_t, std::string>> digests;
  for (const DigestValue& digest : record.digests) {
    static_cast<void>(normal_hex(digest));
    digests.emplace_back(digest.name, digest.step, digest.algo);
  }
  require_once("digest", digests);
  std::vector<std::string> artifacts;
  for (const ArtifactValue& artifact : record.artifacts) {
    check_artifact(artifact);
    artifacts.push_back(artifact.name);
  }
  require_once("artifact", artifacts);
  static_cast<void>(payload_text(record, measured(record)));
  return std::nullopt;
} catch (const Error& error) {
  return one_line(error.what(), 300);
}

PreparedTrial prepared(StoreState& state, const TrialRecord& given) {
  PreparedTrial trial;
  trial.changed = made_storable(given);
  trial.record = trial.changed ? trial.changed.get() : &given;
  for (const ArtifactValue& artifact : given.artifacts) check_artifact(artifact);
  trial.measured = measured(*trial.record);
  add_manifest(state, trial, given.manifest);
  trial.payload = sha256(payload_text(*trial.record, trial.measured));
  trial.digest =
      sha256(record_text(*trial.record, trial.measured, trial.payload, trial.environment->digest, trial.manifest));
  return trial;
}

std::filesystem::path artifact_file(const std::filesystem::path& store, const Digest& digest) {
  const std::string name = hex(digest);
  return std::filesystem::path(store.string() + ".files") / name.substr(0, 2) / name.substr(2);
}

void keep_large_artifacts(const std::filesystem::path& store, const TrialRecord& record) {
  for (const ArtifactValue& artifact : record.artifacts) {
    if (!artifact.body || artifact.body->size() <= longest_body_in_store) continue;
    const auto file = artifact_file(store, artifact.digest);
    std::error_code error;
    if (std::filesystem::exists(file, error)) continue;
    std::filesystem::create_directories(file.parent_path(), error);
    if (error || !write_durably(file, *artifact.body))
      throw DiskRefused({.exit = Exit::measurement,
                         .code = "store.disk",
                         .where = file.string(),
                         .problem = "this artifact cannot be written to disk"});
  }
}

}  // namespace retrial::results::inline store
