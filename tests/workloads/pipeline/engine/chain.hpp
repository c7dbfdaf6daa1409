// The smallest pipelines: each stage multiplies by one weight, then tanh or nothing; input 1, loss (out - y)^2 / 2.
#pragma once

#include <map>
#include <vector>

#include "workloads/pipeline/engine/engine.hpp"

namespace retrial::test {

using Weights = std::vector<double>;

struct Chain {
  Weights start;
  double target = 0;
  bool tanh = false;
};

inline pipeline::Network network_of(const Chain& chain) {
  return pipeline::Network(chain.start.size(), {.in = 1, .out = 1, .bias = false, .tanh = chain.tanh});
}

/// A chain in a pipeline, one sample an update.
struct ChainPipeline {
  ChainPipeline(const Chain& chain, const pipeline::Method& method)
      : pipeline(
            method, network_of(chain), initial(chain),
            [](std::int64_t, pipeline::Item<double>& to) { to.assign(1, 1.0); },
            [y = chain.target](std::int64_t, pipeline::Item<double>& out) {
              out[0] -= y;
              return out[0] * out[0] / 2;
            }) {}

  static std::vector<std::vector<double>> initial(const Chain& chain) {
    std::vector<std::vector<double>> made;
    for (const double w : chain.start) made.push_back({w});
    return made;
  }
  [[nodiscard]] Weights weights() const {
    Weights made;
    for (const auto& stage : pipeline.stages) made.push_back(stage.parameters()[0]);
    return made;
  }

  pipeline::Pipeline<double> pipeline;
};

/// versions[s][t]: the weight of stage s after t updates of its own, up to `updates` of them.
inline std::vector<Weights> versions_of(const Chain& chain, pipeline::Method method, std::int64_t updates) {
  method.updates = updates + 1 + (method.delays.empty() ? 0 : method.delays.front());
  ChainPipeline made(chain, method);
  std::vector<std::map<std::int64_t, double>> seen(chain.start.size());
  for (std::int64_t cut = 0; cut < method.updates; ++cut) {
    pipeline::TickEngine<double>(made.pipeline).run(cut);
    for (std::size_t s = 0; s < seen.size(); ++s)
      seen[s][made.pipeline.stages[s].version()] = made.pipeline.stages[s].parameters()[0];
  }
  std::vector<Weights> all(seen.size());
  for (std::size_t s = 0; s < seen.size(); ++s)
    for (std::int64_t t = 0; t <= updates; ++t) all[s].push_back(seen[s].at(t));
  return all;
}

/// The weights behind tick t of a pipeline with a forward and a backward per stage and tick: stage s has made
/// t - 2 (S - 1) + s + 1 updates.
inline Weights behind_tick(const std::vector<Weights>& versions, std::int64_t tick) {
  const auto stages = static_cast<std::int64_t>(versions.size());
  Weights made;
  for (std::int64_t s = 0; s < stages; ++s)
    made.push_back(versions[static_cast<std::size_t>(s)]
                           [static_cast<std::size_t>(std::max(std::int64_t{0}, tick - 2 * (stages - 1) + s + 1))]);
  return made;
}

inline pipeline::Method method_of(const Chain& chain, const std::string& delay, const std::string& semantics,
                                  const std::string& corrector, double lr, double momentum, std::int64_t uniform = 1) {
  pipeline::Method made;
  made.delay_model = pipeline::delay_model_named(delay);
  made.delays = pipeline::delays(made.delay_model, static_cast<std::int64_t>(chain.start.size()), uniform);
  made.semantics = pipeline::semantics_named(semantics);
  made.corrector = pipeline::corrector_named(corrector);
  made.rates = {lr, momentum};
  return made;
}

}  // namespace retrial::test
