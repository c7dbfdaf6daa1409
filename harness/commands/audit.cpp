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
#include "variance/offers/offers.hpp"

namespace retrial::harness::inline commands {
namespace {

using variance::AuditChoice;
using variance::AuditSettings;

constexpr std::int64_t drawing_reps = 1'000, quick_reps = 5'000;
constexpr const char* cell_options[] = {"n", "model", "truth", "spread", "correlation", "cluster-task", "clusters"};
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
  for (const auto& name : arguments.values("rule"))
    if (const auto* rule = variance::find_audit_rule(name)) choice.rules.push_back(rule);
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
  settings.reps = reps.value_or(arguments.has("quick") ? quick_reps : settings.reps);
  settings.drawing_reps = arguments.integer("drawing-reps", 100, 10'000'000).value_or(drawing_reps);
  settings.seed = arguments.has("seed") ? *arguments.u64("seed") : draw_root_seed();
  const auto cpus = static_cast<std::int64_t>(std::max(1U, std::thread::hardware_concurrency()));
  settings.threads = static_cast<std::size_t>(arguments.integer("threads", 1, 1'024).value_or(cpus));
  return settings;
}

/// The rules that the options select; none if they name only what the program offers.
std::vector<variance::AuditEntry> grid_of(const Arguments& arguments) {
  const AuditChoice choice = choice_of(arguments);
  if (arguments.has("rule") && choice.rules.empty()) return {};
  return variance::audit_grid(choice);
}

/// Tests and designs have cells of their own, so the options that choose cells leave them out.
std::vector<variance::OfferCell> offer_cells_of(const Arguments& arguments) {
  if (std::ranges::any_of(cell_options, [&](const char* name) { return arguments.has(name); })) return {};
  auto offers = variance::all_offers();
  const auto chosen = arguments.values("rule");
  if (arguments.has("rule"))
    std::erase_if(offers, [&](const auto& offer) { return std::ranges::find(chosen, offer.name) == chosen.end(); });
  return variance::offer_grid(offers, arguments.has("quick"));
}

/// The whole grid takes a while: progress goes to standard error.
AuditResult run_all(const std::vector<variance::OfferCell>& offers, const std::vector<variance::AuditEntry>& grid,
                    const AuditSettings& settings) {
  ProgressLine line;
  AuditResult result;
  const std::string all = std::to_string(offers.size() + grid.size());
  auto tell = [&, cell = 0](const std::string& text) mutable {
    line.show("cell " + std::to_string(++cell) + " of " + all + ": " + text, false);
  };
  for (const auto& cell : offers) {
    tell(cell.offer.name + ", " + variance::text_of(cell));
    result.offers.push_back(variance::audit_offer(cell, settings));
  }
  for (const auto& entry : grid) {
    tell(variance::text_of(entry.cell));
    const auto some = variance::audit_cell(entry, settings);
    result.rules.insert(result.rules.end(), some.begin(), some.end());
  }
  return result;
}

/// Rules of the grid, and what the program offers.
std::vector<std::string> rule_names() {
  std::vector<std::string> names = names_in(variance::all_audit_rules());
  for (const auto& offer : variance::all_offers())
    if (std::ranges::find(names, offer.name) == names.end()) names.push_back(offer.name);
  return names;
}

int run_audit(const Arguments& arguments) {
  refuse_extra(arguments, 0, "audit [OPTIONS]");
  const AuditSettings settings = settings_of(arguments);
  const auto offers = offer_cells_of(arguments);
  const auto grid = grid_of(arguments);
  if (!arguments.has("quick") && !arguments.has("rule") && !arguments.has("n"))
    note("the whole audit takes half an hour of CPU time; --quick takes a minute, --rule and --n select a part");
  const AuditResult result = run_all(offers, grid, settings);
  print_part(audit_part(result, settings, arguments.has("all") ? AuditDetail::all : AuditDetail::summary),
             arguments.has("json"));
  return static_cast<int>(passes(result) ? Exit::ok : Exit::different);
}

}  // namespace

Command audit_command() {
  return {
      .name = "audit",
      .group = "judge",
      .purpose = "measure the error rates of the decision rules on simulated scores with known truth",
      .examples = {"retrial audit --quick", "retrial audit --rule welch --all",
                   "retrial audit --rule pab_exact --rule peek_t --n 29 --model gaussian",
                   "retrial audit --rule cluster_t --truth null --n 50 --cluster-task CIFAR10"},
      .arguments = "",
      .options =
          {{.name = "quick",
            .meaning =
                "one cell of everything that the program offers; 5, 10 and 29 runs, plain cells only: about a minute"},
           {.name = "rule",
            .value_name = "NAME",
            .meaning = "only this rule, test, design, correction, aggregate or report",
            .repeats = true,
            .choices = rule_names()},
           {.name = "n",
            .value_name = "N",
            .meaning = "rules only: number of runs per variant, 2 to 100 (default: 2, 3, 5, 10, 20, 29, 50)",
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
           {.name = "reps", .value_name = "R", .meaning = "simulations per cell (default 20000; with --quick 5000)"},
           {.name = "drawing-reps",
            .value_name = "R",
            .meaning = "simulations per cell of rules that draw or enumerate (default 1000)"},
           {.name = "all", .meaning = "every cell, after the summary"},
           {.name = "threads",
            .value_name = "T",
            .meaning = "worker threads (default: one per processor); does not change the results"},
           {.name = "seed", .value_name = "N", .meaning = "root seed of the simulations (default: drawn and printed)"},
           {.name = "json", .meaning = "one JSON document (schema retrial.audit/1)"}},
      .run = run_audit};
}

}  // namespace retrial::harness::inline commands
