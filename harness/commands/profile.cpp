#include <unistd.h>

#include "harness/command_line/command.hpp"
#include "harness/plan/plan_documents.hpp"
#include "harness/profile/profile_page.hpp"
#include "harness/profile/profile_run.hpp"
#include "harness/run/options/run_options.hpp"
#include "harness/run/progress_line.hpp"
#include "harness/run/queue/open_trials.hpp"
#include "harness/run/root_seed.hpp"
#include "harness/run/same_inputs.hpp"
#include "harness/study/options/script_options.hpp"
#include "harness/study/options/study_options.hpp"
#include "harness/system/host.hpp"
#include "harness/system/signals.hpp"
#include "harness/text/output.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/profiler/recording/clock.hpp"
#include "workloads/profiler/report/micro_part.hpp"
#include "workloads/profiler/report/trace_part.hpp"
#include "workloads/profiler/rules/health_rules.hpp"
#include "workloads/profiler/rules/profile_rules.hpp"
#include "workloads/profiler/traces/read.hpp"

namespace retrial::harness::inline commands {
namespace {

constexpr const char* profile_usage =
    "profile STUDY.toml|WORKLOAD [OPTIONS], profile --analyze FILE [--against FILE], or profile --micro";

std::vector<std::string> rule_names(const Arguments& arguments, const std::vector<profiler::RuleText>& known) {
  return profiler::asked_rules(arguments.list("rules").value_or(std::vector<std::string>{"default"}), known);
}

/// Those on the health of a training look into it; a trace holds no tensor.
std::vector<profiler::RuleText> rules_of_runs() {
  auto all = profiler::health_rules();
  all.insert(all.end(), profiler::profile_rules().begin(), profiler::profile_rules().end());
  return all;
}

profiler::Timeline measured_trace(const std::string& file, profiler::Damage damage) {
  profiler::Timeline timeline = profiler::read_trace(file, damage);
  if (timeline.wall() > 0) return timeline;
  throw Error({.exit = Exit::incomparable,
               .code = "profile.empty_trace",
               .where = results::one_line(file, 200),
               .problem = "the trace has no interval of a known category",
               .help = counted(static_cast<std::int64_t>(timeline.faults.ignored), "interval") +
                       " of other categories; docs/method/profiling.md lists those that are read"});
}

int compare_traces(const Arguments& arguments, const profiler::Timeline& first, const std::string& file,
                   profiler::Damage damage) {
  refuse_options(arguments, {"rules", "rules-fail", "per-thread", "polling-interval"},
                 {.problem = "is about one trace, and --against compares two", .help = "leave out one of the two"});
  const std::string other = *arguments.value("against");
  print_part(profiler::against_part(first, measured_trace(other, damage), file, other), arguments.has("json"));
  return 0;
}

std::int64_t asked_period(const Arguments& arguments) {
  return arguments.integer("polling-interval", 1, std::int64_t{1} << 60U).value_or(profiler::usual_period_ns);
}

int analyze(const Arguments& arguments, const std::string& file) {
  refuse_extra(arguments, 0, profile_usage);
  refuse_options(
      arguments, {"rule-every", "clock", "level",      "blocks",        "pairs",     "no-calibrate", "collector",
                  "db",         "again", "host-label", "tolerance",     "trace-cap", "keep-traces",  "set",
                  "variant",    "seed",  "data",       "allow-scripts", "worker",    "worker-cuda"},
      {.problem = "is for a study or workload, and --analyze reads a trace", .help = "leave out one of the two"});
  const auto damage = arguments.has("salvage") ? profiler::Damage::salvaged : profiler::Damage::refused;
  const profiler::TraceQuestions questions{.file = file,
                                           .period_ns = asked_period(arguments),
                                           .by_thread = arguments.has("per-thread"),
                                           .rules = rule_names(arguments, profiler::profile_rules())};
  const profiler::Timeline timeline = measured_trace(file, damage);
  if (arguments.has("against")) return compare_traces(arguments, timeline, file, damage);
  print_part(profiler::trace_part(timeline, questions), arguments.has("json"));
  return arguments.has("rules-fail") && profiler::any_rule_fires(timeline, questions.rules) ? 1 : 0;
}

/// Empty where it was not asked. A clock that this CPU does not promise is refused before anything runs.
std::string asked_clock(const Arguments& arguments) {
  const auto asked = arguments.value("clock");
  if (asked) static_cast<void>(profiler::clock_source(asked));
  return asked.value_or("");
}

/// Any study can be profiled: what it declares about its scores is then left out.
void as_profile(StudyDraft& draft) {
  draft.profile.emplace();
  draft.pairs.reset();
  draft.metric.reset();
  draft.baseline.reset();
  draft.candidate.reset();
  draft.design.clear();
  draft.claims.clear();
  draft.claims_about.reset();
  draft.variance.reset();
  draft.search.reset();
  std::erase_if(draft.places, [](const auto& place) { return place.first.starts_with("compare"); });
}

/// A study that declares [profile] keeps its name; a profile of any other is a study of its own beside it.
Study study_of(const Arguments& arguments) {
  auto draft = draft_from(arguments);
  const bool declared = draft.profile.has_value();
  if (!declared) as_profile(draft);
  auto& profile = *draft.profile;
  if (const auto blocks = arguments.integer("blocks", 5, 1000)) profile.blocks = blocks;
  if (arguments.has("no-calibrate")) profile.blocks = 0;
  if (const auto tolerance = arguments.number("tolerance", {.low = 0, .high = 100})) profile.tolerance = tolerance;
  if (const auto collector = arguments.value("collector")) {
    profile.collector = collector;
    draft.places["profile.collector"] = "--collector";
  }
  if (const auto level = arguments.value("level")) {
    profile.level = level;
    draft.places["profile.level"] = "--level";
  }
  if (const auto pairs = arguments.integer("pairs", 5, 1000)) draft.pairs = pairs;
  auto study = checked(draft);
  keep_variant(arguments, study);
  if (arguments.has("variant")) study.claims = {};  // they may be about the others
  if (!declared) study.name += "-profile";
  return study;
}

/// Traces of an earlier profile stay what they are.
std::filesystem::path traces_folder(const Arguments& arguments, bool begun) {
  const auto folder = arguments.value("keep-traces");
  if (!folder) return {};
  std::error_code failed;
  std::filesystem::create_directories(*folder, failed);
  if (failed || (!begun && !std::filesystem::is_empty(*folder, failed)) || failed || access(folder->c_str(), W_OK) != 0)
    refuse_usage("--keep-traces " + *folder, "is not an empty folder that can be written to", "");
  return std::filesystem::absolute(*folder);
}

ProfileSettings settings_of(const Arguments& arguments, const Study& study) {
  constexpr std::int64_t gib = std::int64_t{1} << 30U;
  ProfileSettings out{
      .cap_bytes = static_cast<std::uint64_t>(arguments.integer("trace-cap", 1, 64 * gib).value_or(gib)),
      .clock = asked_clock(arguments),
      .rules = rule_names(arguments, rules_of_runs()),
      .rule_every = arguments.integer("rule-every", 1, 1'000'000'000).value_or(100),
      .period_ns = asked_period(arguments),
      .data = data_folder(study, arguments),
      .scripts = allowed_scripts(arguments, study),
      .host_label = arguments.value("host-label"),
      .pool = pool_settings(arguments, study.mode, true)};
  out.pool.jobs = 1;
  return out;
}

ProfileConditions conditions_of(const Study& study) {
  return {.study = study.name,
          .workload = study.workload,
          .seed = results::hex16(*study.seed),
          .mode = determinism::mode_text(determinism::mode_document(study.mode)),
          .tolerance = study.profile->tolerance,
          .blocks = study.profile->blocks,
          .pairs = study.pairs,
          .here = machine_now()};
}

/// 5: not valid; 1: only the digests differ, or a rule fired that is to fail.
int profile_exit(const std::vector<ProfiledVariant>& variants, bool calibrated, bool rules_fail) {
  bool changed = false;
  for (const ProfiledVariant& variant : variants) {
    changed = changed || !variant.changed.empty() || (rules_fail && any_rule_fired(variant));
    const auto& v = variant.validation;
    if (calibrated && !v.valid && !(v.digests_differ && v.reasons.size() == 1))
      return static_cast<int>(Exit::measurement);
  }
  return static_cast<int>(changed ? Exit::different : Exit::ok);
}

bool is_stored(const results::Store& store, const Plan& plan) {
  return std::ranges::any_of(store.studies(), [&](const auto& row) { return row.digest == plan.study_digest; });
}

/// Writes the plan, then what is missing of it. True if all runs are of this launch.
bool fill_store(results::Store& store, const Study& study, const Plan& plan, SeedFrom seed_from,
                ProfileSettings& settings, const Arguments& arguments) {
  demand_same_inputs(store, plan, seed_from);
  settings.traces = traces_folder(arguments, is_stored(store, plan));  // what is refused above leaves no folder
  store.put_study(study.name, plan.study, plan.entries, documents_of(study, plan));
  const auto open = open_trials(store, plan.entries, false).size();
  print_seed_note(seed_from, *study.seed, open == 0);
  ProgressLine line;
  settings.progress = [&](const std::string& variant, std::size_t done, std::size_t of) {
    line.show(variant + ": " + std::to_string(done) + "/" + std::to_string(of) + " runs", done == of);
  };
  run_profiles(store, study, plan, settings);
  line.close();
  return open == plan.entries.size();
}

int profile_study(const Arguments& arguments) {
  refuse_extra(arguments, 1, profile_usage);
  refuse_options(arguments, {"against", "per-thread", "salvage"},
                 {.problem = "is about a trace", .help = "add --analyze FILE, or leave it out"});
  const SignalWatch signals;
  auto study = study_of(arguments);
  const auto path = store_path(arguments, study);
  const auto seed_from = set_seed(study, path, arguments);
  const auto plan = make_plan(study, plan_inputs(arguments, study.mode));
  auto settings = settings_of(arguments, study);
  auto conditions = conditions_of(study);
  results::Store store(path, results::Store::Access::write);
  if (fill_store(store, study, plan, seed_from, settings, arguments))
    conditions.here->after = load_now();
  else
    conditions.here.reset();  // the load now says nothing of earlier runs
  const auto variants = stored_profile(store, plan.entries, *study.profile, *study.seed);
  const report::Part part = profile_part(conditions, variants);
  keep_profile(store, plan.study_digest, part.data);
  print_part(part, arguments.has("json"));
  if (!arguments.has("json"))
    note(
        "stored; retrial report " + shell_word(path.string()) + " -o profile.html draws it" +
        (study.claims.empty() ? "" : ", retrial compare " + shell_word(path.string()) + " --claims judges its claims"));
  return profile_exit(variants, conditions.calibrated(), arguments.has("rules-fail"));
}

int run_micro(const Arguments& arguments) {
  refuse_extra(arguments, 0, profile_usage);
  print_part(profiler::micro_part(), arguments.has("json"));
  return 0;
}

int run_profile(const Arguments& arguments) {
  if (arguments.has("micro")) return run_micro(arguments);
  if (const auto file = arguments.value("analyze")) return analyze(arguments, *file);
  if (arguments.positional.empty())
    refuse_usage("profile", "needs a study, a workload, or a trace", std::string("usage: retrial ") + profile_usage);
  return profile_study(arguments);
}

}  // namespace

Command profile_command() {
  return {
      .name = "profile",
      .group = "profile",
      .purpose = "say where the time of a training went, by operation, layer and device",
      .examples = {"retrial profile studies/quickstart.toml --variant kd", "retrial profile --analyze trace.json",
                   "retrial profile --analyze run.rtrace --against other.rtrace"},
      .arguments = "[STUDY.toml|WORKLOAD]",
      .options =
          std::vector<Option>{
              {.name = "variant", .value_name = "NAME", .meaning = "profile only this variant"},
              {.name = "set", .value_name = "KEY=VALUE", .meaning = "set a key, for every variant", .repeats = true},
              {.name = "db",
               .value_name = "FILE",
               .meaning = "store to write (default: RETRIAL_DB, else NAME-profile.db; NAME.db for a study with a table "
                          "[profile])"},
              {.name = "seed",
               .value_name = "SEED",
               .meaning = "root seed (default: set by the study, else drawn and stored)"},
              {.name = "again", .meaning = "start over with new seeds, although the store holds such a profile"},
              {.name = "data", .value_name = "DIR", .meaning = "folder of the data set (default: current folder)"},
              {.name = "blocks",
               .value_name = "K",
               .meaning =
                   "calibration blocks, at least 5 (default 5): in each, one run repeated with nothing recorded, "
                   "each kind of bookkeeping alone, and everything"},
              {.name = "pairs",
               .value_name = "P",
               .meaning =
                   "measured pairs, at least 5 (default 5): other seeds, with nothing recorded and with everything"},
              {.name = "tolerance",
               .value_name = "PCT",
               .meaning = "largest bias of the corrected time for a valid profile (default 5)"},
              {.name = "collector",
               .value_name = "NAME",
               .meaning = "native: also record calls into LibTorch (default); kineto: those that LibTorch's own "
                          "profiler sees; cupti: also work of the GPU; none: operations and steps alone"},
              {.name = "level",
               .value_name = "NAME",
               .meaning = "full (default); annotations: operations alone, which slows least; hooks: layers alone"},
              {.name = "clock",
               .value_name = "NAME",
               .meaning =
                   "tsc (default where the CPU promises that it neither stops nor changes its rate) or monotonic"},
              {.name = "no-calibrate", .meaning = "numbers that are neither corrected nor validated"},
              {.name = "rules",
               .value_name = "NAME,...",
               .meaning = "rules to evaluate, on the measured runs or on a trace: default (all), none, or names "
                          "(docs/method/profiling.md)"},
              {.name = "rule-every",
               .value_name = "N",
               .meaning = "gradient steps between looks at tensors, for the rules on them (default 100)"},
              {.name = "rules-fail", .meaning = "exit code 1 if a rule fires"},
              {.name = "micro", .meaning = "instead: what clock, operation and sweep cost on this machine"},
              {.name = "trace-cap",
               .value_name = "BYTES",
               .meaning = "memory for the events of a run; the newest beyond it are dropped (default 1 GiB)"},
              {.name = "keep-traces",
               .value_name = "DIR",
               .meaning = "write the trace of every measured run to this empty folder (.rtrace)"},
              {.name = "polling-interval",
               .value_name = "NS",
               .meaning = "period of the emulated samples of a GPU's utilization, of runs or of a trace (default: "
                          "166666667, as nvidia-smi)"},
              {.name = "host-label",
               .value_name = "NAME",
               .meaning = "name of this machine in the store (default: a salted hash)"},
              allow_scripts_option()} +
          worker_paths() +
          under("Traces",
                std::vector<Option>{
                    {.name = "analyze",
                     .value_name = "FILE",
                     .meaning = "trace to read: .rtrace, Chrome JSON (torch.profiler's export_chrome_trace), Perfetto"},
                    {.name = "against", .value_name = "FILE", .meaning = "second trace: both, cell by cell"},
                    {.name = "per-thread", .meaning = "also a table for each thread"},
                    {.name = "salvage", .meaning = "read what a damaged .rtrace file still holds"}}) +
          std::vector<Option>{{.name = "json", .meaning = "print JSON for programs"}},
      .run = run_profile};
}

}  // namespace retrial::harness::inline commands
