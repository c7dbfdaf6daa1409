#include "workloads/pipeline/engine/engine.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "workloads/interface/trial/trial.hpp"
#include "workloads/pipeline/engine/worker.hpp"

namespace retrial::pipeline::inline engine {
namespace {

template <typename Real>
void write_queue(nn::StateWriter& to, const Fifo<Item<Real>>& queue) {
  to.number("queue", queue.size());
  for (std::size_t i = 0; i < queue.size(); ++i) {
    to.number("item", queue.at(i).size());
    to.bytes("values", std::as_bytes(std::span(queue.at(i))));
  }
}

template <typename Real>
void read_queue(nn::StateReader& from, Fifo<Item<Real>>& queue, std::size_t most) {
  queue = {};
  for (std::uint64_t left = from.number("queue"); left > 0; --left) {
    const std::uint64_t size = from.number("item");
    if (size > most) throw workloads::TrialFailure("checkpoint.damaged", "the saved state is damaged, at \"item\"");
    Item<Real> item(size);
    from.bytes("values", std::as_writable_bytes(std::span(item)));
    queue.push(item);
  }
}

}  // namespace

template <typename Real>
Pipeline<Real>::Pipeline(const Method& of, const Network& network, std::vector<std::vector<double>> initial,
                         Feed<Real> inputs, LossOf<Real> loss_of_outputs, const StageMath<Real>& math)
    : method(of), rebuilds(math.rebuilds()), feed(std::move(inputs)), loss(std::move(loss_of_outputs)) {
  const auto all = programs(method.semantics, method.delays, method.microbatches, method.units());
  stages.reserve(network.size());
  for (std::size_t s = 0; s < network.size(); ++s)
    stages.emplace_back(method, network[s], static_cast<std::int64_t>(s), all[s], std::exchange(initial[s], {}), math);
  activations.resize(network.size());
  gradients.resize(network.size());
}

template <typename Real>
bool Pipeline<Real>::finished() const {
  return std::all_of(stages.begin(), stages.end(), [](const Stage<Real>& stage) {
    return stage.ended() || stage.backwards() == stage.program().total;
  });
}

template <typename Real>
bool Pipeline<Real>::weights_finite() const {
  return std::all_of(stages.begin(), stages.end(), [](const Stage<Real>& stage) {
    return std::all_of(stage.parameters().begin(), stage.parameters().end(), [](Real w) { return std::isfinite(w); });
  });
}

template <typename Real>
void Pipeline<Real>::save(nn::StateWriter& to) const {
  to.number("diverged", static_cast<std::uint64_t>(diverged_unit + 1));
  for (std::size_t s = 0; s < stages.size(); ++s) {
    stages[s].save(to);
    write_queue(to, activations[s]);
    write_queue(to, gradients[s]);
  }
}

template <typename Real>
void Pipeline<Real>::load(nn::StateReader& from) {
  diverged_unit = static_cast<std::int64_t>(from.number("diverged")) - 1;
  for (std::size_t s = 0; s < stages.size(); ++s) {
    const Layer& layer = stages[s].layer();
    stages[s].load(from);
    read_queue(from, activations[s], static_cast<std::size_t>(method.batch * layer.in));
    read_queue(from, gradients[s], static_cast<std::size_t>(method.batch * layer.out));
  }
}

template <typename Real>
void TickEngine<Real>::run(std::int64_t cut) {
  Worker<Real>(pipeline_, 0, pipeline_.stage_count(), {}).run(cut);
}

template struct Pipeline<float>;
template struct Pipeline<double>;
template class TickEngine<float>;
template class TickEngine<double>;

}  // namespace retrial::pipeline::inline engine
