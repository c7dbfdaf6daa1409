#include "harness/study_options.hpp"

#include <algorithm>
#include <cstdlib>

#include "determinism/manifest.hpp"
#include "harness/design_options.hpp"
#include "harness/host.hpp"
#include "harness/study_keys.hpp"
#include "results/error.hpp"
#include "results/text.hpp"
#include "workloads/registry.hpp"

namespace retrial::harness {
namespace {

/// The key that --data stands for.
constexpr const char* data_key = "data_dir";

[[noreturn]] void usage(const std::string& where, const std::string& problem, const std::string& help) {
  throw Error({.code = "usage", .where = where, .problem = problem, .help = help});
}

std::vector<std::string> comma_list(const std::string& text) {
  std::vector<std::string> out;
  std::size_t from = 0;
  while (from <= text.size()) {
    const auto comma = std::min(text.find(',', from), text.size());
    if (comma > from) out.push_back(text.substr(from, comma - from));
    from = comma + 1;
  }
  return out;
}

bool is_name(const std::string& text) {
  return !text.empty() && text.size() <= 64 && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.';
  });
}

/// NAME=COMMAND where NAME is one word; a command without a name gets the next letter.
StudyDraft::DraftVariant command_variant(const std::string& text, std::size_t place) {
  const auto equals = text.find('=');
  const bool named = equals != std::string::npos && is_name(text.substr(0, equals));
  const std::string name = named ? text.substr(0, equals) : std::string(1, static_cast<char>('a' + place % 26));
  return {.name = name,
          .where = "--command",
          .keys = {{"command", named ? text.substr(equals + 1) : text, "--command " + name}}};
}

/// Options that become keys of the workload `command`, for all of its variants.
void command_keys(const Arguments& arguments, StudyDraft& draft) {
  const auto add = [&](const std::string& key, Value value, const std::string& where) {
    draft.set.push_back({key, std::move(value), where});
  };
  if (const auto reads = arguments.values("read"); !reads.empty()) add("read", results::joined(reads, "\n"), "--read");
  if (const auto file = arguments.value("read-json")) add("read_json", *file, "--read-json");
  if (arguments.has("higher") && arguments.has("lower"))
    usage("--lower", "given together with --higher", "say one of them");
  if (arguments.has("higher")) add("direction", std::string("higher"), "--higher");
  if (arguments.has("lower")) add("direction", std::string("lower"), "--lower");
  for (const std::string flag : {"shell", "env-seed", "keep-out"})
    if (arguments.has(flag)) {
      auto key = flag;
      std::replace(key.begin(), key.end(), '-', '_');
      add(key, true, "--" + flag);
    }
  if (const auto globs = arguments.values("digest"); !globs.empty())
    add("digest", results::joined(globs, "\n"), "--digest");
  if (const auto files = arguments.values("input"); !files.empty())
    add("inputs", results::joined(files, "\n"), "--input");
  if (const auto folder = arguments.value("workdir")) add("workdir", *folder, "--workdir");
}

StudyDraft base_draft(const Arguments& arguments) {
  const auto commands = arguments.values("command");
  if (!commands.empty()) {
    if (!arguments.positional.empty())
      usage(arguments.positional.front(), "given together with --command", "name a study file or commands, not both");
    StudyDraft draft{.where = "--command", .name = "command", .workload = "command"};
    for (std::size_t i = 0; i < commands.size(); ++i) draft.variants.push_back(command_variant(commands[i], i));
    return draft;
  }
  if (arguments.positional.empty())
    usage("", "nothing to run is named",
          "name a study file (TOML), a workload (see retrial list), or use --command '...'");
  if (arguments.positional.size() > 1) usage(arguments.positional[1], "one study at a time", "");
  const auto& name = arguments.positional.front();
  if (name.find('/') != std::string::npos || name.ends_with(".toml")) return read_study_file(name);
  return {.where = name, .workload = workloads::find_workload(name, "").name};
}

void key_options(const Arguments& arguments, StudyDraft& draft) {
  for (const auto& text : arguments.values("set")) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      usage("--set " + text, "not KEY=VALUE", "for example --set epochs=3");
    const auto& declaration = workloads::find_workload(draft.workload, draft.at("workload"));
    const auto key = text.substr(0, equals);
    const auto value = workloads::parsed(declaration, key, text.substr(equals + 1), "--set");
    // What is said last stands: over [set] and over the variants' own keys.
    for (auto& variant : draft.variants) std::erase_if(variant.keys, [&](const auto& each) { return each.key == key; });
    draft.set.push_back({key, value, "--set"});
  }
}

/// Keys that name a folder become absolute, seen from --data; a --data that was given stands for data_dir left out.
void locate(const Arguments& arguments, StudyDraft& draft) {
  const auto& declaration = workloads::find_workload(draft.workload, draft.at("workload"));
  const auto folder = data_folder(arguments);
  for (const auto& parameter : declaration.parameters) {
    if (parameter.reads != workloads::Reads::place) continue;
    bool named = false;
    const auto visit = [&](StudyDraft::Key& key) {
      auto* text = std::get_if<std::string>(&key.value);
      if (key.key != parameter.name || text == nullptr || text->empty()) return;
      named = true;
      *text = (folder / *text).lexically_normal().string();
    };
    for (auto& key : draft.set) visit(key);
    for (auto& variant : draft.variants)
      for (auto& key : variant.keys) visit(key);
    if (!named && parameter.name == data_key && arguments.has("data"))
      draft.set.push_back({parameter.name, folder.lexically_normal().string(), "--data"});
  }
}

/// The one folder that each key of place names; a worker is handed one, so two would be a study that nobody can run.
workloads::Folders folders_of(const Study& study) {
  const auto& declaration = workloads::find_workload(study.workload, "");
  workloads::Folders found;
  for (const auto& variant : study.variants)
    for (const auto& parameter : declaration.parameters) {
      if (parameter.reads != workloads::Reads::place) continue;
      const auto& folder = std::get<std::string>(variant.values.at(parameter.name));
      if (folder.empty()) continue;
      const auto [known, fresh] = found.try_emplace(parameter.name, folder);
      if (!fresh && known->second != folder)
        usage(parameter.name, "names two folders in one study: " + known->second.string() + " and " + folder,
              "name one in [set]");
    }
  return found;
}

/// What an option says stands over the file, so that a mistake in it is one of the option.
void override_places(const Arguments& arguments, StudyDraft& draft) {
  for (const StudyKey& key : study_keys()) {
    if (!key.section.empty() && key.section != "compare") continue;
    std::string option = key.name;
    std::replace(option.begin(), option.end(), '_', '-');
    if (arguments.has(option)) draft.places[key.section + (key.section.empty() ? "" : ".") + key.name] = "--" + option;
  }
}

void override_with(const Arguments& arguments, StudyDraft& draft) {
  override_places(arguments, draft);
  if (const auto name = arguments.value("name")) draft.name = *name;
  if (const auto seed = arguments.u64("seed"))
    draft.seed = seed;
  else if (const char* setting = std::getenv("RETRIAL_SEED"); setting != nullptr && *setting != 0 && !draft.seed) {
    draft.seed = results::parse_u64(setting);
    if (!draft.seed)
      throw Error({.code = "usage.seed",
                   .where = "RETRIAL_SEED",
                   .value = setting,
                   .problem = "not a seed",
                   .allowed = "0 to 2^64-1, decimal or 0x and hex digits"});
  }
  if (const auto pairs = arguments.integer("pairs", 1, 1'000'000)) draft.pairs = pairs;
  if (const auto vary = arguments.value("vary"))
    draft.vary = *vary == "all" ? std::optional<std::vector<std::string>>{} : comma_list(*vary);
  if (const auto hold = arguments.value("hold")) draft.hold = comma_list(*hold);
  if (const auto mode = arguments.value("mode")) draft.mode = determinism::mode_from_name(*mode, "--mode");
  if (const auto metric = arguments.value("metric")) draft.metric = metric;
  if (const auto baseline = arguments.value("baseline")) draft.baseline = baseline;
  if (const auto candidate = arguments.value("candidate")) draft.candidate = candidate;
  override_design(arguments, draft.design);
}

StudyDraft::Search::Key searched_key(const std::string& text) {
  const auto equals = text.find('='), colon = text.find(':', equals == std::string::npos ? 0 : equals);
  const auto form = [&] { usage("--search " + text, "not KEY=LOW:HIGH", "for example --search lr=0.01:1:log"); };
  if (equals == std::string::npos || equals == 0 || colon == std::string::npos) form();
  StudyDraft::Search::Key out{.key = text.substr(0, equals), .where = "--search"};
  const auto end = std::min(text.find(':', colon + 1), text.size());
  out.low = results::parse_double(text.substr(equals + 1, colon - equals - 1));
  out.high = results::parse_double(text.substr(colon + 1, end - colon - 1));
  const std::string scale = end < text.size() ? text.substr(end + 1) : "";
  if (!out.low || !out.high || (!scale.empty() && scale != "log")) form();
  out.log = scale == "log";
  return out;
}

void variance_options(const Arguments& arguments, StudyDraft& draft) {
  const auto design = arguments.value("design"), sources = arguments.value("sources");
  const auto runs = arguments.integer("runs", 1, 1'000'000), groups = arguments.integer("groups", 1, 1'000'000);
  const auto replicates = arguments.integer("replicates", 0, 1000);
  if (design || sources || runs || groups || replicates) {
    if (!draft.variance) draft.variance = StudyDraft::Variance{.where = "--design"};
    auto& variance = *draft.variance;
    if (design) variance.design = design;
    if (sources) variance.sources = comma_list(*sources);
    if (runs) variance.runs = runs;
    if (groups) variance.groups = groups;
    if (replicates) variance.replicates = replicates;
  }
  const auto keys = arguments.values("search");
  const auto trials = arguments.integer("search-trials", 2, 500);
  const auto metric = arguments.value("search-metric");
  if (keys.empty() && !trials && !metric) return;
  if (!draft.search) draft.search = StudyDraft::Search{.where = "--search", .keys = {}};
  if (trials) draft.search->trials = trials;
  if (metric) draft.search->metric = metric;
  for (const auto& text : keys) {
    auto key = searched_key(text);
    std::erase_if(draft.search->keys, [&](const auto& each) { return each.key == key.key; });
    draft.search->keys.push_back(std::move(key));
  }
}

}  // namespace

std::vector<Option> operator+(std::vector<Option> a, std::vector<Option> b) {
  std::move(b.begin(), b.end(), std::back_inserter(a));
  return a;
}

std::vector<Option> study_options() {
  const std::vector<Option> studied{
      {.name = "pairs", .value_name = "N", .meaning = "trials of each variant (default 20, or what the study says)"},
      {.name = "seed",
       .value_name = "SEED",
       .meaning = "root seed, decimal or 0x and hex digits; without one it is drawn once, printed and stored"},
      {.name = "vary",
       .value_name = "LIST",
       .meaning = "sources of variation that differ from pair to pair (default: all that are honoured)"},
      {.name = "hold", .value_name = "LIST", .meaning = "sources that stay at pair 0 in all trials"},
      {.name = "set",
       .value_name = "KEY=VALUE",
       .meaning = "a key of the workload, for every variant",
       .repeats = true},
      {.name = "mode", .value_name = "MODE", .meaning = "kernel mode (retrial list modes)"},
      {.name = "metric", .value_name = "NAME", .meaning = "the metric that is judged"},
      {.name = "baseline", .value_name = "NAME", .meaning = "the variant compared against (default: the first listed)"},
      {.name = "candidate", .value_name = "NAME", .meaning = "the variant judged (default: the next listed)"},
  };
  const std::vector<Option> sources{
      {.name = "design",
       .value_name = "DESIGN",
       .meaning = "a study of variance by source: what varies with what (docs/method/variance.md)",
       .choices = design_words()},
      {.name = "sources", .value_name = "LIST", .meaning = "sources that the design tells apart (default: all varied)"},
      {.name = "runs", .value_name = "N", .meaning = "runs of each source or group of the design (default 20)"},
      {.name = "groups", .value_name = "N", .meaning = "levels of the first source, repetitions of fix_hopt"},
      {.name = "replicates",
       .value_name = "N",
       .meaning = "runs with every seed frozen: numerical noise (default 5; 0: none)"},
      {.name = "search",
       .value_name = "KEY=LOW:HIGH[:log]",
       .meaning = "search for this key, by a validation metric, before each trial that needs it",
       .repeats = true},
      {.name = "search-trials", .value_name = "T", .meaning = "trials of one search"},
      {.name = "search-metric", .value_name = "NAME", .meaning = "the validation metric by which the search chooses"},
  };
  const std::vector<Option> run{
      {.name = "name", .value_name = "NAME", .meaning = "name of the study, and of its store NAME.db"},
      {.name = "command",
       .value_name = "NAME=CMD",
       .meaning = "put a program of your own on trial; {seed} in it is replaced. Twice to compare two",
       .repeats = true},
      {.name = "read",
       .value_name = "NAME",
       .meaning = "metric to read from the program's output: the last number behind NAME; or NAME~REGEX",
       .repeats = true},
      {.name = "read-json",
       .value_name = "FILE",
       .meaning = "read metrics from a JSON file, or with - from the last JSON line of the output"},
      {.name = "higher", .meaning = "higher is better for the metric read first"},
      {.name = "lower", .meaning = "lower is better for the metric read first"},
      {.name = "shell", .meaning = "run the commands through /bin/sh"},
      {.name = "env-seed", .meaning = "the program reads its seed from TRIAL_SEED in its environment"},
      {.name = "digest",
       .value_name = "GLOB",
       .meaning = "files under {out} whose SHA-256 is stored and must repeat",
       .repeats = true},
      {.name = "input",
       .value_name = "FILE",
       .meaning = "a file the program depends on; its SHA-256 belongs to the trial's identity",
       .repeats = true},
      {.name = "keep-out", .meaning = "keep {out} of every trial beside the store"},
      {.name = "workdir", .value_name = "DIR", .meaning = "folder the programs are started in"},
      {.name = "program-label",
       .value_name = "NAME",
       .meaning = "declare different builds of the program equal under this name"},
      {.name = "max-trials", .value_name = "N", .meaning = "largest plan that is accepted (default 100000)"},
      {.name = "data",
       .value_name = "DIR",
       .meaning = "folder of the data set, for the key data_dir (which is seen from here; default: this folder)"},
      {.name = "worker", .value_name = "PATH", .meaning = "the worker program (default: beside retrial)"},
  };
  return studied + design_options() + sources + run;
}

std::vector<Option> worker_options() {
  return {
      {.name = "jobs",
       .letter = 'j',
       .value_name = "N",
       .meaning = "trials side by side (default: CPUs / threads of the mode; 1 when a cost is judged)"},
      {.name = "timeout",
       .value_name = "S",
       .meaning = "end a trial that gives no sign of life for S seconds (default 600; none for programs of your own)"},
      {.name = "max-memory", .value_name = "MIB", .meaning = "end a trial that grows beyond this"},
      {.name = "fresh", .meaning = "a new worker process for every trial"},
      {.name = "cache",
       .value_name = "DIR",
       .meaning = "trained teachers (default: retrial in your cache folder); deleting it changes no result"},
  };
}

namespace {

StudyDraft draft_from(const Arguments& arguments) {
  auto draft = base_draft(arguments);
  if (draft.workload == "command")
    command_keys(arguments, draft);
  else
    for (const std::string option :
         {"read", "read-json", "higher", "lower", "shell", "env-seed", "digest", "input", "keep-out", "workdir"})
      if (arguments.has(option)) usage("--" + option, "only for programs of your own", "use it with --command '...'");
  override_with(arguments, draft);
  variance_options(arguments, draft);
  key_options(arguments, draft);
  if (!draft.workload.empty()) locate(arguments, draft);
  return draft;
}

Study study_of(const StudyDraft& draft) {
  Study study = checked(draft);
  study.folders = folders_of(study);
  return study;
}

}  // namespace

Study study_from(const Arguments& arguments) {
  return study_of(draft_from(arguments));
}

Study planned_study_from(const Arguments& arguments) {
  const auto draft = draft_from(arguments);
  Study study = study_of(draft);
  demand_pairs_that_differ(draft, study);
  return study;
}

PoolSettings pool_settings(const Arguments& arguments, const determinism::KernelMode& mode, bool cost_is_judged) {
  const int cpus = usable_cpus();
  int jobs = cost_is_judged ? 1 : std::max(1, cpus / std::max(1, mode.threads));
  if (const char* setting = std::getenv("RETRIAL_JOBS"); setting != nullptr && *setting != 0) {
    const auto wanted = results::parse_int(setting);
    if (!wanted || *wanted < 1 || *wanted > 1024)
      throw Error({.code = "usage.jobs",
                   .where = "RETRIAL_JOBS",
                   .value = setting,
                   .problem = "not a number of jobs",
                   .allowed = "1 to 1024"});
    jobs = static_cast<int>(*wanted);
  }
  const auto timeout = arguments.integer("timeout", 1, 10'000'000).value_or(mode.inherit() ? 0 : 600);
  return {.worker = worker_program(arguments.value("worker")),
          .mode = mode,
          .jobs = static_cast<int>(arguments.integer("jobs", 1, 1024).value_or(jobs)),
          .timeout = std::chrono::seconds(timeout),
          .max_memory = arguments.integer("max-memory", 16, 1 << 24).value_or(0) << 20,
          .fresh = arguments.has("fresh")};
}

PlanInputs plan_inputs(const Arguments& arguments) {
  return {.build_id = determinism::build_id_of(worker_program(arguments.value("worker")).string()),
          .program_label = arguments.value("program-label"),
          .data = data_folder(arguments),
          .max_trials = arguments.integer("max-trials", 1, 100'000'000).value_or(100'000)};
}

std::filesystem::path data_folder(const Study& study, const Arguments& arguments) {
  const auto named = study.folders.find(data_key);
  return named == study.folders.end() ? data_folder(arguments) : named->second;
}

std::filesystem::path data_folder(const Arguments& arguments) {
  return std::filesystem::absolute(arguments.value("data").value_or("."));
}

std::filesystem::path cache_folder(const Arguments& arguments) {
  const auto given = arguments.value("cache");
  return given ? std::filesystem::absolute(*given) : default_cache();
}

}  // namespace retrial::harness
