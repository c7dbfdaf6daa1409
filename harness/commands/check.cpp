#include <algorithm>
#include <iostream>
#include <sstream>

#include "harness/check/check_page.hpp"
#include "harness/check/cpus_page.hpp"
#include "harness/check/liveness.hpp"
#include "harness/check/liveness_page.hpp"
#include "harness/check/mirror.hpp"
#include "harness/command_line/command.hpp"
#include "harness/plan/trial_body.hpp"
#include "harness/run/options/run_options.hpp"
#include "harness/run/progress_line.hpp"
#include "harness/stored/stored_study.hpp"
#include "harness/study/options/script_options.hpp"
#include "harness/study/options/study_options.hpp"
#include "harness/system/host.hpp"
#include "harness/system/signals.hpp"
#include "harness/text/names.hpp"
#include "harness/text/output.hpp"
#include "harness/text/section_text.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline commands {
namespace {

/// check draws no seed: the same command must reproduce a finding.
constexpr std::uint64_t check_seed = 1;

/// A GPU is not emulated: its kernels would be the same under each CPU.
void demand_emulable(const Study& study) {
  if (study.mode.on_gpu())
    throw Error({.code = "cpu.device",
                 .where = "--cpu",
                 .field = "mode.device",
                 .value = study.mode.device,
                 .problem = "another CPU is emulated, a GPU is not",
                 .allowed = "cpu",
                 .help = "check it with --mode " + study.mode.preset + ", or leave out --cpu"});
}

bool is_own_program(const Study& study) {
  return static_cast<bool>(workloads::find_workload(study.workload, "").argv);
}

void demand_options_of_cpus(const Arguments& arguments, bool program) {
  refuse_options(arguments, {"liveness", "seeds", "repeats"},
                 {.problem = "cannot be combined with --cpu, which runs one trial of each variant on each CPU"});
  refuse_options(arguments, {"cache"},
                 {.problem = "cannot be combined with --cpu: a network trained on one CPU is never used on another"});
  if (!program)
    refuse_options(arguments, {"no-interrupt"},
                   {.problem = "applies only to your own program here: --cpu interrupts no trial of a workload"});
}

void demand_options_of_liveness(const Arguments& arguments, std::int64_t steps) {
  refuse_options(
      arguments, {"seeds", "repeats", "no-interrupt"},
      {.problem = "cannot be combined with --liveness, which runs one trial of each changed key and source"});
  if (steps > 0)
    refuse_options(arguments, {"cache"},
                   {.problem = "requires --steps 0: trainings that end early are not kept for other trials"});
}

/// Settings of other checks would be ignored.
void demand_options_that_are_read(const Arguments& arguments, bool program, std::int64_t steps) {
  if (arguments.has("dry-run"))
    refuse_options(arguments, {"json"},
                   {.problem = "cannot be combined with --dry-run, which prints lines for people"});
  if (program)
    refuse_options(arguments, {"steps"}, {.problem = "cuts trainings of workloads; your own program runs whole"});
  if (arguments.has("cpu"))
    demand_options_of_cpus(arguments, program);
  else if (arguments.has("liveness"))
    demand_options_of_liveness(arguments, steps);
  else
    refuse_options(arguments, {"steps"}, {.problem = "requires --cpu or --liveness; repeats run whole trials"});
}

struct Setup {
  Study study;
  PlanInputs inputs;
  CheckSettings settings;
  std::unique_ptr<ScratchFolder> mirror;  ///< copy of the current folder, for the programs that are started there
};

Setup set_up(const Arguments& arguments, ProgressLine& line) {
  Setup setup{.study = checked(draft_from(arguments)), .inputs = {}};
  const bool program = is_own_program(setup.study);
  const auto steps = arguments.integer("steps", 0, 1'000'000).value_or(3);
  if (arguments.has("cpu")) demand_emulable(setup.study);
  demand_options_that_are_read(arguments, program, steps);
  refuse_idle_options(arguments, workloads::find_workload(setup.study.workload, ""));
  setup.inputs = plan_inputs(arguments, setup.study.mode);
  if (!setup.study.seed) setup.study.seed = check_seed;
  keep_variant(arguments, setup.study);
  setup.settings = {
      .pool = pool_settings(arguments, setup.study.mode, false),
      .data = data_folder(setup.study, arguments),
      .cache = cache_folder(setup.study, arguments),
      .folders = setup.study.folders,
      .scripts = arguments.has("dry-run") ? workloads::Scripts{} : allowed_scripts(arguments, setup.study),
      .seeds = static_cast<int>(arguments.integer("seeds", 1, 1000).value_or(5)),
      .repeats = static_cast<int>(arguments.integer("repeats", 1, 1000).value_or(5)),
      .interrupt = !arguments.has("no-interrupt") && !program,
      .max_steps = steps,
      .progress = [&line](const std::string& phase, std::size_t done, std::size_t of) {
        line.show(phase + ": " + std::to_string(done) + "/" + std::to_string(of) + " trials", done == of);
      }};
  leave_cpus_for_threads(setup.study, arguments, setup.settings.pool);
  keep_apart(setup.study, arguments, setup.settings.pool);
  // A single run of a trial says nothing about what a second one would show.
  if (program) setup.settings.apart = std::chrono::seconds(1);
  if (program && !arguments.has("no-interrupt") && setup.settings.repeats > 1) {
    setup.mirror = std::make_unique<ScratchFolder>(folder_for_mirrors());
    setup.settings.suspects = suspects_to_try(setup.study.mode, setup.mirror->path());
  }
  return setup;
}

std::size_t trials_to_check(const Setup& setup) {
  std::size_t total = 0;
  for (const auto& variant : setup.study.variants) total += harness::check_size(setup.study, variant, setup.settings);
  return total;
}

std::string probe_words(const Study& study) {
  const auto names = names_in(workloads::find_workload(study.workload, "").probes);
  return names.empty() ? "" : "; probes " + results::joined(names);
}

int dry_run(const Arguments& arguments, const Setup& setup) {
  std::ostringstream out;  // a later variant may be refused
  for (const auto& variant : setup.study.variants) {
    out << "variant " << variant.name << ": ";
    if (arguments.has("liveness"))
      out << "each key it reads and each source it honors is changed, one at a time" << probe_words(setup.study)
          << "\n";
    else if (const auto models = arguments.list("cpu"))
      out << "one trial on this CPU and under each of " << results::joined(*models) << "\n";
    else
      out << counted(static_cast<std::int64_t>(harness::check_size(setup.study, variant, setup.settings)), "run")
          << " over sources " << results::joined(honoured(setup.study, variant)) << "\n";
    const auto entry = make_trial(setup.study, variant, setup.inputs, {}, 0);
    if (const auto argv = dry_argv(TrialBody(entry)); !argv.empty()) out << "  first: " << argv << "\n";
  }
  std::cout << out.str();
  return 0;
}

int list_cpu_models(const Arguments& arguments) {
  refuse_extra(arguments, 0, "check --cpu list [--json]");
  for (const auto& [name, given] : arguments.options)
    if (name != "cpu" && name != "json")
      refuse_options(arguments, {name}, {.problem = "cannot be combined with --cpu list, which checks nothing"});
  print_part(cpu_models_part(Emulator().models()), arguments.has("json"));
  return 0;
}

int other_cpus(const Arguments& arguments, Setup& setup, ProgressLine& line) {
  const Emulator emulator;
  std::vector<Model> models;
  for (const auto& name : asked_models(arguments.list("cpu").value_or(std::vector<std::string>{}), emulator.names(),
                                       [&] { return names_in(emulator.models()); }))
    models.push_back(emulator.model(name));
  demand_mode_runs(emulator, models, setup.study.mode);
  if (arguments.has("dry-run")) return dry_run(arguments, setup);
  const bool settle = !setup.settings.suspects.to_try.empty();
  setup.settings.suspects = {.to_try = settle ? cpu_pins() : std::vector<Suspect>{}, .left_out = {}};
  std::cerr << "checking " << setup.study.name << " on this CPU and under "
            << counted(static_cast<std::int64_t>(models.size()), "emulated CPU") << ": "
            << counted(static_cast<std::int64_t>(setup.study.variants.size() * (1 + models.size())), "trial")
            << "; an emulated program runs 10 to 100 times slower; an estimate of the time follows\n";
  const auto reports = check_cpus(setup.study, setup.inputs, setup.settings, emulator, models);
  line.close();
  print_part(cpus_part(setup.study, setup.settings, models, reports), arguments.has("json"));
  return cpus_exit(reports);
}

int liveness(const Arguments& arguments, const Setup& setup, ProgressLine& line) {
  const auto report = check_liveness(setup.study, setup.inputs, setup.settings);
  line.close();
  print_part(liveness_part(setup.study, setup.settings, report), arguments.has("json"));
  return report.findings.empty() ? 0 : static_cast<int>(Exit::different);
}

int run_check(const Arguments& arguments) {
  if (arguments.value("cpu") == "list") return list_cpu_models(arguments);
  const SignalWatch signals;
  ProgressLine line;
  auto setup = set_up(arguments, line);
  if (arguments.has("cpu")) return other_cpus(arguments, setup, line);
  if (arguments.has("dry-run")) return dry_run(arguments, setup);
  if (arguments.has("liveness")) return liveness(arguments, setup, line);
  const std::size_t total = trials_to_check(setup);
  std::cerr << "checking " << setup.study.name << ": " << counted(static_cast<std::int64_t>(total), "trial") << ", "
            << setup.settings.pool.jobs << " at a time; root seed " << *setup.study.seed << "; kernel mode "
            << determinism::mode_text(determinism::mode_document(setup.study.mode))
            << "; an estimate of the time follows after the first repeat\n";
  bool clean = true;
  Json reports = Json::array();
  for (const auto& variant : setup.study.variants) {
    const auto report = check_variant(setup.study, variant, setup.inputs, setup.settings);
    line.close();
    clean = clean && report.findings.empty();
    auto part = check_part(report, setup.settings);
    if (!arguments.has("json")) std::cout << section_text(*part.section) << "\n";
    reports.push_back(std::move(part.data));
  }
  if (arguments.has("json"))
    print_json({{"schema", "retrial.check/1"},
                {"workload", setup.study.workload},
                {"seed", results::hex16(*setup.study.seed)},
                {"seeds", setup.settings.seeds},
                {"repeats", setup.settings.repeats},
                {"reproducible", clean},
                {"variants", std::move(reports)}});
  return clean ? 0 : static_cast<int>(Exit::different);
}

/// Options of a study that ask about pairs, verdicts, plans and stores.
bool goes_beyond_trials(const Option& option) {
  const std::vector<std::string> names{"pairs", "vary", "hold", "keep-out", "program-label", "max-trials"};
  return option.heading == "Comparison and its design" || option.heading == "Variance by source, and search" ||
         std::ranges::find(names, option.name) != names.end();
}

std::vector<Option> options_of_trials() {
  auto options = study_options() + under("Execution", program_options() + worker_options());
  std::erase_if(options, goes_beyond_trials);
  std::ranges::find(options, "seed", &Option::name)->meaning =
      "root seed, decimal or 0x and hex digits (default: set by the study, else 1)";
  std::ranges::find(options, "name", &Option::name)->meaning = "name of the study, for its pages";
  return options;
}

std::vector<Renamed> options_beyond_trials() {
  std::vector<Renamed> out;
  for (const auto& option : study_options() + program_options())
    if (goes_beyond_trials(option))
      out.push_back(
          {option.name,
           "it with retrial run: a check tries every source of a variant (--seeds, --repeats), judges no pairs "
           "and stores nothing"});
  return out;
}

}  // namespace

Command check_command() {
  return {
      .name = "check",
      .group = "run",
      .purpose = "check that a workload, or your own program, is reproducible bit for bit",
      .examples = {"retrial check null --set epochs=3",
                   "retrial check --command 'python3 train.py --seed {seed}' --read accuracy --higher",
                   "retrial check studies/quickstart.toml --liveness",
                   "retrial check --command 'python3 train.py --seed {seed}' --read accuracy --cpu Haswell,EPYC-Rome"},
      .arguments = "STUDY.toml|WORKLOAD",
      .options =
          std::vector<Option>{
              {.name = "liveness",
               .meaning = "check that every key, source and loss term changes the result (retrial list probes)"},
              {.name = "steps",
               .value_name = "N",
               .meaning =
                   "--liveness and --cpu: end each training after N optimizer steps (default 3; 0: whole trials)"},
              {.name = "cpu",
               .value_name = "MODEL,...",
               .meaning = "check other CPUs: run one trial natively and under each of these "
                          "emulated CPUs (list: the models with vendor and features)"},
              {.name = "variant", .value_name = "NAME", .meaning = "check only this variant"},
              {.name = "seeds", .value_name = "N", .meaning = "seeds tried per source (default 5)"},
              {.name = "repeats", .value_name = "N", .meaning = "runs of each trial (default 5)"},
              {.name = "no-interrupt",
               .meaning = "leave out the runs that are interrupted and resumed at every boundary; of your own program, "
                          "those under other settings (hash seed, threads, time zone, locale, order of files, date; "
                          "--cpu: libraries that choose kernels by CPU)"},
              allow_scripts_option(),
              {.name = "dry-run", .meaning = "print what would be run; run nothing"},
              {.name = "json",
               .meaning = "one JSON document (schema retrial.check/1; with --liveness retrial.liveness/1, with --cpu "
                          "retrial.cpus/1 or retrial.cpu_models/1)"}} +
          options_of_trials(),
      .brief = {"Execution"},
      .renamed = options_beyond_trials(),
      .run = run_check};
}

}  // namespace retrial::harness::inline commands
