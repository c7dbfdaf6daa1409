#include <sys/resource.h>
#include <unistd.h>

#include <iostream>

#include "harness/command_line/command.hpp"
#include "harness/price/arms.hpp"
#include "harness/price/price_page.hpp"
#include "harness/price/price_run.hpp"
#include "harness/price/subjects.hpp"
#include "harness/run/options/run_options.hpp"
#include "harness/run/progress_line.hpp"
#include "harness/study/options/script_options.hpp"
#include "harness/study/options/study_options.hpp"
#include "harness/system/entropy.hpp"
#include "harness/system/host.hpp"
#include "harness/system/signals.hpp"
#include "harness/text/names.hpp"
#include "harness/text/output.hpp"
#include "harness/text/section_text.hpp"
#include "results/report/render.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline commands {
namespace {

using determinism::KernelMode;

constexpr const char* price_usage = "price [STUDY.toml|WORKLOAD] [OPTIONS]";

/// Layers and networks of the whole list, or the trainings of one study.
struct Asked {
  KernelMode mode;
  std::vector<PriceSubject> subjects;
};

std::vector<std::int64_t> integers_of(const Arguments& arguments, const std::string& option, std::int64_t high) {
  std::vector<std::int64_t> out;
  for (const std::string& word : arguments.list(option).value_or(std::vector<std::string>{})) {
    const auto number = results::parse_int(word);
    if (!number || *number < 1 || *number > high)
      throw Error({.code = "usage.option_value",
                   .where = "--" + option,
                   .value = results::one_line(word, 100),
                   .problem = "not one of the allowed numbers",
                   .allowed = "whole numbers from 1 to " + std::to_string(high) + ", separated by commas"});
    out.push_back(*number);
  }
  return out;
}

KernelMode mode_of(const Arguments& arguments, KernelMode mode) {
  if (arguments.has("device")) mode.device = *arguments.value("device");
  mode.threads = static_cast<int>(arguments.integer("threads", 1, 4096).value_or(mode.threads));
  determinism::require_available(mode, "--threads");
  return mode;
}

/// "all" is every name.
std::vector<std::string> names_of(std::vector<std::string> given) {
  if (given.size() == 1 && given.front() == "all") return {};
  return given;
}

/// A page is written after an hour: its folder is looked at before.
void demand_page(const Arguments& arguments) {
  const auto file = arguments.value("output");
  if (!file) return;
  if (!file->ends_with(".md"))
    refuse_usage("-o " + *file, "is not the name of a page",
                 "its name ends in .md, and the numbers go to a .json file beside it");
  const auto folder = std::filesystem::absolute(*file).parent_path();
  if (access(folder.c_str(), W_OK) != 0)
    refuse_usage("-o " + *file, "its folder does not exist or is not writable", "");
}

Asked asked_study(const Arguments& arguments) {
  refuse_options(arguments, {"layers", "network", "kernel-sizes", "batch"},
                 {.problem = "selects from the price list, and a study or workload has been given",
                  .help = "leave out one of the two"});
  auto study = checked(draft_from(arguments));
  study.mode = mode_of(arguments, study.mode);
  keep_variant(arguments, study);
  if (!study.seed) {
    study.seed = draw_root_seed();
    note("no seed was given, so one was drawn; --seed " + std::to_string(*study.seed) + " times the same trainings");
  }
  const auto scripts = arguments.has("dry-run") ? workloads::Scripts{} : allowed_scripts(arguments, study);
  Asked out{.mode = study.mode,
            .subjects = study_subjects(study, plan_inputs(arguments, study.mode), data_folder(study, arguments))};
  for (PriceSubject& subject : out.subjects) subject.place.scripts = scripts;
  return out;
}

Asked asked_list(const Arguments& arguments) {
  refuse_options(arguments, {"seed", "set", "variant", "data", "allow-scripts"},
                 {.problem = "is for a study or workload, and none has been given",
                  .help = std::string("usage: retrial ") + price_usage});
  const auto mode = mode_of(arguments, determinism::mode_from_name("deterministic", "--device"));
  const auto kernels = integers_of(arguments, "kernel-sizes", 99), batches = integers_of(arguments, "batch", 65536);
  const bool layers = arguments.has("layers") || !kernels.empty() || !batches.empty(),
             networks = arguments.has("network");
  Asked out{.mode = mode};
  if (layers || !networks)
    out.subjects =
        layer_subjects(names_of(arguments.list("layers").value_or(std::vector<std::string>{})), batches, kernels);
  if (networks || !layers)
    for (PriceSubject& subject :
         training_subjects(names_of(arguments.values("network")), mode, plan_inputs(arguments, mode)))
      out.subjects.push_back(std::move(subject));
  return out;
}

std::vector<double> limits_of(const Arguments& arguments) {
  std::vector<double> out;
  for (const std::string& word : arguments.values("limit")) {
    const auto limit = results::parse_double(word);
    if (!limit || *limit <= 0)
      throw Error({.code = "usage.option_value",
                   .where = "--limit",
                   .value = results::one_line(word, 100),
                   .problem = "not a ratio",
                   .allowed = "a number above 0, such as 1.35"});
    out.push_back(*limit);
  }
  return out.empty() ? std::vector{1.0} : out;
}

PriceSettings settings_of(const Arguments& arguments, const KernelMode& mode) {
  const bool quick = arguments.has("quick");
  PriceSettings out{.pairs = arguments.integer("pairs", 1, 1000).value_or(quick ? 3 : 10),
                    .warmup = arguments.integer("warmup", 0, 100'000).value_or(quick ? 5 : 20),
                    .steps = arguments.integer("steps", 1, 100'000).value_or(quick ? 10 : 50),
                    .pool = pool_settings(arguments, mode, true),
                    .progress = {}};
  out.pool.timeout = std::chrono::milliseconds(0);  // a run says nothing before its end
  return out;
}

std::string command_of(const Arguments& arguments) {
  std::string out = "retrial price";
  for (const std::string& word : arguments.positional) out += " " + shell_word(word);
  for (const auto& [name, values] : arguments.options) {
    if (values.empty()) out += " --" + name;
    for (const std::string& value : values) out += " --" + name + " " + shell_word(value);
  }
  return out;
}

int dry_run(const Asked& asked, const PriceDesign& design, const PriceSettings& settings) {
  for (const PriceSubject& subject : asked.subjects) std::cout << subject.name << ": " << subject.meaning << "\n";
  std::string arms;
  for (const Arm& arm : design.arms) arms += (arms.empty() ? "" : ", ") + arm.name + " (" + arm.meaning + ")";
  std::cout << "arms: " << arms << "\n"
            << counted(static_cast<std::int64_t>(asked.subjects.size() * design.arms.size()) * settings.pairs, "run")
            << " of " << settings.warmup << " warm-up steps and " << settings.steps << " timed ones\n";
  return 0;
}

PriceConditions conditions_of(const Arguments& arguments, const Asked& asked, const PriceSettings& settings,
                              const std::vector<double>& limits) {
  return {.command = command_of(arguments),
          .mode = determinism::mode_text(determinism::mode_document(asked.mode)),
          .date = utc_text(now_ns()),
          .pairs = settings.pairs,
          .warmup = settings.warmup,
          .steps = settings.steps,
          .here = machine_now(),
          .nice = getpriority(PRIO_PROCESS, 0),
          .limits = limits,
          .control = arguments.has("control")};
}

std::string library_of(const Json& manifest) {
  const auto torch = "/libraries/torch"_json_pointer;
  return manifest.contains(torch) && manifest.at(torch).is_string()
             ? "LibTorch " + manifest.at(torch).get<std::string>()
             : "unknown";
}

/// FILE.md for people, FILE.json beside it.
void write_page(const std::string& file, const PriceConditions& conditions, const report::Part& part) {
  const std::filesystem::path page(file);
  write_output(file, "# Price of determinism on " + conditions.here.machine + "\n\n" + report::markdown(*part.section));
  write_output((page.parent_path() / page.stem()).string() + ".json", results::printed(part.data));
}

int price_exit(const Arguments& arguments, const std::vector<PricedSubject>& subjects,
               const std::vector<double>& limits) {
  if (!arguments.has("limit")) return 0;
  switch (answer_of(subjects, limits)) {
    case PriceAnswer::above:
      return static_cast<int>(Exit::different);
    case PriceAnswer::inconclusive:
      return static_cast<int>(Exit::inconclusive);
    case PriceAnswer::below:
      break;
  }
  return 0;
}

int run_price(const Arguments& arguments) {
  refuse_extra(arguments, 1, price_usage);
  demand_page(arguments);
  const SignalWatch signals;
  ProgressLine line;
  const auto limits = limits_of(arguments);
  const Asked asked = arguments.positional.empty() ? asked_list(arguments) : asked_study(arguments);
  const PriceDesign design = price_design(asked.mode, arguments.has("control"));
  auto settings = settings_of(arguments, asked.mode);
  if (arguments.has("dry-run")) return dry_run(asked, design, settings);
  settings.progress = [&](const std::string& subject, std::size_t done, std::size_t of) {
    line.show(subject + ": " + std::to_string(done) + "/" + std::to_string(of) + " runs", done == of);
  };
  auto conditions = conditions_of(arguments, asked, settings, limits);
  const PriceList list = measure_prices(asked.subjects, design, settings);
  line.close();
  conditions.here.after = load_now();
  conditions.library = library_of(list.manifest);
  const auto part = price_part(conditions, design, list.subjects);
  if (const auto file = arguments.value("output")) write_page(*file, conditions, part);
  print_part(part, arguments.has("json"));
  return price_exit(arguments, list.subjects, limits);
}

}  // namespace

Command price_command() {
  return {.name = "price",
          .group = "run",
          .purpose = "measure the time that determinism costs on this machine, by layer and network",
          .examples = {"retrial price --quick --layers conv3x3,indexing", "retrial price --kernel-sizes 1,3,5,7",
                       "retrial price --network all --limit 1.35", "retrial price -o price.md"},
          .arguments = "[STUDY.toml|WORKLOAD]",
          .options =
              std::vector<Option>{
                  {.name = "layers",
                   .value_name = "LIST",
                   .meaning = "price these layers, such as conv3x3,linear; all: every layer"},
                  {.name = "network",
                   .value_name = "NAME",
                   .meaning = "price this training of the list (--dry-run shows them); all: every one",
                   .repeats = true},
                  {.name = "kernel-sizes",
                   .value_name = "LIST",
                   .meaning = "layers: only convolutions, and networks of them, with kernels of these sides"},
                  {.name = "batch", .value_name = "LIST", .meaning = "layers: batch sizes (default: 32; mediumcnn 16)"},
                  {.name = "set",
                   .value_name = "KEY=VALUE",
                   .meaning = "study or workload: set a key, for every variant",
                   .repeats = true},
                  {.name = "variant", .value_name = "NAME", .meaning = "study or workload: price only this variant"},
                  {.name = "seed",
                   .value_name = "SEED",
                   .meaning = "study or workload: root seed (default: set by the study, else drawn and printed)"},
                  {.name = "data",
                   .value_name = "DIR",
                   .meaning = "study or workload: folder of the data set (default: current folder)"},
                  {.name = "device",
                   .value_name = "NAME",
                   .meaning = "where tensors are (default: cpu, or that of the study)",
                   .choices = {"cpu", "cuda"}},
                  {.name = "threads",
                   .value_name = "N",
                   .meaning = "threads of every arm (default: 1, or those of the study)"},
                  {.name = "pairs", .value_name = "N", .meaning = "runs of every arm (default 10)"},
                  {.name = "warmup", .value_name = "N", .meaning = "steps of a run before the timed ones (default 20)"},
                  {.name = "steps", .value_name = "N", .meaning = "timed steps of a run (default 50)"},
                  {.name = "quick", .meaning = "3 pairs of 5 and 10 steps: a first look"},
                  {.name = "limit",
                   .value_name = "RATIO",
                   .meaning = "compare every price with this ratio (default 1); exit code 1: one is above, 3: one is "
                              "inconclusive",
                   .repeats = true},
                  {.name = "control",
                   .meaning = "run the same arm three times: what the method reports where nothing differs"},
                  allow_scripts_option(),
                  {.name = "dry-run", .meaning = "print what would be timed; run nothing"},
              } +
              worker_paths() +
              std::vector<Option>{{.name = "output",
                                   .letter = 'o',
                                   .value_name = "FILE.md",
                                   .meaning = "write the page, and FILE.json beside it"},
                                  {.name = "json", .meaning = "one JSON document (schema retrial.price/1)"}},
          .run = run_price};
}

}  // namespace retrial::harness::inline commands
