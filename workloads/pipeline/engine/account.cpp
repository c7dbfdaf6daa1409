#include "workloads/pipeline/engine/account.hpp"

#include <algorithm>
#include <vector>

#include "workloads/interface/trial/trial.hpp"

namespace retrial::pipeline::inline engine {
namespace {

/// Ends of the passes of one stage so far, and what it does next.
struct Station {
  std::vector<std::int64_t> forward_ends, backward_ends;
  std::int64_t free = 0;  ///< first step in which it can work
  std::int64_t free_after_forward = 0;
};

bool run_next(SlotModel model, std::span<const Program> programs, std::vector<Station>& stations, std::size_t s) {
  Station& station = stations[s];
  const auto forwards = static_cast<std::int64_t>(station.forward_ends.size()),
             backwards = static_cast<std::int64_t>(station.backward_ends.size());
  if (backwards == programs[s].total) return false;
  const bool last = s + 1 == stations.size();
  if (!programs[s].backward_is_next(forwards, backwards)) {
    if (s > 0 && static_cast<std::int64_t>(stations[s - 1].forward_ends.size()) <= forwards) return false;
    const std::int64_t input = s > 0 ? stations[s - 1].forward_ends[static_cast<std::size_t>(forwards)] : 0,
                       start = std::max(station.free, input);
    station.forward_ends.push_back(start + 1);
    // In the tick model a backward may share the step of the forward before it.
    station.free = start + 1;
    station.free_after_forward = model == SlotModel::tick ? start : start + 1;
    return true;
  }
  if (!last && static_cast<std::int64_t>(stations[s + 1].backward_ends.size()) <= backwards) return false;
  const std::int64_t own = station.forward_ends[static_cast<std::size_t>(backwards)],
                     input = last ? (model == SlotModel::tick ? own - 1 : own)
                                  : stations[s + 1].backward_ends[static_cast<std::size_t>(backwards)],
                     before = station.backward_ends.empty() ? 0 : station.backward_ends.back(),
                     start = std::max({station.free_after_forward, input, before});
  station.backward_ends.push_back(start + 1);
  station.free = std::max(station.free, start + 1);
  if (model == SlotModel::slot) station.free_after_forward = start + 1;
  return true;
}

}  // namespace

MemoryAccount memory_account(const Method& method, const Network& network, bool rebuilds) {
  const SemanticsRule& rule = rule_of(method.semantics);
  const CorrectorRule& corrector = rule_of(method.corrector);
  const std::int64_t optimizer = method.optimizer == Optimizer::sgdm ? 1 : method.optimizer == Optimizer::adam ? 3 : 2;
  const auto all = programs(method.semantics, method.delays, method.microbatches, method.units());
  MemoryAccount made;
  for (std::size_t s = 0; s < network.size(); ++s) {
    const std::int64_t weights = network[s].parameters(), late = method.lateness(static_cast<std::int64_t>(s));
    const std::int64_t in_flight = rule.drains ? method.microbatches : all[s].delay + 1;
    const bool remembers = corrector.predictor == Predictor::difference || method.corrector == Corrector::pipemare;
    made.weights += weights;
    made.velocity += optimizer * weights;
    made.versions += (rule.forward_lags || method.keeps_forward_weights() ? late + 1 : 1) * weights;
    made.predictors += remembers && late > 0 ? weights : 0;
    made.activations += in_flight * method.batch * (network[s].in + (rule.recomputes ? 0 : network[s].kept()));
    made.rebuild += rebuilds && method.keeps_to_rebuild(static_cast<std::int64_t>(s)) ? (late + 1) * weights : 0;
  }
  return made;
}

std::int64_t makespan(SlotModel model, std::span<const Program> programs) {
  std::vector<Station> stations(programs.size());
  bool moved = true;
  while (moved) {
    moved = false;
    for (std::size_t s = 0; s < stations.size(); ++s)
      while (run_next(model, programs, stations, s)) moved = true;
  }
  std::int64_t end = 0;
  for (std::size_t s = 0; s < stations.size(); ++s) {
    if (static_cast<std::int64_t>(stations[s].backward_ends.size()) < programs[s].total)
      throw workloads::TrialFailure("pipeline.deadlock", "stage " + std::to_string(s) + " waits for ever");
    end = std::max(end, stations[s].backward_ends.back());
  }
  return end;
}

double utilisation(SlotModel model, std::span<const Program> programs) {
  const double passes = 2 * static_cast<double>(programs.front().total),
               steps = static_cast<double>(makespan(model, programs));
  return passes / (model == SlotModel::tick ? 2 * steps : steps);
}

double utilisation(SlotModel model, const Method& method) {
  if (model == SlotModel::tick &&
      rule_of(method.semantics).drains)  // each update fills and drains, both passes at once
    return utilisation(model, programs(WeightSemantics::inconsistent, delays(DelayModel::pb, method.stages()), 1,
                                       method.microbatches));
  const bool whole = method.delay_model == DelayModel::uniform;
  const auto pipeline_delays = whole ? delays(DelayModel::one_f_one_b, method.stages()) : method.delays;
  const auto semantics = whole ? WeightSemantics::stashed : method.semantics;
  return utilisation(model, programs(semantics, pipeline_delays, method.microbatches, method.units()));
}

std::int64_t expected_count(const Method& method, std::int64_t stage, std::int64_t delay) {
  const std::int64_t late = std::min(method.lateness(stage), method.updates - 1);
  if (delay > late) return 0;
  return (delay < late ? 1 : method.updates - late) * method.microbatches;
}

}  // namespace retrial::pipeline::inline engine
