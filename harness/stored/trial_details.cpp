#include "harness/stored/trial_details.hpp"

#include "harness/plan/trial_name.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline stored {
namespace {

Json attempt_json(const results::TrialRow& row, const results::AttemptDetails& details) {
  return {{"attempt", results::hex(row.attempt)},
          {"record", results::hex(row.record)},
          {"status", results::name_of(row.status)},
          {"excluded", row.excluded},
          {"started_ns", row.started_ns},
          {"wall_ns", row.wall_ns},
          {"cpu_ns", details.cpu_ns ? Json(*details.cpu_ns) : Json()},
          {"peak_rss", details.peak_rss ? Json(*details.peak_rss) : Json()},
          {"exit_code", details.exit_code ? Json(*details.exit_code) : Json()},
          {"signal", details.signal ? Json(*details.signal) : Json()},
          {"worker", details.worker},
          {"message", details.message ? Json(*details.message) : Json()}};
}

Json metrics_json(const TrialDetails& details) {
  Json out = Json::array();
  for (const auto& metric : details.metrics)
    out.push_back({{"name", metric.name},
                   {"step", metric.step},
                   {"value", metric.value},
                   {"bits", results::hex_of_bits(metric.value)}});
  return out;
}

Json digests_json(const TrialDetails& details) {
  Json out = Json::array();
  for (const auto& digest : details.digests)
    out.push_back({{"name", digest.name}, {"step", digest.step}, {"algorithm", digest.algo}, {"hex", digest.hex}});
  return out;
}

}  // namespace

TrialDetails read_trial(const results::Store& store, const StudyView& study, const PlannedTrial& trial) {
  TrialDetails out{.trial = trial, .study = study.name, .body = store.trial_body(study.digest, trial.entry.ordinal)};
  for (const auto& row : store.trials(trial.entry.identity))
    if (row.replicate == trial.entry.replicate) out.attempts.push_back(row);
  for (const auto& row : out.attempts) out.attempt_details.push_back(store.attempt_details(row.id));
  out.defs = store.metric_defs();
  if (!trial.row) return out;
  out.details = store.attempt_details(trial.row->id);
  out.metrics = store.metrics(trial.row->id);
  out.digests = store.digests(trial.row->id);
  out.artifacts = store.artifacts(trial.row->id);
  const Json manifest = store.manifest(trial.row->id);
  out.resumed = manifest.value("/outcome/resumed"_json_pointer, std::int64_t{0});
  // The plan does not contain the result of a search; the manifest records the values that ran.
  if (out.body.contains("search")) out.body["values"] = manifest.at("inputs").at("values");
  return out;
}

Json trial_json(const TrialDetails& details) {
  const auto& entry = details.trial.entry;
  Json attempts = Json::array(), artifacts = Json::array();
  for (std::size_t i = 0; i < details.attempts.size(); ++i)
    attempts.push_back(attempt_json(details.attempts[i], details.attempt_details[i]));
  for (const auto& a : details.artifacts)
    artifacts.push_back({{"name", a.name}, {"kind", a.kind}, {"bytes", a.bytes}, {"sha256", results::hex(a.digest)}});
  return {{"schema", "retrial.show_trial/1"},
          {"study", details.study},
          {"trial", trial_name(entry)},
          {"place", entry.ordinal},
          {"identity", results::hex(entry.identity)},
          {"replicate", entry.replicate},
          {"state", name_of(details.trial.state)},
          {"counts", details.trial.row ? Json(results::hex(details.trial.row->attempt)) : Json()},
          {"resumed", details.resumed},
          {"body", details.body},
          {"attempts", attempts},
          {"metrics", metrics_json(details)},
          {"digests", digests_json(details)},
          {"artifacts", artifacts}};
}

}  // namespace retrial::harness::inline stored
