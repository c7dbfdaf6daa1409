#include "harness/worker/protocol.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline worker {
namespace {

using Kind = WorkerEvent::Kind;

constexpr std::array<std::string_view, 11> kind_names{"hello",   "started", "progress", "digest", "warning", "finished",
                                                      "stopped", "failed",  "probed",   "priced", "profiled"};

[[noreturn]] void not_protocol(const std::string& line) {
  throw Error({.exit = Exit::integrity,
               .code = "worker.nonsense",
               .where = "worker",
               .problem = "wrote a line that does not follow the protocol: " + results::one_line(line, 200)});
}

Json digest_json(const results::DigestValue& digest) {
  return Json::array({digest.name, digest.step, digest.algo, digest.hex});
}

results::DigestValue digest_from(const Json& json) {
  const auto bytes = results::bytes_from_hex(json.at(3).get<std::string>());
  if (!bytes || bytes->size() < 8 || bytes->size() > 64) throw std::invalid_argument("not 8 to 64 bytes in hex");
  return {.name = json.at(0).get<std::string>(),
          .step = json.at(1).get<std::int64_t>(),
          .algo = json.at(2).get<std::string>(),
          .hex = json.at(3).get<std::string>()};
}

double double_from(const Json& json) {
  const auto value = results::double_from_hex(json.get<std::string>());
  if (!value) throw std::invalid_argument("not 16 hex digits");
  return *value;
}

Json definition_json(const results::MetricDef& def) {
  return Json::array({def.name, def.unit, results::name_of(def.direction), results::name_of(def.nature),
                      results::name_of(def.scale), results::name_of(def.axis)});
}

results::MetricDef definition_from(const Json& json) {
  const auto word = [&](std::size_t at) { return json.at(at).get<std::string>(); };
  return {.name = word(0),
          .unit = word(1),
          .direction = results::direction_from(word(2)),
          .nature = results::nature_from(word(3)),
          .scale = results::scale_from(word(4)),
          .axis = results::axis_from(word(5))};
}

Json recorded_json(const WorkerEvent& event) {
  Json metrics = Json::array(), digests = Json::array(), artifacts = Json::array();
  for (const auto& metric : event.metrics)
    metrics.push_back(Json::array({metric.name, metric.step, results::hex_of_bits(metric.value)}));
  for (const auto& digest : event.digests) digests.push_back(digest_json(digest));
  for (const auto& artifact : event.artifacts)
    artifacts.push_back(Json::array({artifact.name, artifact.kind, results::hex(artifact.digest), artifact.bytes,
                                     artifact.body ? Json(*artifact.body) : Json()}));
  Json defs = Json::array();
  for (const auto& def : event.defs) defs.push_back(definition_json(def));
  return {{"defs", std::move(defs)},
          {"metrics", std::move(metrics)},
          {"digests", std::move(digests)},
          {"artifacts", std::move(artifacts)},
          {"diverged_at", event.diverged_at ? Json(*event.diverged_at) : Json()},
          {"boundaries", event.boundaries},
          {"wall_ns", event.wall_ns},
          {"cpu_ns", event.cpu_ns},
          {"peak_rss", event.peak_rss},
          {"instructions", event.instructions ? Json(*event.instructions) : Json()},
          {"resumed", event.resumed}};
}

void read_recorded(const Json& json, WorkerEvent& event) {
  if (const auto defs = json.find("defs"); defs != json.end())  // a checkpoint of an earlier version has none
    for (const auto& def : *defs) event.defs.push_back(definition_from(def));
  for (const auto& item : json.at("metrics"))
    event.metrics.push_back({.name = item.at(0).get<std::string>(),
                             .step = item.at(1).get<std::int64_t>(),
                             .value = double_from(item.at(2))});
  for (const auto& item : json.at("digests")) event.digests.push_back(digest_from(item));
  for (const auto& item : json.at("artifacts")) {
    results::ArtifactValue artifact{.name = item.at(0).get<std::string>(),
                                    .kind = item.at(1).get<std::string>(),
                                    .digest = results::digest_from_hex(item.at(2).get<std::string>(), "artifact"),
                                    .bytes = item.at(3).get<std::int64_t>()};
    if (!item.at(4).is_null()) artifact.body = item.at(4).get<std::string>();
    event.artifacts.push_back(std::move(artifact));
  }
  if (!json.at("diverged_at").is_null()) event.diverged_at = json.at("diverged_at").get<std::int64_t>();
  event.boundaries = json.at("boundaries").get<std::int64_t>();
  event.wall_ns = json.at("wall_ns").get<std::int64_t>();
  event.cpu_ns = json.at("cpu_ns").get<std::int64_t>();
  event.peak_rss = json.at("peak_rss").get<std::int64_t>();
  if (!json.at("instructions").is_null()) event.instructions = json.at("instructions").get<std::int64_t>();
  event.resumed = json.value("resumed", std::int64_t{0});
}

Json probed_json(const workloads::ProbeReport& report) {
  Json findings = Json::array();
  for (const auto& finding : report.findings)
    findings.push_back(Json::array({finding.kind, finding.subject, finding.compared}));
  return {{"findings", std::move(findings)}, {"looked_at", report.looked_at}};
}

workloads::ProbeReport probed_from(const Json& json) {
  workloads::ProbeReport report{.findings = {}, .looked_at = json.at("looked_at").get<std::vector<std::string>>()};
  for (const auto& item : json.at("findings"))
    report.findings.push_back(
        {item.at(0).get<std::string>(), item.at(1).get<std::string>(), item.at(2).get<std::string>()});
  return report;
}

Json price_json(const std::optional<determinism::PriceOrder>& order) {
  if (!order) return nullptr;
  return {{"layer", order->layer},
          {"batch", order->batch},
          {"fill", order->fill},
          {"warmup", order->warmup},
          {"steps", order->steps}};
}

std::optional<determinism::PriceOrder> price_from(const Json& json) {
  if (json.is_null()) return std::nullopt;
  return determinism::PriceOrder{.layer = json.at("layer").get<std::string>(),
                                 .batch = json.at("batch").get<std::int64_t>(),
                                 .fill = json.at("fill").get<bool>(),
                                 .warmup = json.at("warmup").get<std::int64_t>(),
                                 .steps = json.at("steps").get<std::int64_t>()};
}

std::optional<profiler::ProfileOrder> profile_from(const Json& json) {
  if (json.is_null()) return std::nullopt;
  return profiler::profile_order_from(json);
}

Json times_json(const std::vector<double>& times) {
  Json out = Json::array();
  for (const double time : times) out.push_back(results::hex_of_bits(time));
  return out;
}

std::vector<double> times_from(const Json& json) {
  std::vector<double> out;
  for (const Json& time : json) out.push_back(double_from(time));
  return out;
}

}  // namespace

std::string encode(const RunOrder& order) {
  Json folders = Json::object();
  for (const auto& [key, folder] : order.place.folders) folders[key] = folder.string();
  Json scripts = Json::object();
  for (const auto& [digest, file] : order.place.scripts) scripts[digest] = file.string();
  return results::canonical({{"v", 1},
                             {"run",
                              {{"trial", order.trial.document()},
                               {"from", order.from},
                               {"stop_after", order.stop_after},
                               {"keep", order.keep.file.string()},
                               {"keep_every_s", results::hex_of_bits(order.keep.every_s)},
                               {"probe", order.probe},
                               {"price", price_json(order.price)},
                               {"profile", order.profile ? profiler::json_of(*order.profile) : Json()},
                               {"out", order.place.out.string()},
                               {"data", order.place.data.string()},
                               {"folders", std::move(folders)},
                               {"scripts", std::move(scripts)},
                               {"cache", order.place.cache.string()},
                               {"launcher", order.place.launcher},
                               {"most_steps", order.place.max_steps},
                               {"checksum_every", order.place.checksum_every}}}}) +
         "\n";
}

RunOrder decode_order(const std::string& line) {
  const Json json = results::parse_json(line, "command to the worker");
  const auto& run = json.at("run");
  workloads::Folders folders;
  for (const auto& [key, folder] : run.at("folders").items()) folders[key] = folder.get<std::string>();
  workloads::Scripts scripts;
  for (const auto& [digest, file] : run.at("scripts").items()) scripts[digest] = file.get<std::string>();
  return {.trial = TrialBody(run.at("trial")),
          .from = run.at("from").get<std::string>(),
          .stop_after = run.at("stop_after").get<std::int64_t>(),
          .keep = {.file = run.at("keep").get<std::string>(), .every_s = double_from(run.at("keep_every_s"))},
          .probe = run.at("probe").get<bool>(),
          .price = price_from(run.at("price")),
          .profile = profile_from(run.at("profile")),
          .place = {.data = run.at("data").get<std::string>(),
                    .cache = run.at("cache").get<std::string>(),
                    .out = run.at("out").get<std::string>(),
                    .max_steps = run.at("most_steps").get<std::int64_t>(),
                    .checksum_every = run.at("checksum_every").get<std::int64_t>(),
                    .folders = std::move(folders),
                    .scripts = std::move(scripts),
                    .launcher = run.at("launcher").get<std::vector<std::string>>()}};
}

void add_costs(WorkerEvent& event, const WorkerEvent& spent) {
  event.wall_ns += spent.wall_ns;
  event.cpu_ns += spent.cpu_ns;
  event.peak_rss = std::max(event.peak_rss, spent.peak_rss);
  if (event.resumed == 0)
    event.instructions = spent.instructions;
  else if (event.instructions && spent.instructions)
    *event.instructions += *spent.instructions;
  else
    event.instructions.reset();  // a part was not counted
}

std::string encode(const WorkerEvent& event) {
  Json json{{"v", 1}, {"event", kind_names.at(static_cast<std::size_t>(event.kind))}};
  switch (event.kind) {
    using enum WorkerEvent::Kind;
    case hello:
      json["worker"] = event.worker;
      json["mode_effective"] = event.mode_effective;
      json["manifest"] = event.manifest;
      break;
    case started:
      break;
    case progress:
      json["fraction"] = results::hex_of_bits(event.fraction);
      if (!event.text.empty()) json["text"] = event.text;
      break;
    case digest:
      json["digest"] = digest_json(event.digest);
      break;
    case warning:
      json["text"] = event.text;
      break;
    case stopped:
      json["checkpoint"] = event.text;
      json["recorded"] = recorded_json(event);
      break;
    case finished:
      json["recorded"] = recorded_json(event);
      break;
    case failed:
      json["class"] = event.failure;
      json["message"] = event.text;
      json["recorded"] = recorded_json(event);
      break;
    case probed:
      json["probed"] = probed_json(event.report);
      break;
    case priced:
      json["wall"] = times_json(event.times.wall);
      json["kernel"] = times_json(event.times.kernel);
      json["no_kernel_times"] = event.times.no_kernel_times;
      break;
    case profiled:
      json["profile"] = profiler::json_of(event.profile);
      json["health"] = profiler::json_of(event.profile.health);
      json["recorded"] = recorded_json(event);
      break;
  }
  return results::canonical(json) + "\n";
}

WorkerEvent decode_event(const std::string& line) try {
  const Json json = results::parse_json(line, "worker");
  if (json.at("v") != 1) not_protocol(line);
  const auto name = json.at("event").get<std::string>();
  WorkerEvent event;
  std::size_t index = 0;
  while (index < kind_names.size() && kind_names[index] != name) ++index;
  if (index == kind_names.size()) not_protocol(line);
  event.kind = static_cast<Kind>(index);
  switch (event.kind) {
    using enum WorkerEvent::Kind;
    case hello:
      event.worker = json.at("worker").get<std::string>();
      event.mode_effective = json.at("mode_effective");
      event.manifest = json.at("manifest");
      break;
    case started:
      break;
    case progress:
      event.fraction = double_from(json.at("fraction"));
      event.text = json.value("text", "");
      break;
    case digest:
      event.digest = digest_from(json.at("digest"));
      break;
    case warning:
      event.text = json.at("text").get<std::string>();
      break;
    case stopped:
      event.text = json.at("checkpoint").get<std::string>();
      read_recorded(json.at("recorded"), event);
      break;
    case finished:
      read_recorded(json.at("recorded"), event);
      break;
    case failed:
      event.failure = json.at("class").get<std::string>();
      event.text = json.at("message").get<std::string>();
      read_recorded(json.at("recorded"), event);
      break;
    case probed:
      event.report = probed_from(json.at("probed"));
      break;
    case priced:
      event.times = {.wall = times_from(json.at("wall")),
                     .kernel = times_from(json.at("kernel")),
                     .no_kernel_times = json.at("no_kernel_times").get<std::string>()};
      break;
    case profiled:
      event.profile = profiler::run_profile_from(json.at("profile"));
      event.profile.health = profiler::health_from(json.at("health"));
      read_recorded(json.at("recorded"), event);
      break;
  }
  return event;
} catch (const std::exception&) {
  not_protocol(line);
}

}  // namespace retrial::harness::inline worker
