// Bands of quality: results of the AutoML Benchmark 2019 (group P of the specification of the workload).
#include "workloads/automl/problems/data_problem.hpp"

#include <cmath>
#include <set>

#include "results/text/error.hpp"
#include "tests/catch.hpp"
#include "tests/workloads/automl/formula_table.hpp"
#include "tests/workloads/data/files/data_folder.hpp"
#include "variance/numbers/parallel.hpp"
#include "workloads/automl/core/cost.hpp"
#include "workloads/automl/datasets/load.hpp"

namespace retrial::tests::automl_data_problem_tests {

using namespace retrial;
using automl::DataProblem, automl::DataSeeds, automl::DataSettings, automl::Evaluation, automl::Task;

namespace {

std::shared_ptr<const automl::DataSet> table(Task task, std::uint32_t rows = 300) {
  return std::make_shared<automl::DataSet>(test::formula_table(task, rows, true));
}

const DataSettings forests{.learners = {"rf"}, .resampling = automl::ResamplingChoice::cross_validation, .folds = 3};
constexpr DataSeeds seeds{.split = 1, .order = 2, .init = 3};

Evaluation small_forest(const DataProblem& problem, std::int64_t id = 0) {
  return {.id = id,
          .configuration = {{"n_estimators", std::int64_t{5}}, {"max_leaves", std::int64_t{8}}, {"max_features", .6}},
          .fidelity = problem.full_fidelity()};
}

std::string problem_of(const std::shared_ptr<const automl::DataSet>& data, const DataSettings& settings) try {
  (void)DataProblem(data, settings, seeds);
  return "";
} catch (const Error& wrong) {
  CHECK(wrong.text.exit == Exit::usage);
  return wrong.what();
}

}  // namespace

TEST_CASE("an evaluation is a function of itself: again, after others, and on any number of threads") {
  for (const Task task : {Task::binary, Task::multiclass, Task::regression}) {
    const DataProblem problem(table(task), forests, seeds);
    const auto first = problem.evaluate(small_forest(problem));
    (void)problem.evaluate(small_forest(problem, 1));
    CHECK(problem.evaluate(small_forest(problem)).fold_losses == first.fold_losses);
    DataSettings threaded = forests;
    threaded.learner_threads = 3;
    CHECK(DataProblem(table(task), threaded, seeds).evaluate(small_forest(problem)).fold_losses == first.fold_losses);
    REQUIRE(first.fold_losses.size() == 3);
    CHECK_THAT(first.loss, WithinAbs((first.fold_losses[0] + first.fold_losses[1] + first.fold_losses[2]) / 3, 1e-15));
  }
}

TEST_CASE("evaluations that run at the same time give what they give one after the other") {
  DataSettings settings = forests;
  settings.learners.clear();
  for (const std::string& name : automl::default_learners(Task::multiclass))
    if (automl::learner_if_known(name)->absent().empty()) settings.learners.push_back(name);
  const DataProblem problem(table(Task::multiclass), settings, seeds);
  std::vector<Evaluation> evaluations;
  for (std::size_t i = 0; i < 2 * settings.learners.size(); ++i)
    evaluations.push_back({.id = static_cast<std::int64_t>(i),
                           .learner = i % settings.learners.size(),
                           .configuration = {{"n_estimators", std::int64_t{6}}},
                           .fidelity = problem.full_fidelity()});
  std::vector<std::vector<double>> alone, together(evaluations.size());
  for (const auto& evaluation : evaluations) alone.push_back(problem.evaluate(evaluation).fold_losses);
  variance::parallel_for(evaluations.size(), 4,
                         [&](std::size_t i) { together[i] = problem.evaluate(evaluations[i]).fold_losses; });
  CHECK(together == alone);
}

TEST_CASE("each source alone changes what a search on data sees") {
  const auto losses = [](const DataSeeds& given, const std::string& learner) {
    DataSettings settings = forests;
    settings.learners = {learner};
    const DataProblem problem(table(Task::regression, 500), settings, given);
    Evaluation evaluation = small_forest(problem);
    if (learner == "xgboost") evaluation.configuration = {{"n_estimators", std::int64_t{5}}, {"subsample", .5}};
    return problem.evaluate(evaluation).fold_losses;
  };
  const auto base = losses(seeds, "rf");
  CHECK(losses({.split = 9, .order = 2, .init = 3}, "rf") != base);
  CHECK(losses({.split = 1, .order = 9, .init = 3}, "rf") != base);
  CHECK(losses({.split = 1, .order = 2, .init = 9}, "rf") != base);
  if (!automl::learner_if_known("xgboost")->absent().empty()) return;
  const auto boosted = losses(seeds, "xgboost");
  CHECK(losses({.split = 1, .order = 9, .init = 3}, "xgboost") != boosted);
  CHECK(losses({.split = 1, .order = 2, .init = 9}, "xgboost") != boosted);
}

TEST_CASE("the outer test rows are seen by no evaluation") {
  auto data = std::make_shared<automl::DataSet>(test::formula_table(Task::regression, 200));
  const DataProblem problem(data, forests, seeds);
  const auto before = problem.evaluate(small_forest(problem));
  auto changed = std::make_shared<automl::DataSet>(*data);
  for (const std::uint32_t row : problem.outer().test) changed->target[row] = 1e6;
  CHECK(DataProblem(changed, forests, seeds).evaluate(small_forest(problem)).fold_losses == before.fold_losses);
  // The control: a row that trains.
  changed->target[problem.outer().train.front()] = 1e6;
  CHECK(DataProblem(changed, forests, seeds).evaluate(small_forest(problem)).fold_losses != before.fold_losses);
}

TEST_CASE("reshuffled inner splits are those of the evaluation") {
  DataSettings settings = forests;
  settings.reshuffle = true;
  const DataProblem problem(table(Task::binary), settings, seeds), fixed(table(Task::binary), forests, seeds);
  CHECK(problem.evaluate(small_forest(problem, 5)).fold_losses ==
        problem.evaluate(small_forest(problem, 5)).fold_losses);
  CHECK(problem.evaluate(small_forest(problem, 5)).fold_losses !=
        problem.evaluate(small_forest(problem, 6)).fold_losses);
  CHECK(fixed.evaluate(small_forest(fixed, 5)).fold_losses == fixed.evaluate(small_forest(fixed, 6)).fold_losses);
}

TEST_CASE("a hold-out is trained on the first rows of an order, and validates on the same rows") {
  DataSettings settings = forests;
  settings.resampling = automl::ResamplingChoice::holdout;
  const DataProblem problem(table(Task::binary, 1000), settings, seeds);
  CHECK(problem.subsamples());
  CHECK(problem.full_fidelity() == 720);  // 800 of the outer training part, less a tenth
  Evaluation part = small_forest(problem);
  const auto whole = problem.evaluate(part);
  CHECK(whole.fold_losses.empty());
  part.fidelity = 100;
  CHECK(problem.evaluate(part).loss != whole.loss);
  CHECK(problem.declared_cost(part) < problem.declared_cost(small_forest(problem)));
}

TEST_CASE("declared costs are those of the formulas, summed over folds, and charged unless a learner stops early") {
  DataSettings settings = forests;
  settings.learners = {"rf", "lrl2", "constant"};
  const DataProblem problem(table(Task::binary, 300), settings, seeds);
  Evaluation evaluation = small_forest(problem);
  // 240 outer training rows, 3 folds: 160 rows each; 2 classes; 3 columns of which .6 are tried.
  const auto forest = automl::forest_cost(
      {.trees = 5, .outputs = 2, .rows = 160, .columns = 3, .columns_share = 600, .leaves = 8}, {5, 3});
  CHECK(problem.declared_cost(evaluation) == 3 * forest);
  CHECK(problem.evaluate(evaluation).cost == 3 * forest);
  CHECK(problem.cost_is_declared(0));
  const Evaluation linear{.learner = 1, .configuration = {{"C", 1.0}}, .fidelity = problem.full_fidelity()};
  // One column has unknown cells: 4 columns after encoding.
  CHECK(problem.declared_cost(linear) == 3 * automl::logistic_cost(1000, 160, 4, 1, {8, 3}));
  const auto charged = problem.evaluate(linear).cost;
  CHECK((charged >= 3 && charged < problem.declared_cost(linear)));
  CHECK_FALSE(problem.cost_is_declared(1));
  CHECK(problem.evaluate({.learner = 2, .fidelity = 1}).cost == 3);
}

TEST_CASE("a failure costs its evaluation and says why") {
  DataSettings settings = forests;
  settings.guard_bytes = 1000;
  const DataProblem guarded(table(Task::binary), settings, seeds);
  const auto refused = guarded.evaluate(small_forest(guarded));
  CHECK(refused.error == "over_memory");
  CHECK(refused.cost == 1);
  CHECK(guarded.declared_cost(small_forest(guarded)) == 1);  // else it would take its whole cost of the budget
  CHECK(std::isinf(refused.loss));
  // 5 trees of 8 leaves: 8 * 5 * (24 + 28 + 1) bytes.
  CHECK(refused.detail == "a model of 2120 bytes");
  if (!automl::learner_if_known("xgboost")->absent().empty()) return;
  settings.learners = {"xgboost"};
  settings.guard_bytes = std::uint64_t{4} << 30;
  const DataProblem boosted(table(Task::binary), settings, seeds);
  const Evaluation wrong{.configuration = {{"learning_rate", -1.0}}, .fidelity = boosted.full_fidelity()};
  const auto failed = boosted.evaluate(wrong);
  CHECK(failed.error == "learner_failed");
  CHECK_THAT(failed.detail, has_text("learning_rate"));
  CHECK(failed.cost == boosted.declared_cost(wrong));
}

TEST_CASE("settings that do not fit the data are refused with what is allowed") {
  DataSettings settings = forests;
  settings.metric = "auk";
  CHECK_THAT(problem_of(table(Task::binary), settings),
             has_text("automl.metric = auk: unknown metric (allowed: auc, logloss"));
  settings.metric = "r2";
  CHECK_THAT(problem_of(table(Task::binary), settings), has_text("not a metric of the task binary"));
  settings.metric = "msle";
  auto negative = std::make_shared<automl::DataSet>(test::formula_table(Task::regression));
  negative->target[0] = -1;
  CHECK_THAT(problem_of(negative, settings),
             has_text("the target has values of -1 or less (allowed: r2, rmse, mae, mape)"));
  settings = forests;
  settings.outer_fold = 5;
  CHECK_THAT(problem_of(table(Task::binary), settings),
             has_text("automl.outer_fold = 5: no such fold (allowed: 0 to 4)"));
  settings = forests;
  settings.learners = {"rf", "rf"};
  CHECK_THAT(problem_of(table(Task::binary), settings), has_text("named twice"));
  // Class 1 has 6 rows: 5 outer folds leave 4 or 5 of them.
  auto rare = std::make_shared<automl::DataSet>(test::formula_table(Task::binary, 100));
  for (std::size_t row = 0; row < 100; ++row) rare->target[row] = row < 6 ? 1 : 0;
  settings = forests;
  settings.folds = 6;
  CHECK_THAT(problem_of(rare, settings), has_text("automl.folds = 6: class yes has"));
  settings.outer_folds = 7;
  CHECK_THAT(problem_of(rare, settings),
             has_text("automl.outer_folds = 7: class yes has 6 rows") && has_text("allowed: 2 to 6"));
}

TEST_CASE("the refitted model answers the outer test rows") {
  for (const std::string reference : {"forest500", "logistic", "constant", "xgb-default", "lgbm-default"}) {
    const auto& known = *automl::reference_if_known(reference);
    if (!automl::learner_if_known(known.learner)->absent().empty()) continue;
    DataSettings settings = forests;
    settings.learners = {known.learner};
    const DataProblem problem(table(Task::binary), settings, seeds);
    const auto refitted = problem.refitted(problem.reference(reference));
    INFO(reference);
    CHECK(refitted.predictions.size() == problem.outer().test.size());
    CHECK(refitted.score);
    CHECK(refitted.model->bytes().size() > 10);
    CHECK(automl::model_digest(*refitted.model) ==
          automl::model_digest(*problem.refitted(problem.reference(reference)).model));
  }
}

TEST_CASE("forests of 500 trees score as published ones [needs-data][slow]", "[needs-data][slow]") {
  const auto folder = test::real_data("tabular");
  if (!folder) return;
  struct Band {
    std::string set;
    double low, high, sd;
  };
  for (const Band& band : {Band{"credit-g", .7826, .7955, .036}, Band{"phoneme", .9626, .9689, .009}}) {
    const auto data = std::make_shared<automl::DataSet>(automl::load_known_set(band.set, *folder));
    double sum = 0;
    for (std::uint32_t fold = 0; fold < 10; ++fold) {
      DataSettings settings = forests;
      settings.outer_folds = 10;
      settings.outer_fold = fold;
      const DataProblem problem(data, settings, seeds);
      sum += *problem.refitted(problem.reference("forest500")).score;
    }
    const double error = band.sd / std::sqrt(10.);
    INFO(band.set << " " << sum / 10);
    CHECK((sum / 10 > band.low - 3 * error && sum / 10 < band.high + 3 * error));
  }
}

}  // namespace retrial::tests::automl_data_problem_tests
