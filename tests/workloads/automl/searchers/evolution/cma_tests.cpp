// Group K of the specification of automated search: CMA-ES from standard formulas.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "tests/catch.hpp"
#include "workloads/automl/searchers/evolution/cma.hpp"
#include "workloads/automl/searchers/evolution/eigen.hpp"

namespace retrial::automl_cma_tests {

using namespace retrial::automl;

struct Constants {
  std::size_t d, lambda, mu;
  double mu_eff, c_sigma, c_c, c_1, c_mu, d_sigma, chi;
};

TEST_CASE("constants by dimension") {
  const std::vector<Constants> rows{{1, 4, 2, 1.459790, .463792, .689404, .296306, .027691, 1.463792, .797619},
                                    {2, 6, 3, 2.028611, .446205, .624555, .154815, .057859, 1.446205, 1.254273},
                                    {7, 9, 4, 2.840610, .326173, .373006, .027882, .028450, 0, 2.553831},
                                    {20, 12, 6, 3.729459, .199428, .171767, .004372, .008191, 0, 4.416767}};
  for (const Constants& row : rows) {
    CAPTURE(row.d);
    const auto c = cma_constants(row.d);
    CHECK(c.lambda == row.lambda);
    CHECK(c.weights.size() == row.mu);
    CHECK_THAT(c.mu_eff, WithinAbs(row.mu_eff, 1e-6));
    CHECK_THAT(c.c_sigma, WithinAbs(row.c_sigma, 1e-6));
    CHECK_THAT(c.c_c, WithinAbs(row.c_c, 1e-6));
    CHECK_THAT(c.c_1, WithinAbs(row.c_1, 1e-6));
    CHECK_THAT(c.c_mu, WithinAbs(row.c_mu, 1e-6));
    if (row.d_sigma > 0) CHECK_THAT(c.d_sigma, WithinAbs(row.d_sigma, 1e-6));
    CHECK_THAT(c.chi, WithinAbs(row.chi, 1e-6));
  }
  const auto one = cma_constants(1).weights, two = cma_constants(2).weights;
  CHECK_THAT(one[0], WithinAbs(.804163, 1e-6));
  CHECK_THAT(one[1], WithinAbs(.195837, 1e-6));
  CHECK_THAT(two[0], WithinAbs(.637043, 1e-6));
  CHECK_THAT(two[1], WithinAbs(.284570, 1e-6));
  CHECK_THAT(two[2], WithinAbs(.078387, 1e-6));
}

/// One generation from injected normals; the order of the losses must be as given.
template <typename Loss>
CmaState generation(Coordinates mean, double sigma, const std::vector<std::vector<double>>& z, const Loss& loss,
                    const std::vector<std::size_t>& expected) {
  CmaState state(mean, sigma);
  std::vector<std::vector<double>> y;
  std::vector<std::size_t> order;
  std::vector<double> losses;
  for (const auto& one : z) {
    y.push_back(state.stretched(one));
    Coordinates x = mean;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += sigma * y.back()[i];
    losses.push_back(loss(x));
    order.push_back(order.size());
  }
  std::ranges::stable_sort(order, {}, [&](std::size_t k) { return losses[k]; });
  CHECK(order == expected);
  std::vector<std::vector<double>> ranked;
  for (const std::size_t k : order) ranked.push_back(y[k]);
  state.update(ranked);
  return state;
}

TEST_CASE("one generation in two dimensions") {
  const auto state =
      generation({.5, .5}, .3, {{.5, -1}, {-1, .5}, {1.5, -.5}, {0, 1}, {-.5, -1.5}, {1, 1}},
                 [](const Coordinates& x) { return (x[0] - .7) * (x[0] - .7) + 4 * (x[1] - .2) * (x[1] - .2); },
                 {0, 2, 4, 1, 5, 3});
  CHECK_THAT(state.mean()[0], WithinAbs(0.7118549258352, 1e-10));
  CHECK_THAT(state.mean()[1], WithinAbs(0.2309274629176, 1e-10));
  CHECK_THAT(state.sigma(), WithinAbs(0.3074364207167, 1e-10));
  CHECK_THAT(state.sigma_path()[0], WithinAbs(0.8374922964909, 1e-10));
  CHECK_THAT(state.sigma_path()[1], WithinAbs(-1.0636815552690, 1e-10));
  CHECK_THAT(state.path()[0], WithinAbs(0.9322311724525, 1e-10));
  CHECK_THAT(state.path()[1], WithinAbs(-1.1840074321153, 1e-10));
  CHECK_THAT(state.covariance()[0], WithinAbs(0.9692633267606, 1e-10));
  CHECK_THAT(state.covariance()[1], WithinAbs(-0.1982569065755, 1e-10));
  CHECK_THAT(state.covariance()[3], WithinAbs(1.0555367534511, 1e-10));
}

TEST_CASE("one generation in three dimensions") {
  const auto state = generation(
      {.5, .4, .3}, .2, {{1, 0, -1}, {.5, .5, 0}, {-1, 1, .5}, {0, -1.5, 1}, {2, .5, -.5}, {-.5, 0, 0}, {.2, -.2, 1.2}},
      [](const Coordinates& x) {
        double sum = 0;
        for (std::size_t i = 0; i < 3; ++i) {
          const double gap = x[i] - .25 * static_cast<double>(i);
          sum += static_cast<double>(i + 1) * gap * gap;
        }
        return sum;
      },
      {3, 6, 5, 2, 1, 0, 4});
  CHECK_THAT(state.mean()[0], WithinAbs(0.4995596681067, 1e-10));
  CHECK_THAT(state.mean()[1], WithinAbs(0.2125935659169, 1e-10));
  CHECK_THAT(state.mean()[2], WithinAbs(0.4874064341831, 1e-10));
  CHECK_THAT(state.sigma(), WithinAbs(0.2006196517533, 1e-10));
  CHECK_THAT(state.covariance()[0], WithinAbs(0.8545052573609, 1e-10));
  CHECK_THAT(state.covariance()[4], WithinAbs(1.0741874864858, 1e-10));
  CHECK_THAT(state.covariance()[5], WithinAbs(-0.2023335350299, 1e-10));
}

TEST_CASE("eigenvectors make the matrix again, ascending, their largest component positive") {
  const std::size_t n = 6;
  std::vector<double> matrix(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) matrix[i * n + j] = 1 / static_cast<double>(i + j + 1);  // Hilbert's
  const Eigen found = eigen_of(matrix, n);
  CHECK(std::ranges::is_sorted(found.values));
  double trace = 0;
  for (std::size_t i = 0; i < n; ++i) trace += matrix[i * n + i];
  CHECK_THAT(std::accumulate(found.values.begin(), found.values.end(), 0.0), WithinRel(trace, 1e-14));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < n; ++k) sum += found.vectors[i * n + k] * found.values[k] * found.vectors[j * n + k];
      CHECK_THAT(sum, WithinAbs(matrix[i * n + j], 1e-14));
    }
}

TEST_CASE("a search converges on a long bowl, waits for its generation, and takes failures as worst") {
  std::vector<Hyperparameter> parameters;
  for (int i = 0; i < 4; ++i)
    parameters.push_back({.name = "x" + std::to_string(i), .low = -5, .high = 10, .init = -2});
  const Space space(parameters);
  const auto sampler = cma_sampler(space, {.seed = 4}, space.initial());
  std::vector<std::int64_t> ids;
  for (std::int64_t id = 0; id < 8; ++id) CHECK(sampler->propose(id));
  CHECK_FALSE(sampler->propose(8));
  double best = 1e300;
  for (std::int64_t id = 7; id >= 0; --id) sampler->observe(id, std::numeric_limits<double>::infinity());
  for (std::int64_t id = 8; id < 1500; ++id) {
    const auto next = sampler->propose(id);
    REQUIRE(next);
    double x[4], sum = 0;
    for (int i = 0; i < 4; ++i) x[i] = number(next->configuration, "x" + std::to_string(i), 0);
    for (int i = 0; i < 4; ++i) sum += std::pow(30, i) * std::pow(x[i] - 1, 2);
    CHECK(std::isfinite(sum));
    best = std::min(best, sum);
    sampler->observe(id, id % 11 == 5 ? std::numeric_limits<double>::infinity() : sum);
  }
  CHECK(best < 1e-12);
}

}  // namespace retrial::automl_cma_tests
