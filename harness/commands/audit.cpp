#include <algorithm>
#include <thread>

#include "harness/command_line/command.hpp"
#include "harness/run/progress_line.hpp"
#include "harness/show/audit_page.hpp"
#include "harness/system/entropy.hpp"
#include "harness/text/names.hpp"
#include "harness/text/output.hpp"
#include "results/text/error.hpp"
#include "variance/audit/audit.hpp"
#include "variance/audit/error_rates.hpp"

namespace retrial::harness::inline commands {
namespace {

using variance::AuditChoice;
using variance::AuditSettings;

constexpr std::int64_t quick_drawing_reps = 1'000;
constexpr std::int64_t max_runs_per_variant = 100;  // up to here the rank tests have their exact laws

std::vector<std::int64_t> runs_of(const Arguments& arguments) {
  std::vector<std::int64_t> runs;
  for (const std::string& text : arguments.values("n")) {
    Arguments one;
    one.options["n"] = {text};
    runs.push_back(*one.integer("n", 2, max_runs_per_variant));
  }
  return runs;
}

double cluster_sd_of(const std::string& name) {
  for (const auto& task : variance::published_error_tasks())
    if (task.name == name) return task.sigma_eps / task.sigma;
  return 0.0;
}

AuditChoice choice_of(const Arguments& arguments) {
  AuditChoice choice{.runs = runs_of(arguments), .quick = arguments.has("quick")};
  for (const auto& name : arguments.values("rule")) choice.rules.push_back(variance::find_audit_rule(name));
  for (const auto& name : arguments.values("model"))
    choice.models.push_back(
        std::ranges::find(variance::all_score_models(), name, &variance::ScoreModelRow::name)->model);
  for (const auto& name : arguments.values("truth"))
    choice.truths.push_back(name == "null" ? variance::AuditTruth::null : variance::AuditTruth::gamma);
  if (arguments.has("spread")) choice.spread = arguments.value("spread") == "2" ? 2.0 : 1.0;
  choice.correlation = arguments.number("correlation", {0, 1, false, true});
  if (const auto task = arguments.value("cluster-task")) choice.cluster_sd = cluster_sd_of(*task);
  choice.clusters = arguments.integer("clusters", 1, max_runs_per_variant);
  return choice;
}

AuditSettings settings_of(const Arguments& arguments) {
  AuditSettings settings;
  const auto reps = arguments.integer("reps", 100, 10'000'000);
  settings.reps = reps.value_or(settings.reps);
  settings.drawing_reps = arguments.has("quick") ? quick_drawing_reps : settings.reps;
  settings.seed = arguments.has("seed") ? *arguments.u64("seed") : draw_root_seed();
  const auto cpus = static_cast<std::int64_t>(std::max(1U, std::thread::hardware_concurrency()));
  settings.threads = static_cast<std::size_t>(arguments.integer("threads", 1, 1'024).value_or(cpus));
  return settings;
}

/// The whole grid takes hours: progress goes to standard error.
std::vector<variance::AuditRow> run_grid(const std::vector<variance::AuditEntry>& grid, const AuditSettings& settings) {
  ProgressLine line;
  std::vector<variance::AuditRow> rows;
  for (std::size_t i = 0; i < grid.size(); ++i) {
    line.show(
        "cell " + std::to_string(i + 1) + " of " + std::to_string(grid.size()) + ": " + variance::text_of(grid[i].cell),
        false);
    const auto some = variance::audit_cell(grid[i], settings);
    rows.insert(rows.end(), some.begin(), some.end());
  }
  return rows;
}

int run_audit(const Arguments& arguments) {
  refuse_extra(arguments, 0, "audit [OPTIONS]");
  const AuditSettings settings = settings_of(arguments);
  const auto grid = variance::audit_grid(choice_of(arguments));
  if (!arguments.has("quick") && !arguments.has("rule") && !arguments.has("n"))
    note("every rule with every number of runs takes hours; --quick takes a minute, --rule and --n select a part");
  const auto rows = run_grid(grid, settings);
  print_part(audit_part(rows, settings), arguments.has("json"));
  return static_cast<int>(variance::passes(rows) ? Exit::ok : Exit::different);
}

}  // namespace

Command audit_command() {
  return {
      .name = "audit",
      .group = "judge",
      .purpose = "measure the error rates of the decision rules on simulated scores with known truth",
      .examples = {"retrial audit --quick", "retrial audit --rule pab_exact --rule peek_t --n 29 --model gaussian",
                   "retrial audit --rule cluster_t --truth null --n 50 --cluster-task CIFAR10"},
      .arguments = "",
      .options =
          {{.name = "quick",
            .meaning = "5, 10 and 29 runs, plain cells only, 1000 simulations of the resampling rules: about a minute"},
           {.name = "rule",
            .value_name = "NAME",
            .meaning = "only this rule",
            .repeats = true,
            .choices = names_in(variance::all_audit_rules())},
           {.name = "n",
            .value_name = "N",
            .meaning = "number of runs per variant, 2 to 100 (default: 2, 3, 5, 10, 20, 29, 50)",
            .repeats = true},
           {.name = "model",
            .value_name = "NAME",
            .meaning = "only scores from this distribution",
            .repeats = true,
            .choices = names_in(variance::all_score_models())},
           {.name = "truth",
            .value_name = "WHICH",
            .meaning = "only identical variants (null), or only a candidate that wins gamma of the pairs (gamma)",
            .choices = {"null", "gamma"}},
           {.name = "spread",
            .value_name = "RATIO",
            .meaning = "standard deviation of the baseline divided by that of the candidate",
            .choices = {"1", "2"}},
           {.name = "correlation",
            .value_name = "R",
            .meaning = "share of variance that the two scores of a pair have in common, 0 to 1"},
           {.name = "cluster-task",
            .value_name = "TASK",
            .meaning = "runs share hyper-parameter searches, with the spread between searches published for this task",
            .choices = names_in(variance::published_error_tasks())},
           {.name = "clusters", .value_name = "C", .meaning = "number of searches that the runs share (default 5)"},
           {.name = "reps", .value_name = "R", .meaning = "simulations per cell (default 20000)"},
           {.name = "threads",
            .value_name = "T",
            .meaning = "worker threads (default: one per processor); does not change the results"},
           {.name = "seed", .value_name = "N", .meaning = "root seed of the simulations (default: drawn and printed)"},
           {.name = "json", .meaning = "one JSON document (schema retrial.audit/1)"}},
      .run = run_audit};
}

}  // namespace retrial::harness::inline commands
