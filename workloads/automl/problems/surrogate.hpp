#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "results/digest/sha256.hpp"
#include "workloads/automl/problems/functions.hpp"

/// LCBench (Zimmer, Lindauer and Hutter 2021) as the network of YAHPO Gym (Pfisterer, Schneider, Moosbauer, Binder and
/// Bischl 2022) predicts it: training of a perceptron on 34 data sets, with simulated time.
namespace retrial::automl::inline problems {

/// One of the data sets.
struct LcbenchInstance {
  std::string name;       ///< OpenML task
  std::int64_t code = 0;  ///< in the network
  double best = 0;        ///< validation accuracy in percent from which regret is counted
};
[[nodiscard]] const std::vector<LcbenchInstance>& lcbench_instances();
[[nodiscard]] const LcbenchInstance* lcbench_if_known(const std::string& name);

/// The weights: 2.1 MB, fixed by their SHA-256.
class LcbenchNetwork {
 public:
  /// Reads yahpo-lcbench/model.onnx in this folder, once per process. Throws Error: incomparable where it is missing,
  /// with where to get it, or has other bytes.
  static std::shared_ptr<const LcbenchNetwork> in(const std::filesystem::path& folder);
  explicit LcbenchNetwork(std::string_view bytes);

  struct Output {
    double time_s = 0, val_accuracy = 0, val_cross_entropy = 0, val_balanced_accuracy = 0, test_cross_entropy = 0,
           test_balanced_accuracy = 0;
  };
  /// epoch, batch_size, learning_rate, momentum, weight_decay, num_layers, max_units, max_dropout.
  using Inputs = std::array<float, 8>;
  [[nodiscard]] Output operator()(std::int64_t code, const Inputs& inputs) const;
  static const results::Digest& digest();

 private:
  struct Layer;
  std::shared_ptr<const std::vector<Layer>> layers_;
  std::vector<float> embeddings_;
};

/// Configurations of the perceptron; the fidelity is the number of epochs, the loss the percentage of validation rows
/// that it gets wrong, the cost the simulated milliseconds.
class SurrogateProblem final : public BenchmarkProblem {
 public:
  SurrogateProblem(const LcbenchInstance& instance, std::shared_ptr<const LcbenchNetwork> network);
  [[nodiscard]] std::string task() const override { return "surrogate"; }
  [[nodiscard]] std::vector<std::string> learners() const override { return {"perceptron"}; }
  [[nodiscard]] std::vector<Hyperparameter> space(std::size_t) const override;
  [[nodiscard]] std::int64_t full_fidelity() const override;
  [[nodiscard]] std::int64_t declared_cost(const Evaluation& evaluation) const override;
  [[nodiscard]] Outcome evaluate(const Evaluation& evaluation) const override;
  [[nodiscard]] double minimum() const override { return 100 - instance_.best; }

 private:
  [[nodiscard]] LcbenchNetwork::Output trained(const Chosen& chosen, std::int64_t epoch) const;

  const LcbenchInstance& instance_;
  std::shared_ptr<const LcbenchNetwork> network_;
};

}  // namespace retrial::automl::inline problems
