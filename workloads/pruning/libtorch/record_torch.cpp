#include <algorithm>
#include <cmath>

#include "results/json/json.hpp"
#include "results/text/text.hpp"
#include "workloads/nn/training/evaluate_torch.hpp"
#include "workloads/pruning/libtorch/run_torch.hpp"
#include "workloads/pruning/network/size.hpp"
#include "workloads/pruning/observations/latency_torch.hpp"
#include "workloads/pruning/tensors/apply_torch.hpp"
#include "workloads/pruning/tensors/shrink_torch.hpp"

namespace retrial::pruning::inline libtorch {
namespace {

constexpr std::int64_t final_value = -1;

Json layers_of(const Network& network, const Remains& left) {
  Json layers = Json::object();
  const auto counts = live_counts(network, left);
  for (std::size_t l = 0; l < counts.size(); ++l) layers[network.layers[l].name] = counts[l];
  return layers;
}

}  // namespace

Answers answers_of(const nn::Model& model, const TestSet& test) {
  const at::Tensor logits = nn::logits_of(model, test.images()).contiguous(), labels = nn::predicted(logits);
  const float* values = logits.data_ptr<float>();
  const std::int64_t *given = labels.data_ptr<std::int64_t>(), *right = test.labels.data_ptr<std::int64_t>();
  Answers answers;
  answers.finite = std::all_of(values, values + logits.numel(), [](float v) { return std::isfinite(v); });
  for (std::int64_t i = 0; i < labels.numel(); ++i) answers.wrong += given[i] == right[i] ? 0 : 1;
  return answers;
}

/// Wrong answers on every test set. A pruned network whose logits are not finite ends the trial without a record.
std::vector<std::int64_t> Pruning::count_errors(workloads::Recorder& recorder, const nn::Model& model) {
  std::vector<std::int64_t> wrong;
  for (const TestSet& test : tests_) {
    const Answers answers = answers_of(model, test);
    if (!answers.finite) end_as_diverged(recorder);
    if (!answers.finite && step_ > 0) return {};
    wrong.push_back(answers.wrong);
  }
  return wrong;
}

/// Recorded at the optimizer step after which it was found.
void Pruning::end_as_diverged(workloads::Recorder& recorder) {
  if (std::exchange(over_, true)) return;
  recorder.diverged(batches_ * (step_ == 0 ? lengths_.parent : epochs_recorded() + lengths_.retraining));
}

/// The record of a network: counts of errors, sizes, and the measurements that the keys request. A network that was not
/// retrained is recorded with this label and enters no potential.
void Pruning::judge(workloads::Recorder& recorder, const Pruned& line, bool retrained) {
  const nn::Model& model = line.model();
  const nn::OnDevice there(model, nn::training_device(place_));
  std::vector<std::int64_t> wrong = count_errors(recorder, model);
  if (wrong.empty()) return;
  for (std::size_t t = 0; t < tests_.size(); ++t)
    recorder.metric(tests_[t].name == nominal ? "accuracy" : "accuracy_" + tests_[t].name,
                    accuracy_of(wrong[t], tests_[t].count()), step_);
  last_accuracy_ = accuracy_of(wrong.front(), tests_.front().count());
  const double prune_ratio = 100 * size_left(blueprint_.network, line.remains()).pr_weights;
  const std::vector<Distance> distances = distances_of(model);
  for (const Distance& at : distances) wrong.push_back(at.wrong);
  if (retrained) outcomes_.add(prune_ratio, wrong);
  if (collapsed_to_chance(retrained))
    recorder.warning("step " + std::to_string(step_) + ": chance-collapse: an accuracy of " +
                     results::text_of(last_accuracy_) + " % is at chance level");
  record_size(recorder, line);
  record_distances(recorder, distances, "", step_);
  record_pixels(recorder, "step " + std::to_string(step_), prune_ratio, model, "", step_);
  record_latency(recorder, line);
  record_step(recorder, line, retrained);
  recorder.metric("seconds", std::exchange(seconds_, 0.0), step_);
}

/// A retrained network at chance level whose parent is not.
bool Pruning::collapsed_to_chance(bool retrained) const {
  const ErrorCounts& counts = outcomes_.errors.front();
  return retrained && step_ > 0 && !parent_guesses() &&
         pruning::at_chance(counts.wrong.back(), counts.images, inputs_.set->classes);
}

bool Pruning::parent_guesses() const {
  const ErrorCounts& counts = outcomes_.errors.front();
  return pruning::at_chance(counts.wrong.front(), counts.images, inputs_.set->classes);
}

void Pruning::record_size(workloads::Recorder& recorder, const Pruned& line) const {
  const Size size = size_left(blueprint_.network, line.remains());
  const NonZero left = non_zero(line.model());
  recorder.metric("pr_w", 100 * size.pr_weights, step_);
  recorder.metric("pr_all", 100 * size.pr_all, step_);
  recorder.metric("pr_nnz",
                  100 * (1 - static_cast<double>(left.values) / static_cast<double>(blueprint_.network.parameters)),
                  step_);
  recorder.metric("live", static_cast<double>(size.live), step_);
  recorder.metric("denormals", static_cast<double>(left.denormals), step_);
  // The smaller network has whole channels, including those in which single weights are unreachable. Nobody knows how
  // often a script uses a weight.
  const bool group = trial_.text("structure") == "group", known = !is_script(trial_.values);
  if (known) recorder.metric("macs", static_cast<double>(group ? size.dense_macs : size.macs), step_);
  recorder.metric("compression", size.compression, step_);
  if (const auto speedup = group ? size.speedup_shrunk : size.speedup_theory; speedup && known)
    recorder.metric("speedup_theory", *speedup, step_);
}

void Pruning::record_latency(workloads::Recorder& recorder, const Pruned& line) const {
  if (!trial_.flag("latency")) return;
  const bool group = trial_.text("structure") == "group";
  const auto on_host = nn::copied(blueprint_.architecture, line.model());
  const auto smaller = group ? shrink(*on_host, blueprint_.architecture, blueprint_.network, line.masks()) : nullptr;
  if (smaller) nn::move_to(smaller->tensors(), nn::device_of(line.model()));
  const nn::Model& pruned = smaller ? *smaller : line.model();
  for (const std::int64_t batch : {1, 64}) {
    const Latencies found = interleaved_latencies(parent_.model(), pruned, tests_.front().images(), batch);
    recorder.metric("latency_dense_ms_" + std::to_string(batch), found.dense_ms, step_);
    recorder.metric("latency_ms_" + std::to_string(batch), found.pruned_ms, step_);
  }
}

void Pruning::record_step(workloads::Recorder& recorder, const Pruned& line, bool retrained) const {
  const Remains& left = line.remains();
  const std::string what = left.factorised() ? "ranks" : "masks", digest = digest_of(blueprint_.network, left);
  recorder.digest(what, step_, "sha256", digest);
  Json errors = Json::object();
  if (retrained)
    for (const ErrorCounts& counts : outcomes_.errors)
      errors[counts.distribution] = {{"wrong", counts.wrong.back()}, {"images", counts.images}};
  const double keep = step_ == 0 ? 1 : grid_[static_cast<std::size_t>(step_ - 1)];
  const nn::Schedule schedule =
      step_ == 0 ? protocol().schedule : retraining_schedule(pipeline_, protocol().schedule, lengths_.parent);
  const auto rates = nn::learning_rates(schedule, static_cast<int>(step_ == 0 ? lengths_.parent : lengths_.retraining));
  recorder.digest("lr_schedule", step_, "sha256", results::hex(nn::schedule_digest(rates)));
  Json step{{"state", retrained ? "retrained" : "pruned, not retrained"},
            {"keep", keep},
            {"live", line.live()},
            {"layers", layers_of(blueprint_.network, left)},
            {"collapsed", collapsed(left.masks)},
            {"chance", collapsed_to_chance(retrained)},
            {"unreachable", unreachable_},
            {"moved", moved_},
            {"dual_gap", dual_gap_},
            {"errors", std::move(errors)},
            {what, digest},
            {"weights", determinism::hex(line.model().digest())},
            {"lr_schedule", results::hex(nn::schedule_digest(rates))}};
  if (left.factorised()) step["rank_error"] = rank_error_;
  recorder.artifact("step_" + std::to_string(step_), "json", results::printed(step));
  if (step_ > 0) recorder.artifact(what + "_" + std::to_string(step_), "text", text_of(blueprint_.network, left));
}

/// The potential table: every margin, both rules, every distribution.
std::string Pruning::potential_text() const {
  std::vector<double> deltas = deltas_of(trial_.values);
  for (const double delta : pruning::potential_deltas())
    if (std::find(deltas.begin(), deltas.end(), delta) == deltas.end()) deltas.push_back(delta);
  std::sort(deltas.begin(), deltas.end());
  Json table = Json::array();
  for (std::size_t d = 0; d < outcomes_.errors.size(); ++d)
    for (const double delta : deltas) {
      const pruning::Potential found = outcomes_.potential(d, delta);
      table.push_back({{"distribution", outcomes_.errors[d].distribution},
                       {"delta", delta},
                       {"max", found.max},
                       {"first_failure", found.first_failure},
                       {"grid_below", found.grid.below},
                       {"grid_above", found.grid.above ? Json(*found.grid.above) : Json()}});
    }
  return results::printed(
      {{"pr", outcomes_.pr}, {"parent_untrained", parent_guesses()}, {"potential", std::move(table)}});
}

/// A potential at the last round of the grid. A cascade that ended before its last round failed there.
variance::ScoreBound Pruning::bound_if(bool at_end) const {
  const bool whole = outcomes_.networks() == retrained_grid(trial_.values).size() + 1;
  return at_end && whole ? variance::ScoreBound::at_least : variance::ScoreBound::exact;
}

void Pruning::conclude(workloads::Recorder& recorder) const {
  const bool of_parent = parent_.trained() && step_ == 0;
  const nn::Model& model = of_parent ? parent_.model() : judged().model();
  std::optional<nn::OnDevice> there;
  if (!of_parent) there.emplace(model, nn::training_device(place_));
  const at::Tensor logits = nn::logits_of(model, tests_.front().images()), labels = nn::predicted(logits);
  recorder.digest("weights", final_value, "psum2", determinism::hex(model.digest()));
  recorder.digest("predictions", final_value, "psum2", determinism::hex(nn::predictions_digest(labels, logits)));
  recorder.artifact("data", "json", data::inputs_text(inputs_));
  recorder.artifact("distributions", "json", results::printed(distribution_document(trial_.values)));
  const ErrorCounts& counts = outcomes_.errors.front();
  recorder.metric("parent_accuracy", accuracy_of(counts.wrong.front(), counts.images));
  if (!pipeline_.prunes) return;
  recorder.metric("last_accuracy", last_accuracy_);
  if (parent_guesses())
    recorder.warning("parent untrained: its accuracy is at chance level, so the potentials are meaningless");
  const double delta = deltas_of(trial_.values).front();
  for (std::size_t d = 0; d < outcomes_.errors.size(); ++d) {
    const pruning::Potential found = outcomes_.potential(d, delta);
    const std::string name = "potential_" + outcomes_.errors[d].distribution;
    recorder.metric(name + "_max", found.max);
    recorder.bounded(name + "_max", bound_if(found.max_at_end));
    recorder.metric(name + "_first", found.first_failure);
    recorder.bounded(name + "_first", bound_if(found.first_at_end));
  }
  const pruning::Potential nominal_one = outcomes_.potential(0, delta);
  recorder.metric("compression_nominal", compression_at(blueprint_.network, nominal_one.max));
  recorder.bounded("compression_nominal", bound_if(nominal_one.max_at_end));
  if (const auto slope = outcomes_.excess_slope()) recorder.metric("excess_slope", *slope);
  if (confidence_) recorder.artifact("backselect", "json", results::printed(confidence_->document()));
  recorder.artifact("potential", "json", potential_text());
}

}  // namespace retrial::pruning::inline libtorch
