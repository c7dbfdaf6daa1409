#include "results/record/record_text.hpp"

#include <algorithm>
#include <tuple>

#include "results/json/json.hpp"
#include "results/record/identity.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::results::inline record {
namespace {

enum class Part { outcome, all };

void append(std::string& out, std::string_view value) {
  append_string(out, value);
}
void append(std::string& out, const std::string& value) {
  append_string(out, value);
}
void append(std::string& out, std::int64_t value) {
  append_integer(out, value);
}
void append(std::string& out, int value) {
  append_integer(out, std::int64_t{value});
}
void append(std::string& out, std::uint32_t value) {
  append_integer(out, std::uint64_t{value});
}
void append(std::string& out, const Digest& value) {
  append_string(out, hex(value));
}
void append(std::string& out, const Id16& value) {
  append_string(out, hex(value));
}
template <typename T>
void append(std::string& out, const std::optional<T>& value) {
  if (value)
    append(out, *value);
  else
    out += "null";
}

/// ["a",1,...]
template <typename First, typename... Rest>
void append_row(std::string& out, const First& first, const Rest&... rest) {
  if (out.back() != '[') out += ',';
  out += '[';
  append(out, first);
  ((out += ',', append(out, rest)), ...);
  out += ']';
}

/// "key":value; the caller keeps the keys in byte order.
template <typename T>
void append_field(std::string& out, std::string_view key, const T& value) {
  out += out.empty() ? '{' : ',';
  append_string(out, key);
  out += ':';
  append(out, value);
}

template <typename Rows>
void append_rows(std::string& out, std::string_view key, Rows&& rows) {
  out += out.empty() ? '{' : ',';
  append_string(out, key);
  out += ":[";
  rows();
  out += ']';
}

bool counts(const Measured& measured, const std::string& metric, Part part) {
  return part == Part::all || measured.defs.at(metric)->nature == Nature::outcome;
}

void append_definitions(std::string& out, const Measured& m, Part part) {
  append_rows(out, "defs", [&] {
    for (const auto& [name, d] : m.defs)
      if (part == Part::all || d->nature == Nature::outcome)
        append_row(out, name, d->unit, name_of(d->direction), name_of(d->nature), name_of(d->scale), name_of(d->axis));
  });
}

void append_metrics(std::string& out, const Measured& m, Part part) {
  append_rows(out, "metrics", [&] {
    for (const MetricValue& row : m.points.rows)
      if (counts(m, row.name, part)) append_row(out, row.name, row.step, hex_of_bits(row.value));
  });
}

void append_series(std::string& out, const Measured& m, Part part) {
  append_rows(out, "series", [&] {
    for (const SeriesChunk& c : m.points.series)
      if (counts(m, c.name, part)) append_row(out, c.name, c.chunk, c.digest);
  });
}

template <typename T, typename Key>
std::vector<const T*> sorted(const std::vector<T>& rows, Key key) {
  std::vector<const T*> out;
  for (const T& row : rows) out.push_back(&row);
  std::sort(out.begin(), out.end(), [&](const T* a, const T* b) { return key(*a) < key(*b); });
  return out;
}

void append_digests(std::string& out, const TrialRecord& record) {
  append_rows(out, "digests", [&] {
    for (const DigestValue* d :
         sorted(record.digests, [](const DigestValue& v) { return std::tie(v.name, v.step, v.algo, v.hex); }))
      append_row(out, d->name, d->step, d->algo, d->hex);
  });
}

void append_artifacts(std::string& out, const TrialRecord& record) {
  append_rows(out, "artifacts", [&] {
    for (const ArtifactValue* a :
         sorted(record.artifacts, [](const ArtifactValue& v) { return std::tie(v.name, v.kind, v.digest, v.bytes); }))
      append_row(out, a->name, a->kind, a->digest, a->bytes);
  });
}

}  // namespace

std::string payload_text(const TrialRecord& r, const Measured& m) {
  std::string out;
  append_definitions(out, m, Part::outcome);
  append_digests(out, r);
  append_field(out, "identity", r.identity);
  append_metrics(out, m, Part::outcome);
  append_field(out, "schema", std::string_view("retrial.payload/1"));
  append_series(out, m, Part::outcome);
  append_field(out, "status", name_of(r.status));
  return out += '}';
}

std::string record_text(const TrialRecord& r, const Measured& m, const Digest& payload, const Digest& environment,
                        const std::optional<Digest>& manifest) {
  std::string out;
  append_artifacts(out, r);
  append_field(out, "attempt", r.attempt);
  append_field(out, "boot", r.boot);
  append_field(out, "cpu_ns", r.cpu_ns);
  append_definitions(out, m, Part::all);
  append_digests(out, r);
  append_field(out, "environment", environment);
  append_field(out, "exit_code", r.exit_code);
  append_field(out, "host", r.host);
  append_field(out, "identity", r.identity);
  append_field(out, "launch", r.launch);
  append_field(out, "manifest", manifest);
  append_field(out, "message", r.message);
  append_metrics(out, m, Part::all);
  append_field(out, "payload", payload);
  append_field(out, "peak_gpu", r.peak_gpu);
  append_field(out, "peak_rss", r.peak_rss);
  append_field(out, "replicate", r.replicate);
  append_field(out, "schema", std::string_view("retrial.record/1"));
  append_series(out, m, Part::all);
  append_field(out, "signal", r.signal);
  append_field(out, "started_ns", r.started_ns);
  append_field(out, "status", name_of(r.status));
  append_field(out, "wall_ns", r.wall_ns);
  append_field(out, "worker", r.worker);
  return out += '}';
}

Digest payload_digest(const TrialRecord& record) {
  return sha256(payload_text(record, measured(record)));
}

Json record_document(const TrialRecord& record, const Digest& environment, const std::optional<Digest>& manifest) {
  const Measured m = measured(record);
  return parse_json(record_text(record, m, sha256(payload_text(record, m)), environment, manifest), "record");
}

Json event_document(const Event& event) {
  return {{"at_ns", event.at_ns},   {"attempt", event.attempt ? Json(hex(*event.attempt)) : Json()},
          {"detail", event.detail}, {"identity", event.identity ? Json(hex(*event.identity)) : Json()},
          {"kind", event.kind},     {"schema", "retrial.event/1"}};
}

namespace {

[[noreturn]] void refuse_metric(const std::string& metric, const std::string& problem) {
  throw Error({.code = "record.metric", .field = "metric", .value = one_line(metric, 100), .problem = problem});
}

std::map<std::string_view, const MetricDef*> by_name(const TrialRecord& record) {
  std::map<std::string_view, const MetricDef*> out;
  for (const MetricDef& def : record.defs)
    if (const auto [known, fresh] = out.emplace(def.name, &def); !fresh && *known->second != def)
      refuse_metric(def.name, "has two different definitions in one trial");
  return out;
}

}  // namespace

// Only metrics with values keep their definitions: others could not be recovered from the store.
Measured measured(const TrialRecord& record) {
  const auto defined = by_name(record);
  Measured out{.defs = {}, .points = divided(record.metrics)};
  const auto use = [&](const std::string& name) {
    if (out.defs.contains(name)) return;
    const auto def = defined.find(name);
    if (def == defined.end()) refuse_metric(name, "has no definition");
    out.defs.emplace(*def);
  };
  for (const MetricValue& row : out.points.rows) use(row.name);
  for (const SeriesChunk& chunk : out.points.series) use(chunk.name);
  return out;
}

}  // namespace retrial::results::inline record
