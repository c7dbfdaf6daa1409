#include "workloads/pruning/libtorch/run_torch.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "results/text/text.hpp"
#include "variance/random/rng.hpp"
#include "workloads/data/corrupt/mix.hpp"
#include "workloads/interface/registry.hpp"
#include "workloads/interface/trial/stopwatch.hpp"
#include "workloads/nn/protocol/failures.hpp"
#include "workloads/nn/training/evaluate_torch.hpp"
#include "workloads/pruning/libtorch/blueprint_torch.hpp"
#include "workloads/pruning/libtorch/decide_torch.hpp"
#include "workloads/pruning/network/size.hpp"
#include "workloads/pruning/tensors/apply_torch.hpp"
#include "workloads/pruning/tensors/one_thread_torch.hpp"
#include "workloads/pruning/trial/remarks.hpp"

namespace retrial::pruning::inline libtorch {
namespace {

using workloads::Place, workloads::Recorder, workloads::Trial;

std::uint64_t corrupt_seed(const Trial& trial) {
  return trial.seeds.contains("corrupt") ? trial.seed("corrupt") : 0;
}

/// If trainings are cut (liveness), measurements of each network are cut too, like the test rows: every level and every
/// distribution remains, but a few images distinguish two networks as well as many. With noise on 200 images and pixels
/// of 50, measurements took 6.3 of the 6.5 seconds of such a trial.
Trial shortened(Trial trial, const Place& place) {
  if (place.max_steps == 0) return trial;
  const std::map<std::string, std::int64_t> reduced{{"noise_images", 4}, {"noise_draws", 2}, {"backselect_images", 1}};
  for (const auto& [key, max] : reduced) {
    auto& count = std::get<std::int64_t>(trial.values.at(key));
    count = std::min(count, max);
  }
  return trial;
}

/// The test sets, then the noise levels, where each draw of an image is one.
Outcomes no_outcomes(const std::vector<TestSet>& tests, const Values& values) {
  Outcomes outcomes;
  for (const TestSet& test : tests) outcomes.errors.push_back({.distribution = test.name, .images = test.count()});
  const std::int64_t images =
      std::min(integer_in(values, "noise_images"), tests.front().count()) * integer_in(values, "noise_draws");
  for (const std::string& name : noise_names(values))
    outcomes.errors.push_back({.distribution = name, .images = images, .noise = true});
  return outcomes;
}

}  // namespace

Pruning::Pruning(const Trial& trial, const Place& place)
    : trial_(shortened(trial, place)),
      place_(place),
      inputs_(data::inputs_of(trial, place)),
      blueprint_(blueprint_of(trial, place, inputs_)),
      pipeline_(pipeline_of(trial.values)),
      grid_(grid_of(trial.values)),
      lengths_(lengths_of(trial.values)),
      cut_(step_options(trial.values)),
      parent_(parent_plan()),
      tests_(test_sets(data::located(trial.values, place), inputs_, corrupt_seed(trial))),
      scoring_(scoring_rows(trial, inputs_, blueprint_.network)),
      line_(blueprint_, parent_.model()),
      batches_((static_cast<std::int64_t>(inputs_.parts.train.size()) + trial.integer("batch") - 1) /
               trial.integer("batch")),
      outcomes_(no_outcomes(tests_, trial_.values)),
      confidence_(no_confidence()) {}

nn::Protocol Pruning::protocol() const {
  return {
      .epochs = trial_.integer("epochs"),
      .batch = trial_.integer("batch"),
      .schedule = {.lr = trial_.number("lr"), .gamma = trial_.number("gamma"), .milestones = trial_.text("milestones")},
      .sgd = {.momentum = trial_.number("momentum"),
              .weight_decay = trial_.number("weight_decay"),
              .nesterov = trial_.flag("nesterov")},
      .augmentation = augmentation_of(trial_.values),
      .mix = trial_.number("augment_mix"),
      .dropout = trial_.number("dropout"),
      .device = nn::training_device(place_),
      .max_steps = place_.max_steps};
}

nn::TrainingSeeds Pruning::seeds() const {
  return {
      .order = trial_.seed("data-order"),
      .augmentation = augmentation_source(trial_.values).empty() ? 0 : trial_.seed(augmentation_source(trial_.values)),
      .dropout = trial_.number("dropout") > 0 ? trial_.seed("dropout") : 0};
}

nn::LearnerPlan Pruning::parent_plan() const {
  nn::LearnerPlan plan{.role = "parent",
                       .shelf = "parents",
                       .set = inputs_.set.get(),
                       .rows = inputs_.parts.train,
                       .normalisation = inputs_.normalisation,
                       .architecture = blueprint_.architecture,
                       .protocol = protocol(),
                       .init = init_seed(trial_),
                       .seeds = seeds()};
  if (pipeline_.rewinds) plan.snapshot = trial_.integer("rewind_epoch");
  return plan;
}

bool Pruning::advance(Recorder& recorder) {
  warn(recorder);
  if (!parent_.trained()) {
    advance_parent(recorder);
  } else if (outcomes_.pr.empty()) {
    adopt_parent(recorder);
  } else if (trial_.flag("separate") && !over_ && !(separate_ && separate_->trained())) {
    advance_separate(recorder);
  } else if (line_.retraining() || (control_ && control_->retraining())) {
    retrain_epoch(recorder);
  } else if (!over_ && step_ < steps()) {
    begin_step(recorder);
  } else {
    conclude(recorder);
    recorder.progress(1);
    return false;
  }
  recorder.standing(progress_text());
  recorder.progress(done());
  return true;
}

namespace {

std::string epoch_text(std::int64_t done, std::int64_t of) {
  return "epoch " + std::to_string(done) + " of " + std::to_string(of);
}

/// With one decimal.
std::string percent_text(double percent) {
  return results::text_of(std::round(10 * percent) / 10);
}

}  // namespace

std::string Pruning::progress_text() const {
  if (!parent_.trained()) return "parent, " + epoch_text(parent_.epochs_done(), lengths_.parent);
  if (outcomes_.pr.empty()) return "";
  const ErrorCounts& counts = outcomes_.errors.front();
  const std::string parent = percent_text(accuracy_of(counts.wrong.front(), counts.images));
  if (step_ == 0) return "parent " + parent + " %";
  const Size size = size_left(blueprint_.network, judged().remains());
  std::string text = "step " + std::to_string(step_) + " of " + std::to_string(steps()) + ", PR " +
                     percent_text(100 * size.pr_weights) + " %";
  for (const Pruned* line : {&line_, control_ ? &*control_ : &line_})
    if (line->retraining()) {
      text += ", " + epoch_text(line->training().epochs_done(), lengths_.retraining);
      break;
    }
  return text + ", " + percent_text(last_accuracy_) + " % (parent " + parent + ")";
}

/// Once per trial, at its first boundary.
void Pruning::warn(Recorder& recorder) {
  if (std::exchange(warned_, true)) return;
  const auto rows = static_cast<std::int64_t>(inputs_.parts.train.size());
  if (trial_.integer("batch") > rows)
    recorder.warning("batch = " + std::to_string(trial_.integer("batch")) + " exceeds the " + std::to_string(rows) +
                     " training rows: one short batch per epoch");
  if (inputs_.set->name.ends_with("-unofficial"))
    recorder.warning(inputs_.set->name + ": not the published files; no published result can be confirmed with them");
  if (trial_.text("augment").ends_with("mix1"))
    for (const std::string& name : corrupt::usable(corrupt::mix1()).left_out)
      recorder.warning("augment = mix1: " + name + " is not available in this program and is left out");
  for (const std::string& remark : remarks(trial_.values)) recorder.warning(remark);
  for (const std::string& note : distribution_notes(trial_.values, inputs_.set->shape)) recorder.warning(note);
  for (const Distribution& distribution : distributions_of(trial_.values))
    if (std::none_of(tests_.begin(), tests_.end(), [&](const TestSet& test) { return test.name == distribution.name; }))
      recorder.warning(distribution.kind == Distribution::Kind::official
                           ? "corruptions = official: the file of " + distribution.name + " is missing; left out"
                           : distribution.name + " is left out: its photographs are missing (frost_dir)");
  if (pipeline_.prunes && cut_.method->unstructured()) recorder.warning("unstructured: no speed-up expected");
}

std::function<void(std::int64_t)> Pruning::step_digests(Recorder& recorder, const nn::Model& model,
                                                        std::int64_t steps_before) const {
  if (place_.checksum_every == 0) return {};
  return [&recorder, &model, steps_before, every = place_.checksum_every](std::int64_t step) {
    if (step % every == 0)
      recorder.digest("step_weights", steps_before + step, "psum2", determinism::hex(model.digest()));
  };
}

/// If step digests are requested the cache is not used, as it keeps no steps.
void Pruning::advance_parent(Recorder& recorder) {
  const workloads::Stopwatch watch(seconds_);
  if (parent_.epochs_done() == 0) recorder.digest("weights", 0, "psum2", determinism::hex(parent_.model().digest()));
  const bool recalled = place_.checksum_every == 0 && parent_.epochs_done() == 0 && parent_.recall(place_.cache);
  if (!recalled) {
    const nn::EpochReport report = parent_.epoch(step_digests(recorder, parent_.model(), 0));
    over_ = report.diverged_at.has_value();
    if (over_) recorder.diverged(*report.diverged_at);
  }
  for (std::int64_t epoch = recalled ? 1 : parent_.epochs_done(); epoch <= parent_.epochs_done(); ++epoch) {
    const nn::EpochMark& mark = parent_.trail()[static_cast<std::size_t>(epoch - 1)];
    recorder.digest("weights", epoch, "psum2", mark.weights);
    recorder.metric("train_loss", mark.loss, epoch);
  }
  if (!parent_.trained()) return;
  if (!recalled) parent_.keep(place_.cache);
  line_.restart(parent_.model());
  judge(recorder, line_, true);
}

/// A parent of 0 epochs, as its file has it.
void Pruning::adopt_parent(Recorder& recorder) {
  recorder.digest("weights", 0, "psum2", determinism::hex(parent_.model().digest()));
  judge(recorder, line_, true);
}

Allocation Pruning::decided(Recorder& recorder, const Pruned& line) {
  Allocation made = decide(trial_, cut_, blueprint_, line, scoring_, grid_[static_cast<std::size_t>(step_ - 1)],
                           static_cast<std::uint64_t>(step_ - 1));
  for (const std::string& warning : made.warnings) recorder.warning("step " + std::to_string(step_) + ": " + warning);
  return made;
}

/// One step of the pipeline: prune, set the weights for the start of retraining, retrain epoch by epoch, evaluate.
void Pruning::begin_step(Recorder& recorder) {
  const workloads::Stopwatch watch(seconds_);
  ++step_;
  const std::int64_t before = line_.live();
  std::optional<Pruned> restarted;
  if (pipeline_.from_parent) restarted.emplace(blueprint_, parent_.model());
  Allocation made = decided(recorder, restarted ? *restarted : line_);
  const bool trains = retrains(lengths_, step_);
  // One network of a cascade represents both steps, unless the first did not get the retraining that is due now.
  if (step_ > 1 && live(blueprint_.network, {made.masks, made.ranks}) == before && !(trains && owes_retraining_)) {
    recorder.warning("step " + std::to_string(step_) + " keeps as many weights as step " + std::to_string(step_ - 1) +
                     ": skipped");
    return;
  }
  if (restarted) line_.restart(parent_.model());
  prune(recorder, std::move(made));
  owes_retraining_ = !trains;
  if (!trains) return judge_as_it_is(recorder);
  if (pipeline_.rewinds) line_.reset(parent_.snapshot());
  start_training(line_);
}

/// Pruned, not retrained: for a control its own network, not that of the cascade.
void Pruning::judge_as_it_is(Recorder& recorder) {
  if (pipeline_.control != Control::none) place_control();
  judge(recorder, judged(), false);
}

void Pruning::prune(Recorder& recorder, Allocation made) {
  const OneThread alone;
  moved_ = made.moved;
  dual_gap_ = made.dual_gap.value_or(0);
  rank_error_ = made.rank_error.value_or(0);
  line_.cut(std::move(made));
  unreachable_ = 0;
  if (cut_.method->structured()) {
    MaskSet reached = without_unreachable(line_.model(), blueprint_.architecture, blueprint_.network, blueprint_.input,
                                          line_.masks());
    unreachable_ = line_.masks().live() - reached.live();
    line_.mask(std::move(reached));
  }
  for (const std::string& layer : collapsed(line_.masks()))
    recorder.warning("step " + std::to_string(step_) + ": collapsed: " + layer);
  if (trial_.flag("recalibrate"))
    nn::estimate_statistics(line_.model(), nn::images_of(*inputs_.set, inputs_.parts.train,
                                                         data::PixelTable(*inputs_.set, inputs_.normalisation)));
}

void Pruning::start_training(Pruned& line) {
  nn::Protocol again = protocol();
  again.epochs = lengths_.retraining;
  again.schedule = retraining_schedule(pipeline_, again.schedule, lengths_.parent);
  again.epochs_before = epochs_before(pipeline_, lengths_, step_);
  line.retrain(nn::Samples(*inputs_.set, inputs_.parts.train, data::PixelTable(*inputs_.set, inputs_.normalisation),
                           again.batch, again.device),
               again, seeds());
}

/// The first n weights of a random permutation of the layer, with the cascade's n: nested like its masks.
MaskSet Pruning::control_masks() const {
  if (pipeline_.control == Control::reinit) return line_.masks();
  MaskSet masks = all_live(blueprint_.network);
  for (std::size_t l = 0; l < masks.layers.size(); ++l) {
    LayerMask& layer = masks.layers[l];
    const std::uint64_t key = variance::derive(variance::derive(trial_.seed("prune"), layer.name), "positions");
    const auto places = variance::permutation(key, static_cast<std::uint32_t>(layer.bits.size()));
    const auto live = static_cast<std::size_t>(line_.masks().layers[l].live());
    for (std::size_t i = live; i < places.size(); ++i) layer.bits[places[i]] = 0;
  }
  return masks;
}

/// The control of a cascade after its step: its masks on new weights, or random masks on another network.
void Pruning::place_control() {
  if (!control_) control_.emplace(blueprint_, parent_.model());
  control_->mask(control_masks());
  if (pipeline_.control == Control::reinit)
    control_->reset(
        nn::make(blueprint_.architecture, blueprint_.input, inputs_.set->classes, trial_.seed("rewind"))->tensors());
}

/// The recorded number of the first epoch of this step's retraining, less one: unique within the trial even if every
/// step starts from the parent.
std::int64_t Pruning::epochs_recorded() const {
  return lengths_.parent + (step_ - 1) / lengths_.every * lengths_.retraining;
}

void Pruning::retrain_epoch(Recorder& recorder) {
  const workloads::Stopwatch watch(seconds_);
  const bool cascade = line_.retraining();
  Pruned& line = cascade ? line_ : *control_;
  const bool is_judged = !cascade || pipeline_.control == Control::none;
  const std::int64_t before = epochs_recorded(), steps_before = before * batches_;
  const nn::EpochReport report =
      line.epoch(is_judged ? step_digests(recorder, line.model(), steps_before) : std::function<void(std::int64_t)>());
  const std::int64_t epoch = before + line.training().epochs_done();
  recorder.digest(is_judged ? "weights" : "cascade_weights", epoch, "psum2", determinism::hex(line.model().digest()));
  if (is_judged) recorder.metric("train_loss", report.loss, epoch);
  over_ = report.diverged_at.has_value();
  if (over_) recorder.diverged(steps_before + *report.diverged_at);
  if (!line.training().finished()) return;
  line.end_retraining();
  if (over_) return;
  if (is_judged) return judge(recorder, line, true);
  place_control();
  start_training(*control_);
}

double Pruning::done() const {
  const auto retrainings = static_cast<double>(steps() / lengths_.every) * (pipeline_.control == Control::none ? 1 : 2);
  const double all = static_cast<double>(lengths_.parent) + retrainings * static_cast<double>(lengths_.retraining);
  double so_far = static_cast<double>(parent_.epochs_done());
  const auto over = static_cast<double>(std::max<std::int64_t>(0, step_ - 1) / lengths_.every);
  so_far += over * static_cast<double>(lengths_.retraining) * (pipeline_.control == Control::none ? 1 : 2);
  if (line_.retraining()) so_far += static_cast<double>(line_.training().epochs_done());
  return over_ ? 1 : std::min(1.0, so_far / all);
}

namespace {

const workloads::RegisterStart started{workload_name,
                                       [](const Trial& trial, const Place& place) -> std::unique_ptr<workloads::Run> {
                                         return std::make_unique<Pruning>(trial, place);
                                       },
                                       nn::explain_libtorch};

}  // namespace
}  // namespace retrial::pruning::inline libtorch
