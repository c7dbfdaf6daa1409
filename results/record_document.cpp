#include <algorithm>
#include <set>

#include "results/error.hpp"
#include "results/identity.hpp"
#include "results/series.hpp"
#include "results/text.hpp"

namespace retrial::results {
namespace {

enum class Part { outcome, all };

template <typename T>
Json or_null(const std::optional<T>& value) {
  if constexpr (std::same_as<T, Id16> || std::same_as<T, Digest>) return value ? Json(hex(*value)) : Json();
  else return value ? Json(*value) : Json();
}

// The definitions that this record uses: what is defined and never measured would not be found again in the store.
std::map<std::string, MetricDef> used_definitions(const TrialRecord& record, Part part) {
  std::set<std::string_view> measured;
  for (const MetricValue& metric : record.metrics) measured.insert(metric.name);
  std::map<std::string, MetricDef> out;
  for (const MetricDef& def : record.defs)
    if (measured.contains(def.name) && (part == Part::all || def.nature == Nature::outcome)) out.emplace(def.name, def);
  return out;
}

Json definitions(const std::map<std::string, MetricDef>& defs) {
  Json out = Json::array();
  for (const auto& [name, def] : defs)
    out.push_back({name, def.unit, name_of(def.direction), name_of(def.nature), name_of(def.scale), name_of(def.axis)});
  return out;
}

Json digest_rows(const TrialRecord& record) {
  std::vector<DigestValue> rows = record.digests;
  const auto key = [](const DigestValue& d) { return std::tie(d.name, d.step, d.algo, d.hex); };
  std::sort(rows.begin(), rows.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
  Json out = Json::array();
  for (const DigestValue& row : rows) out.push_back({row.name, row.step, row.algo, row.hex});
  return out;
}

Json artifact_rows(const TrialRecord& record) {
  Json out = Json::array();
  for (const ArtifactValue& a : record.artifacts) out.push_back({a.name, a.kind, hex(a.digest), a.bytes});
  std::sort(out.begin(), out.end());
  return out;
}

// What payload and record have in common: definitions, digests, rows and series.
Json measured(const TrialRecord& record, Part part) {
  const auto defs = used_definitions(record, part);
  std::vector<MetricValue> kept;
  for (const MetricValue& metric : record.metrics)
    if (defs.contains(metric.name)) kept.push_back(metric);
  const Points points = divided(kept);
  Json metrics = Json::array(), series = Json::array();
  for (const MetricValue& row : points.rows) metrics.push_back({row.name, row.step, hex_of_bits(row.value)});
  for (const SeriesChunk& c : points.series) series.push_back({c.name, c.chunk, hex(sha256(c.bytes))});
  return {{"defs", definitions(defs)}, {"digests", digest_rows(record)}, {"identity", hex(record.identity)},
          {"metrics", std::move(metrics)}, {"series", std::move(series)}, {"status", name_of(record.status)}};
}

}  // namespace

Digest payload_digest(const TrialRecord& record) {
  Json document = measured(record, Part::outcome);
  document["schema"] = "retrial.payload/1";
  return digest_of(document);
}

Json record_document(const TrialRecord& record, const Digest& environment, const std::optional<Digest>& manifest) {
  Json out = measured(record, Part::all);
  out["schema"] = "retrial.record/1";
  out["artifacts"] = artifact_rows(record);
  out["attempt"] = hex(record.attempt);
  out["boot"] = or_null(record.boot);
  out["cpu_ns"] = or_null(record.cpu_ns);
  out["environment"] = hex(environment);
  out["exit_code"] = or_null(record.exit_code);
  out["host"] = or_null(record.host);
  out["launch"] = or_null(record.launch);
  out["manifest"] = or_null(manifest);
  out["message"] = or_null(record.message);
  out["payload"] = hex(payload_digest(record));
  out["peak_gpu"] = or_null(record.peak_gpu);
  out["peak_rss"] = or_null(record.peak_rss);
  out["replicate"] = record.replicate;
  out["signal"] = or_null(record.signal);
  out["started_ns"] = record.started_ns;
  out["wall_ns"] = record.wall_ns;
  out["worker"] = record.worker;
  return out;
}

Json event_document(const Event& event) {
  return {{"at_ns", event.at_ns}, {"attempt", or_null(event.attempt)}, {"detail", event.detail},
          {"identity", or_null(event.identity)}, {"kind", event.kind}, {"schema", "retrial.event/1"}};
}

}  // namespace retrial::results
