#include "workloads/interface/declaration.hpp"

#include <algorithm>

#include "results/record/score_bounds.hpp"
#include "workloads/automl/costs.hpp"
#include "workloads/automl/keys.hpp"
#include "workloads/automl/named.hpp"
#include "workloads/automl/portfolio_view.hpp"
#include "workloads/automl/problems/surrogate.hpp"
#include "workloads/automl/report_section.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::automl {
namespace {

using results::Axis, results::Direction, results::MetricDef, results::Nature, results::Scale;

bool measures_costs(const Values& values) {
  return kind_of(values) == "costs";
}

/// Cost units against CPU time, which no second run measures alike.
std::vector<MetricDef> metrics_of_costs() {
  const auto cost = [](const char* name, const char* unit, Direction direction) {
    return MetricDef{name, unit, direction, Nature::cost, Scale::absolute, Axis::none};
  };
  return {{"spent", "", Direction::none, Nature::outcome, Scale::absolute, Axis::none},
          cost("cost_spearman", "", Direction::higher),
          cost("cost_log_r2", "", Direction::higher),
          cost("cost_factor", "", Direction::lower),
          cost("cost_scale", "us", Direction::none)};
}

std::vector<MetricDef> metrics_of(const Values& values) {
  if (measures_costs(values)) return metrics_of_costs();
  std::vector<MetricDef> out;
  for (const auto& cell : suite_of(values)) {
    const auto number = [&](const char* name, Direction direction, Axis axis = Axis::none) {
      out.push_back({name + cell.suffix, "", direction, Nature::outcome, Scale::absolute, axis});
    };
    for (auto& def : test_metrics(cell.values)) {
      def.name += cell.suffix;
      out.push_back(std::move(def));
    }
    if (is_function(cell.values)) number("regret_half", Direction::lower);
    if (is_function(cell.values) && integer_in(cell.values, "budget_cost") > 0) {
      number("log10_cost_to_target", Direction::lower);
      out.push_back(results::bound_of(out.back().name));
    }
    number("validation", Direction::lower);
    number("anytime_area", Direction::lower);
    number("best_loss", Direction::lower, Axis::step);
    number("spent", Direction::none, Axis::step);
    number("evaluations", Direction::none);
    number("cached", Direction::none);
    number("refused", Direction::none);
    number("utilisation_virtual", Direction::none);
    out.push_back({"overhead_us" + cell.suffix, "us", Direction::lower, Nature::cost, Scale::ratio, Axis::none});
    out.push_back({"utilisation_real" + cell.suffix, "", Direction::none, Nature::cost, Scale::absolute, Axis::none});
  }
  return out;
}

/// Exponentials, sines and libraries of trees give other last bits on other CPUs.
std::optional<workloads::Problem> mode_problem(const Values&, const determinism::KernelMode& mode) {
  if (!mode.portable) return std::nullopt;
  return workloads::Problem{"searcher", "does not give equal bits on every CPU", "mode = deterministic"};
}

std::optional<workloads::Problem> without_seed(const Values& values) {
  if (!honours(values).empty()) return std::nullopt;
  return workloads::Problem{"searcher", "draws nothing on a test function, so that all pairs are equal",
                            "flaml, flow2 or random in another variant"};
}

/// Seconds of one CPU: a cost unit is about a microsecond; an evaluation of a table some .05 s.
workloads::Effort effort_of(const Values& values, const std::filesystem::path&) {
  constexpr double of_costs = 30;
  double seconds = measures_costs(values) ? of_costs : 0;
  for (const auto& cell : suite_of(values)) {
    if (measures_costs(cell.values)) continue;
    if (is_function(cell.values)) {
      seconds += .01;
      continue;
    }
    const auto cost = static_cast<double>(integer_in(values, "budget_cost")),
               evaluations = static_cast<double>(integer_in(values, "budget_evaluations"));
    seconds += is_reference(values) ? 1 : cost > 0 ? 1e-6 * cost : .05 * evaluations;
  }
  return {.own_phase = "search", .own_count = 1, .own_seconds = seconds};
}

std::optional<results::Digest> content_of(const Values& values, const std::filesystem::path& folder) {
  if (kind_of(values) == "lcbench") return (void)function_problem(values, folder), LcbenchNetwork::digest();
  if (is_function(values)) return std::nullopt;
  const auto data = data_of(values, folder);
  // Settings that do not fit the data, or a learner that is not there, are refused before the first trial.
  (void)DataProblem(data, data_settings(values), {});
  return data->content;
}

results::Digest content_of_costs(const Values& values, const std::filesystem::path& folder) {
  Json contents = Json::array();
  for (const auto& problem : problems_of_costs({.values = values}, {.data = folder}))
    contents.push_back(results::hex(problem->data().content));
  return results::digest_of(contents);
}

/// That of a suite is the SHA-256 of those of its problems.
std::optional<results::Digest> dataset_of(const Values& values, const std::filesystem::path& folder) {
  const auto suite = suite_of(values);
  if (measures_costs(values)) return content_of_costs(values, folder);
  if (suite.size() == 1) return content_of(suite.front().values, folder);
  Json contents = Json::array();
  for (const auto& cell : suite)
    if (const auto content = content_of(cell.values, folder)) contents.push_back(results::hex(*content));
  if (contents.empty()) return std::nullopt;
  return results::digest_of(contents);
}

/// One of the outer folds is tested on. Tables alone are divided.
std::optional<double> overlap(const Values& values) {
  const auto divided = [](const auto& cell) { return !is_function(cell.values); };
  if (measures_costs(values) || !std::ranges::any_of(suite_of(values), divided)) return std::nullopt;
  return 1 / static_cast<double>(integer_in(values, "outer_folds") - 1);
}

workloads::Declaration declaration() {
  Values defaults;
  for (const auto& parameter : parameters()) defaults[parameter.name] = parameter.fallback;
  return {.name = workload_name,
          .summary = "search for a learner and its configuration, and measure how much of a better searcher is seed",
          .example = "retrial run automl --pairs 20",
          .parameters = parameters(),
          .refused = {{"budget_seconds", "a budget in seconds cannot be repeated: budget_cost or budget_evaluations"},
                      {"time_budget", "a budget in seconds cannot be repeated: budget_cost or budget_evaluations"}},
          .sources = {{"data-split", "outer test rows, folds and hold-out", false, true},
                      {"data-order", "order of the training rows, and which of them a subsample holds"},
                      {"init", "draws within the training of a learner"},
                      {"hopt", "draws of the search"}},
          .metrics = metrics_of(defaults),
          .variants = variants(),
          .probes = {{"learner-not-bitwise", "every learner gives the same bits again, on any number of threads"},
                     {"split-shared", "the outer division and the inner splits have keys of their own"},
                     {"seed-unread", "every source changes a division, an order, a training or a proposal"},
                     {"clock-read", "the ledger of a search slowed by random pauses is the same"},
                     {"cost-unbounded", "every evaluation costs at least one unit"}},
          .validate = validate,
          .without_seed = without_seed,
          .mode_problem = mode_problem,
          .own_threads =
              [](const Values& values) {
                const bool trains =
                    std::ranges::any_of(suite_of(values), [](const auto& cell) { return !is_function(cell.values); });
                return std::max(integer_in(values, "real_threads"), std::int64_t{1}) *
                       (trains ? integer_in(values, "learner_threads") : 1);
              },
          .honours = honours,
          .reads = reads,
          .dataset = dataset_of,
          .overlap = overlap,
          .metrics_of = metrics_of,
          .contributes = {.section = report_section, .views = {portfolio_view()}, .effort = effort_of},
          .trains = workloads::Trains::on_cpu,
          .data_key = "data_dir"};
}

const workloads::Register declared{declaration()};

}  // namespace
}  // namespace retrial::automl
