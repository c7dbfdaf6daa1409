#include "workloads/pruning/keys/pipeline.hpp"

#include <algorithm>
#include <stdexcept>

namespace retrial::pruning::inline keys {

const std::vector<Pipeline>& all_pipelines() {
  static const std::vector<Pipeline> table{
      {.name = "cascade",
       .summary = "prune the network of the previous step, then repeat the whole schedule from its weights "
                  "(learning-rate rewinding)"},
      {.name = "cascade_rewind",
       .summary = "the same, but kept weights return to their values of rewind_epoch; 0: lottery tickets",
       .rewinds = true},
      {.name = "one_shot", .summary = "prune the parent again at every step, then retrain", .from_parent = true},
      {.name = "fine_tune", .summary = "cascade, but retrain at the last learning rate", .last_rate = true},
      {.name = "reinit",
       .summary = "control: the masks of the cascade on new initial weights, trained with the whole schedule",
       .control = Control::reinit},
      {.name = "random_mask",
       .summary = "control: random masks with the same number of weights in each layer as the cascade",
       .control = Control::random_mask},
      {.name = "train", .summary = "no pruning: only the parent", .prunes = false},
  };
  return table;
}

const Pipeline& find_pipeline(const std::string& name) {
  for (const Pipeline& pipeline : all_pipelines())
    if (pipeline.name == name) return pipeline;
  throw std::logic_error("no pipeline has the name " + name);
}

std::vector<std::string> pipeline_names() {
  std::vector<std::string> names;
  for (const Pipeline& pipeline : all_pipelines()) names.push_back(pipeline.name);
  std::sort(names.begin(), names.end());
  return names;
}

bool retrains(const Lengths& lengths, std::int64_t step) {
  return step % lengths.every == 0;
}

std::int64_t epochs_before(const Pipeline& pipeline, const Lengths& lengths, std::int64_t step) {
  if (pipeline.from_parent) return lengths.parent;
  return lengths.parent + (step - 1) / lengths.every * lengths.retraining;
}

nn::Schedule retraining_schedule(const Pipeline& pipeline, const nn::Schedule& original, std::int64_t epochs) {
  if (!pipeline.last_rate) return original;
  return {.lr = nn::learning_rates(original, static_cast<int>(epochs)).back(), .gamma = 1, .milestones = ""};
}

}  // namespace retrial::pruning::inline keys
