#include "harness/worker/trial_recorder.hpp"

#include <algorithm>

#include "results/digest/sha256.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline worker {

TrialRecorder::TrialRecorder(const std::vector<results::MetricDef>& defs, Send send, bool finds)
    : defs_(defs), send_(std::move(send)), finds_(finds) {}

void TrialRecorder::define(const results::MetricDef& metric) {
  if (!finds_ || std::ranges::find(defs_, metric.name, &results::MetricDef::name) != defs_.end())
    throw workloads::TrialFailure(
        "workload.undeclared_metric",
        "metric '" + metric.name + (finds_ ? "' has two definitions" : "' is defined, and the declaration names all"));
  defs_.push_back(metric);
  recorded_.defs.push_back(metric);
}

void TrialRecorder::metric(std::string_view name, double value, std::int64_t step) {
  if (std::ranges::find(defs_, name, &results::MetricDef::name) == defs_.end())
    throw workloads::TrialFailure("workload.undeclared_metric", "metric '" + std::string(name) + "' is not declared");
  recorded_.metrics.push_back({.name = std::string(name), .step = step, .value = value});
}

void TrialRecorder::digest(std::string_view name, std::int64_t step, std::string_view algorithm, std::string_view hex) {
  recorded_.digests.push_back(
      {.name = std::string(name), .step = step, .algo = std::string(algorithm), .hex = std::string(hex)});
  send_({.kind = WorkerEvent::Kind::digest, .digest = recorded_.digests.back()});
}

void TrialRecorder::progress(double fraction) {
  send_({.kind = WorkerEvent::Kind::progress, .fraction = fraction, .text = text_});
}

void TrialRecorder::standing(std::string_view text) {
  text_ = results::one_line(text, 200);
}

void TrialRecorder::warning(std::string_view text) {
  send_({.kind = WorkerEvent::Kind::warning, .text = results::one_line(text)});
}

void TrialRecorder::diverged(std::int64_t step) {
  if (!recorded_.diverged_at) recorded_.diverged_at = step;
}

void TrialRecorder::artifact(std::string_view name, std::string_view kind, std::string_view body) {
  // A quarter of the longest line that the front end accepts, since JSON escapes can lengthen the text.
  constexpr std::size_t largest_body = std::size_t{16} << 20;
  results::ArtifactValue artifact{.name = std::string(name),
                                  .kind = std::string(kind),
                                  .digest = results::sha256(body),
                                  .bytes = static_cast<std::int64_t>(body.size())};
  if (body.size() <= largest_body)
    artifact.body = std::string(body);
  else
    warning("artifact " + artifact.name + " of " + std::to_string(body.size()) +
            " bytes is larger than 16 MiB: its digest is stored, its bytes are not");
  recorded_.artifacts.push_back(std::move(artifact));
}

WorkerEvent TrialRecorder::recorded(WorkerEvent::Kind kind) const {
  WorkerEvent event = recorded_;
  event.kind = kind;
  return event;
}

Json TrialRecorder::state(const WorkerEvent& spent) const {
  auto event = recorded(WorkerEvent::Kind::finished);
  add_costs(event, spent);
  return results::parse_json(encode(event), "checkpoint");
}

void TrialRecorder::restore(const Json& state) {
  for (const auto& def : recorded_.defs) std::erase(defs_, def);
  recorded_ = decode_event(results::canonical(state));
  defs_.insert(defs_.end(), recorded_.defs.begin(), recorded_.defs.end());
}

}  // namespace retrial::harness::inline worker
