// Expected answers: the Python packages xgboost 3.2.0 and lightgbm 4.7.0 with the same parameters on the same rows.
#include "tests/catch.hpp"
#include "tests/workloads/automl/formula_table.hpp"
#include "workloads/automl/boosting/boosting.hpp"
#include "workloads/automl/boosting/lightgbm_api.hpp"
#include "workloads/automl/boosting/xgboost_api.hpp"
#include "workloads/interface/trial/trial.hpp"

namespace retrial::tests::automl_boosting_tests {

using namespace retrial;
using automl::BoostingSettings, automl::Task;

namespace {

bool present(const automl::Library& library) {
  if (library.absent().empty()) return true;
  WARN("left out: " << library.absent() << " (scripts/setup)");
  return false;
}

using Fit = std::unique_ptr<automl::Model> (*)(const automl::Training&, const BoostingSettings&,
                                               const automl::FitSeeds&, std::size_t);

struct Fitted {
  std::vector<double> answers;
  std::string digest;
};

Fitted fitted(Fit fit, Task task, const BoostingSettings& settings, std::size_t threads, std::uint32_t rows = 200) {
  const automl::DataSet data = test::formula_table(task, rows, true);
  const automl::Rows all = automl::all_rows(data);
  const auto model = fit({data, all}, settings, {.of_library = 11}, threads);
  return {model->predict(data, all, threads), automl::model_digest(*model)};
}

void check_first(const Fitted& found, const std::vector<double>& expected) {
  for (std::size_t i = 0; i < expected.size(); ++i) CHECK_THAT(found.answers[i], WithinAbs(expected[i], 2e-6));
}

void check_threads(Fit fit, const BoostingSettings& settings) {
  for (const Task task : {Task::binary, Task::multiclass, Task::regression}) {
    const Fitted one = fitted(fit, task, settings, 1, 3000);
    for (const std::size_t threads : {1U, 2U, 3U}) {
      const Fitted again = fitted(fit, task, settings, threads, 3000);
      CHECK(again.answers == one.answers);
      CHECK(again.digest == one.digest);
    }
  }
}

const BoostingSettings leafwise{.rounds = 5,
                                .max_leaves = 6,
                                .learning_rate = .3,
                                .min_child_samples = 5,
                                .subsample = 1,
                                .alpha = .01,
                                .lambda = 1};

}  // namespace

TEST_CASE("xgboost: the answers of the Python package") {
  if (!present(automl::xgboost_api().library)) return;
  check_first(fitted(automl::fit_xgboost, Task::binary, leafwise, 1),
              {0.28892273, 0.69590938, 0.47248802, 0.74195355, 0.52617389, 0.32732576});
  check_first(fitted(automl::fit_xgboost, Task::multiclass, leafwise, 1),
              {0.45299983, 0.4046073, 0.14239289, 0.22168159, 0.68717229, 0.091146126});
  BoostingSettings deep = leafwise;
  deep.max_leaves = 0;
  deep.max_depth = 3;
  check_first(fitted(automl::fit_xgboost, Task::regression, deep, 1),
              {0.33298576, 0.59218764, 0.67283762, 1.2398986, 0.79058391, 0.74184889});
}

TEST_CASE("lightgbm: the answers of the Python package") {
  if (!present(automl::lightgbm_api().library)) return;
  check_first(fitted(automl::fit_lightgbm, Task::binary, leafwise, 1),
              {0.32682536, 0.64162781, 0.47680989, 0.73570519, 0.53049294, 0.33210711});
  check_first(fitted(automl::fit_lightgbm, Task::multiclass, leafwise, 1),
              {0.38668449, 0.49818765, 0.11512786, 0.20729981, 0.72769959, 0.065000601});
  check_first(fitted(automl::fit_lightgbm, Task::regression, leafwise, 1),
              {0.35947326, 0.57278967, 0.64287372, 1.3103742, 0.75992814, 0.77691877});
}

TEST_CASE("boosted trees are the same for any number of threads") {
  const BoostingSettings settings{
      .rounds = 8, .max_leaves = 20, .subsample = .7, .columns_by_tree = .8, .columns_by_level = .8};
  if (present(automl::xgboost_api().library)) check_threads(automl::fit_xgboost, settings);
  if (present(automl::lightgbm_api().library)) check_threads(automl::fit_lightgbm, settings);
}

TEST_CASE("a refusal of the library is a failure with its text") {
  BoostingSettings wrong = leafwise;
  wrong.learning_rate = -1;
  const auto failure_of = [&](Fit fit) -> std::string {
    try {
      (void)fitted(fit, Task::binary, wrong, 1);
    } catch (const workloads::TrialFailure& failure) {
      return failure.kind + ": " + failure.what();
    }
    return "";
  };
  if (present(automl::xgboost_api().library))
    CHECK_THAT(failure_of(automl::fit_xgboost), has_text("automl.learner_failed: ") && has_text("learning_rate"));
  if (present(automl::lightgbm_api().library))
    CHECK_THAT(failure_of(automl::fit_lightgbm), has_text("automl.learner_failed: ") && has_text("learning_rate"));
}

TEST_CASE("a library that is missing, or another one, is absent with the reason") {
  ::setenv("RETRIAL_NO_LEARNER", "/nowhere/libxgboost.so", 1);
  CHECK_THAT(automl::Library("RETRIAL_NO_LEARNER", "learners/none.so", {}).absent(),
             has_text("RETRIAL_NO_LEARNER: /nowhere/libxgboost.so: cannot open"));
  ::setenv("RETRIAL_NO_LEARNER", "libz.so.1", 1);
  CHECK_THAT(automl::Library("RETRIAL_NO_LEARNER", "learners/none.so", {"XGBoostVersion"}).absent(),
             has_text("libz.so.1: no function XGBoostVersion"));
  ::unsetenv("RETRIAL_NO_LEARNER");
  CHECK(automl::Library("RETRIAL_NO_LEARNER", "learners/none.so", {}).absent() == "its library was not fetched");
}

}  // namespace retrial::tests::automl_boosting_tests
