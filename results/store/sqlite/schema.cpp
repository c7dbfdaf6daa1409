#include "results/store/sqlite/schema.hpp"

#include <algorithm>
#include <vector>

namespace retrial::results::inline store::inline sqlite {
namespace {

// Rows of a WITHOUT ROWID table above a thousand bytes each took a page of 4 KiB.
constexpr std::string_view plan1 =
    R"(CREATE TABLE plan(
  study BLOB NOT NULL REFERENCES study(digest) ON DELETE RESTRICT,
  ordinal INTEGER NOT NULL CHECK(ordinal>=0),
  identity BLOB NOT NULL CHECK(length(identity)=32),
  replicate INTEGER NOT NULL CHECK(replicate>=0),
  trial_body TEXT NOT NULL CHECK(length(trial_body) BETWEEN 2 AND 65536),
  workload TEXT NOT NULL, variant TEXT NOT NULL,
  pair_index INTEGER NOT NULL CHECK(pair_index>=0),
  block INTEGER NOT NULL CHECK(block>=0),
  estimate_ns INTEGER NOT NULL CHECK(estimate_ns>=0),
  PRIMARY KEY(study,ordinal), UNIQUE(study,identity,replicate)) STRICT, WITHOUT ROWID)";

/// `trial_body` is the whole body, or, with a `base`, the leaves in which it differs from the body at that ordinal.
constexpr std::string_view plan2 =
    R"(CREATE TABLE plan(
  study BLOB NOT NULL REFERENCES study(digest) ON DELETE RESTRICT,
  ordinal INTEGER NOT NULL CHECK(ordinal>=0),
  identity BLOB NOT NULL CHECK(length(identity)=32),
  replicate INTEGER NOT NULL CHECK(replicate>=0),
  base INTEGER CHECK(base<ordinal),
  trial_body TEXT NOT NULL CHECK(length(trial_body) BETWEEN 2 AND 65536),
  workload TEXT NOT NULL, variant TEXT NOT NULL,
  pair_index INTEGER NOT NULL CHECK(pair_index>=0),
  block INTEGER NOT NULL CHECK(block>=0),
  estimate_ns INTEGER NOT NULL CHECK(estimate_ns>=0),
  PRIMARY KEY(study,ordinal), UNIQUE(study,identity,replicate)) STRICT)";

/// Number and sum of the digests of all rows of a kind that were ever committed: what was taken away is missed.
constexpr std::string_view tally =
    R"(CREATE TABLE tally(
  kind TEXT PRIMARY KEY, rows INTEGER NOT NULL CHECK(rows>=0), sum BLOB NOT NULL CHECK(length(sum)=32)) STRICT, WITHOUT ROWID)";

constexpr SchemaObject objects[] = {
    {"table", "meta", R"(CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID)"},
    {"table", "document",
     R"(CREATE TABLE document(
  digest BLOB PRIMARY KEY CHECK(length(digest)=32),
  kind TEXT NOT NULL CHECK(kind IN('study','design','config','environment','dataset','program','claim','verdict','calibration','result','gate_state')),
  body TEXT NOT NULL CHECK(length(body) BETWEEN 2 AND 4194304)) STRICT, WITHOUT ROWID)"},
    {"table", "environment",
     R"(CREATE TABLE environment(
  digest BLOB PRIMARY KEY REFERENCES document(digest) ON DELETE RESTRICT,
  stratum BLOB NOT NULL CHECK(length(stratum)=32),
  cpu_model TEXT NOT NULL, cpu_cores INTEGER NOT NULL, isa TEXT NOT NULL, governor TEXT,
  gpu_model TEXT, gpu_driver TEXT, torch_version TEXT, cuda_version TEXT,
  os TEXT NOT NULL, kernel TEXT NOT NULL) STRICT, WITHOUT ROWID)"},
    {"table", "study",
     R"(CREATE TABLE study(
  digest BLOB PRIMARY KEY REFERENCES document(digest) ON DELETE RESTRICT,
  name TEXT NOT NULL CHECK(length(name) BETWEEN 1 AND 200),
  trials INTEGER NOT NULL CHECK(trials>=0)) STRICT, WITHOUT ROWID)"},
    {"table", "plan", plan2},
    // A plan is listed far more often than its bodies are read, and the bodies are most of the file.
    {"index", "plan_listing",
     R"(CREATE INDEX plan_listing ON plan(study,ordinal,identity,replicate,workload,variant,pair_index,block,estimate_ns))"},
    {"table", "trial",
     R"(CREATE TABLE trial(
  trial_id INTEGER PRIMARY KEY,
  record BLOB NOT NULL UNIQUE CHECK(length(record)=32),
  payload BLOB NOT NULL CHECK(length(payload)=32),
  identity BLOB NOT NULL CHECK(length(identity)=32), replicate INTEGER NOT NULL CHECK(replicate>=0),
  attempt BLOB NOT NULL UNIQUE CHECK(length(attempt)=16),
  environment BLOB NOT NULL REFERENCES environment(digest) ON DELETE RESTRICT,
  status TEXT NOT NULL CHECK(status IN('ok','diverged','failed','timeout','oom','killed')),
  started_ns INTEGER NOT NULL, wall_ns INTEGER NOT NULL CHECK(wall_ns>=0),
  cpu_ns INTEGER CHECK(cpu_ns>=0), peak_rss INTEGER CHECK(peak_rss>=0), peak_gpu INTEGER CHECK(peak_gpu>=0),
  exit_code INTEGER, signal INTEGER,
  worker TEXT NOT NULL, host TEXT,
  boot BLOB CHECK(boot IS NULL OR length(boot)=16), launch BLOB CHECK(launch IS NULL OR length(launch)=16),
  message TEXT CHECK(message IS NULL OR length(message)<=4096)) STRICT)"},
    {"table", "manifest",
     R"(CREATE TABLE manifest(
  trial_id INTEGER PRIMARY KEY REFERENCES trial ON DELETE RESTRICT,
  id BLOB NOT NULL CHECK(length(id)=32),
  delta TEXT NOT NULL CHECK(length(delta) BETWEEN 2 AND 65536)) STRICT)"},
    {"index", "trial_by_identity",
     R"(CREATE INDEX trial_by_identity ON trial(identity,replicate,status,started_ns,record))"},
    {"table", "metric_def",
     R"(CREATE TABLE metric_def(
  metric_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE CHECK(length(name) BETWEEN 1 AND 200),
  unit TEXT NOT NULL,
  direction TEXT NOT NULL CHECK(direction IN('lower','higher','none')),
  nature TEXT NOT NULL CHECK(nature IN('outcome','cost')),
  scale TEXT NOT NULL CHECK(scale IN('ratio','absolute')),
  axis TEXT NOT NULL CHECK(axis IN('none','epoch','step','repetition'))) STRICT)"},
    {"table", "metric",
     R"(CREATE TABLE metric(
  trial_id INTEGER NOT NULL REFERENCES trial ON DELETE RESTRICT,
  metric_id INTEGER NOT NULL REFERENCES metric_def ON DELETE RESTRICT,
  step INTEGER NOT NULL CHECK(step>=-1),
  value REAL,
  bits INTEGER NOT NULL,
  PRIMARY KEY(trial_id,metric_id,step)) STRICT, WITHOUT ROWID)"},
    {"index", "metric_by_name", R"(CREATE INDEX metric_by_name ON metric(metric_id,step,trial_id,value,bits))"},
    {"table", "series",
     R"(CREATE TABLE series(
  trial_id INTEGER NOT NULL REFERENCES trial ON DELETE RESTRICT,
  metric_id INTEGER NOT NULL REFERENCES metric_def ON DELETE RESTRICT,
  chunk INTEGER NOT NULL CHECK(chunk>=0),
  count INTEGER NOT NULL CHECK(count BETWEEN 1 AND 4096),
  codec TEXT NOT NULL CHECK(codec IN('raw1','zstd1')),
  digest BLOB NOT NULL CHECK(length(digest)=32),
  data BLOB NOT NULL CHECK(length(data)<=131072),
  PRIMARY KEY(trial_id,metric_id,chunk)) STRICT, WITHOUT ROWID)"},
    {"table", "digest",
     R"(CREATE TABLE digest(
  trial_id INTEGER NOT NULL REFERENCES trial ON DELETE RESTRICT,
  name TEXT NOT NULL, step INTEGER NOT NULL CHECK(step>=-1),
  algo TEXT NOT NULL, value BLOB NOT NULL CHECK(length(value) BETWEEN 8 AND 64),
  PRIMARY KEY(trial_id,name,step,algo)) STRICT, WITHOUT ROWID)"},
    {"table", "artifact",
     R"(CREATE TABLE artifact(
  trial_id INTEGER NOT NULL REFERENCES trial ON DELETE RESTRICT,
  name TEXT NOT NULL CHECK(length(name) BETWEEN 1 AND 200), kind TEXT NOT NULL,
  digest BLOB NOT NULL CHECK(length(digest)=32), bytes INTEGER NOT NULL CHECK(bytes>=0),
  body BLOB CHECK(body IS NULL OR length(body)<=65536),
  PRIMARY KEY(trial_id,name)) STRICT, WITHOUT ROWID)"},
    {"table", "event",
     R"(CREATE TABLE event(
  digest BLOB PRIMARY KEY CHECK(length(digest)=32),
  at_ns INTEGER NOT NULL, kind TEXT NOT NULL,
  identity BLOB CHECK(identity IS NULL OR length(identity)=32),
  attempt BLOB CHECK(attempt IS NULL OR length(attempt)=16),
  detail TEXT NOT NULL CHECK(length(detail)<=4096)) STRICT, WITHOUT ROWID)"},
    // Every query of the trials needs the exclusions; without this index it would read all events.
    {"index", "event_excluded", R"(CREATE INDEX event_excluded ON event(identity,attempt) WHERE kind='excluded')"},
    {"table", "tag",
     R"(CREATE TABLE tag(subject BLOB NOT NULL CHECK(length(subject)=32), key TEXT NOT NULL, value TEXT NOT NULL,
  PRIMARY KEY(subject,key,value)) STRICT, WITHOUT ROWID)"},
    {"table", "verdict",
     R"(CREATE TABLE verdict(
  document BLOB PRIMARY KEY REFERENCES document(digest) ON DELETE RESTRICT,
  study BLOB REFERENCES study(digest) ON DELETE RESTRICT,
  claim TEXT NOT NULL, verdict TEXT NOT NULL, inputs BLOB NOT NULL CHECK(length(inputs)=32)) STRICT, WITHOUT ROWID)"},
    {"table", "lease",
     R"(CREATE TABLE lease(
  identity BLOB NOT NULL CHECK(length(identity)=32), replicate INTEGER NOT NULL,
  owner BLOB NOT NULL CHECK(length(owner)=16), expires_ns INTEGER NOT NULL, PRIMARY KEY(identity,replicate)) STRICT, WITHOUT ROWID)"},
    {"table", "tally", tally},
    {"view", "v_trial",
     R"(CREATE VIEW v_trial AS
  SELECT t.trial_id, lower(hex(t.record)) AS record, lower(hex(t.identity)) AS identity, t.replicate,
    lower(hex(t.attempt)) AS attempt, s.name AS study, p.workload, p.variant, p.pair_index, p.ordinal, t.status,
    t.started_ns, t.wall_ns / 1e9 AS wall_s, t.cpu_ns / 1e9 AS cpu_s, t.peak_rss, t.worker, t.host, t.message
  FROM trial t
  LEFT JOIN plan p ON p.identity = t.identity AND p.replicate = t.replicate
  LEFT JOIN study s ON s.digest = p.study)"},
    {"view", "v_metric",
     R"(CREATE VIEW v_metric AS
  SELECT v.study, v.workload, v.variant, v.pair_index, v.replicate, v.identity, v.status, d.name AS metric, d.unit,
    d.direction, m.step, m.value, m.bits
  FROM v_trial v JOIN metric m ON m.trial_id = v.trial_id JOIN metric_def d ON d.metric_id = m.metric_id)"},
    {"view", "v_summary",
     R"(CREATE VIEW v_summary AS
  SELECT study, workload, variant, pair_index, replicate, identity, status, metric, unit, value, bits
  FROM v_metric WHERE step = -1)"},
    {"view", "v_failure",
     R"(CREATE VIEW v_failure AS
  SELECT study, workload, variant, pair_index, replicate, identity, attempt, status, message
  FROM v_trial WHERE status NOT IN('ok','diverged'))"},
    {"view", "v_plan_status",
     R"(CREATE VIEW v_plan_status AS
  SELECT s.name AS study, p.ordinal, p.workload, p.variant, p.pair_index, p.replicate,
    lower(hex(p.identity)) AS identity, count(t.trial_id) AS attempts,
    coalesce(sum(t.status IN('ok','diverged')), 0) AS finished
  FROM plan p JOIN study s ON s.digest = p.study
  LEFT JOIN trial t ON t.identity = p.identity AND t.replicate = p.replicate
  GROUP BY p.study, p.ordinal)"},
};

}  // namespace

std::span<const SchemaObject> schema_objects(int version) {
  static const std::vector<SchemaObject> first = [] {
    std::vector<SchemaObject> all(std::begin(objects), std::end(objects));
    std::erase_if(all, [](const SchemaObject& object) { return object.name == "tally"; });
    std::ranges::find(all, "plan", &SchemaObject::name)->sql = plan1;
    return all;
  }();
  return version == 1 ? std::span<const SchemaObject>(first) : std::span<const SchemaObject>(objects);
}

}  // namespace retrial::results::inline store::inline sqlite
