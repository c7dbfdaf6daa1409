#include "harness/gate/measured/stored_suite.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <tuple>

#include "harness/gate/measured/found_metrics.hpp"
#include "harness/gate/measured/judged_metrics.hpp"
#include "harness/gate/measured/suite_run.hpp"
#include "harness/stored/plan_state.hpp"
#include "results/record/score_bounds.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline gate::inline measured {
namespace {

using results::MetricDef;

/// Final values by metric, read once each.
class Finals {
 public:
  explicit Finals(const results::Store& store) : store_(store) {}
  std::optional<double> of(const std::string& metric, std::int64_t trial) {
    const auto [found, added] = values_.try_emplace(metric);
    if (added)
      for (const auto& [id, value] : store_.final_values(metric)) found->second[id] = value;
    const auto value = found->second.find(trial);
    return value == found->second.end() ? std::nullopt : std::optional(value->second);
  }

 private:
  const results::Store& store_;
  std::map<std::string, std::map<std::int64_t, double>> values_;
};

/// Where attempts were run, read once.
class Places {
 public:
  explicit Places(const results::Store& store) : origins_(store.origins()), launches_(has_launches(store)) {}
  GatePlace of(std::int64_t trial) const {
    const results::Origin& origin = origins_.at(trial);
    const auto text = [](const std::optional<results::Id16>& id) { return id ? results::hex(*id) : ""; };
    return {.host = origin.host, .boot = text(origin.boot), .launch = launches_ ? text(origin.launch) : ""};
  }

 private:
  std::map<std::int64_t, results::Origin> origins_;
  bool launches_;
};

/// What is read of a store once for all of its benchmarks.
struct Read {
  explicit Read(const results::Store& from)
      : store(from),
        finals(from),
        places(from),
        attempts(std::make_shared<const std::vector<results::TrialRow>>(from.trials())) {}
  const results::Store& store;
  Finals finals;
  Places places;
  std::shared_ptr<const std::vector<results::TrialRow>> attempts;
};

GateTrial trial_of(Read& read, const PlannedTrial& planned, const MetricDef& def) {
  GateTrial out{.pair = planned.entry.pair_index,
                .started = planned.row->started_ns,
                .place = read.places.of(planned.row->id),
                .clock_mhz = read.finals.of("sm_clock_mhz", planned.row->id),
                .record = results::hex(planned.row->record).substr(0, 16)};
  if (planned.state != TrialState::done) {
    out.failed = true;
    return out;
  }
  if (def.axis == results::Axis::repetition) {
    for (const auto& point : read.store.metrics(planned.row->id))
      if (point.name == def.name && point.step >= 0) out.values.push_back(point.value);
  } else if (const auto value = read.finals.of(def.name, planned.row->id)) {
    out.values.push_back(*value);
    out.bound = results::bound_from(read.finals.of(results::bound_name(def.name), planned.row->id));
  }
  out.failed = out.values.empty() || std::ranges::any_of(out.values, [](double v) { return !std::isfinite(v); });
  if (out.failed) out.values.clear();
  return out;
}

/// "cachegrind": what counted; counts of different counters are no sides of one claim.
std::string counter_problem(const results::Store& store, const std::vector<PlannedTrial>& trials) {
  std::set<std::string> by;
  for (const auto& trial : trials)
    if (trial.state == TrialState::done)
      by.insert(store.json_artifact(trial.row->id, "counted_by").value_or("unknown"));
  if (by.size() < 2) return "";
  return "counted by " + results::joined(std::vector(by.begin(), by.end()), " and ");
}

/// Trials that have run, of the first `pairs` pairs.
std::vector<PlannedTrial> run_trials(const Read& read, const std::vector<results::PlanEntry>& entries,
                                     std::int64_t pairs) {
  auto trials = plan_state(read.store, entries, read.attempts);
  std::erase_if(trials, [&](const PlannedTrial& trial) {
    return trial.entry.pair_index >= pairs || !trial.row || trial.state == TrialState::missing ||
           trial.state == TrialState::running;
  });
  return trials;
}

GateClaim claim_about(const std::string& bench, const MetricDef& def) {
  GateClaim out{.workload = bench, .metric = def.name, .unit = def.unit};
  out.direction =
      def.direction == results::Direction::higher ? variance::Direction::higher : variance::Direction::lower;
  out.absolute = def.scale == results::Scale::absolute;
  out.test = is_counter(def)                          ? GateTest::counts
             : def.nature == results::Nature::outcome ? GateTest::paired
                                                      : GateTest::rank;
  return out;
}

constexpr std::int64_t all_pairs = std::numeric_limits<std::int64_t>::max();

/// "suite/sort" is sort; a suite of one study is called like it.
std::string label_of(const std::string& study) {
  const auto slash = study.find('/');
  return slash == study.npos ? study : study.substr(slash + 1);
}

/// The claims of a suite by benchmark and metric.
class Claims {
 public:
  explicit Claims(GateSuite& suite) : suite_(suite) {
    for (std::size_t i = 0; i < suite.claims.size(); ++i)
      places_[{suite.claims[i].workload, suite.claims[i].metric}] = i;
  }
  GateClaim& of(const std::string& bench, const MetricDef& def) {
    const auto [found, added] = places_.try_emplace({bench, def.name}, suite_.claims.size());
    if (added) suite_.claims.push_back(claim_about(bench, def));
    return suite_.claims[found->second];
  }

 private:
  GateSuite& suite_;
  std::map<std::pair<std::string, std::string>, std::size_t> places_;
};

/// True where the benchmark has this metric at all.
bool put_variant(GateClaim& claim, std::size_t side, Read& read, const std::vector<PlannedTrial>& trials,
                 const std::string& variant, const MetricDef& def) {
  auto& into = claim.trials[side];
  bool lacks = is_found(def);
  for (const auto& trial : trials)
    if (trial.entry.variant == variant) {
      into.push_back(trial_of(read, trial, def));
      lacks = lacks && trial.state == TrialState::done && !read.finals.of(def.name, trial.row->id);
    }
  if (lacks) into.clear();  // this program has no such benchmark: it is missing, or new
  if (is_counter(def))
    if (auto problem = counter_problem(read.store, trials); !problem.empty()) claim.incomparable = std::move(problem);
  return !into.empty();
}

void sort_claims(GateSuite& suite) {
  std::ranges::sort(suite.claims, {}, [](const GateClaim& claim) { return std::tie(claim.workload, claim.metric); });
}

std::string side_of_bench(const std::string&, const StoredBench& bench, std::size_t side) {
  return side == base ? bench.baseline : bench.candidate;
}

/// What an expression after the name of a store can ask for.
Facts facts_of(const std::string& bench, const std::string& variant, std::int64_t pair) {
  return {{"benchmark", {bench}}, {"variant", {variant}}, {"pair", {std::to_string(pair)}}};
}

/// Which variant of a benchmark, by its name, is put on a side.
using VariantOf = std::function<std::string(const std::string&, const StoredBench&, std::size_t)>;

/// These sides of the claims from one store, each of whose tables is read once; only trials that fit the filter.
void put_stored(GateSuite& suite, std::initializer_list<std::size_t> sides, const results::Store& store,
                const std::vector<MetricDef>& metrics, const VariantOf& variant, const FactFilter& where = {}) {
  Read read(store);
  Claims claims(suite);
  for (const auto& [name, bench] : stored_benches(store)) {
    auto trials = run_trials(read, store.plan_listing(bench.study), all_pairs);
    std::erase_if(trials, [&](const PlannedTrial& trial) {
      return !where.fits(facts_of(name, trial.entry.variant, trial.entry.pair_index));
    });
    if (trials.empty() && !where.empty()) continue;
    for (const MetricDef& def : metrics)
      for (const std::size_t side : sides)
        if (!is_found(def) || std::ranges::find(bench.metrics, def) != bench.metrics.end())
          put_variant(claims.of(name, def), side, read, trials, variant(name, bench, side), def);
  }
  sort_claims(suite);
}

}  // namespace

GateSuite stored_suite(const results::Store& store, const PlannedSuite& suite, std::int64_t pairs) {
  GateSuite out{.baseline = suite.baseline, .candidate = suite.candidate, .claims = {}, .differences = {}, .notes = {}};
  Read read(store);
  Claims claims(out);
  for (const Bench& bench : suite.benches) {
    const auto trials = run_trials(read, bench.plan.entries, pairs);
    for (const MetricDef& def : bench.metrics) {
      GateClaim& claim = claims.of(bench.name, def);
      const bool alone = bench.study.variants.size() == 1;
      for (const auto& variant : bench.study.variants)
        if (alone || variant.name == suite.baseline || variant.name == suite.candidate)
          put_variant(claim, alone || variant.name == suite.baseline ? base : head, read, trials, variant.name, def);
    }
  }
  for (const auto& [name, side] : suite.alone)
    for (const MetricDef& def : suite.benches.front().metrics)
      claims.of(name, def).alone = side == suite.baseline ? base : head;
  sort_claims(out);
  return out;
}

std::vector<results::Digest> gate_studies(const results::Store& store) {
  std::map<std::string, results::Digest> found;
  for (const auto& row : store.studies())
    if (row.document.contains("gate")) found[label_of(row.name)] = row.digest;
  std::vector<results::Digest> out;
  for (const auto& study : found) out.push_back(study.second);
  return out;
}

std::map<std::string, StoredBench> stored_benches(const results::Store& store) {
  std::map<std::string, StoredBench> out;
  const auto known = store.metric_defs();
  const bool any_found = std::ranges::any_of(known, is_found);
  for (const auto& row : store.studies()) {
    if (!row.document.contains("gate")) continue;
    StoredBench bench{
        .study = row.digest, .variants = {}, .baseline = {}, .candidate = {}, .design = {}, .metrics = {}};
    for (const auto& variant : row.document.at("variants")) bench.variants.push_back(variant.at("name"));
    const auto side = [&](const char* key) {
      const Json& name = row.document.at(key);
      return name.is_string() ? name.get<std::string>() : bench.variants.at(0);
    };
    bench.baseline = side("baseline"), bench.candidate = side("candidate");
    const auto digest = row.document.at("gate").get<std::string>();
    bench.design = store.document(results::digest_from_hex(digest, "the design of a gate")).value_or(Json::object());
    for (const auto& def : known)
      if (const auto& names = bench.design.value("metrics", Json::array());
          std::ranges::find(names, Json(def.name)) != names.end())
        bench.metrics.push_back(def);
    const auto asked = bench.design.value("metrics", std::vector<std::string>{});
    if (any_found)
      for (const auto& def : found_metrics(store, store.plan_listing(row.digest)))
        if (asks_for_found(asked, def) && std::ranges::find(bench.metrics, def) == bench.metrics.end())
          bench.metrics.push_back(def);
    out[label_of(row.name)] = std::move(bench);
  }
  return out;
}

void demand_gate(const results::Store& store, const std::string& file, const char* code) {
  if (stored_benches(store).empty())
    throw Error({.exit = Exit::integrity, .code = code, .where = file, .problem = "is a store, but not of a gate"});
}

std::vector<MetricDef> with_found(std::vector<MetricDef> metrics, const results::Store& store,
                                  const std::vector<std::string>& asked) {
  for (const auto& [_, bench] : stored_benches(store))
    for (const MetricDef& def : bench.metrics)
      if (is_found(def) && asks_for_found(asked, def) && std::ranges::find(metrics, def) == metrics.end())
        metrics.push_back(def);
  return metrics;
}

void put_stored_side(GateSuite& suite, std::size_t side, const results::Store& store,
                     const std::vector<results::MetricDef>& metrics) {
  put_stored(suite, {side}, store, metrics, side_of_bench);
}

void put_stored_side(GateSuite& suite, std::size_t side, const GivenStore& given,
                     const std::vector<results::MetricDef>& metrics) {
  if (given.where.empty()) return put_stored_side(suite, side, given.store, metrics);
  const auto variant = [&](const std::string& name, const StoredBench& bench, std::size_t of) {
    if (!given.where.asks_for("variant")) return side_of_bench(name, bench, of);
    std::vector<std::string> fitting;
    for (const std::string& each : bench.variants)
      if (given.where.fits_key("variant", each)) fitting.push_back(each);
    if (fitting.size() == 1) return fitting.front();
    throw Error({.code = "gate.variant",
                 .where = given.store.path().string(),
                 .field = given.option,
                 .problem = "fits " + (fitting.empty() ? std::string("no variant") : results::joined(fitting)) +
                            " of benchmark " + results::one_line(name, 100) + ", and a side is one variant",
                 .allowed = results::joined(bench.variants)});
  };
  const std::size_t before = suite.claims.size();
  put_stored(suite, {side}, given.store, metrics, variant, given.where);
  std::set<std::string> variants, benchmarks;
  for (const auto& [name, bench] : stored_benches(given.store)) {
    benchmarks.insert(name);
    variants.insert(bench.variants.begin(), bench.variants.end());
  }
  const bool any = std::ranges::any_of(suite.claims, [&](const GateClaim& c) { return !c.trials[side].empty(); });
  if (any || suite.claims.size() > before) return;
  throw Error({.exit = Exit::incomparable,
               .code = "gate.no_trial",
               .where = given.store.path().string(),
               .field = given.option,
               .problem = "fits no trial of this store",
               .allowed = "variants: " + results::joined(std::vector(variants.begin(), variants.end())) +
                          "; benchmarks: " + results::joined(std::vector(benchmarks.begin(), benchmarks.end()))});
}

void put_stored_variant(GateSuite& suite, std::size_t side, const results::Store& store,
                        const std::vector<results::MetricDef>& metrics, const std::string& variant) {
  put_stored(suite, {side}, store, metrics, [&](const auto&, const auto&, std::size_t) { return variant; });
}

GateSuite suite_in(const results::Store& store, const std::vector<results::MetricDef>& metrics) {
  GateSuite out{.baseline = {}, .candidate = {}, .claims = {}, .differences = {}, .notes = {}};
  put_stored(out, {base, head}, store, metrics, side_of_bench);
  return out;
}

MachineFacts machine_facts(const results::Store& store, const std::vector<results::Digest>& studies) {
  std::map<std::string, std::set<std::string>> found;
  const auto put = [&](const char* key, const std::optional<std::string>& value) {
    if (value && !value->empty()) found[key].insert(*value);
  };
  for (const auto& study : studies)
    for (const Json& document : store.environments(study)) {
      const auto columns = results::environment_columns(document);
      put("cpu_model", columns.cpu_model);
      put("cpu_cores", std::to_string(columns.cpu_cores));
      put("isa", columns.isa);
      put("os", columns.os);
      put("kernel", columns.kernel);
      put("governor", columns.governor);
      put("gpu_model", columns.gpu_model);
      put("gpu_driver", columns.gpu_driver);
      put("torch_version", columns.torch_version);
      put("cuda_version", columns.cuda_version);
    }
  MachineFacts out;
  for (const auto& [key, values] : found) out[key].assign(values.begin(), values.end());
  return out;
}

std::vector<MachineDifference> machine_differences(const MachineFacts& baseline, const MachineFacts& candidate) {
  std::set<std::string> keys;
  for (const auto* side : {&baseline, &candidate})
    for (const auto& [key, _] : *side) keys.insert(key);
  const auto text = [](const MachineFacts& facts, const std::string& key) {
    const auto found = facts.find(key);
    return found == facts.end() ? std::string("-") : results::joined(found->second);
  };
  std::vector<MachineDifference> out;
  for (const std::string& key : keys)
    if (text(baseline, key) != text(candidate, key)) out.push_back({key, text(baseline, key), text(candidate, key)});
  return out;
}

std::optional<std::string> stratum_of(const results::Store& store, const results::Digest& study) {
  std::set<std::string> found;
  for (const Json& document : store.environments(study))
    found.insert(results::hex(results::environment_columns(document).stratum));
  return found.size() == 1 ? std::optional(*found.begin()) : std::nullopt;
}

}  // namespace retrial::harness::inline gate::inline measured
