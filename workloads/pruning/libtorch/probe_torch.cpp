#include "results/text/text.hpp"
#include "variance/random/rng.hpp"
#include "workloads/interface/registry.hpp"
#include "workloads/interface/trial/probe_checks.hpp"
#include "workloads/nn/training/evaluate_torch.hpp"
#include "workloads/pruning/keys/keys.hpp"
#include "workloads/pruning/libtorch/blueprint_torch.hpp"
#include "workloads/pruning/libtorch/decide_torch.hpp"
#include "workloads/pruning/libtorch/test_sets_torch.hpp"
#include "workloads/pruning/tensors/apply_torch.hpp"
#include "workloads/pruning/tensors/pruned_torch.hpp"
#include "workloads/pruning/tensors/sight_torch.hpp"
#include "workloads/pruning/trial/probe_checks.hpp"

namespace retrial::pruning::inline libtorch {
namespace {

/// A network with its initial weights, and the inputs of a pruning step.
struct Bench {
  workloads::Trial trial;
  data::Inputs inputs;
  Blueprint blueprint;
  StepOptions cut;
  std::unique_ptr<nn::Model> first;

  Bench(const workloads::Trial& given, const workloads::Place& place)
      : trial(given),
        inputs(data::inputs_of(given, place)),
        blueprint(blueprint_of(given, place, inputs)),
        cut(step_options(given.values)),
        first(nn::make(blueprint.architecture, blueprint.input, inputs.set->classes, init_seed(given))) {}

  [[nodiscard]] Allocation allocation(const Pruned& line, double keep, std::uint64_t step) const {
    return decide(trial, cut, blueprint, line, scoring_rows(trial, inputs, blueprint.network), keep, step);
  }
};

void add(std::optional<workloads::Finding> finding, workloads::ProbeReport& to) {
  if (finding) to.findings.push_back(std::move(*finding));
}

/// Number of rows for training and evaluation in a probe: a few batches.
std::vector<std::uint32_t> probe_rows(const Bench& bench) {
  constexpr std::int64_t batches = 12;
  std::vector<std::uint32_t> rows = bench.inputs.parts.train;
  rows.resize(std::min<std::size_t>(rows.size(), static_cast<std::size_t>(batches * bench.trial.integer("batch"))));
  return rows;
}

/// Epochs over the rows of the probe, with a check of every masked weight after each step.
void train(const Bench& bench, Pruned& line, workloads::ProbeReport& report, std::int64_t epochs = 1) {
  const std::int64_t batch = bench.trial.integer("batch");
  const nn::Protocol protocol{.epochs = epochs,
                              .batch = batch,
                              .schedule = {.lr = bench.trial.number("lr"), .gamma = 1, .milestones = ""},
                              .sgd = {.momentum = bench.trial.number("momentum"),
                                      .weight_decay = bench.trial.number("weight_decay"),
                                      .nesterov = bench.trial.flag("nesterov")}};
  line.retrain(nn::Samples(*bench.inputs.set, probe_rows(bench),
                           data::PixelTable(*bench.inputs.set, bench.inputs.normalisation), batch),
               protocol, {.order = bench.trial.seed("data-order")});
  const auto look = [&](std::int64_t) {
    if (line.remains().factorised()) return;
    const auto weights = values_of(weights_of(line.model(), bench.blueprint.network));
    for (std::size_t l = 0; l < weights.size() && report.findings.empty(); ++l)
      add(check_masked(line.masks().layers[l].name, weights[l], line.masks().layers[l].bits), report);
  };
  while (!line.training().finished()) (void)line.epoch(look);
  line.end_retraining();
}

std::int64_t wrong_of(const Bench& bench, const Pruned& line) {
  const auto rows = probe_rows(bench);
  const at::Tensor given = nn::predicted(nn::logits_of(
      line.model(),
      nn::images_of(*bench.inputs.set, rows, data::PixelTable(*bench.inputs.set, bench.inputs.normalisation))));
  const at::Tensor right = nn::labels_of(*bench.inputs.set, rows);
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < given.numel(); ++i)
    wrong += given.data_ptr<std::int64_t>()[i] == right.data_ptr<std::int64_t>()[i] ? 0 : 1;
  return wrong;
}

/// A parent that has learned to answer most of its own rows, pruned to the first keep ratio and trained for as long
/// again, must still answer. Other parents are not checked: accuracy slightly above chance is lost easily.
void look_at_chance(const Bench& bench, const Allocation& made, workloads::ProbeReport& report) {
  constexpr std::int64_t epochs = 8;
  const auto rows = static_cast<std::int64_t>(probe_rows(bench).size());
  Pruned parent(bench.blueprint, *bench.first);
  train(bench, parent, report, epochs);
  const std::int64_t parent_wrong = wrong_of(bench, parent);
  if (2 * parent_wrong > rows) return;
  Pruned pruned(bench.blueprint, parent.model());
  pruned.cut(made);
  train(bench, pruned, report, epochs);
  report.looked_at.emplace_back("answers after the first step");
  add(check_chance("answers after the first step", parent_wrong, wrong_of(bench, pruned), rows,
                   bench.inputs.set->classes),
      report);
}

/// Checked if the count is exact: single weights, not by level.
void look_at_ratio(const Bench& bench, const MaskSet& masks, double keep, workloads::ProbeReport& report) {
  const bool counted = bench.cut.exact && bench.cut.method->counts_exactly() && bench.cut.prune_classifier;
  if (!counted) return;
  report.looked_at.emplace_back("number of weights kept");
  add(check_ratio(keep, masks.live(), masks.weights()), report);
}

std::string scores_digest(const std::vector<std::vector<double>>& scores) {
  std::string bytes;
  for (const auto& layer : scores)
    bytes.append(reinterpret_cast<const char*>(layer.data()), layer.size() * sizeof(double));
  return results::hex(results::sha256(bytes));
}

void look_at_scores(const Bench& bench, const Pruned& line, workloads::ProbeReport& report) {
  const Method& method = *bench.cut.method;
  if (!method.reads_samples) return;
  const auto scores_of = [&](const workloads::Trial& trial) {
    const ScoringRows rows = scoring_rows(trial, bench.inputs, bench.blueprint.network);
    Sight sight = sight_of(line.model(), bench.blueprint.network, line.masks(), rows.images, rows.labels);
    sight.sample = bench.trial.seed("sample");
    sight.batch = std::min(bench.trial.integer("batch"), sight.samples);
    sight.reduce = bench.cut.reduce;
    sight.scaling = bench.cut.scaling;
    return scores_digest(pruning::scores_of(method, sight));
  };
  workloads::Trial other = bench.trial;
  other.seeds["sample"] = variance::derive(other.seed("sample"), "probe");
  const std::string what = "scores of method " + method.name;
  report.looked_at.push_back(what);
  add(workloads::check_differs("score-ignores-data", what, scores_of(bench.trial), scores_of(other)), report);
}

/// `line` has been trained away from its initial weights.
void look_at_rewinding(const Bench& bench, Pruned& line, workloads::ProbeReport& report) {
  if (!pipeline_of(bench.trial.values).rewinds) return;
  const std::string what = "weights after rewinding", trained = determinism::hex(line.model().digest());
  report.looked_at.push_back(what);
  line.reset(bench.first->tensors());
  Pruned fresh(bench.blueprint, *bench.first);
  fresh.mask(line.masks());
  const std::string rewound = determinism::hex(line.model().digest());
  add(workloads::check_differs("rewind-ignored", what, rewound, trained), report);
  add(check_rewound(what, rewound, determinism::hex(fresh.model().digest())), report);
}

bool revived(const MaskSet& before, const MaskSet& after, workloads::ProbeReport& report) {
  report.looked_at.emplace_back("masks of two steps");
  const std::size_t found = report.findings.size();
  for (std::size_t l = 0; l < after.layers.size(); ++l)
    add(check_never_revived(after.layers[l].name, before.layers[l].bits, after.layers[l].bits), report);
  return report.findings.size() > found;
}

workloads::ProbeReport probe(const workloads::Trial& trial, const workloads::Place& place) {
  workloads::ProbeReport report;
  const std::vector<double> keeps = grid_of(trial.values);
  if (keeps.empty()) return report;
  const Bench bench(trial, place);
  Pruned line(bench.blueprint, *bench.first);
  look_at_scores(bench, line, report);
  for (std::size_t step = 0; step < std::min<std::size_t>(2, keeps.size()); ++step) {
    Allocation made = bench.allocation(line, keeps[step], step);
    const bool masks = made.ranks.empty();
    look_at_ratio(bench, made.masks, keeps[step], report);
    if (step == 0) look_at_chance(bench, made, report);
    if (masks && step == 1 && revived(line.masks(), made.masks, report)) return report;
    line.cut(std::move(made));
    if (masks) report.looked_at.emplace_back("masked weights after every optimizer step");
    train(bench, line, report);
  }
  look_at_rewinding(bench, line, report);
  return report;
}

const workloads::RegisterProbe probed{workload_name, probe};

}  // namespace
}  // namespace retrial::pruning::inline libtorch
