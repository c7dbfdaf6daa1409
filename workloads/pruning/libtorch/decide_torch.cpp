#include "workloads/pruning/libtorch/decide_torch.hpp"

#include <algorithm>

#include "workloads/pruning/tensors/one_thread_torch.hpp"
#include "workloads/pruning/tensors/sight_torch.hpp"

namespace retrial::pruning::inline libtorch {

Allocation decide(const workloads::Trial& trial, const StepOptions& cut, const Blueprint& blueprint, const Pruned& line,
                  const ScoringRows& rows, double keep, std::uint64_t step) {
  const OneThread alone;
  const auto network = line.whole();
  Sight sight = sight_of(*network, blueprint.network, line.masks(), rows.images, rows.labels);
  if (cut.method->draws) sight.prune = trial.seed("prune");
  if (cut.method->reads_samples) sight.sample = trial.seed("sample");
  sight.step = step;
  sight.batch = std::min(trial.integer("batch"), sight.samples);
  sight.reduce = cut.reduce;
  sight.scaling = cut.scaling;
  sight.ranks = line.remains().ranks;
  return prune_step(sight, keep, cut);
}

}  // namespace retrial::pruning::inline libtorch
