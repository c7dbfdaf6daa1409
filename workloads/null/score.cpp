#include "workloads/null/score.hpp"

#include <algorithm>
#include <cmath>

#include "variance/rng.hpp"

namespace retrial::workloads::null {

namespace {

double first_normal(std::uint64_t key) {
  return variance::normal(variance::Stream(key).next());
}

/// The planted defect `dead_source` declares data-order and does not read it.
std::uint64_t seed_of(const Trial& trial, const std::string& source) {
  const bool dead = source == "data-order" && trial.text("defect") == "dead_source";
  return dead ? 0 : trial.seed(source);
}

double contribution(const Trial& trial, const std::string& source, const std::string& share_key) {
  const auto seed = seed_of(trial, source);
  const double c = trial.number("correlation");
  const double shared = first_normal(variance::derive(seed, "shared"));
  const double own = first_normal(variance::derive(variance::derive(seed, "own"), trial.variant));
  return trial.number(share_key) * (std::sqrt(c) * shared + std::sqrt(1 - c) * own);
}

}  // namespace

double score(const Trial& trial) {
  double z = contribution(trial, "init", "sd_init") + contribution(trial, "data-split", "sd_split") +
             contribution(trial, "data-order", "sd_order");
  if (trial.number("dropout") > 0) z += contribution(trial, "dropout", "dropout");
  const double effect = trial.text("defect") == "dead_key" ? 0.0 : trial.number("effect");
  return trial.number("mean") + effect + trial.number("sd") * z;
}

double on_grid(double score, double resolution) {
  return resolution > 0 ? std::round(score / resolution) * resolution : score;
}

double accuracy(double score, std::int64_t items) {
  if (std::isnan(score)) return 0.0;
  const auto all = static_cast<double>(items);
  const double right = std::clamp(std::round(score / 100 * all), 0.0, all);
  return 100 * right / all;
}

double loss(const Trial& trial, std::int64_t epoch) {
  const auto key =
      variance::derive(variance::derive(seed_of(trial, "data-order"), "loss"), static_cast<std::uint64_t>(epoch));
  return (1 + 0.1 * first_normal(key)) / static_cast<double>(epoch + 2);
}

}  // namespace retrial::workloads::null
