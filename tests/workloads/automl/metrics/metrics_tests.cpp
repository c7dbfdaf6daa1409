// Values O2 to O11 of the specification of the workload: scikit-learn 1.2.1, and the definitions of its table.
#include <cmath>

#include "tests/catch.hpp"
#include "workloads/automl/metrics/metrics.hpp"

namespace retrial::tests::automl_metrics_tests {

using namespace retrial;
using automl::Answers, automl::Task;
using Numbers = std::vector<double>;

namespace {

std::optional<double> score(const std::string& metric, Task task, std::size_t classes, const Numbers& target,
                            const Numbers& given) {
  return automl::metric_if_known(metric)->value({task, classes, target, given});
}

/// One-hot answers.
Numbers certain(const std::vector<std::size_t>& guesses, std::size_t classes) {
  Numbers rows(guesses.size() * classes);
  for (std::size_t row = 0; row < guesses.size(); ++row) rows[row * classes + guesses[row]] = 1;
  return rows;
}

}  // namespace

TEST_CASE("metrics of two classes") {
  const auto two = [](const std::string& metric, const Numbers& y, const Numbers& p) {
    return *score(metric, Task::binary, 2, y, p);
  };
  CHECK_THAT(two("logloss", {1, 0, 1, 0}, {.9, .2, .7, .5}), WithinAbs(0.344581547868, 5e-13));
  CHECK_THAT(two("logloss", {1, 0}, {0, 1}), WithinAbs(36.0436533891, 5e-11));
  const Numbers y{1, 0, 1, 1, 0, 0, 1, 0, 0, 1}, s{.2, .2, .9, .6, .5, .6, .6, .1, .3, .4};
  CHECK_THAT(two("auc", y, s), WithinAbs(.74, 1e-15));
  CHECK_THAT(two("ap", y, s), WithinAbs(.744444444444, 5e-13));
  CHECK_THAT(two("logloss", y, s), WithinAbs(0.594735733084, 5e-13));
  CHECK(two("auc", {0, 1}, {.5, .5}) == .5);
  CHECK(two("accuracy", {0, 1}, {.5, .5}) == .5);  // a score of one half is class 0
}

TEST_CASE("metrics of several classes") {
  const Numbers rows{.7, .2, .1, .1, .6, .3, .2, .2, .6, .3, .4, .3}, y{0, 1, 2, 0};
  const auto three = [&](const std::string& metric) { return *score(metric, Task::multiclass, 3, y, rows); };
  CHECK_THAT(three("logloss"), WithinAbs(0.645574748949, 5e-13));
  CHECK(three("auc_ovr") == 1);
  CHECK(three("auc_ovo") == 1);
  const Numbers ten{0, 0, 1, 1, 2, 2, 2, 1, 0, 2};
  const Numbers answers{.6, .3, .1, .2, .5, .3, .3, .4, .3, .1, .7, .2, .2,  .2,  .6,
                        .4, .3, .3, .1, .5, .4, .5, .3, .2, .4, .4, .2, .05, .15, .8};
  const auto of_ten = [&](const std::string& metric) { return *score(metric, Task::multiclass, 3, ten, answers); };
  CHECK_THAT(of_ten("auc_ovr"), WithinAbs(.803571428571, 5e-13));
  CHECK_THAT(of_ten("auc_ovr_weighted"), WithinAbs(.819047619048, 5e-13));
  CHECK_THAT(of_ten("auc_ovo"), WithinAbs(.793981481481, 5e-13));
  CHECK_THAT(of_ten("auc_ovo_weighted"), WithinAbs(.803125, 5e-13));
  CHECK_THAT(of_ten("logloss"), WithinAbs(.836772545949, 5e-13));
}

TEST_CASE("metrics of decisions") {
  const Numbers y{0, 0, 0, 0, 0, 0, 1, 1, 2, 2}, given = certain({0, 0, 0, 0, 1, 1, 1, 2, 2, 2}, 3);
  const auto of = [&](const std::string& metric) { return *score(metric, Task::multiclass, 3, y, given); };
  CHECK_THAT(of("mcc"), WithinAbs(.559258940716, 5e-13));
  CHECK_THAT(of("kappa"), WithinAbs(.53125, 1e-15));
  // By hand: recalls 4/6, 1/2, 1; F1 of the classes 8/10, 2/5, 4/5.
  CHECK_THAT(of("accuracy"), WithinAbs(.7, 1e-15));
  CHECK_THAT(of("balanced_accuracy"), WithinAbs((4. / 6 + .5 + 1) / 3, 1e-15));
  CHECK_THAT(of("f1_macro"), WithinAbs((.8 + .4 + .8) / 3, 1e-15));
  CHECK_THAT(of("f1_weighted"), WithinAbs((6 * .8 + 2 * .4 + 2 * .8) / 10, 1e-15));
  CHECK_THAT(of("f1_micro"), WithinAbs(.7, 1e-15));
  CHECK(*score("mcc", Task::multiclass, 3, {0, 0}, certain({0, 0}, 3)) == 0);
  CHECK_FALSE(score("kappa", Task::multiclass, 3, {0, 0}, certain({0, 0}, 3)));
  // A class that is neither true nor answered counts in no mean.
  CHECK(*score("f1_macro", Task::multiclass, 3, {0, 1}, certain({0, 1}, 3)) == 1);
}

TEST_CASE("metrics of values") {
  const auto of = [](const std::string& metric, const Numbers& y, const Numbers& given) {
    return *score(metric, Task::regression, 0, y, given);
  };
  const Numbers y{3, -.5, 2, 7}, given{2.5, 0, 2, 8};
  CHECK_THAT(of("r2", y, given), WithinAbs(.948608137045, 5e-13));
  CHECK_THAT(of("rmse", y, given), WithinAbs(.612372435696, 5e-13));
  CHECK_THAT(of("mae", y, given), WithinAbs(.5, 1e-15));
  CHECK_THAT(of("mape", y, given), WithinAbs(.327380952381, 5e-13));
  CHECK_THAT(of("msle", {3, .5, 2, 7}, given), WithinAbs(.0490263575495, 5e-14));
  const Numbers five{1, 2, 3, 4, 5}, near{1.1, 1.9, 3.2, 3.7, 5.5};
  CHECK_THAT(of("r2", five, near), WithinAbs(.96, 1e-14));
  CHECK_THAT(of("rmse", five, near), WithinAbs(.282842712475, 5e-13));
  CHECK_THAT(of("mae", five, near), WithinAbs(.24, 1e-14));
  CHECK_THAT(of("mape", five, near), WithinAbs(.078333333333, 5e-13));
  CHECK_THAT(of("msle", five, near), WithinAbs(.0032291352165, 5e-14));
  CHECK(of("r2", {2}, {2}) == 1);  // one row: no deviation
  CHECK(of("r2", {2}, {3}) == 0);
  CHECK_FALSE(score("msle", Task::regression, 0, {-1}, {0}));
  CHECK_FALSE(score("msle", Task::regression, 0, {0}, {-2}));
}

TEST_CASE("a loss is smaller where the metric is better, and nothing where the metric is undefined") {
  const auto loss = [](const std::string& metric, Task task, std::size_t classes, const Numbers& y,
                       const Numbers& given) {
    return automl::metric_if_known(metric)->loss({task, classes, y, given});
  };
  CHECK(*loss("auc", Task::binary, 2, {0, 1}, {.1, .9}) == 0);
  CHECK(*loss("r2", Task::regression, 0, {1, 2}, {1, 2}) == 0);
  CHECK(*loss("rmse", Task::regression, 0, {1, 2}, {2, 3}) == 1);
  CHECK_FALSE(loss("auc", Task::binary, 2, {1, 1}, {.1, .9}));
  CHECK_FALSE(loss("auc_ovr", Task::multiclass, 3, {0, 1}, certain({0, 1}, 3)));
  CHECK_FALSE(loss("accuracy", Task::binary, 2, {0, 1}, {.1, std::nan("")}));
  CHECK_FALSE(loss("rmse", Task::regression, 0, {}, {}));
}

TEST_CASE("each task has its default metric, and names are those of the table") {
  CHECK(automl::default_metric(Task::binary).name == "auc");
  CHECK(automl::default_metric(Task::multiclass).name == "logloss");
  CHECK(automl::default_metric(Task::regression).name == "r2");
  CHECK(automl::metric_if_known("AUC") == nullptr);
  CHECK(automl::metrics_for(Task::regression) == std::vector<std::string>{"r2", "rmse", "mae", "msle", "mape"});
}

TEST_CASE("scaled score: 0 for the constant predictor, 1 for the forest") {
  CHECK(*automl::scaled_score(.5, .5, .9) == 0);
  CHECK(*automl::scaled_score(.9, .5, .9) == 1);
  CHECK_FALSE(automl::scaled_score(.9, .5, .5 + 1e-13));
}

}  // namespace retrial::tests::automl_metrics_tests
