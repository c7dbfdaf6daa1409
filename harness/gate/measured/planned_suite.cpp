#include "harness/gate/measured/planned_suite.hpp"

#include <algorithm>
#include <tuple>

#include "harness/command_line/settings.hpp"
#include "harness/gate/gate_settings.hpp"
#include "harness/gate/measured/each_benchmark.hpp"
#include "harness/gate/measured/judged_metrics.hpp"
#include "harness/gate/measured/suite_design.hpp"
#include "harness/plan/variant_order.hpp"
#include "harness/run/options/run_options.hpp"
#include "harness/study/file/study_file.hpp"
#include "harness/study/options/key_options.hpp"
#include "harness/text/output.hpp"
#include "results/record/identity.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline gate::inline measured {
namespace {

using results::MetricDef;

constexpr std::int64_t default_pairs = 10, pairs_of_counts = 3;

/// The drafts of a command line, and the table [gate] that they share.
struct Asked {
  std::string name;
  std::vector<SuiteFile::Bench> benches;
  GateTable gate;
  std::vector<std::pair<std::string, std::string>> alone = {};
};

[[noreturn]] void refuse_two(const std::string& where, const std::string& field, const std::string& first) {
  throw Error({.code = "gate.suite",
               .where = where,
               .field = field,
               .problem = "differs from " + first + ": the files of one suite share seed, pairs and [gate]",
               .help = "say it in one of the files, or in all alike"});
}

/// A file says what another one leaves open.
template <typename Value>
void share(std::optional<Value>& ours, const std::optional<Value>& theirs, const std::string& where, const char* field,
           const std::string& first) {
  if (ours && theirs && *ours != *theirs) refuse_two(where, field, first);
  if (!ours) ours = theirs;
}

Asked asked_files(const std::vector<std::string>& files) {
  Asked out;
  std::optional<std::uint64_t> seed;
  std::optional<std::int64_t> pairs;
  for (const std::string& path : files) {
    SuiteFile file = read_suite_file(path);
    if (out.benches.empty()) {
      out.name = file.name, out.gate = file.gate;
    } else if (!file.gate.values.empty() && !out.gate.values.empty() && file.gate.values != out.gate.values) {
      refuse_two(path, "gate", files.front());
    } else if (out.gate.values.empty()) {
      out.gate = file.gate;
    }
    for (auto& bench : file.benches) {
      share(seed, bench.draft.seed, path, "seed", files.front());
      share(pairs, bench.draft.pairs, path, "pairs", files.front());
      if (files.size() > 1) bench.name = file.name + (bench.name.empty() ? "" : "/" + bench.name);
      const auto same = std::ranges::find(out.benches, bench.name, &SuiteFile::Bench::name);
      if (same != out.benches.end())
        throw Error({.code = "gate.suite",
                     .where = bench.draft.where,
                     .field = "name",
                     .value = results::one_line(bench.name, 100),
                     .problem = "is a benchmark of another file of this suite too",
                     .help = "give the files names of their own: name = \"...\""});
      out.benches.push_back(std::move(bench));
    }
  }
  for (auto& bench : out.benches) bench.draft.seed = seed, bench.draft.pairs = pairs;
  return out;
}

bool runs_both(RunSides sides) {
  return sides == RunSides::both || sides == RunSides::watched;
}

Asked asked(const Arguments& arguments, RunSides sides) {
  if (auto draft = draft_from_flags(arguments)) {
    if (draft->variants.size() < 2 && runs_both(sides))
      throw Error({.exit = Exit::incomparable,
                   .code = "gate.no_baseline",
                   .where = draft->where,
                   .problem = "there is one command: there is no baseline",
                   .help = "name both: retrial gate --command base='./old/bench' --command head='./new/bench'; or make "
                           "a store of it: --make-baseline base.db"});
    if (arguments.has("each-benchmark")) {
      refuse_options(arguments, {"read-google-benchmark"},
                     {.problem = "reads the benchmarks of one process, and --each-benchmark gives each a process of "
                                 "its own",
                      .help = "leave out one of the two"});
      EachBenchmark each = each_benchmark(*draft);
      return {.name = "gate", .benches = std::move(each.benches), .gate = {}, .alone = std::move(each.alone)};
    }
    return {.name = "gate", .benches = {{"", std::move(*draft)}}, .gate = {}};
  }
  refuse_options(arguments, {"each-benchmark"},
                 {.problem = "is for --command; in a suite file each table [bench.NAME] is a benchmark"});
  return asked_files(arguments.positional);
}

const workloads::Declaration& declaration_of(const StudyDraft& draft) {
  if (draft.workload.empty())
    throw Error({.code = "study.no_workload",
                 .where = draft.where,
                 .field = "workload",
                 .problem = "missing",
                 .help = "retrial list shows the workloads; programs of your own are workload = \"command\""});
  return workloads::find_workload(draft.workload, draft.at("workload"));
}

/// What a file starts is shown first: it may come from somebody else's branch.
void demand_allowed(const Arguments& arguments, const StudyDraft& draft) {
  if (!declaration_of(draft).argv || arguments.has("allow-commands") || arguments.has("dry-run")) return;
  throw Error({.code = "gate.commands",
               .where = draft.where,
               .problem = "this file names commands, and the gate starts them only with --allow-commands",
               .help = "--dry-run shows what would be started"});
}

/// A suite may come from somebody else's branch, and a script is a program.
void refuse_scripts(const Study& study, const std::string& where) {
  if (study.scripts.empty()) return;
  const auto& [digest, file] = *study.scripts.begin();
  throw Error({.code = "gate.script",
               .where = where,
               .problem = "the gate runs no network from a file, and this suite names " +
                          results::one_line(file.string(), 300) + ", SHA-256 " + digest,
               .help = "if you trust that file, judge it with retrial run --allow-scripts and retrial compare"});
}

void put_everywhere(StudyDraft& draft, const std::string& key, const Value& value) {
  const auto is_it = [&](const StudyDraft::Key& each) { return each.key == key; };
  for (auto& variant : draft.variants) std::erase_if(variant.keys, is_it);
  std::erase_if(draft.set, is_it);
  draft.set.push_back({key, value, "[gate]"});
}

/// What the gate decides for workloads that have a key for it: that costs are judged, how often a benchmark is repeated
/// in a process, and that instructions are counted in place of times.
void put_costs(StudyDraft& draft, const GateSettings& settings) {
  const auto& declaration = declaration_of(draft);
  if (workloads::find_parameter(declaration, "costs_only") != nullptr) put_everywhere(draft, "costs_only", true);
  if (settings.repetitions && workloads::find_parameter(declaration, "repetitions") == nullptr)
    throw Error({.code = "gate.repetitions",
                 .where = draft.where,
                 .field = "repetitions",
                 .value = std::to_string(*settings.repetitions),
                 .problem = "is for programs of Google Benchmark (read_google_benchmark), and this is workload " +
                            draft.workload,
                 .help = "leave out repetitions"});
  if (settings.repetitions) put_everywhere(draft, "repetitions", *settings.repetitions);
  if (!settings.count_instructions) return;
  if (workloads::find_parameter(declaration, "count") == nullptr)
    throw Error({.code = "gate.count",
                 .where = draft.where,
                 .field = "count",
                 .value = "instructions",
                 .problem = "instructions are counted for programs of your own, and this is workload " + draft.workload,
                 .help = "leave out count"});
  put_everywhere(draft, "count", std::string("instructions"));
}

/// The names of the two variants; of a study with one, its name twice.
std::pair<std::string, std::string> names_of_sides(const Study& study) {
  if (study.compare) return {study.compare->baseline, study.compare->candidate};
  return {study.variants.front().name, study.variants.front().name};
}

/// A study of the variants that are run.
void keep_sides(Study& study, RunSides sides) {
  const auto [baseline, candidate] = names_of_sides(study);
  std::erase_if(study.variants, [&, b = baseline, c = candidate](const StudyVariant& variant) {
    return !(variant.name == b && sides != RunSides::candidate) && !(variant.name == c && sides != RunSides::baseline);
  });
  if (!runs_both(sides)) study.compare.reset();
}

/// The baseline a second time, under another name: what a watch compares the baseline with.
void add_control(Study& study, const std::string& baseline, const std::string& control, const std::string& where) {
  if (std::ranges::find(study.variants, control, &StudyVariant::name) != study.variants.end())
    throw Error({.code = "watch.control",
                 .where = where,
                 .field = "--control",
                 .value = results::one_line(control, 100),
                 .problem = "is the name of a side: the control is the baseline, run once more under another name",
                 .help = "leave out --control"});
  StudyVariant again = *std::ranges::find(study.variants, baseline, &StudyVariant::name);
  again.name = control;
  study.variants.push_back(std::move(again));
}

/// A score that no seed moves would be one value, as often as there are pairs.
void demand_seeds(const Bench& bench, const StudyDraft& draft) {
  for (const auto& def : bench.metrics)
    if (def.nature == results::Nature::outcome && !pairs_differ(bench.study.varied, bench.study.mode, def.nature))
      throw Error({.code = "gate.nothing_varied",
                   .where = draft.where,
                   .field = "metrics",
                   .value = def.name,
                   .problem = "no seed differs from pair to pair, so all its values would be copies of one pair",
                   .help = "put {seed} into the commands, or judge costs alone: --metric wall_s"});
}

Bench bench_of(const Arguments& arguments, SuiteFile::Bench asked, const std::string& suite, bool several,
               RunSides sides, const std::string& control, const GateSettings& settings, std::int64_t pairs) {
  StudyDraft& draft = asked.draft;
  put_costs(draft, settings);
  override_keys(arguments, draft);
  if (const auto seed = arguments.u64("seed")) draft.seed = seed;
  draft.pairs = pairs;
  draft.name = suite;
  if (draft.variants.size() != 1 || runs_both(sides)) draft.metric = declared_metric(draft, settings);
  Bench out{.name = asked.name.empty() ? suite : asked.name,
            .study = checked_to_run(draft),
            .plan = {},
            .design = {},
            .metrics = {},
            .sides = {}};
  refuse_scripts(out.study, draft.where);
  if (!out.study.compare && runs_both(sides))
    throw Error({.exit = Exit::incomparable,
                 .code = "gate.no_baseline",
                 .where = draft.where,
                 .problem = "there is one variant: there is no baseline",
                 .help =
                     "add a table [variant.NAME] for the side before the change, or make a store of it: retrial gate "
                     "SUITE.toml --make-baseline base.db"});
  if (out.study.compare && out.study.compare->sequential())
    throw Error({.code = "gate.design",
                 .where = draft.at("compare.family"),
                 .field = "compare.family",
                 .problem = "the gate has a design of its own",
                 .help = "leave it out; until_decided = true in [gate] stops early"});
  out.sides = names_of_sides(out.study);
  keep_sides(out.study, sides);
  if (!control.empty()) add_control(out.study, out.sides.first, control, draft.where);
  if (several) out.study.name = suite + "/" + asked.name;
  out.metrics = judged_metrics(out.study, settings, draft.where);
  demand_seeds(out, draft);
  std::vector<std::string> names;
  if (finds_metrics(out.study))
    names = settings.metrics;  // the runs tell which of them there are
  else
    for (const auto& def : out.metrics) names.push_back(def.name);
  out.design = gate_design(settings, names);
  return out;
}

bool is_paired(const MetricDef& def, const GateSettings& settings) {
  if (settings.test != GateTest::automatic) return settings.by_pairs();
  return def.nature == results::Nature::outcome;
}

std::int64_t pairs_for(const GateSettings& settings, const std::optional<std::int64_t>& of_file) {
  if (settings.until_decided) return settings.max_pairs;
  if (settings.pairs) return *settings.pairs;
  if (of_file) return *of_file;
  return settings.count_instructions && settings.metrics.empty() ? pairs_of_counts : default_pairs;
}

}  // namespace

PlannedSuite::Tested PlannedSuite::tested() const {
  Tested out;
  for (const Bench& bench : benches)
    for (const auto& def : bench.metrics)
      if (!is_counter(def)) ++out.claims, out.paired = out.paired || is_paired(def, settings);
  return out;
}

std::vector<MetricDef> PlannedSuite::metrics() const {
  std::vector<MetricDef> out;
  for (const Bench& bench : benches)
    for (const auto& def : bench.metrics)
      if (std::ranges::find(out, def) == out.end()) out.push_back(def);
  return out;
}

std::vector<Option> suite_options() {
  const std::vector<Option> own{
      {.name = "each-benchmark",
       .meaning = "the commands are programs of Google Benchmark: each of their benchmarks is one of the suite"},
      {.name = "allow-commands", .meaning = "start the commands that a suite file names"},
      {.name = "seed",
       .value_name = "SEED",
       .meaning = "root seed of the order, decimal or 0x and hex digits (default: drawn once, printed and stored)"},
      {.name = "set", .value_name = "KEY=VALUE", .meaning = "set a key of the workload", .repeats = true},
      {.name = "db",
       .value_name = "STORE",
       .meaning = "the store of the runs (default: NAME.db; gate.db for commands)"},
      {.name = "data", .value_name = "DIR", .meaning = "folder of the data set (default: current folder)"},
      {.name = "again", .meaning = "run the suite anew, with new seeds"},
      {.name = "retry-failed", .meaning = "run trials that failed once more"},
      {.name = "dry-run", .meaning = "print what would be started, and start nothing"}};
  std::vector<Option> of_workloads = workload_options();
  std::erase_if(of_workloads, [](const Option& option) { return option.name == "higher" || option.name == "lower"; });
  std::vector<Option> workers = worker_options();
  std::erase_if(workers, [](const Option& option) { return option.name == "fresh" || option.name == "jobs"; });
  return of_workloads + under("Running", own + program_options() + workers);
}

void plan_bench(Bench& bench, bool several, const PlanInputs& inputs) {
  bench.plan = make_plan(bench.study, inputs);
  bench.plan.study["gate"] = results::hex(results::digest_of(bench.design));
  bench.plan.study_digest = results::digest_of(bench.plan.study);
  if (!several || bench.study.variants.size() != 2) return;
  // Each benchmark has an order of its own; the plan has that of its workload, which they share.
  order_pairs(
      bench, bench.study.compare->candidate,
      candidate_first(bench.study.seed.value(), bench.study.name, static_cast<std::uint32_t>(bench.study.pairs)));
}

void order_pairs(Bench& bench, const std::string& candidate, const std::vector<int>& first) {
  auto& entries = bench.plan.entries;
  std::vector<std::pair<results::Digest, std::uint32_t>> hashed;
  for (std::size_t at = 0; at + 1 < entries.size(); at += 2)
    if ((entries[at].variant == candidate) != (first[at / 2] == 1)) std::swap(entries[at], entries[at + 1]);
  for (std::size_t at = 0; at < entries.size(); ++at) {
    entries[at].ordinal = static_cast<std::int64_t>(at);
    hashed.emplace_back(entries[at].identity, entries[at].replicate);
  }
  bench.plan.plan_digest = results::plan_digest(hashed);
}

std::filesystem::path suite_store(const Arguments& arguments, const std::string& name) {
  if (const auto given = arguments.value("db")) return *given;
  return store_setting().value_or(name + ".db");
}

PlannedSuite planned_suite(const Arguments& arguments, RunSides sides, const std::string& control) {
  Asked what = asked(arguments, sides);
  if (!arguments.positional.empty())
    for (const auto& bench : what.benches) demand_allowed(arguments, bench.draft);
  PlannedSuite out{.name = what.name,
                   .baseline = {},
                   .candidate = {},
                   .settings = gate_settings(arguments, what.gate),
                   .benches = {},
                   .alone = what.alone};
  // A watch compares by signs and distances: no difference is too small to count.
  if (sides == RunSides::watched && !out.settings.min_effect_abs)
    out.settings.min_effect_abs = 0.0, out.settings.margin_abs = 0.0;
  const bool several = what.benches.size() > 1 || arguments.has("each-benchmark");
  const std::int64_t pairs = pairs_for(out.settings, what.benches.front().draft.pairs);
  for (auto& bench : what.benches)
    out.benches.push_back(
        bench_of(arguments, std::move(bench), out.name, several, sides, control, out.settings, pairs));
  std::ranges::sort(out.benches, {}, [](const Bench& bench) { return bench.study.name; });
  std::tie(out.baseline, out.candidate) = out.benches.front().sides;
  for (const Bench& bench : out.benches)
    if (bench.sides != out.benches.front().sides)
      throw Error({.code = "gate.suite",
                   .where = bench.name,
                   .field = "variant",
                   .problem = "its sides are " + bench.sides.first + " and " + bench.sides.second + ", those of " +
                              out.benches.front().name + " are " + out.baseline + " and " + out.candidate,
                   .help = "every benchmark of a suite has the same two variants"});
  if (sides != RunSides::watched) demand_power(out);
  return out;
}

}  // namespace retrial::harness::inline gate::inline measured
