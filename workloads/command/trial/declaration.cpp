#include "results/text/text.hpp"
#include "workloads/command/line/command_line.hpp"
#include "workloads/command/line/placeholders.hpp"
#include "workloads/command/line/seedless.hpp"
#include "workloads/command/line/words.hpp"
#include "workloads/command/reading/lists.hpp"
#include "workloads/command/reading/reading.hpp"
#include "workloads/command/trial/flags.hpp"
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
       "metrics to read from the last MiB of output, one per line: NAME, or NAME~REGEX with one capture",
       {}},
      {"direction", std::string{"none"}, "whether higher or lower is better for the first metric", directions},
      {"read_json",
       none,
       "read the metrics from this JSON file, or with - from the last line of output that is JSON",
       {}},
      {"shell", false, "run the command through /bin/sh", {}},
      {"env_seed", false, "the program reads its seeds from TRIAL_SEED, TRIAL_SEED64, TRIAL_SEED_DATA_ORDER", {}},
      {"digest", none, "files under {out} whose SHA-256 is stored and must repeat, one glob per line", {}},
      {"inputs", none, "further files that the program depends on (part of its identity), one per line", {}},
      {"keep_out", false, "keep the folder {out} of each trial", {}},
      {"workdir", none, "folder to run in; empty: where retrial was started", {}},
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

std::vector<results::MetricDef> cost_metrics() {
  using namespace results;
  const auto cost = [](const char* name, const char* unit) {
    return MetricDef{name, unit, Direction::lower, Nature::cost, Scale::ratio, Axis::none};
  };
  return {cost("wall_s", "s"), cost("cpu_s", "s"), cost("peak_rss_mib", "MiB")};
}

std::vector<results::MetricDef> metrics_of(const Values& values) {
  std::vector<results::MetricDef> all;
  for (const auto& read : reads_of(text_in(values, "read"))) {
    const auto direction =
        all.empty() ? results::direction_from(text_in(values, "direction")) : results::Direction::none;
    all.push_back({.name = read.name, .unit = "", .direction = direction});
  }
  for (auto& cost : cost_metrics()) all.push_back(std::move(cost));
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

/// Without a seed every trial would be the same run. One such variant can be compared with others, as a constant.
std::optional<Problem> without_seed(const Values& values) {
  const auto& command = text_in(values, "command");
  const auto& prepare = text_in(values, "prepare");
  if (flag_in(values, "env_seed") || !sources_in(command + "\n" + prepare).empty()) return std::nullopt;
  return Problem{"command", "it uses no seed, so every trial would be the same",
                 trimmed(command) + " --seed {seed}; or --env-seed if the program reads TRIAL_SEED"};
}

void check_reads(const Values& values, Problems& problems) {
  const auto reads = reads_of(text_in(values, "read"));
  for (const auto& problem : problems_of(reads)) problems.push_back({"read", problem, "NAME, NAME~REGEX"});
  if (reads.empty() && lines_of(text_in(values, "digest")).empty())
    problems.push_back(
        {"read", "no metric is named: add --read NAME", "--read accuracy, --read 'loss~final loss (\\S+)'"});
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
  check_placeholders(values, "read_json", problems);
  check_reads(values, problems);
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
  made.metrics = cost_metrics();
  made.variants = {{"command", "the command as given", {}}};
  made.validate = validate;
  made.without_seed = without_seed;
  made.printed = PrintedOutput{"output", without_seeds};
  made.honours = [](const Values& values) { return honoured(values, source_names()); };
  made.metrics_of = metrics_of;
  made.program = program_of;
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
