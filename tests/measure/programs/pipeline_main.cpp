// Trainings of workload pipeline for peers to repeat (tests/measure/peers/pipeline.py), on its native stages.
//   retrial_pipeline trajectory KEY=VALUE...   prints layers, initial weights, samples in their order, rates and
//   delays,
//                                              and the weights after each quarter of the run, as JSON
//   retrial_pipeline rate KEY=VALUE...         prints {"samples":...,"cpu_s":...,"wall_s":...,"digest":...}
#include <chrono>
#include <ctime>
#include <iostream>
#include <string>

#include "results/json/json.hpp"
#include "results/text/text.hpp"
#include "tests/workloads/interface/log_recorder.hpp"
#include "workloads/pipeline/keys.hpp"
#include "workloads/pipeline/samples.hpp"

namespace {

using namespace retrial;

/// Row by row, the bias behind.
template <typename Real>
std::vector<Real> by_rows(const pipeline::Layer& layer, const std::vector<Real>& stored) {
  const auto in = static_cast<std::size_t>(layer.in), out = static_cast<std::size_t>(layer.out);
  std::vector<Real> made = stored;
  for (std::size_t i = 0; i < in; ++i)
    for (std::size_t j = 0; j < out; ++j) made[j * in + i] = stored[i * out + j];
  return made;
}

template <typename Real>
struct Training {
  explicit Training(const workloads::Trial& trial)
      : task(pipeline::task_of(trial, {})),
        network(pipeline::network_from(trial.values)),
        pipeline(pipeline::pipeline_of<Real>(trial, task.train, pipeline::method_from(trial.values))) {}

  [[nodiscard]] Json weights() const {
    Json made = Json::array();
    for (const auto& stage : pipeline.stages) made.push_back(by_rows(stage.layer(), stage.parameters()));
    return made;
  }

  pipeline::Task task;
  pipeline::Network network;
  pipeline::Pipeline<Real> pipeline;
};

/// A run stands before the forward of a sample; stages behind the first have then made fewer updates, as many as their
/// delay says. At the end all have made all.
Json trajectory(const workloads::Trial& trial) {
  Training<double> training(trial);
  const pipeline::Method& method = training.pipeline.method;
  Json layers = Json::array(), rows = Json::array(), labels = Json::array(), after = Json::array();
  for (const pipeline::Layer& layer : training.network)
    layers.push_back({{"in", layer.in}, {"out", layer.out}, {"tanh", layer.tanh}, {"residual", layer.residual}});
  pipeline::SampleOrder order(trial.seed("data-order"), static_cast<std::uint32_t>(training.task.train.labels.size()));
  std::vector<float> values;
  for (std::int64_t i = 0; i < method.units(); ++i) {
    training.task.train.read(order.row(i), values);
    rows.push_back(values);
    labels.push_back(training.task.train.labels[order.row(i)]);
  }
  Json document{{"layers", layers},       {"rows", rows},
                {"labels", labels},       {"initial", training.weights()},
                {"lr", method.rates.lr},  {"momentum", method.rates.momentum},
                {"delays", method.delays}};
  for (int quarter = 1; quarter <= 4; ++quarter) {
    pipeline::TickEngine<double>(training.pipeline).run(method.units() * quarter / 4);
    Json updates = Json::array();
    for (const auto& stage : training.pipeline.stages) updates.push_back(stage.version());
    after.push_back({{"updates", updates}, {"weights", training.weights()}});
  }
  document["after"] = after;
  return document;
}

Json rate(const workloads::Trial& trial) {
  Training<float> training(trial);
  const std::int64_t samples = training.pipeline.method.units();
  const std::clock_t start = std::clock();
  const auto wall_start = std::chrono::steady_clock::now();
  if (pipeline::is_threaded(trial.values))
    pipeline::ThreadedEngine<float>(training.pipeline, trial.integer("workers"), trial.integer("queue")).run(samples);
  else
    pipeline::TickEngine<float>(training.pipeline).run(samples);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - wall_start;
  const double cpu = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  std::string digests;
  for (const auto& stage : training.pipeline.stages)
    digests += results::hex16(pipeline::WeightGuard::digest_of(std::as_bytes(std::span(stage.parameters()))));
  return {{"samples", samples}, {"cpu_s", cpu}, {"wall_s", wall.count()}, {"digest", digests}};
}

}  // namespace

int main(int count, char** words) {
  const std::string what = count > 1 ? words[1] : "";
  const workloads::Declaration& declaration = workloads::find_workload(pipeline::workload_name, "");
  Values values;
  for (int i = 2; i < count; ++i) {
    const std::string word = words[i], key = word.substr(0, word.find('='));
    values[key] = workloads::parsed(declaration, key, word.substr(std::min(word.size(), key.size() + 1)), "");
  }
  const workloads::Trial trial = workloads::trial_of(pipeline::workload_name, values);
  for (const auto& problem : pipeline::validate(trial.values)) {
    std::cerr << problem.key << ": " << problem.problem << "\n";
    return 2;
  }
  std::cout << (what == "rate" ? rate(trial) : trajectory(trial)).dump() << "\n";
}
