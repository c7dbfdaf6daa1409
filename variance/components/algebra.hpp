#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "variance/numbers/estimate.hpp"

/// The precision of a mean over k runs that share something: Bouthillier et al. 2021, section 3. Variances are in
/// the squared unit of the scores.
namespace retrial::variance::inline components {

/// (sigma / sigma_eps)^2: number of ideal runs that an estimator with standard deviation sigma_eps is worth.
[[nodiscard]] double effective_runs(double sigma, double sigma_eps);

/// Scores by cluster: runs that share one search, or one level of a source.
using Clusters = std::vector<std::vector<double>>;
/// InvalidInput{clusters} below one cluster, {clusters[i]} for an empty one or values that are not finite.
void require_clusters(const Clusters& clusters);

/// The published moment of a balanced table, for reproduction only: it divides by the variance within, so it is not a
/// correlation and has no upper bound. Absent if the runs of a cluster do not vary, and below two clusters or two runs.
[[nodiscard]] std::optional<double> rho_moment(const Clusters& clusters);

/// One published task: standard deviations of one ideal run and of FixHOptEst with k = 10, and the published
/// increment.
struct PublishedTask {
  std::string_view name;
  double sigma, sigma_init_100, sigma_data_100;
  std::optional<double> sigma_all_100;
  double sigma_all_10, increment;
};
/// From the constants of the simulation code of Bouthillier et al. 2021: RTE, SST-2, MHC, VOC, CIFAR10.
[[nodiscard]] std::span<const PublishedTask> published_tasks();

/// Claims about the pipeline including its search, from clusters of runs that share one search: clusters are the units.
struct ClusterMean {
  std::int64_t clusters = 0, runs = 0;
  Estimate mean;             ///< t interval on the means of the clusters; no bounds from one cluster
  std::optional<double> sd;  ///< standard deviation of the means of the clusters
};
[[nodiscard]] ClusterMean cluster_mean(const Clusters& clusters, double alpha = 0.05);

/// Cluster sign test: a cluster is won when the candidate wins more than half of its pairs (differences within
/// `tolerance` count one half), tied at one half; exact binomial over any number of untied clusters.
struct ClusterSign {
  std::int64_t wins = 0, ties = 0, losses = 0;
  double p_less = 1.0, p_greater = 1.0;  ///< one-sided; 1 if every cluster is tied
};
/// `differences`: candidate - baseline of the pairs of each cluster, oriented so that positive is better.
[[nodiscard]] ClusterSign cluster_sign(const Clusters& differences, double tolerance = 0.0);

/// Exact one-sided test that flips the signs of whole clusters (mean differences of candidate and baseline): p under
/// the hypothesis that the candidate is no better. The min p is 2^-c, so .05 needs c >= 5. 1 to 20 clusters, or
/// InvalidInput{clusters}.
[[nodiscard]] double cluster_sign_flip(std::span<const double> differences);

}  // namespace retrial::variance::inline components
