#include <algorithm>
#include <cmath>

#include "variance/random/rng.hpp"
#include "workloads/pruning/libtorch/run_torch.hpp"

/// Measurements of a network beyond its answers: distances under noise and informative pixels, for the networks of the
/// cascade and for a separately trained one.
namespace retrial::pruning::inline libtorch {
namespace {

void record_values(workloads::Recorder& recorder, const std::string& prefix, const Distance& at, std::int64_t step) {
  const auto value = [&](const char* name, double number) {
    if (std::isfinite(number)) recorder.metric(noise_metric(prefix + name, at.level), number, step);
  };
  value("distance_match", 100 * at.match.mean);
  value("distance_softmax_l2", at.softmax_l2.mean);
  value("distance_softmax_linf", at.softmax_linf.mean);
  value("distance_logit_l2", at.logit_l2.mean);
  value("distance_logit_linf", at.logit_linf.mean);
  value("accuracy_noise", accuracy_of(at.wrong, at.images));
}

Json spreads(const Distance& at) {
  const auto pair = [](const Spread& spread) { return Json{{"mean", spread.mean}, {"sd", spread.sd}}; };
  return {{"level", at.level},
          {"match", pair(at.match)},
          {"softmax_l2", pair(at.softmax_l2)},
          {"softmax_linf", pair(at.softmax_linf)},
          {"logit_l2", pair(at.logit_l2)},
          {"logit_linf", pair(at.logit_linf)},
          {"noisy_images", at.images},
          {"wrong", at.wrong}};
}

}  // namespace

double accuracy_of(std::int64_t wrong, std::int64_t images) {
  return 100 * static_cast<double>(images - wrong) / static_cast<double>(images);
}

std::optional<CrossConfidence> Pruning::no_confidence() const {
  const std::int64_t images = std::min(trial_.integer("backselect_images"), tests_.front().count());
  if (images == 0) return std::nullopt;
  return CrossConfidence(blueprint_.architecture, tests_.front().images().narrow(0, 0, images),
                         tests_.front().labels.narrow(0, 0, images),
                         {.share = trial_.number("backselect_share"), .block = trial_.integer("backselect_block")});
}

std::vector<Distance> Pruning::distances_of(const nn::Model& model) const {
  const std::int64_t images = trial_.integer("noise_images");
  if (images == 0) return {};
  const NoiseOptions options{.levels = noise_levels_of(trial_.values),
                             .draws = trial_.integer("noise_draws"),
                             .images = images,
                             .pixel_units = trial_.text("noise_units") == "pixel",
                             .seed = trial_.seed("test-noise")};
  return functional_distance(model, parent_.model(), tests_.front().images(), tests_.front().labels,
                             inputs_.normalisation, options);
}

void Pruning::record_distances(workloads::Recorder& recorder, const std::vector<Distance>& found,
                               const std::string& prefix, std::int64_t step) const {
  if (found.empty()) return;
  Json levels = Json::array();
  for (const Distance& at : found) {
    record_values(recorder, prefix, at, step);
    levels.push_back(spreads(at));
  }
  recorder.artifact(prefix + "distances" + (step < 0 ? "" : "_" + std::to_string(step)), "json",
                    results::printed({{"units", trial_.text("noise_units")}, {"levels", std::move(levels)}}));
}

/// For the network that was added last: its confidence on its own pixels and on the parent's, and the parent's
/// confidence on its pixels.
void Pruning::record_pixels(workloads::Recorder& recorder, const std::string& name, double prune_ratio,
                            const nn::Model& model, const std::string& prefix, std::int64_t step) {
  if (!confidence_) return;
  confidence_->add(name, prune_ratio, model);
  const std::size_t last = confidence_->networks() - 1;
  recorder.metric(prefix + "backselect_own", confidence_->confidence(last, last), step);
  recorder.metric(prefix + "backselect_parent", confidence_->confidence(last, 0), step);
  recorder.metric(prefix + "backselect_from_parent", confidence_->confidence(0, last), step);
}

/// The same plan with its own seeds, derived from those of the trial.
nn::LearnerPlan Pruning::separate_plan() const {
  nn::LearnerPlan plan = parent_plan();
  for (std::uint64_t* seed : {&plan.init, &plan.seeds.order, &plan.seeds.augmentation, &plan.seeds.dropout})
    *seed = variance::derive(*seed, "separate");
  plan.snapshot.reset();
  return plan;
}

void Pruning::advance_separate(workloads::Recorder& recorder) {
  if (!separate_) separate_.emplace(separate_plan());
  const bool whole = place_.max_steps == 0 && place_.checksum_every == 0;
  const bool recalled = whole && separate_->epochs_done() == 0 && separate_->recall(place_.cache);
  if (!recalled && separate_->epoch({}).diverged_at)
    recorder.warning("the separate network diverged: distances from it are meaningless");
  if (!separate_->trained()) return;
  if (place_.max_steps == 0 && !recalled) separate_->keep(place_.cache);
  const TestSet& test = tests_.front();
  recorder.digest("separate_weights", -1, "psum2", determinism::hex(separate_->model().digest()));
  recorder.metric("separate_accuracy", accuracy_of(answers_of(separate_->model(), test).wrong, test.count()));
  record_distances(recorder, distances_of(separate_->model()), "separate_", -1);
  record_pixels(recorder, "separate", 0, separate_->model(), "separate_", -1);
}

}  // namespace retrial::pruning::inline libtorch
