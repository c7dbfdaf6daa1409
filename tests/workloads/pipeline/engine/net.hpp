// A small pipeline with the study's kind of network, on inputs that are drawn.
#pragma once

#include <vector>

#include "variance/random/rng.hpp"
#include "workloads/pipeline/arithmetic/elementary.hpp"
#include "workloads/pipeline/engine/engine.hpp"

namespace retrial::test {

template <typename Real>
struct NetPipeline {
  static constexpr std::int64_t features = 3, width = 5, classes = 2;

  explicit NetPipeline(const pipeline::Method& method, std::uint64_t seed = 1,
                       const pipeline::StageMath<Real>& math = pipeline::native_math<Real>())
      : NetPipeline(method, pipeline::study_network(method.stages(), width, features, classes), seed, math) {}
  /// A network of as many inputs and outputs.
  NetPipeline(const pipeline::Method& method, const pipeline::Network& of, std::uint64_t seed,
              const pipeline::StageMath<Real>& math)
      : network(of),
        pipeline(
            method, network, initial(seed),
            [batch = method.batch, features = of.front().in](std::int64_t unit, pipeline::Item<Real>& to) {
              to.clear();
              for (std::int64_t e = 0; e < batch * features; ++e)
                to.push_back(static_cast<Real>(variance::normal(
                    variance::block(5, static_cast<std::uint64_t>(unit * batch * features + e), 0)[0])));
            },
            [batch = method.batch](std::int64_t unit, pipeline::Item<Real>& out) {
              double sum = 0;
              std::vector<Real> delta(classes);
              for (std::int64_t r = 0; r < batch; ++r) {
                const auto row = std::span(out).subspan(static_cast<std::size_t>(r * classes), classes);
                const auto label =
                    variance::bounded(variance::block(6, static_cast<std::uint64_t>(unit * batch + r), 0)[0], classes);
                sum += pipeline::cross_entropy<Real>(row, label, delta);
                for (std::size_t c = 0; c < classes; ++c) row[c] = delta[c] / static_cast<Real>(batch);
              }
              return sum / static_cast<double>(batch);
            },
            math) {}

  [[nodiscard]] std::vector<std::vector<double>> initial(std::uint64_t seed) const {
    std::vector<std::vector<double>> made;
    for (std::size_t s = 0; s < network.size(); ++s)
      made.push_back(pipeline::initial_parameters(network[s], static_cast<std::int64_t>(s), seed));
    return made;
  }
  [[nodiscard]] std::vector<std::vector<Real>> weights() const {
    std::vector<std::vector<Real>> made;
    for (const auto& stage : pipeline.stages) made.push_back(stage.parameters());
    return made;
  }
  void run() { pipeline::TickEngine<Real>(pipeline).run(pipeline.method.units()); }

  pipeline::Network network;
  pipeline::Pipeline<Real> pipeline;
};

inline pipeline::Method net_method(std::int64_t stages, const std::string& delay, const std::string& semantics,
                                   const std::string& corrector = "none", std::int64_t updates = 60) {
  pipeline::Method made;
  made.delay_model = pipeline::delay_model_named(delay);
  made.delays = pipeline::delays(made.delay_model, stages, 4);
  made.semantics = pipeline::semantics_named(semantics);
  made.corrector = pipeline::corrector_named(corrector);
  made.pipemare_decay = .1;
  made.gsc_a = .5, made.gsc_b = 2;
  made.rates = {.05, .8};
  made.updates = updates;
  return made;
}

template <typename Real = float>
std::vector<std::vector<Real>> weights_of(const pipeline::Method& method) {
  NetPipeline<Real> net(method);
  net.run();
  return net.weights();
}

/// Every semantics that threads can run with every corrector that it goes with, and every optimizer.
inline std::vector<pipeline::Method> threaded_methods(std::int64_t stages, std::int64_t updates = 60) {
  std::vector<pipeline::Method> all;
  const auto add = [&](const char* delay, const char* semantics, const std::string& corrector) {
    all.push_back(net_method(stages, delay, semantics, corrector, updates));
  };
  for (const char* delay : {"pb", "one_f_one_b"})
    for (const std::string& corrector : pipeline::corrector_names()) {
      add(delay, "inconsistent", corrector);
      if (corrector == "none" || corrector == "sc") add(delay, "vertical_sync", corrector);
      if (corrector == "spectrain" || corrector == "pipemare") continue;
      add(delay, "stashed", corrector);
      add(delay, "recomputed", corrector);
    }
  add("none", "sequential", "none");
  add("none", "drained", "none");
  all.back().microbatches = 3;
  for (const auto optimizer : {pipeline::Optimizer::adam, pipeline::Optimizer::muon})
    for (const char* corrector : {"none", "lwp_v", "lwp_w"}) {
      add("pb", "inconsistent", corrector);
      all.back().optimizer = optimizer;
    }
  return all;
}

}  // namespace retrial::test
