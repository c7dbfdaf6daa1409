#include "workloads/interface/declaration.hpp"

#include "variance/numbers/number_text.hpp"
#include "workloads/interface/registry.hpp"
#include "workloads/rl/keys.hpp"
#include "workloads/rl/policies/reference.hpp"
#include "workloads/rl/report/scores.hpp"
#include "workloads/rl/settings/settings.hpp"

namespace retrial::rl {
namespace {

using results::Axis, results::Direction, results::MetricDef, results::Nature, results::Scale;

MetricDef number(const char* name, Direction direction, Axis axis = Axis::none) {
  return {name, "", direction, Nature::outcome, Scale::absolute, axis};
}

MetricDef cost(const char* name, const char* unit, Direction direction) {
  return {name, unit, direction, Nature::cost, Scale::ratio, Axis::none};
}

std::vector<MetricDef> all_metrics() {
  return {number("return", Direction::higher),
          number("return_iqm", Direction::higher),
          number("return_worst", Direction::higher),
          number("episode_length", Direction::none),
          number("train_return", Direction::none, Axis::step),
          number("return_at", Direction::none, Axis::step),
          number("k1", Direction::none, Axis::step),
          number("k3", Direction::none, Axis::step),
          number("clip_fraction", Direction::none, Axis::step),
          number("explained_variance", Direction::none, Axis::step),
          number("loss", Direction::none, Axis::step),
          cost("steps_per_s", "steps/s", Direction::higher),
          cost("region_s", "s", Direction::lower)};
}

/// A policy written by hand has only the final scores.
std::vector<MetricDef> metrics_of(const Values& values) {
  auto metrics = all_metrics();
  if (is_reference(values)) metrics.resize(4);
  return metrics;
}

/// Sines, cosines and powers are those of the machine's mathematical library.
std::optional<workloads::Problem> mode_problem(const Values& values, const determinism::KernelMode& mode) {
  if (flag_in(values, "adam_host") && !mode.on_gpu())
    return workloads::Problem{"adam_host", "copies gradients from a GPU, and this study trains on the CPU",
                              "false, or device = \"cuda\""};
  if (!mode.portable) return std::nullopt;
  return workloads::Problem{"env", "does not give equal bits on every CPU", "mode = deterministic"};
}

std::optional<workloads::Problem> without_seed(const Values& values) {
  if (!honours(values).empty()) return std::nullopt;
  return workloads::Problem{"policy", "draws nothing, so that all pairs are equal",
                            "random, or an algorithm, in another variant"};
}

/// Seconds of one CPU: those of the steps, and a hundred or a thousand microseconds of training for each.
workloads::Effort effort_of(const Values& values, const std::filesystem::path&) {
  const auto& environment = *rlenv::environment_if_known(text_in(values, "env"));
  const double step = environment.step_seconds + 3e-10 * static_cast<double>(integer_in(values, "sim_cost"));
  const double evaluation = step * 500 * static_cast<double>(integer_in(values, "eval_episodes"));
  if (is_reference(values)) return {.own_phase = "evaluation", .own_count = 1, .own_seconds = evaluation};
  const Settings s = settings_from(values);
  const double each = step + (on_policy(text_in(values, "algorithm")) ? 1e-4 : 1e-3);
  return {.own_phase = "training", .own_count = 1, .own_seconds = static_cast<double>(s.steps) * each + evaluation};
}

std::string needs_of(const rlenv::Description& environment) {
  if (environment.needs.empty()) return "-";
  const std::string reason = rlenv::absent_environment(environment.name);
  return environment.needs + (reason.empty() ? "" : " (absent: " + reason + ")");
}

std::vector<Json> environment_rows() {
  std::vector<Json> rows;
  for (const auto& environment : rlenv::environments()) {
    const auto& actions = environment.actions;
    std::string policies;
    for (const auto& policy : reference_policies(environment.name))
      policies += (policies.empty() ? "" : ", ") + policy.name;
    rows.push_back(
        {{"name", environment.name},
         {"gymnasium", environment.gymnasium},
         {"observations", environment.observations},
         {"actions", actions.discrete ? "0 to " + std::to_string(actions.count - 1)
                                      : std::to_string(actions.count) + " in +-" + variance::shortest(actions.bound)},
         {"limit", environment.limit},
         {"solved", environment.solved ? variance::shortest(*environment.solved) : std::string("-")},
         {"policies", policies},
         {"needs", needs_of(environment)}});
  }
  return rows;
}

workloads::Declaration declaration() {
  return {
      .name = workload_name,
      .summary = "reinforcement learning on environments that agree with Gymnasium bit for bit",
      .example = "retrial run studies/rl-quick.toml",
      .parameters = parameters(),
      .sources = {{"init", "initial weights"},
                  {"environment", "resets of the environments, and their noise"},
                  {"policy", "actions that are drawn, and exploration noise"},
                  {"data-order", "order of minibatches, and rows of the replay buffer"}},
      .metrics = all_metrics(),
      .variants = variants(),
      .probes = {{"stream-shared", "the seed of one source changes no draw of another"},
                 {"truncation-as-termination", "the value of what follows an episode cut by the time limit is learned"},
                 {"target-frozen", "targets move as tau, target_every and policy_delay say"},
                 {"evaluation-draws", "an evaluation draws nothing and leaves the training as it was"},
                 {"replay-out-of-range", "every drawn row of the replay buffer was stored"},
                 {"normaliser-moves-in-evaluation", "an evaluation does not move the normalizer"}},
      .validate = validate,
      .without_seed = without_seed,
      .mode_problem = mode_problem,
      .honours = honours,
      .reads = reads,
      .operations = {"inference", "simulation", "backprop", "replay", "evaluate"},
      .metrics_of = metrics_of,
      .contributes = {.section = scores_section,
                      .listings = {{.name = "environments",
                                    .title = "Environments (key env of the workload rl)",
                                    .meaning = "environments of reinforcement learning, and policies for them",
                                    .columns = {{"name", "name"},
                                                {"gymnasium", "in Gymnasium"},
                                                {"observations", "observations"},
                                                {"actions", "actions"},
                                                {"limit", "limit (steps)"},
                                                {"solved", "solved at"},
                                                {"needs", "needs"},
                                                {"policies", "policies"}},
                                    .rows = environment_rows}},
                      .effort = effort_of},
      .trains = workloads::Trains::on_cpu_and_gpu};
}

const workloads::Register declared{declaration()};

}  // namespace
}  // namespace retrial::rl
