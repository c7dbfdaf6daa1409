#include "variance/rng.hpp"
#include "workloads/pruning/apply_torch.hpp"
#include "workloads/pruning/keys.hpp"
#include "workloads/pruning/pruned_torch.hpp"
#include "workloads/pruning/sight_torch.hpp"
#include "workloads/pruning/test_sets_torch.hpp"
#include "workloads/registry.hpp"

namespace retrial::prune {
namespace {

/// A network at its first weights, and what a step of pruning needs.
struct Bench {
  workloads::Trial trial;
  data::Inputs inputs;
  Blueprint blueprint;
  StepOptions cut;
  std::unique_ptr<nn::Model> first;

  Bench(const workloads::Trial& given, const workloads::Place& place)
      : trial(given),
        inputs(data::inputs_of(given, place)),
        blueprint{architecture_of(given.values), inputs.set->shape,
                  network_of(architecture_of(given.values), inputs.set->shape, inputs.set->classes)},
        cut(step_options(given.values)),
        first(nn::make(blueprint.architecture, blueprint.input, inputs.set->classes, given.seed("init"))) {}

  [[nodiscard]] Allocation allocation(const Pruned& line, double keep, std::uint64_t step) const {
    const ScoringRows rows = scoring_rows(trial, inputs, blueprint.network);
    Sight sight = sight_of(line.model(), blueprint.network, line.masks(), rows.images, rows.labels);
    if (cut.method->draws) sight.prune = trial.seed("prune");
    if (cut.method->reads_samples) sight.sample = trial.seed("sample");
    sight.step = step;
    return prune_step(sight, keep, cut);
  }
};

/// Three optimiser steps, each followed by a look at every masked weight.
void look_at_training(const Bench& bench, Pruned& line, workloads::ProbeReport& report) {
  const std::int64_t batch = bench.trial.integer("batch");
  std::vector<std::uint32_t> rows = bench.inputs.parts.train;
  rows.resize(std::min<std::size_t>(rows.size(), static_cast<std::size_t>(3 * batch)));
  const nn::Protocol protocol{.epochs = 1,
                              .batch = batch,
                              .schedule = {.lr = bench.trial.number("lr"), .gamma = 1, .milestones = ""},
                              .sgd = {.momentum = bench.trial.number("momentum"),
                                      .weight_decay = bench.trial.number("weight_decay"),
                                      .nesterov = bench.trial.flag("nesterov")}};
  line.retrain(
      nn::Samples(*bench.inputs.set, rows, data::PixelTable(*bench.inputs.set, bench.inputs.normalisation), batch),
      protocol, {.order = bench.trial.seed("data-order")});
  report.looked_at.emplace_back("masked weights behind three optimiser steps");
  try {
    (void)line.epoch([&](std::int64_t) { require_applied(line.model(), bench.blueprint.network, line.masks()); });
  } catch (const workloads::TrialFailure& failure) {
    report.findings.push_back({"mask-not-applied", "masks", failure.what()});
  }
  line.end_retraining();
}

void look_at_ratio(const Bench& bench, const MaskSet& masks, double keep, workloads::ProbeReport& report) {
  const bool counted = bench.cut.exact && !bench.cut.method->structured() && bench.cut.method->rule != Rule::lottery &&
                       bench.cut.prune_classifier;
  if (!counted) return;
  const std::int64_t asked = budget_of(keep, masks.weights());
  report.looked_at.emplace_back("number of weights kept");
  if (masks.live() != asked)
    report.findings.push_back({"ratio-missed", "number of weights kept",
                               std::to_string(masks.live()) + " live, " + std::to_string(asked) + " asked for"});
}

void look_at_scores(const Bench& bench, const Pruned& line, workloads::ProbeReport& report) {
  const Method& method = *bench.cut.method;
  if (!method.reads_samples) return;
  const auto scores_of = [&](const ScoringRows& rows) {
    Sight sight = sight_of(line.model(), bench.blueprint.network, line.masks(), rows.images, rows.labels);
    sight.sample = bench.trial.seed("sample");
    return method.structured() ? method.channels(sight) : method.weights(sight);
  };
  workloads::Trial other = bench.trial;
  other.seeds["sample"] = variance::derive(other.seed("sample"), "probe");
  report.looked_at.emplace_back("scores of method " + method.name);
  if (scores_of(scoring_rows(bench.trial, bench.inputs, bench.blueprint.network)) ==
      scores_of(scoring_rows(other, bench.inputs, bench.blueprint.network)))
    report.findings.push_back({"score-ignores-data", "method " + method.name, "two scoring sets give equal scores"});
}

/// `line` has been trained away from its first weights.
void look_at_rewinding(const Bench& bench, Pruned& line, workloads::ProbeReport& report) {
  if (!pipeline_of(bench.trial.values).rewinds) return;
  report.looked_at.emplace_back("weights behind a rewinding");
  const std::string trained = determinism::hex(line.model().digest());
  line.reset(bench.first->tensors());
  Pruned fresh(bench.blueprint, *bench.first);
  fresh.mask(line.masks());
  const std::string rewound = determinism::hex(line.model().digest()),
                    wanted = determinism::hex(fresh.model().digest());
  if (rewound != wanted || rewound == trained)
    report.findings.push_back({"rewind-ignored", "weights behind a rewinding", rewound + ", wanted " + wanted});
}

workloads::ProbeReport probe(const workloads::Trial& trial, const workloads::Place& place) {
  workloads::ProbeReport report;
  const std::vector<double> keeps = grid_of(trial.values);
  if (keeps.empty()) return report;
  const Bench bench(trial, place);
  Pruned line(bench.blueprint, *bench.first);
  look_at_scores(bench, line, report);
  for (std::size_t step = 0; step < std::min<std::size_t>(2, keeps.size()); ++step) {
    MaskSet masks = bench.allocation(line, keeps[step], step).masks;
    look_at_ratio(bench, masks, keeps[step], report);
    if (step == 1) report.looked_at.emplace_back("masks of two steps");
    if (!within(masks, line.masks())) {
      report.findings.push_back({"mask-revived", "masks of two steps", "a masked weight came back"});
      return report;
    }
    line.mask(std::move(masks));
    look_at_training(bench, line, report);
  }
  look_at_rewinding(bench, line, report);
  return report;
}

const workloads::RegisterProbe probed{workload_name, probe};

}  // namespace
}  // namespace retrial::prune
