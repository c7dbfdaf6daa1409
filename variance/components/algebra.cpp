#include "variance/components/algebra.hpp"

#include <array>
#include <cmath>
#include <string>

#include "variance/numbers/check.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::variance::inline components {
namespace {

constexpr std::array bouthillier_tasks{
    PublishedTask{"RTE", .0310648928, .0196799964, .0166053300, .00979346382, .0126574536, .0267148014},
    PublishedTask{"SST-2", .00723098464, .00808232112, .00250021727, .00235616534, .00307374265, .00225479144},
    PublishedTask{"MHC", .0222285602, .0175358903, .00826071013, .00145180659, .00315734306, .0197995643},
    PublishedTask{"VOC", .0136401636, .0145698384, .00508634069, {}, .00300528537, .00519993415},
    PublishedTask{"CIFAR10", .00385872660, .00371398380, .00290138280, .00298152453, .00284166376, .0024},
};

std::vector<double> means_of(const Clusters& clusters) {
  std::vector<double> means;
  for (const auto& cluster : clusters) means.push_back(*mean(cluster));
  return means;
}

double population_variance(std::span<const double> values) {
  const double n = static_cast<double>(values.size());
  return *sample_variance(values) * (n - 1.0) / n;
}

}  // namespace

double effective_runs(double sigma, double sigma_eps) {
  require_positive("sigma", sigma);
  require_positive("sigma_eps", sigma_eps);
  return sigma / sigma_eps * (sigma / sigma_eps);
}

void require_clusters(const Clusters& clusters) {
  require_at_least("clusters", static_cast<std::int64_t>(clusters.size()), 1);
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    const std::string field = "clusters[" + std::to_string(i) + "]";
    if (clusters[i].empty()) throw InvalidInput(field, "empty", "at least one run");
    require_finite(field, clusters[i]);
  }
}

std::optional<double> rho_moment(const Clusters& clusters) {
  require_clusters(clusters);
  const std::size_t k = clusters.front().size();
  std::vector<double> within;
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    if (clusters[i].size() != k)
      throw InvalidInput("clusters[" + std::to_string(i) + "]", std::to_string(clusters[i].size()) + " runs",
                         "as many runs as the first");
    if (k > 1) within.push_back(population_variance(clusters[i]));
  }
  if (k < 2 || clusters.size() < 2) return std::nullopt;
  const double v = *mean(within), m = population_variance(means_of(clusters)), runs = static_cast<double>(k);
  if (v == 0.0) return std::nullopt;
  return (runs * m - v) / ((runs - 1.0) * v);
}

std::span<const PublishedTask> published_tasks() {
  return bouthillier_tasks;
}

ClusterMean cluster_mean(const Clusters& clusters, double alpha) {
  require_clusters(clusters);
  require_between("alpha", alpha, 0.0, 1.0);
  const auto means = means_of(clusters);
  ClusterMean result{.clusters = static_cast<std::int64_t>(clusters.size())};
  for (const auto& cluster : clusters) result.runs += static_cast<std::int64_t>(cluster.size());
  result.mean = {.point = *mean(means), .level = 1.0 - alpha, .method = "t of cluster means"};
  result.sd = sd(means);
  if (!result.sd) return result;
  const double c = static_cast<double>(clusters.size());
  const double radius = student_quantile(1.0 - alpha / 2.0, c - 1.0) * *result.sd / std::sqrt(c);
  result.mean.low = result.mean.point - radius;
  result.mean.high = result.mean.point + radius;
  return result;
}

ClusterSign cluster_sign(const Clusters& differences, double tolerance) {
  require_clusters(differences);
  ClusterSign result;
  for (const auto& cluster : differences) {
    std::int64_t balance = 0;  // won minus lost pairs
    for (const double d : cluster) balance += d > tolerance ? 1 : d < -tolerance ? -1 : 0;
    ++(balance > 0 ? result.wins : balance < 0 ? result.losses : result.ties);
  }
  const std::int64_t untied = result.wins + result.losses;
  result.p_greater = binomial_at_least(result.wins, untied, 0.5);
  result.p_less = binomial_at_most(result.wins, untied, 0.5);
  return result;
}

double cluster_sign_flip(std::span<const double> differences) {
  require_within("clusters", static_cast<std::int64_t>(differences.size()), 1, 20);
  require_finite("differences", differences);
  const std::uint32_t patterns = 1U << differences.size();
  double largest = 0.0;
  for (const double d : differences) largest += std::fabs(d);
  // Flipped sums that are equal in exact arithmetic must count as equal.
  const double slack = 1e-12 * largest;
  const auto sum_of = [&](std::uint32_t flips) {
    double sum = 0.0;
    for (std::size_t i = 0; i < differences.size(); ++i)
      sum += (flips >> i & 1U) != 0 ? -differences[i] : differences[i];
    return sum;
  };
  const double observed = sum_of(0);
  std::uint32_t as_large = 0;
  for (std::uint32_t flips = 0; flips < patterns; ++flips) as_large += sum_of(flips) >= observed - slack ? 1U : 0U;
  return static_cast<double>(as_large) / static_cast<double>(patterns);
}

}  // namespace retrial::variance::inline components
