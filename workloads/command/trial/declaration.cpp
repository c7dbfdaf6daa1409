#include "determinism/seeds/seeds.hpp"
#include "results/text/text.hpp"
#include "workloads/command/line/asked_keys.hpp"
#include "workloads/command/line/command_line.hpp"
#include "workloads/command/line/copies.hpp"
#include "workloads/command/line/environment.hpp"
#include "workloads/command/line/own_keys.hpp"
#include "workloads/command/line/placeholders.hpp"
#include "workloads/command/line/program_files.hpp"
#include "workloads/command/line/results_place.hpp"
#include "workloads/command/line/seedless.hpp"
#include "workloads/command/line/words.hpp"
#include "workloads/command/reading/lists.hpp"
#include "workloads/command/surroundings/program_facts.hpp"
#include "workloads/command/trial/flags.hpp"
#include "workloads/command/trial/metric_reads.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::workloads::command::inline trial {

namespace {

std::vector<Parameter> parameters() {
  const std::string none;
  const std::vector<std::string> directions{"none", "higher", "lower"};
  return {
      {"command",
       none,
       "the command to run, with {seed} in it; split into words as in a POSIX shell, but run without one",
       {}},
      {"read",
       none,
       "metrics to read from the last MiB of output, one per line: NAME, NAME:higher, NAME:lower, or NAME~REGEX with "
       "one "
       "capture",
       {}},
      {"direction", std::string{"none"}, "whether higher or lower is better for the first metric", directions},
      {"read_json",
       none,
       "read the metrics from this JSON file, or with - from the last line of output that is JSON",
       {}},
      {"shell", false, "run the command through /bin/sh", {}},
      {"env_seed", false, "older form of env_seeds, for seed and data-order", {}},
      {"digest", none, "files under {out} whose SHA-256 is stored and must repeat, one glob per line", {}},
      {"inputs", none, "further files that the program depends on (part of its identity), one per line", {}},
      {"keep_out", false, "keep the folder {out} of each trial", {}},
      {"workdir", none, "folder to run in; empty: where retrial was started", {}},
      {"read_curve",
       none,
       "metrics of which every value in the output is a step of a learning curve, one per line, as in read",
       {},
       Reads::training,
       false},
      {"env_seeds",
       none,
       "sources whose seeds the program reads from its environment (TRIAL_SEED for seed, TRIAL_SEED_INIT for init), "
       "one "
       "per line",
       {},
       Reads::training,
       false},
      {.name = "copy",
       .fallback = none,
       .meaning = "files to copy into {out}, one per line; with any, the program starts there",
       .allowed = {},
       .written_at_default = false},
      {.name = "read_file",
       .fallback = none,
       .meaning = "text file in which metrics are looked up too, after the output",
       .allowed = {},
       .written_at_default = false},
      {.name = "shared_folder",
       .fallback = false,
       .meaning = "results may be in the working folder: one trial at a time",
       .allowed = {},
       .written_at_default = false},
      {.name = "prepare",
       .fallback = none,
       .meaning =
           "a command to run before each start, not timed; placeholders as in the command. Its failure is the trial's",
       .allowed = {},
       .written_at_default = false},
      {.name = "warm_up",
       .fallback = std::int64_t{0},
       .meaning = "starts of the command before the one that is timed and read, each with a folder {out} of its own",
       .allowed = Range{0, 1000},
       .written_at_default = false},
      {.name = "read_google_benchmark",
       .fallback = none,
       .meaning =
           "JSON file of a program of Google Benchmark (--benchmark_out={out}/b.json): each of its benchmarks is "
           "two metrics, NAME:real_time and NAME:cpu_time, with a value for each repetition",
       .allowed = {},
       .written_at_default = false},
      {.name = "repetitions",
       .fallback = std::int64_t{0},
       .meaning = "with read_google_benchmark: --benchmark_repetitions of the command; 0: as the command says",
       .allowed = Range{0, 1000},
       .written_at_default = false},
      {.name = "costs_only",
       .fallback = false,
       .meaning = "judge what the program costs: nothing has to be read from it, and it needs no seed",
       .allowed = {},
       .written_at_default = false},
      {.name = "count",
       .fallback = std::string{"none"},
       .meaning = "instructions: run under valgrind and record how many instructions the program and all that it "
                  "starts execute, in place of times",
       .allowed = std::vector<std::string>{"none", "instructions"},
       .written_at_default = false},
      {.name = "slow_down",
       .fallback = 0.0,
       .meaning =
           "percent of the program's CPU time (of its time, if that is less) by which each run is made longer by "
           "work of our own: for the power of a gate",
       .allowed = Range{0, 1000},
       .written_at_default = false},
  };
}

/// One seed for all of a program's randomness, or one for each usual kind.
std::vector<Source> sources() {
  return {{"seed", "the program's only seed: {seed}, {seed64}, TRIAL_SEED"},
          {"init", "initial weights"},
          {"data-split", "assignment of rows to training, validation and test", false, true},
          {"data-order", "order of the training samples"},
          {"augmentation", "augmentation draws"},
          {"dropout", "stochastic layers"},
          {"environment", "the environment simulator"},
          {"policy", "action sampling and exploration"},
          {"teacher", "the teacher's own randomness"},
          {"hopt", "search decisions and sampled hyper-parameters"},
          {"noise", "synthetic implementation noise"},
          {"bit-error", "fault chips"}};
}

std::vector<std::string> source_names() {
  std::vector<std::string> names;
  for (const auto& source : sources()) names.push_back(source.name);
  return names;
}

/// Under valgrind times mean nothing. Instructions beside times are those of a hardware counter, where there is one.
std::vector<results::MetricDef> costs_of(const Values& values) {
  using namespace results;
  const auto cost = [](const char* name, const char* unit) {
    return MetricDef{name, unit, Direction::lower, Nature::cost, Scale::ratio, Axis::none};
  };
  if (text_in(values, "count") == "instructions") return {cost("instructions", "")};
  return {cost("wall_s", "s"), cost("cpu_s", "s"), cost("peak_rss_mib", "MiB"), cost("instructions", "")};
}

std::vector<results::MetricDef> metrics_of(const Values& values) {
  std::vector<results::MetricDef> all;
  for (const auto& read : metric_reads(values))
    all.push_back({.name = read.name, .unit = "", .direction = read.direction});
  for (auto& cost : costs_of(values)) all.push_back(std::move(cost));
  return all;
}

using Problems = std::vector<Problem>;

void check_words(const Values& values, const char* key, Problems& problems) {
  const auto words = split_words(text_in(values, key));
  const std::string allowed = "words and quotes as in a POSIX shell";
  if (!words.problem.empty()) return problems.push_back({key, words.problem, allowed});
  if (words.words.empty())
    return problems.push_back({key, "there is nothing to run", "python3 train.py --seed {seed}"});
  if (words.words.front().text.empty()) problems.push_back({key, "the name of the program is empty", allowed});
  if (auto sentence = shell_only(words); !sentence.empty()) problems.push_back({key, sentence, allowed});
}

void check_placeholders(const Values& values, const char* key, Problems& problems) {
  for (const auto& sentence : misspelled_placeholders(text_in(values, key)))
    problems.push_back({key, sentence, "{seed}, {seed64}, {seed:SOURCE}, {pair}, {out}"});
}

/// The command with {seed} where another way to write it stands, else at its end.
std::string with_seed(std::string command) {
  for (const std::string spelling : {"{ seed }", "<seed>", "%seed%", "@seed@"})
    if (const auto at = command.find(spelling); at != std::string::npos)
      return command.replace(at, spelling.size(), "{seed}");
  return command + " --seed {seed}";
}

/// Without a seed every trial would be the same run. One such variant can be compared with others, as a constant.
std::optional<Problem> without_seed(const Values& values) {
  const auto& command = text_in(values, "command");
  const auto& prepare = text_in(values, "prepare");
  if (costs_alone(values)) return std::nullopt;
  if (!environment_sources(values).empty() || !sources_in(command + "\n" + prepare).empty()) return std::nullopt;
  return Problem{"command", "it uses no seed, so every trial would be the same",
                 with_seed(trimmed(command)) + "; or --env-seed if the program reads TRIAL_SEED"};
}

void check_environment(const Values& values, Problems& problems) {
  for (const auto& name : lines_of(text_in(values, "env_seeds")))
    if (!determinism::valid_source_name(name)) {
      const auto near = results::nearest(name, source_names());
      problems.push_back({"env_seeds", "\"" + results::one_line(name, 80) + "\" is not a name of a source",
                          results::joined(source_names()) + (near ? "; did you mean " + *near + "?" : "")});
    }
}

void check_folders(const Values& values, Problems& problems) {
  if (flag_in(values, "shared_folder") && !copied_files(values).empty())
    problems.push_back(
        {"shared_folder", "with copy, every trial starts in a folder of its own", "one of copy and shared_folder"});
}

void check_benchmarks(const Values& values, Problems& problems) {
  const auto& file = text_in(values, "read_google_benchmark");
  if (file == "-")
    problems.push_back({"read_google_benchmark", "the times are read from a file, not from the output",
                        "{out}/b.json, with --benchmark_out={out}/b.json in the command"});
  if (file.empty() && integer_in(values, "repetitions") > 0)
    problems.push_back({"repetitions", "is for programs of Google Benchmark, whose times are read from a file",
                        "0, or with read_google_benchmark = {out}/b.json"});
  if (flag_in(values, "shell") && integer_in(values, "repetitions") > 0)
    problems.push_back(
        {"repetitions", "cannot be added to a line of a shell", "0, and --benchmark_repetitions=N in the command"});
  if (!file.empty() && text_in(values, "count") == "instructions")
    problems.push_back({"read_google_benchmark", "under valgrind the times of benchmarks mean nothing",
                        "one of read_google_benchmark and count = instructions"});
}

Problems validate(const Values& values) {
  Problems problems;
  if (flag_in(values, "shell") && trimmed(text_in(values, "command")).empty())
    problems.push_back({"command", "there is nothing to run", "python3 train.py --seed {seed}"});
  if (!flag_in(values, "shell")) check_words(values, "command", problems);
  if (!flag_in(values, "shell") && !text_in(values, "prepare").empty()) check_words(values, "prepare", problems);
  if (!problems.empty()) return problems;
  check_placeholders(values, "command", problems);
  check_placeholders(values, "prepare", problems);
  for (const char* key : result_file_keys) check_placeholders(values, key, problems);
  check_benchmarks(values, problems);
  check_folders(values, problems);
  check_environment(values, problems);
  for (auto& problem : problems_of_reads(values)) problems.push_back(std::move(problem));
  return problems;
}

Declaration declaration() {
  Declaration made;
  made.name = "command";
  made.summary = "your own program in any language: a command line with {seed} in it";
  made.example =
      "retrial run --command a='python3 train.py --lr 0.1 --seed {seed}' --command b='python3 train.py --lr 0.01 "
      "--seed {seed}' --read accuracy --higher --pairs 20";
  made.parameters = parameters();
  made.sources = sources();
  made.metrics = costs_of(resolved(made, {}));
  made.variants = {{"command", "the command as given", {}}};
  made.validate = validate;
  made.own_keys = own_keys();
  made.without_seed = without_seed;
  made.asked = asked_keys;
  made.printed = PrintedOutput{"output", without_seeds};
  made.honours = [](const Values& values) { return honoured(values, source_names()); };
  made.metrics_of = metrics_of;
  made.finds_metrics = finds_benchmarks;
  made.program = program_of;
  made.program_files = program_files_of;
  made.program_facts = program_facts_of;
  made.shares = shared_place;
  made.argv = [](const Trial& trial) { return argv_of(trial, "OUT"); };
  made.contributes.flags = flags();
  made.inherits_mode = true;
  // A command may hold any character but a line break.
  made.list_separator = "\n";
  made.needs_out_folder = true;
  made.keeps_out_folder = [](const Values& values) { return flag_in(values, "keep_out"); };
  return made;
}

const Register declared{declaration()};

}  // namespace

}  // namespace retrial::workloads::command::inline trial
