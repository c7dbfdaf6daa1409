#include "workloads/profiler/measured/run_profile.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "results/json/json.hpp"
#include "results/text/error.hpp"
#include "workloads/profiler/overhead/kinds.hpp"
#include "workloads/profiler/recording/annotation.hpp"
#include "workloads/profiler/rules/health_rules.hpp"
#include "workloads/profiler/rules/profile_rules.hpp"
#include "workloads/profiler/traces/rtrace.hpp"

namespace retrial::profiler::inline measured {
namespace {

std::map<std::string, EventCounts> counts_by_operation(const Timeline& timeline,
                                                       const std::vector<ThreadTime>& threads) {
  std::map<std::string, EventCounts> out;
  for (const auto& [place, counts] : event_counts(timeline, threads)) {
    EventCounts& sum = out[place.second];  // the run is one phase
    sum.annotations += counts.annotations;
    for (const auto& [layer, calls] : counts.hooks) sum.hooks[layer] += calls;
    for (const auto& [layer, calls] : counts.inner) sum.inner[layer] += calls;
    for (const auto& [name, calls] : counts.calls) sum.calls[name] += calls;
    sum.overhead_ns += counts.overhead_ns;
  }
  return out;
}

std::uint64_t sum_of(const Transitions& transitions) {
  std::uint64_t sum = 0;
  for (const auto& [change, count] : transitions) sum += count;
  return sum;
}

void write_trace(const Recording& recording, const std::filesystem::path& file) {
  std::ofstream out(file, std::ios::binary);
  out << rtrace_bytes(recording, Packing::compressed) << std::flush;
  if (!out)
    throw Error(
        {.exit = Exit::measurement, .code = "profile.trace", .where = file.string(), .problem = "cannot be written"});
}

std::optional<GpuUse> gpu_use(const Timeline& timeline, std::int64_t period_ns) {
  const auto kernels = kernels_of(timeline), regions = intervals_of(timeline.regions);
  if (kernels.empty()) return std::nullopt;
  return GpuUse{true_busy(kernels, regions), sampled_utilization(kernels, regions, period_ns)};
}

Category category_named(const std::string& name) {
  for (std::size_t c = 0; c < category_names.size(); ++c)
    if (category_names[c] == name) return static_cast<Category>(c);
  throw std::invalid_argument("no category " + name);
}

using ByLayer = std::map<Category, std::uint64_t>;

Json json_of(const ByLayer& counts) {
  Json out = Json::object();
  for (const auto& [layer, count] : counts) out[std::string(name_of(layer))] = count;
  return out;
}

ByLayer by_layer_from(const Json& json) {
  ByLayer out;
  for (const auto& [layer, count] : json.items()) out[category_named(layer)] = count.get<std::uint64_t>();
  return out;
}

}  // namespace

std::map<std::string, std::uint64_t> RunProfile::charged_events() const {
  std::map<std::string, std::uint64_t> out;
  for (const auto& [operation, count] : counts) {
    out[annotation_kind] += count.annotations;
    for (const auto& [layer, calls] : count.hooks) out[hook_kind(layer)] += calls;
  }
  return out;
}

std::uint64_t RunProfile::events_of(const std::string& kind) const {
  const auto all = charged_events();
  const auto found = all.find(kind);
  return found == all.end() ? 0 : found->second;
}

RecordedRun::RecordedRun(ProfileOrder order, const std::string& phase) : order_(std::move(order)) {
  if (order_.records())
    start_recording({.source = clock_source(order_.clock.empty() ? std::nullopt : std::optional(order_.clock)),
                     .cap_bytes = order_.cap_bytes,
                     .operations = order_.operations,
                     .layers = order_.layers});
  if (!order_.rules.empty()) watch_.emplace(order_.rule_every);
  attached_ = collector_named(order_.collector);
  if (attached_ != nullptr) attached_->attach();  // outside the region, like its end: Kineto sorts what it saw
  begin_profile("retrial-worker", phase);
}

RecordedRun::~RecordedRun() {
  if (!open_) return;  // else a run that failed
  static_cast<void>(end_profile());
  detach();
  if (order_.records()) static_cast<void>(stop_recording());
}

void RecordedRun::detach() {
  if (attached_ != nullptr) attached_->detach();
  attached_ = nullptr;
}

RunProfile RecordedRun::ended(std::uint64_t iterations) {
  const std::string collector = attached_ == nullptr ? no_collector : attached_->name;
  RunProfile out{.region_ns = end_profile(), .iterations = iterations};
  if (attached_ != nullptr && attached_->about != nullptr) out.about_collector = attached_->about();
  detach();
  open_ = false;
  if (watch_) {
    out.health.every = watch_->every();
    const Captures captures = std::move(*watch_).captures();
    watch_.reset();
    out.health.captures = captures.steps.size();
    evaluate_health(captures, order_.rules, out.health);
  }
  if (!order_.records()) return out;
  Recording recording = stop_recording();
  recording.collector = collector;
  if (!order_.trace.empty()) write_trace(recording, order_.trace);
  const Timeline timeline = timeline_of(recording);
  const std::vector<ThreadTime> threads = thread_times(timeline);
  out.clock = name_of(recording.source);
  out.collector = recording.collector;
  out.events = recording.events();
  out.dropped = recording.dropped();
  out.counts = counts_by_operation(timeline, threads);
  out.table = table_of(timeline, threads);
  out.transitions = sum_of(transitions(timeline, threads));
  out.gpu = gpu_use(timeline, order_.period_ns);
  std::ranges::move(evaluate_rules(timeline, order_.rules), std::back_inserter(out.health.rules));
  return out;
}

Json json_of(const ProfileOrder& order) {
  return {{"operations", order.operations}, {"layers", order.layers},         {"collector", order.collector},
          {"cap_bytes", order.cap_bytes},   {"trace", order.trace.string()},  {"rules", order.rules},
          {"clock", order.clock},           {"rule_every", order.rule_every}, {"period_ns", order.period_ns}};
}

ProfileOrder profile_order_from(const Json& json) {
  return {.operations = json.at("operations").get<bool>(),
          .layers = json.at("layers").get<bool>(),
          .collector = json.at("collector").get<std::string>(),
          .cap_bytes = json.at("cap_bytes").get<std::uint64_t>(),
          .clock = json.at("clock").get<std::string>(),
          .trace = json.at("trace").get<std::string>(),
          .rules = json.at("rules").get<std::vector<std::string>>(),
          .rule_every = json.at("rule_every").get<std::int64_t>(),
          .period_ns = json.at("period_ns").get<std::int64_t>()};
}

Json json_of(const RunProfile& run) {
  Json counts = Json::object(), cells = Json::array();
  for (const auto& [operation, count] : run.counts) {
    counts[operation] = {
        {"annotations", count.annotations}, {"hooks", json_of(count.hooks)}, {"inner", json_of(count.inner)}};
  }
  Json gpu;
  if (run.gpu)
    gpu = {{"busy", results::hex_of_bits(run.gpu->busy)}, {"sampled", results::hex_of_bits(run.gpu->sampled)}};
  for (const auto& [cell, ns] : run.table) cells.push_back(Json::array({cell.operations, cell.categories, ns}));
  return {{"region_ns", run.region_ns},     {"clock", run.clock},
          {"collector", run.collector},     {"about_collector", run.about_collector},
          {"events", run.events},           {"dropped", run.dropped},
          {"counts", std::move(counts)},    {"cells", std::move(cells)},
          {"transitions", run.transitions}, {"iterations", run.iterations},
          {"gpu", std::move(gpu)}};
}

RunProfile run_profile_from(const Json& json) {
  RunProfile out{.region_ns = json.at("region_ns").get<std::uint64_t>(),
                 .clock = json.at("clock").get<std::string>(),
                 .collector = json.at("collector").get<std::string>(),
                 .about_collector = json.value("about_collector", ""),
                 .events = json.at("events").get<std::uint64_t>(),
                 .dropped = json.at("dropped").get<std::uint64_t>(),
                 .transitions = json.at("transitions").get<std::uint64_t>(),
                 .iterations = json.at("iterations").get<std::uint64_t>()};
  const auto number = [](const Json& bits) { return results::double_from_hex(bits.get<std::string>()).value(); };
  if (const Json gpu = json.value("gpu", Json()); !gpu.is_null())
    out.gpu = GpuUse{number(gpu.at("busy")), number(gpu.at("sampled"))};
  for (const auto& [operation, count] : json.at("counts").items()) {
    EventCounts& counts = out.counts[operation];
    counts.annotations = count.at("annotations").get<std::uint64_t>();
    counts.hooks = by_layer_from(count.at("hooks"));
    counts.inner = by_layer_from(count.at("inner"));
  }
  for (const Json& cell : json.at("cells"))
    out.table[{.operations = cell.at(0).get<std::vector<std::string>>(), .categories = cell.at(1).get<Categories>()}] =
        cell.at(2).get<std::uint64_t>();
  return out;
}

Json json_of(const Health& health) {
  Json rules = Json::array(), hits = Json::array();
  for (const RuleResult& r : health.rules)
    rules.push_back({{"rule", r.rule}, {"fired", r.fired ? Json(*r.fired) : Json()}, {"finding", r.finding}});
  for (const RuleHit& h : health.hits)
    hits.push_back({{"rule", h.rule},
                    {"step", h.step},
                    {"tensor", h.tensor},
                    {"value", results::hex_of_bits(h.value)},
                    {"limit", results::hex_of_bits(h.limit)}});
  return {{"every", health.every},
          {"captures", health.captures},
          {"rules", std::move(rules)},
          {"hits", std::move(hits)},
          {"hits_left_out", health.hits_left_out}};
}

Health health_from(const Json& json) {
  Health out{.every = json.at("every").get<std::int64_t>(),
             .captures = json.at("captures").get<std::uint64_t>(),
             .hits_left_out = json.at("hits_left_out").get<std::uint64_t>()};
  for (const Json& r : json.at("rules"))
    out.rules.push_back({.rule = r.at("rule").get<std::string>(),
                         .fired = r.at("fired").is_null() ? std::nullopt : std::optional(r.at("fired").get<bool>()),
                         .finding = r.at("finding").get<std::string>()});
  const auto number = [](const Json& bits) { return results::double_from_hex(bits.get<std::string>()).value(); };
  for (const Json& h : json.at("hits"))
    out.hits.push_back({.rule = h.at("rule").get<std::string>(),
                        .step = h.at("step").get<std::int64_t>(),
                        .tensor = h.at("tensor").get<std::string>(),
                        .value = number(h.at("value")),
                        .limit = number(h.at("limit"))});
  return out;
}

}  // namespace retrial::profiler::inline measured
