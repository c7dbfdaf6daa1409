#include "harness/run/trial_record.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "harness/plan/searched_keys.hpp"
#include "results/digest/sha256.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline run {
namespace {

using results::MetricDef;

std::optional<double> cost_of(const std::string& name, const WorkerEvent& event) {
  if (name == "instructions")
    return event.instructions ? std::optional(static_cast<double>(*event.instructions)) : std::nullopt;
  if (name == "wall_s") return static_cast<double>(event.wall_ns) / 1e9;
  if (name == "cpu_s") return static_cast<double>(event.cpu_ns) / 1e9;
  return static_cast<double>(event.peak_rss) / (1 << 20);
}

/// Counts of different counters are no sides of one comparison.
results::ArtifactValue counted_by_perf() {
  const std::string body = results::canonical(Json("perf"));
  return {
      .name = "counted_by", .kind = "json", .digest = results::sha256(body), .bytes = std::ssize(body), .body = body};
}

Json randomness(const Json& body, const Json& study) {
  Json sources = Json::object();
  for (const auto& [source, seed] : body.at("seeds").items()) {
    const auto& varied = study.at("vary");
    sources[source] = {{"seed", seed},
                       {"pair", body.at("pairs").at(source)},
                       {"held", std::find(varied.begin(), varied.end(), source) == varied.end()}};
  }
  return {{"root", study.at("seed")}, {"sources", std::move(sources)}};
}

Json evidence(const std::vector<results::DigestValue>& digests) {
  Json last = Json::object();
  for (const auto& digest : digests)
    if (digest.step == -1) last[digest.name] = digest.algo + ":" + digest.hex;
  return {{"digests", std::move(last)}, {"replays", 0}};
}

/// A message that the store accepts: valid UTF-8, no control bytes but LF, at most 4096 characters.
std::string storable(const std::string& message) {
  constexpr std::size_t longest = 4000;
  std::istringstream lines(message);
  std::string out;
  for (std::string line; std::getline(lines, line);) {
    const auto clean = results::one_line(line, 600);
    if (out.size() + clean.size() > longest) break;
    if (!out.empty()) out += "\n";
    out += clean;
  }
  return out;
}

void complete_manifest(results::TrialRecord& record, const Json& body, const Json& study, std::int64_t resumed) {
  auto& manifest = record.manifest;
  if (!manifest.is_object()) manifest = {{"schema", "retrial.manifest/1"}};
  manifest["trial"] = {{"identity", results::hex(record.identity)},
                       {"replicate", record.replicate},
                       {"attempt", results::hex(record.attempt)},
                       {"workload", body.at("workload")},
                       {"variant", body.at("variant")}};
  manifest["randomness"] = randomness(body, study);
  if (body.contains("search")) manifest["randomness"]["search"] = provenance_of(body.at("search"));
  manifest["inputs"] = {
      {"dataset", body.at("dataset")}, {"values", body.at("values")}, {"program", body.at("program")}};
  manifest["outcome"] = {{"status", results::name_of(record.status)},
                         {"wall_ns", record.wall_ns},
                         {"cpu_ns", record.cpu_ns ? Json(*record.cpu_ns) : Json()},
                         {"peak_rss", record.peak_rss ? Json(*record.peak_rss) : Json()},
                         {"exit_code", record.exit_code ? Json(*record.exit_code) : Json()},
                         {"signal", record.signal ? Json(*record.signal) : Json()}};
  if (resumed > 0) manifest["outcome"]["resumed"] = resumed;
  manifest["evidence"] = evidence(record.digests);
}

}  // namespace

const std::vector<results::MetricDef>& worker_costs() {
  using namespace results;
  static const std::vector<MetricDef> defs{
      {"wall_s", "s", Direction::lower, Nature::cost, Scale::ratio, Axis::none},
      {"cpu_s", "s", Direction::lower, Nature::cost, Scale::ratio, Axis::none},
      {"peak_rss_mib", "MiB", Direction::lower, Nature::cost, Scale::ratio, Axis::none},
      {"instructions", "", Direction::lower, Nature::cost, Scale::ratio, Axis::none},
  };
  return defs;
}

results::TrialRecord record_of(const results::PlanEntry& entry, const TrialBody& body, const JobResult& result,
                               const results::Id16& attempt, const Launch& launch, const Json& study) {
  results::TrialRecord record{.identity = entry.identity,
                              .replicate = entry.replicate,
                              .attempt = attempt,
                              .status = result.status,
                              .started_ns = result.started_ns,
                              .wall_ns = std::max(result.wall_ns, result.event.wall_ns),
                              .exit_code = result.end.exit_code,
                              .signal = result.end.signal,
                              .worker = result.worker,
                              .host = launch.host,
                              .boot = launch.boot,
                              .launch = launch.id,
                              .metrics = result.event.metrics,
                              .digests = result.event.digests,
                              .artifacts = result.event.artifacts,
                              .manifest = result.manifest};
  if (!result.message.empty()) record.message = storable(result.message);
  const bool answered = result.event.wall_ns > 0;
  if (answered) {
    record.cpu_ns = result.event.cpu_ns;
    record.peak_rss = result.event.peak_rss;
  }
  std::set<std::string> recorded, declared;
  for (const auto& metric : record.metrics) recorded.insert(metric.name);
  auto defs = workloads::metrics_under(body.declaration(), body.trial().values);
  defs.insert(defs.end(), result.event.defs.begin(), result.event.defs.end());
  for (const auto& def : defs) {
    declared.insert(def.name);
    if (recorded.contains(def.name)) record.defs.push_back(def);
  }
  if (answered)
    for (const auto& def : worker_costs())
      if (const auto value = cost_of(def.name, result.event); value && !declared.contains(def.name)) {
        record.defs.push_back(def);
        record.metrics.push_back({.name = def.name, .value = *value});
        if (def.name == "instructions") record.artifacts.push_back(counted_by_perf());
      }
  complete_manifest(record, body.document(), study, result.event.resumed);
  return record;
}

std::optional<Difference> first_difference(const results::TrialRecord& a, const results::TrialRecord& b) {
  if (a.status != b.status)
    return Difference{
        .what = "status", .a = std::string(results::name_of(a.status)), .b = std::string(results::name_of(b.status))};
  // The end sorts after every step; at the same step digests come first, because they show where it began.
  using Key = std::tuple<std::int64_t, int, std::string>;
  const auto place = [](std::int64_t step) { return step < 0 ? std::numeric_limits<std::int64_t>::max() : step; };
  const auto table = [&](const results::TrialRecord& record) {
    std::map<Key, std::string> out;
    for (const auto& digest : record.digests) out[{place(digest.step), 0, "digest " + digest.name}] = digest.hex;
    std::set<std::string> outcomes;
    for (const auto& def : record.defs)
      if (def.nature == results::Nature::outcome) outcomes.insert(def.name);
    for (const auto& metric : record.metrics)
      if (outcomes.contains(metric.name))
        out[{place(metric.step), 1, "metric " + metric.name}] = results::hex_of_bits(metric.value);
    return out;
  };
  const auto left = table(a), right = table(b);
  std::set<Key> keys;
  for (const auto& [key, text] : left) keys.insert(key);
  for (const auto& [key, text] : right) keys.insert(key);
  for (const auto& key : keys) {
    const auto x = left.find(key), y = right.find(key);
    const std::string p = x == left.end() ? "not recorded" : x->second,
                      q = y == right.end() ? "not recorded" : y->second;
    if (p == q) continue;
    const auto step = std::get<0>(key);
    return Difference{
        .what = std::get<2>(key), .step = step == std::numeric_limits<std::int64_t>::max() ? -1 : step, .a = p, .b = q};
  }
  return std::nullopt;
}

}  // namespace retrial::harness::inline run
