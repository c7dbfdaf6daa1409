#include <map>
#include <set>

#include "results/digest/sha256.hpp"
#include "results/record/manifest_split.hpp"
#include "results/store/state.hpp"
#include "results/text/text.hpp"

namespace retrial::results::inline store {
namespace {

std::vector<MetricValue> read_chunk(const Query& row) {
  if (row.text(1) != "raw1")
    throw Error({.exit = Exit::integrity,
                 .code = "store.codec",
                 .field = "codec",
                 .value = one_line(row.text(1), 40),
                 .problem = "unknown codec",
                 .allowed = "raw1"});
  const std::string data = row.bytes(2);
  auto points = points_of_chunk(row.name(0), data);
  if (sha256(data) != row.digest(3))
    throw Error({.exit = Exit::integrity,
                 .code = "store.chunk",
                 .field = "series " + row.name(0),
                 .problem = "its bytes do not match their digest"});
  if (!points)
    throw Error({.exit = Exit::integrity,
                 .code = "store.chunk",
                 .field = "series " + row.name(0),
                 .problem = "has the wrong length"});
  return std::move(*points);
}

/// Columns 0 to 5: name, unit, direction, nature, scale, axis.
std::vector<MetricDef> definitions(Query& rows) {
  std::vector<MetricDef> out;
  while (rows.step())
    out.push_back({.name = rows.name(0),
                   .unit = rows.name(1),
                   .direction = rows.word(2, direction_from),
                   .nature = rows.word(3, nature_from),
                   .scale = rows.word(4, scale_from),
                   .axis = rows.word(5, axis_from)});
  return out;
}

/// Columns 0 to 4: at_ns, kind, identity, attempt, detail.
std::vector<Event> events_in(Query& rows) {
  std::vector<Event> out;
  while (rows.step())
    out.push_back({.at_ns = rows.integer(0),
                   .kind = rows.name(1),
                   .identity = rows.null(2) ? std::nullopt : std::optional(rows.digest(2)),
                   .attempt = rows.id16_or_null(3),
                   .detail = rows.text(4)});
  return out;
}

std::vector<MetricValue> read_metrics(Connection& connection, std::int64_t trial) {
  std::vector<MetricValue> out;
  Query rows(connection,
             "SELECT d.name, m.step, m.value, m.bits FROM metric m JOIN metric_def d ON d.metric_id=m.metric_id WHERE "
             "m.trial_id=? ORDER BY d.name, m.step");
  for (rows.bind(trial); rows.step();)
    out.push_back({.name = rows.name(0), .step = rows.integer(1, -1), .value = rows.number(2, 3)});
  Query chunks(
      connection,
      "SELECT d.name, s.codec, s.data, s.digest FROM series s JOIN metric_def d ON d.metric_id=s.metric_id WHERE "
      "s.trial_id=? ORDER BY d.name, s.chunk");
  for (chunks.bind(trial); chunks.step();) {
    const auto points = read_chunk(chunks);
    out.insert(out.end(), points.begin(), points.end());
  }
  return out;
}

/// Of the metrics that have values, by name.
std::vector<MetricDef> definitions_of(Connection& connection, const std::vector<MetricValue>& values, Shared& shared) {
  std::set<std::string_view> names;
  for (const auto& value : values) names.insert(value.name);
  std::vector<MetricDef> out;
  for (const auto name : names) out.push_back(shared.definition(connection, std::string(name)));
  return out;
}

std::vector<DigestValue> read_digests(Connection& connection, std::int64_t trial) {
  std::vector<DigestValue> out;
  Query rows(connection, "SELECT name,step,algo,value FROM digest WHERE trial_id=? ORDER BY name,step,algo");
  for (rows.bind(trial); rows.step();) {
    const std::string value = rows.bytes(3);
    out.push_back({.name = rows.name(0),
                   .step = rows.integer(1, -1),
                   .algo = rows.name(2),
                   .hex = hex(std::span(reinterpret_cast<const std::uint8_t*>(value.data()), value.size()))});
  }
  return out;
}

std::vector<ArtifactValue> read_artifacts(Connection& connection, std::int64_t trial) {
  std::vector<ArtifactValue> out;
  Query rows(connection, "SELECT name,kind,digest,bytes,body FROM artifact WHERE trial_id=? ORDER BY name");
  for (rows.bind(trial); rows.step();)
    out.push_back({.name = rows.name(0),
                   .kind = rows.name(1),
                   .digest = rows.digest(2),
                   .bytes = rows.integer(3, 0),
                   .body = rows.null(4) ? std::nullopt : std::optional(rows.bytes(4))});
  return out;
}

struct StoredManifest {
  Digest environment{};
  Json delta;
};

std::optional<StoredManifest> stored_manifest(Connection& connection, std::int64_t trial) {
  Query row(connection,
            "SELECT t.environment, m.delta FROM trial t JOIN manifest m ON m.trial_id=t.trial_id WHERE t.trial_id=?");
  if (!row.bind(trial).step()) return std::nullopt;
  return StoredManifest{.environment = row.digest(0),
                        .delta = stored_json(connection, row.text(1), "manifest of trial " + std::to_string(trial))};
}

Json read_manifest(Connection& connection, std::int64_t trial, Shared& shared) {
  const auto stored = stored_manifest(connection, trial);
  if (!stored) return nullptr;
  return merged(shared.environment(connection, stored->environment).document, stored->delta);
}

}  // namespace

const Shared::Base& Shared::environment(Connection& connection, const Digest& digest) {
  constexpr std::size_t most = 64;
  if (const auto known = environments_.find(digest); known != environments_.end()) return known->second;
  auto document = find_document(connection, digest);
  if (!document) throw damaged(connection.file(), "is damaged: environment " + hex(digest) + " is missing");
  Base base{.document = std::move(*document), .groups = {}};
  if (base.document.is_object())
    for (const auto& [group, value] : base.document.items()) base.groups[group] = canonical(value);
  if (environments_.size() >= most) environments_.clear();
  return environments_.emplace(digest, std::move(base)).first->second;
}

const MetricDef& Shared::definition(Connection& connection, const std::string& name) {
  if (const auto known = definitions_.find(name); known != definitions_.end()) return known->second;
  Query row(connection, "SELECT name,unit,direction,nature,scale,axis FROM metric_def WHERE name=?");
  auto found = definitions(row.bind(name));
  if (found.empty()) throw damaged(connection.file(), "is damaged: a metric has no definition");
  return definitions_.emplace(name, std::move(found.front())).first->second;
}

// The groups of the environment are written once, not for each trial.
std::optional<Digest> read_manifest_digest(Connection& connection, std::int64_t trial, Shared& shared) {
  const auto stored = stored_manifest(connection, trial);
  if (!stored) return std::nullopt;
  const auto& base = shared.environment(connection, stored->environment);
  if (!base.document.is_object() || !stored->delta.is_object()) return digest_of(merged(base.document, stored->delta));
  std::map<std::string_view, std::string> own;
  for (const auto& [group, value] : stored->delta.get_ref<const Json::object_t&>()) {
    const auto shared_group = base.document.find(group);
    own[group] = canonical(shared_group == base.document.end() ? value : merged(*shared_group, value));
  }
  std::map<std::string_view, const std::string*> all;
  for (const auto& [group, text] : base.groups) all[group] = &text;
  for (const auto& [group, text] : own) all[group] = &text;
  Sha256 hash;
  std::string before = "{";
  for (const auto& [group, value] : all) {
    append_string(before, group);
    hash.update(before += ':');
    hash.update(*value);
    before = ",";
  }
  hash.update(all.empty() ? "{}" : "}");
  return hash.finish();
}

TrialRecord read_measurements(Connection& connection, std::int64_t trial, Shared& shared) {
  Query row(connection,
            "SELECT identity,replicate,attempt,status,started_ns,wall_ns,cpu_ns,peak_rss,peak_gpu,exit_code,signal,"
            "worker,host,message,boot,launch FROM trial WHERE trial_id=?");
  if (!row.bind(trial).step()) throw damaged(connection.file(), "has no trial " + std::to_string(trial));
  TrialRecord out{.identity = row.digest(0),
                  .replicate = row.count32(1),
                  .attempt = row.id16(2),
                  .status = row.word(3, status_from),
                  .started_ns = row.integer(4),
                  .wall_ns = row.integer(5, 0),
                  .cpu_ns = row.integer_or_null(6, 0),
                  .peak_rss = row.integer_or_null(7, 0),
                  .peak_gpu = row.integer_or_null(8, 0),
                  .exit_code = row.int_or_null(9),
                  .signal = row.int_or_null(10),
                  .worker = row.name(11),
                  .host = row.text_or_null(12),
                  .message = row.text_or_null(13),
                  .boot = row.id16_or_null(14),
                  .launch = row.id16_or_null(15),
                  .metrics = read_metrics(connection, trial),
                  .digests = read_digests(connection, trial),
                  .artifacts = read_artifacts(connection, trial)};
  out.defs = definitions_of(connection, out.metrics, shared);
  return out;
}

TrialRecord read_record(Connection& connection, std::int64_t trial, Shared& shared) {
  auto out = read_measurements(connection, trial, shared);
  out.manifest = read_manifest(connection, trial, shared);
  return out;
}

std::map<std::int64_t, Origin> Store::origins() const {
  std::map<std::int64_t, Origin> out;
  Query rows(impl_->connection, "SELECT trial_id,host,boot,launch FROM trial ORDER BY trial_id");
  for (rows.bind(); rows.step();)
    out.emplace_hint(
        out.end(), rows.integer(0, 1),
        Origin{
            .host = rows.text_or_null(1).value_or(""), .boot = rows.id16_or_null(2), .launch = rows.id16_or_null(3)});
  return out;
}

std::vector<MetricDef> Store::metric_defs() const {
  Query rows(impl_->connection, "SELECT name,unit,direction,nature,scale,axis FROM metric_def ORDER BY name");
  return definitions(rows.bind());
}

std::vector<MetricValue> Store::metrics(std::int64_t trial) const {
  return read_metrics(impl_->connection, trial);
}
std::vector<std::pair<std::int64_t, double>> Store::final_values(const std::string& metric) const {
  std::vector<std::pair<std::int64_t, double>> out;
  Query rows(impl_->connection,
             "SELECT trial_id, value, bits FROM metric INDEXED BY metric_by_name "
             "WHERE metric_id=(SELECT metric_id FROM metric_def WHERE name=?) AND step=-1 ORDER BY trial_id");
  for (rows.bind(metric); rows.step();) out.emplace_back(rows.integer(0), rows.number(1, 2));
  return out;
}
std::vector<Event> Store::attempt_events() const {
  Query rows(impl_->connection, "SELECT at_ns,kind,identity,attempt,'' FROM event WHERE attempt IS NOT NULL");
  return events_in(rows.bind());
}
std::int64_t Store::attempts_without_record(const Digest& study) const {
  Query row(impl_->connection,
            "SELECT count(*) FROM event e WHERE e.kind='started' AND e.attempt IS NOT NULL "
            "AND NOT EXISTS(SELECT 1 FROM trial t WHERE t.attempt=e.attempt) "
            "AND EXISTS(SELECT 1 FROM plan p WHERE p.study=? AND p.identity=e.identity) "
            "AND NOT EXISTS(SELECT 1 FROM event s WHERE s.kind='stopped' AND s.attempt=e.attempt)");
  return row.bind(study).step() ? row.integer(0) : 0;
}
std::vector<DigestValue> Store::digests(std::int64_t trial) const {
  return read_digests(impl_->connection, trial);
}
Json Store::manifest(std::int64_t trial) const {
  return read_manifest(impl_->connection, trial, impl_->shared);
}
std::vector<Event> Store::events_of(const std::string& kind) const {
  Query rows(impl_->connection, "SELECT at_ns,kind,identity,attempt,detail FROM event WHERE kind=? ORDER BY digest");
  return events_in(rows.bind(kind));
}
std::vector<Event> Store::events() const {
  Query rows(impl_->connection, "SELECT at_ns,kind,identity,attempt,detail FROM event ORDER BY at_ns, digest");
  return events_in(rows.bind());
}
std::vector<ArtifactValue> Store::artifacts(std::int64_t trial) const {
  return read_artifacts(impl_->connection, trial);
}
std::optional<std::string> Store::json_artifact(std::int64_t trial, std::string_view name) const {
  Query row(impl_->connection, "SELECT body FROM artifact WHERE trial_id=? AND name=? AND kind='json'");
  if (!row.bind(trial, name).step() || row.null(0)) return std::nullopt;
  return row.bytes(0);
}
TrialRecord Store::record(std::int64_t trial) const {
  return read_record(impl_->connection, trial, impl_->shared);
}

}  // namespace retrial::results::inline store
