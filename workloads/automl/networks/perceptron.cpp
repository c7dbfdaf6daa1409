#include "workloads/automl/networks/perceptron.hpp"

#include <cmath>
#include <numbers>

#include "workloads/interface/trial/trial.hpp"

namespace retrial::automl::inline networks {
namespace {

decltype(&fit_perceptron)& offered_fit() {
  static decltype(&fit_perceptron) fit = nullptr;
  return fit;
}

}  // namespace

std::uint64_t weights_of(const PerceptronSettings& settings, std::uint64_t columns, std::uint64_t outputs) {
  const auto units = static_cast<std::uint64_t>(settings.units),
             inner = static_cast<std::uint64_t>(settings.layers - 1);
  return (columns + 1) * units + inner * (units + 1) * units + (units + 1) * outputs;
}

double cosine_rate(const PerceptronSettings& settings, std::int64_t epoch) {
  const double share = static_cast<double>(epoch) / static_cast<double>(settings.epochs);
  return settings.learning_rate * (1 + std::cos(std::numbers::pi * share)) / 2;
}

OfferPerceptron::OfferPerceptron(decltype(&fit_perceptron) fit) {
  offered_fit() = fit;
}

std::unique_ptr<Model> fit_perceptron(const Training& training, const PerceptronSettings& settings,
                                      const FitSeeds& seeds) {
  if (offered_fit() == nullptr)
    throw workloads::TrialFailure("automl.learner_absent", "this worker has no LibTorch, which trains mlp");
  return offered_fit()(training, settings, seeds);
}

}  // namespace retrial::automl::inline networks
