#pragma once

#include <span>
#include <vector>

#include "workloads/automl/searchers/proposals/sampler.hpp"

/// CMA-ES (Hansen and Ostermeier 2001; constants of Hansen's tutorial, no negative weights): a normal distribution that
/// moves to the better half of its draws and learns their covariance.
namespace retrial::automl::inline searchers::inline evolution {

struct CmaConstants {
  std::size_t lambda = 0;       ///< draws of a generation
  std::vector<double> weights;  ///< of the better half, best first
  double mu_eff = 0, c_sigma = 0, c_c = 0, c_1 = 0, c_mu = 0, d_sigma = 0, chi = 0;
};
/// lambda 0: 4 + floor(3 ln d).
[[nodiscard]] CmaConstants cma_constants(std::size_t dimensions, std::size_t lambda = 0);

/// The distribution, generation by generation.
class CmaState {
 public:
  CmaState(Coordinates mean, double sigma, std::size_t lambda = 0);
  [[nodiscard]] const CmaConstants& constants() const { return constants_; }
  [[nodiscard]] const Coordinates& mean() const { return mean_; }
  [[nodiscard]] double sigma() const { return sigma_; }
  [[nodiscard]] const std::vector<double>& covariance() const { return covariance_; }  ///< d rows of d
  [[nodiscard]] const std::vector<double>& sigma_path() const { return sigma_path_; }
  [[nodiscard]] const std::vector<double>& path() const { return path_; }
  /// y = B D z of independent normals z; the point is mean + sigma y.
  [[nodiscard]] std::vector<double> stretched(std::span<const double> z) const;
  /// From the y of a generation, best first.
  void update(std::span<const std::vector<double>> ranked);
  /// sigma times the longest axis.
  [[nodiscard]] double spread() const;

 private:
  void decompose();

  CmaConstants constants_;
  Coordinates mean_;
  double sigma_;
  std::vector<double> covariance_, vectors_, lengths_, sigma_path_, path_;
  std::int64_t generation_ = 1;
};

/// Starts at `start` with a sixth of each range. A generation is proposed when all of the last one are delivered. One
/// that has contracted starts again at the next Halton point with twice the draws. Draws: S(hopt, sampler, learner,
/// restart, generation).
[[nodiscard]] std::unique_ptr<Sampler> cma_sampler(const Space& space, const Draws& draws, const Chosen& start);

}  // namespace retrial::automl::inline searchers::inline evolution
