#include <algorithm>

#include "results/json.hpp"
#include "workloads/nn/evaluate_torch.hpp"
#include "workloads/pruning/apply_torch.hpp"
#include "workloads/pruning/backselect_torch.hpp"
#include "workloads/pruning/distance_torch.hpp"
#include "workloads/pruning/latency_torch.hpp"
#include "workloads/pruning/run_torch.hpp"
#include "workloads/pruning/shrink_torch.hpp"
#include "workloads/pruning/size.hpp"

namespace retrial::prune {
namespace {

constexpr std::int64_t final_value = -1;

std::int64_t wrong_answers(const nn::Model& model, const TestSet& test) {
  const at::Tensor labels = nn::predicted(nn::logits_of(model, test.images()));
  const std::int64_t *given = labels.data_ptr<std::int64_t>(), *right = test.labels.data_ptr<std::int64_t>();
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < labels.numel(); ++i) wrong += given[i] == right[i] ? 0 : 1;
  return wrong;
}

double accuracy_of(std::int64_t wrong, std::int64_t images) {
  return 100 * static_cast<double>(images - wrong) / static_cast<double>(images);
}

}  // namespace

/// What is kept of a network: counts of errors, sizes, and what the keys ask for besides. A network that was not
/// retrained is recorded and labelled, and enters no potential.
void Pruning::judge(workloads::Recorder& recorder, const nn::Model& model, const MaskSet& masks, bool retrained) {
  std::vector<std::int64_t> wrong;
  for (const TestSet& test : tests_) {
    wrong.push_back(wrong_answers(model, test));
    const double accuracy = accuracy_of(wrong.back(), test.count());
    recorder.metric(test.name == nominal ? "accuracy" : "accuracy_" + test.name, accuracy, step_);
  }
  last_accuracy_ = accuracy_of(wrong.front(), tests_.front().count());
  if (retrained) outcomes_.add(100 * size_left(blueprint_.network, masks).pr_weights, wrong);
  record_size(recorder, model, masks);
  record_distances(recorder, model);
  record_pixels(recorder, model);
  record_latency(recorder, model, masks);
  record_step(recorder, model, masks, retrained);
  recorder.metric("seconds", std::exchange(seconds_, 0.0), step_);
}

void Pruning::record_size(workloads::Recorder& recorder, const nn::Model& model, const MaskSet& masks) const {
  const Size size = size_left(blueprint_.network, masks);
  const NonZero left = non_zero(model);
  recorder.metric("pr_w", 100 * size.pr_weights, step_);
  recorder.metric("pr_all", 100 * size.pr_all, step_);
  recorder.metric("pr_nnz",
                  100 * (1 - static_cast<double>(left.values) / static_cast<double>(blueprint_.network.parameters)),
                  step_);
  recorder.metric("live", static_cast<double>(size.live), step_);
  recorder.metric("denormals", static_cast<double>(left.denormals), step_);
  recorder.metric("macs", static_cast<double>(size.macs), step_);
  recorder.metric("compression", size.compression, step_);
  recorder.metric("speedup_theory", size.speedup_theory, step_);
}

void Pruning::record_distances(workloads::Recorder& recorder, const nn::Model& model) const {
  const std::int64_t images = trial_.integer("noise_images");
  if (images == 0) return;
  const NoiseOptions options{.levels = noise_levels_of(trial_.values),
                             .draws = trial_.integer("noise_draws"),
                             .images = images,
                             .pixel_units = trial_.text("noise_units") == "pixel",
                             .seed = trial_.seed("test-noise")};
  for (const Distance& at :
       functional_distance(model, parent_.model(), tests_.front().images(), inputs_.normalisation, options)) {
    recorder.metric(noise_metric("distance_match", at.level), 100 * at.match, step_);
    recorder.metric(noise_metric("distance_softmax_l2", at.level), at.softmax_l2, step_);
    recorder.metric(noise_metric("distance_softmax_linf", at.level), at.softmax_linf, step_);
    recorder.metric(noise_metric("distance_logit_l2", at.level), at.logit_l2, step_);
    recorder.metric(noise_metric("distance_logit_linf", at.level), at.logit_linf, step_);
  }
}

/// How sure the network and its parent are of the true class, given only the pixels the network finds informative.
void Pruning::record_pixels(workloads::Recorder& recorder, const nn::Model& model) const {
  const std::int64_t images = std::min(trial_.integer("backselect_images"), tests_.front().count());
  if (images == 0) return;
  const at::Tensor chosen =
      informative_pixels(model, tests_.front().images().narrow(0, 0, images),
                         {.share = trial_.number("backselect_share"), .block = trial_.integer("backselect_block")});
  const at::Tensor labels = tests_.front().labels.narrow(0, 0, images);
  recorder.metric("backselect_own", mean_confidence(model, chosen, labels), step_);
  recorder.metric("backselect_parent", mean_confidence(parent_.model(), chosen, labels), step_);
}

void Pruning::record_latency(workloads::Recorder& recorder, const nn::Model& model, const MaskSet& masks) const {
  if (!trial_.flag("latency")) return;
  const bool group = trial_.text("structure") == "group";
  const auto smaller = group ? shrink(model, blueprint_.architecture, blueprint_.network, masks) : nullptr;
  const nn::Model& pruned = smaller ? *smaller : model;
  for (const std::int64_t batch : {1, 64}) {
    const Latencies found = interleaved_latencies(parent_.model(), pruned, tests_.front().images(), batch);
    recorder.metric("latency_dense_ms_" + std::to_string(batch), found.dense_ms, step_);
    recorder.metric("latency_ms_" + std::to_string(batch), found.pruned_ms, step_);
  }
}

void Pruning::record_step(workloads::Recorder& recorder, const nn::Model& model, const MaskSet& masks,
                          bool retrained) const {
  const std::string digest = results::hex(masks.digest());
  recorder.digest("masks", step_, "sha256", digest);
  Json layers = Json::object(), errors = Json::object();
  for (const LayerMask& layer : masks.layers) layers[layer.name] = layer.live();
  if (retrained)
    for (const ErrorCounts& counts : outcomes_.errors)
      errors[counts.distribution] = {{"wrong", counts.wrong.back()}, {"images", counts.images}};
  const double keep = step_ == 0 ? 1 : grid_[static_cast<std::size_t>(step_ - 1)];
  const nn::Schedule schedule =
      step_ == 0 ? protocol().schedule : retraining_schedule(pipeline_, protocol().schedule, lengths_.parent);
  const auto rates = nn::learning_rates(schedule, static_cast<int>(step_ == 0 ? lengths_.parent : lengths_.retraining));
  recorder.artifact("step_" + std::to_string(step_), "json",
                    results::printed({{"state", retrained ? "retrained" : "pruned, not retrained"},
                                      {"keep", keep},
                                      {"live", masks.live()},
                                      {"layers", std::move(layers)},
                                      {"collapsed", collapsed(masks)},
                                      {"unreachable", unreachable_},
                                      {"moved", moved_},
                                      {"errors", std::move(errors)},
                                      {"masks", digest},
                                      {"weights", determinism::hex(model.digest())},
                                      {"lr_schedule", results::hex(nn::schedule_digest(rates))}}));
  if (step_ > 0) recorder.artifact("masks_" + std::to_string(step_), "text", mask_text(masks));
}

/// The potential table: every margin, both rules, every distribution.
std::string Pruning::potential_text() const {
  std::vector<double> deltas = deltas_of(trial_.values);
  for (const double delta : metrics::potential_deltas())
    if (std::find(deltas.begin(), deltas.end(), delta) == deltas.end()) deltas.push_back(delta);
  std::sort(deltas.begin(), deltas.end());
  Json table = Json::array();
  for (std::size_t d = 0; d < outcomes_.errors.size(); ++d)
    for (const double delta : deltas) {
      const metrics::Potential found = outcomes_.potential(d, delta);
      table.push_back({{"distribution", outcomes_.errors[d].distribution},
                       {"delta", delta},
                       {"max", found.max},
                       {"first_failure", found.first_failure},
                       {"grid_below", found.grid.below},
                       {"grid_above", found.grid.above ? Json(*found.grid.above) : Json()}});
    }
  return results::printed({{"pr", outcomes_.pr}, {"potential", std::move(table)}});
}

void Pruning::conclude(workloads::Recorder& recorder) const {
  const nn::Model& model = parent_.trained() && step_ == 0 ? parent_.model() : judged().model();
  const at::Tensor logits = nn::logits_of(model, tests_.front().images()), labels = nn::predicted(logits);
  recorder.digest("weights", final_value, "psum2", determinism::hex(model.digest()));
  recorder.digest("predictions", final_value, "psum2", determinism::hex(nn::predictions_digest(labels, logits)));
  recorder.artifact("data", "json", data::inputs_text(inputs_));
  const ErrorCounts& counts = outcomes_.errors.front();
  recorder.metric("parent_accuracy", accuracy_of(counts.wrong.front(), counts.images));
  if (!pipeline_.prunes) return;
  recorder.metric("last_accuracy", last_accuracy_);
  if (metrics::at_chance(counts.wrong.front(), counts.images, inputs_.set->classes))
    recorder.warning("parent untrained: its accuracy is that of chance, and so are the potentials");
  const double delta = deltas_of(trial_.values).front();
  for (std::size_t d = 0; d < outcomes_.errors.size(); ++d) {
    const metrics::Potential found = outcomes_.potential(d, delta);
    const std::string name = "potential_" + outcomes_.errors[d].distribution;
    recorder.metric(name + "_max", found.max);
    recorder.metric(name + "_first", found.first_failure);
  }
  if (const auto slope = outcomes_.excess_slope()) recorder.metric("excess_slope", *slope);
  recorder.artifact("potential", "json", potential_text());
}

}  // namespace retrial::prune
