#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "variance/components/algebra.hpp"
#include "variance/wins/decide.hpp"

/// Rates at which decision criteria call the candidate better, as a function of the true P(A > B): the study of
/// Bouthillier et al. 2021 (their last figure), by simulation and in closed form. Scores are normal with equal spread;
/// `biased` runs share one search, which shifts all scores of a variant by N(0, sigma_eps^2).
namespace retrial::variance::inline audit {

/// The improvement that counts as meaningful, in units of sigma: the published text, the published code, z_gamma sqrt 2
/// (the only one consistent with P(A > B) = Phi(difference / (sqrt 2 sigma))).
enum class DeltaConvention { published_text, published_code, consistent };
[[nodiscard]] double delta_over_sigma(DeltaConvention convention, double gamma = 0.75);

/// Only pab_exact and oracle_t have size at most alpha for ideal runs; the others are shown as known mistakes.
enum class Criterion {
  single,         ///< one run of each differs by more than delta
  average,        ///< means of k runs differ by more than delta
  pab_published,  ///< percentile interval of the pairs won, infinitely many resamples: above 1/2, and reaching above
                  ///< gamma
  pab_exact,      ///< the exact fixed rule of k pairs
  oracle_t        ///< t test on the number of pairs that gamma needs, known spread
};
constexpr std::size_t criterion_count = 5;

struct ErrorSettings {
  std::int64_t k = 50;  ///< runs of each variant
  Levels levels = {};
  DeltaConvention delta = DeltaConvention::published_code;
};
/// Spread of one ideal run, and of the shift shared by the runs of one search, in the unit of the metric.
struct ErrorTask {
  std::string name;
  double sigma = 1.0, sigma_eps = 0.0;
};
/// The published five, sigma_eps of FixHOptEst(10, all).
[[nodiscard]] std::vector<ErrorTask> published_error_tasks();

/// Rates of acceptance in [0, 1], by criterion (in the order of the enumeration).
struct ErrorRates {
  double p = 0.5;
  std::vector<double> ideal, biased;
};

/// Closed forms: normal and binomial tails, the shift by quadrature. p in (0, 1); 1 is treated as .999.
[[nodiscard]] ErrorRates exact_error_rates(const ErrorTask& task, double p, const ErrorSettings& settings = {});

struct ErrorSimulation {
  ErrorSettings settings = {};
  std::int64_t simulations = 10'000;  ///< per point
  std::uint64_t key = 0;              ///< simulation s draws from stream s of purpose "audit"
};
/// rates[task][point]: all tasks, points and criteria use the same normals in a simulation, so that curves are smooth
/// and criteria are compared on the same data. Standard error sqrt(q (1 - q) / simulations).
[[nodiscard]] std::vector<std::vector<ErrorRates>> simulate_error_rates(std::span<const ErrorTask> tasks,
                                                                        std::span<const double> points,
                                                                        const ErrorSimulation& simulation);
/// Mean over tasks for each point.
[[nodiscard]] std::vector<ErrorRates> mean_over_tasks(std::span<const std::vector<ErrorRates>> rates);

/// Min wins out of k that the published rule accepts; k + 1 if none.
[[nodiscard]] std::int64_t published_min_wins(std::int64_t k, const Levels& levels = {});

}  // namespace retrial::variance::inline audit
