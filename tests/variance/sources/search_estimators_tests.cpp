#include "variance/sources/search_estimators.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/variance/verdict/fields.hpp"
#include "variance/random/rng.hpp"

namespace retrial::tests::search_estimators_tests {

using namespace retrial::variance;
using Values = std::vector<double>;

namespace {
const Clusters table{{.912, .918, .915, .909}, {.921, .926, .919, .924}, {.905, .911, .908, .902}};
const std::vector<std::string> varied_sources{"data-split", "init", "order"};
}  // namespace

TEST_CASE("effective runs of the published tasks") {
  const auto tasks = published_tasks();
  CHECK_THAT(effective_runs(tasks[0].sigma, tasks[0].sigma_init_100), WithinRel(2.49167, 1e-5));
  CHECK_THAT(effective_runs(tasks[0].sigma, tasks[0].sigma_data_100), WithinRel(3.49981, 1e-5));
  CHECK_THAT(effective_runs(tasks[0].sigma, *tasks[0].sigma_all_100), WithinRel(10.0616, 1e-5));
  CHECK_THAT(effective_runs(tasks[2].sigma, *tasks[2].sigma_all_100), WithinRel(234.426, 1e-5));
  CHECK_THAT(effective_runs(tasks[4].sigma, *tasks[4].sigma_all_100), WithinRel(1.67499, 1e-5));
  CHECK_FALSE(tasks[3].sigma_all_100);
}

TEST_CASE("claims about a pipeline count searches, not runs") {
  const auto result = cluster_mean(table);
  CHECK_THAT(result.mean.point, WithinAbs(.9141666667, 1e-10));
  CHECK_THAT(*result.sd, WithinAbs(.0080208063, 1e-10));
  CHECK_THAT(*result.mean.low, WithinAbs(.8942418793, 1e-9));
  CHECK_THAT(*result.mean.high, WithinAbs(.9340914540, 1e-9));
  CHECK_FALSE(cluster_mean({{1, 2, 3}}).mean.low);  // one search carries no claim about the pipeline
  // Taking the twelve runs for independent would be three times too sure.
  Values all;
  for (const auto& c : table) all.insert(all.end(), c.begin(), c.end());
  const auto naive = ideal_est(all, 0, varied_sources);
  CHECK(*result.mean.high - *result.mean.low > 3 * (*naive.mean.high - *naive.mean.low));
}

TEST_CASE("flipping whole clusters is exact and takes five of them") {
  CHECK(cluster_sign_flip(Values{1, 1, 1, 1, 1}) == 1.0 / 32);
  CHECK(cluster_sign_flip(Values{1, 2, 3, 4}) == 1.0 / 16);  // above .05 whatever the scores
  CHECK(cluster_sign_flip(Values{-1, -2, -3}) == 1.0);
  CHECK(cluster_sign_flip(Values{3, -1}) == .5);
  CHECK(cluster_sign_flip(Values{.1, .2, -.3}) ==
        cluster_sign_flip(Values{1, 2, -3}));  // ties of sums survive rounding
  CHECK(refused_field([] { (void)cluster_sign_flip(Values(21, 1.0)); }) == "clusters");
}

TEST_CASE("the cluster sign test counts clusters by who won more of their pairs") {
  // Won, won, lost, tied (one pair each), tied (a pair within the tolerance and one of each): 2 of 3 untied, 4/8 and
  // 7/8.
  const Clusters clusters{{1, 1, -5}, {.2}, {-1, -2, 9}, {1, -9}, {1e-9, 1, -1}};
  const auto sign = cluster_sign(clusters, 1e-6);
  CHECK(sign.wins == 2);
  CHECK(sign.losses == 1);
  CHECK(sign.ties == 2);
  CHECK_THAT(sign.p_greater, WithinAbs(4.0 / 8, 1e-12));
  CHECK_THAT(sign.p_less, WithinAbs(7.0 / 8, 1e-12));
  CHECK_THAT(cluster_sign(Clusters(25, {1, 2})).p_greater, WithinRel(std::ldexp(1.0, -25), 1e-9));
  CHECK(cluster_sign({{0, 0}, {1, -1}}).p_greater == 1.0);
}

TEST_CASE("a cluster test holds its level where runs taken for independent do not") {
  int clustered = 0, naive = 0;
  constexpr int series = 1000;
  for (std::uint64_t i = 0; i < series; ++i) {
    Stream draws(21, i);
    Values means;
    Clusters clusters(6);
    Values all;
    for (auto& cluster : clusters) {
      const double shared = normal(draws.next());
      double sum = 0;
      for (int k = 0; k < 10; ++k) {
        cluster.push_back(shared + normal(draws.next()));
        sum += cluster.back();
      }
      means.push_back(sum / 10);
      all.insert(all.end(), cluster.begin(), cluster.end());
    }
    clustered += cluster_sign_flip(means) <= .05 ? 1 : 0;
    naive += *ideal_est(all, 0, varied_sources, .1).mean.low > 0 ? 1 : 0;
  }
  CHECK(clustered <= 71);  // .05 and three standard errors; exactly 3/64
  CHECK(clustered >= 25);
  CHECK(naive > 150);
}

TEST_CASE("an ideal estimate reports what it re-drew and what it cost") {
  const Values scores{1, 2, 3, 4};
  const auto ideal = ideal_est(scores, 200, varied_sources);
  CHECK(ideal.trainings == 804);
  CHECK(ideal.randomised.back() == "search");
  CHECK(ideal.mean.point == 2.5);
  CHECK_FALSE(ideal_est(Values{1}, 200, varied_sources).mean.low);
  CHECK(refused_field([] { (void)ideal_est(Values{}, 1, varied_sources); }) == "runs");
}

TEST_CASE("a study of an estimator finds the correlation it was simulated with") {
  // sigma^2 = 1 with rho = .4 frozen per repetition: floor .4, k* at 50 runs 1 / (.4 + .6 / 50).
  Clusters repetitions;
  for (std::uint64_t r = 0; r < 400; ++r) {
    Stream draws(17, r);
    const double frozen = std::sqrt(.4) * normal(draws.next());
    repetitions.emplace_back();
    for (int k = 0; k < 50; ++k) repetitions.back().push_back(frozen + std::sqrt(.6) * normal(draws.next()));
  }
  const auto study = estimator_study(repetitions, 0, 1, 5, 20);
  CHECK_THAT(study.rho, WithinAbs(.4, .05));
  CHECK_THAT(study.effective, WithinRel(1 / .412, .2));
  CHECK_THAT(study.bias, WithinAbs(0, 3 * study.bias_se));
  // The variance of the mean of k runs with mutual correlation rho: 1 / k + (k - 1) / k rho.
  for (const std::size_t k : {1, 5, 50})
    CHECK_THAT(study.sd_of_mean[k - 1], WithinRel(std::sqrt(.4 + .6 / static_cast<double>(k)), .1));
  CHECK(study.ideal[49] == 1 / std::sqrt(50.0));
  CHECK_THAT(study.mse, WithinAbs(study.sd_of_mean[49] * study.sd_of_mean[49] + study.bias * study.bias, 1e-12));
  CHECK(refused_field([] { (void)estimator_study({{1, 2}, {1}}, 0, 1, 1); }) == "repetitions[1]");
}

TEST_CASE("a budget is shared between searches and runs") {
  // 5 searches of 20 runs reach standard error .005 with 600 trainings (optimum k = sqrt(100 * 4)).
  const auto plan = plan_budget(600, 100, 1e-4, 4e-4);
  CHECK(plan.searches == 5);
  CHECK(plan.runs_per_search == 20);
  CHECK(plan.trainings == 600);
  CHECK(plan.se <= .005);
  CHECK(plan.se < plan.ideal_se);
  CHECK(refused_field([] { (void)plan_budget(201, 100, 1, 1); }) == "budget");
}

TEST_CASE("no other split of the budget does better") {
  const double budget = 1000, search = 30, between = 2, within = 5;
  const auto plan = plan_budget(budget, search, between, within);
  for (double c = 2; c <= 32; ++c)
    for (double k = 1; c * (search + k) <= budget; ++k) CHECK((between + within / k) / c >= plan.se * plan.se - 1e-15);
  // Without variance between searches, as few searches as a claim about the pipeline takes.
  CHECK(plan_budget(budget, search, 0, within).searches == 2);
}

}  // namespace retrial::tests::search_estimators_tests
