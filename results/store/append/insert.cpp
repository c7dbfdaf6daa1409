#include <bit>

#include "results/record/identity.hpp"
#include "results/store/append/prepare.hpp"
#include "results/store/state.hpp"
#include "results/store/tally.hpp"
#include "results/text/text.hpp"

namespace retrial::results::inline store {
namespace {

std::string described(const MetricDef& def) {
  return def.name + " [" + def.unit + ", " + std::string(name_of(def.direction)) + ", " +
         std::string(name_of(def.nature)) + ", " + std::string(name_of(def.scale)) + ", " +
         std::string(name_of(def.axis)) + "]";
}

Error conflict(const StoreState& state, const MetricDef& stored, const MetricDef& given) {
  return Error({.exit = Exit::incomparable,
                .code = "store.metric_conflict",
                .where = state.connection.file().string(),
                .field = "metric",
                .value = described(given),
                .problem = "is stored with a different definition: " + described(stored),
                .help = "rename the metric or use another store"});
}

std::optional<StoredMetric> find_metric(Connection& connection, const std::string& name) {
  Query row(connection, "SELECT metric_id,unit,direction,nature,scale,axis FROM metric_def WHERE name=?");
  if (!row.bind(name).step()) return std::nullopt;
  return StoredMetric{.id = row.integer(0),
                      .def = {.name = name,
                              .unit = row.text(1),
                              .direction = row.word(2, direction_from),
                              .nature = row.word(3, nature_from),
                              .scale = row.word(4, scale_from),
                              .axis = row.word(5, axis_from)}};
}

StoredMetric insert_metric(Connection& connection, const MetricDef& def) {
  Query(connection, "INSERT INTO metric_def(name,unit,direction,nature,scale,axis) VALUES(?,?,?,?,?,?)")
      .bind(def.name, def.unit, name_of(def.direction), name_of(def.nature), name_of(def.scale), name_of(def.axis))
      .run();
  return *find_metric(connection, def.name);
}

std::int64_t metric_id(StoreState& state, const MetricDef& def) {
  auto known = state.metrics.find(def.name);
  if (known == state.metrics.end()) {
    const auto stored = find_metric(state.connection, def.name);
    known = state.metrics.emplace(def.name, stored ? *stored : insert_metric(state.connection, def)).first;
  }
  if (known->second.def != def) throw conflict(state, known->second.def, def);
  return known->second.id;
}

bool has_record(Connection& connection, const Digest& record) {
  return Query(connection, "SELECT 1 FROM trial WHERE record=?").bind(record).step();
}

bool has_environment(Connection& connection, const Digest& digest) {
  return Query(connection, "SELECT 1 FROM environment WHERE digest=?").bind(digest).step();
}

void ensure_environment(Connection& connection, const Environment& environment) {
  if (!has_environment(connection, environment.digest))
    insert_environment(connection, environment.digest, environment.text, environment.columns);
}

std::int64_t insert_trial(Connection& connection, const PreparedTrial& trial) {
  const TrialRecord& r = *trial.record;
  Query(connection,
        "INSERT INTO trial(record,payload,identity,replicate,attempt,environment,status,started_ns,wall_ns,cpu_ns,"
        "peak_rss,peak_gpu,exit_code,signal,worker,host,boot,launch,message) "
        "VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)")
      .bind(trial.digest, trial.payload, r.identity, r.replicate, r.attempt, trial.environment->digest,
            name_of(r.status), r.started_ns, r.wall_ns, r.cpu_ns, r.peak_rss, r.peak_gpu, r.exit_code, r.signal,
            r.worker, r.host, r.boot, r.launch, r.message)
      .run();
  Query id(connection, "SELECT last_insert_rowid()");
  (void)id.bind().step();
  return id.integer(0);
}

void insert_measured(StoreState& state, std::int64_t id, const PreparedTrial& trial) {
  const auto& [defs, points] = trial.measured;
  std::map<std::string_view, std::int64_t> ids;
  for (const auto& [name, def] : defs) ids.emplace_hint(ids.end(), name, metric_id(state, *def));
  // SQLite stores NaN as NULL and negative zero as zero: `value` is for reading, `bits` is authoritative.
  Query row(state.connection, "INSERT INTO metric(trial_id,metric_id,step,value,bits) VALUES(?,?,?,?,?)");
  for (const MetricValue& m : points.rows)
    row.bind(id, ids.at(m.name), m.step, m.value, std::bit_cast<std::int64_t>(m.value)).run();
  Query chunk(state.connection,
              "INSERT INTO series(trial_id,metric_id,chunk,count,codec,digest,data) VALUES(?,?,?,?,'raw1',?,?)");
  for (const SeriesChunk& c : points.series)
    chunk.bind(id, ids.at(c.name), c.chunk, c.count, c.digest, Blob{c.bytes}).run();
}

void insert_digests(Connection& connection, std::int64_t id, const TrialRecord& record) {
  Query row(connection, "INSERT INTO digest(trial_id,name,step,algo,value) VALUES(?,?,?,?,?)");
  for (const DigestValue& d : record.digests) {
    const auto bytes = *bytes_from_hex(d.hex);
    row.bind(id, d.name, d.step, d.algo, Blob{{reinterpret_cast<const char*>(bytes.data()), bytes.size()}}).run();
  }
}

void insert_artifacts(Connection& connection, std::int64_t id, const TrialRecord& record) {
  Query row(connection, "INSERT INTO artifact(trial_id,name,kind,digest,bytes,body) VALUES(?,?,?,?,?,?)");
  for (const ArtifactValue& a : record.artifacts) {
    const bool inside = a.body && a.body->size() <= longest_body_in_store;
    row.bind(id, a.name, a.kind, a.digest, a.bytes, inside ? std::optional(Blob{*a.body}) : std::nullopt).run();
  }
}

void insert_record(StoreState& state, const PreparedTrial& trial, Tally& tally) {
  Connection& connection = state.connection;
  if (has_record(connection, trial.digest)) return;
  ensure_environment(connection, *trial.environment);
  const std::int64_t id = insert_trial(connection, trial);
  tally.add(tallied_trial(id, trial.digest));
  if (trial.manifest)
    Query(connection, "INSERT INTO manifest(trial_id,id,delta) VALUES(?,?,?)")
        .bind(id, *trial.manifest, trial.delta)
        .run();
  insert_measured(state, id, trial);
  insert_digests(connection, id, *trial.record);
  insert_artifacts(connection, id, *trial.record);
}

void insert_event(StoreState& state, const Event& event, Tally& tally) {
  const Digest digest = digest_of(event_document(event));
  Query(
      state.connection,
      "INSERT INTO event(digest,at_ns,kind,identity,attempt,detail) VALUES(?,?,?,?,?,?) ON CONFLICT(digest) DO NOTHING")
      .bind(digest, event.at_ns, event.kind, event.identity, event.attempt, event.detail)
      .run();
  if (state.connection.changed()) tally.add(digest);
  if (event.kind == "excluded") state.exclusions.reset();
}

}  // namespace

void insert_records(StoreState& state, std::span<const PreparedTrial> trials, std::span<const Event> events) {
  try {
    Tally attempts, others;
    for (const PreparedTrial& trial : trials) insert_record(state, trial, attempts);
    for (const Event& event : events) insert_event(state, event, others);
    keep_tally(state.connection, "trial", attempts);
    keep_tally(state.connection, "event", others);
  } catch (...) {
    state.metrics.clear();  // definitions of this transaction are rolled back
    throw;
  }
}

}  // namespace retrial::results::inline store
