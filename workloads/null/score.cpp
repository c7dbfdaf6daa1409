#include "workloads/null/score.hpp"

#include <algorithm>
#include <cmath>

#include "variance/random/rng.hpp"

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

double standard_normal(const Trial& trial, std::uint64_t seed) {
  const double c = trial.number("correlation");
  const double shared = first_normal(variance::derive(seed, "shared"));
  const double own = first_normal(variance::derive(variance::derive(seed, "own"), trial.variant));
  return std::sqrt(c) * shared + std::sqrt(1 - c) * own;
}

double standard_normal(const Trial& trial, const std::string& source) {
  return standard_normal(trial, seed_of(trial, source));
}

double lost_by_lr(const Trial& trial) {
  const double decades = variance::log(trial.number("lr") / trial.number("optimum")) / variance::log(10.0);
  return trial.number("curvature") * decades * decades;
}

double score_with(const Trial& trial, double z_split) {
  const double z_init = standard_normal(trial, "init");
  double z = trial.number("sd_init") * z_init + trial.number("sd_split") * z_split +
             trial.number("sd_order") * standard_normal(trial, "data-order");
  if (trial.number("dropout") > 0) z += trial.number("dropout") * standard_normal(trial, "dropout");
  if (trial.number("interaction") > 0) z += trial.number("interaction") * z_init * z_split;
  const double effect = trial.text("defect") == "dead_key" ? 0.0 : trial.number("effect");
  const double score = trial.number("mean") + effect + trial.number("sd") * z;
  return trial.number("curvature") > 0 ? score - lost_by_lr(trial) : score;
}

}  // namespace

double score(const Trial& trial) {
  return score_with(trial, standard_normal(trial, "data-split"));
}

double validation_score(const Trial& trial) {
  return score_with(trial, standard_normal(trial, variance::derive(seed_of(trial, "data-split"), "validation")));
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
