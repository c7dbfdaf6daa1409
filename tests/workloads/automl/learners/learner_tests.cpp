// Values B15 to B23 of the specification of the workload; the racy learner is the control of the self-test.
#include "workloads/automl/learners/learner.hpp"

#include <atomic>
#include <cmath>
#include <thread>

#include "results/text/error.hpp"
#include "tests/catch.hpp"
#include "workloads/automl/learners/self_test.hpp"
#include "workloads/automl/models/constant.hpp"

namespace retrial::tests::automl_learner_tests {

using namespace retrial;
using automl::Extent, automl::Hyperparameter, automl::Task;

namespace {

Hyperparameter key_of(const std::string& learner, const std::string& name, const Extent& extent) {
  for (const auto& key : automl::learner_if_known(learner)->space(extent))
    if (key.name == name) return key;
  FAIL("no " << name);
  return {};
}

/// Answers the sum of e to the power of its first column over all rows, added by all threads in whatever order they
/// come.
class RacySum final : public automl::Model {
 public:
  RacySum(const automl::Training& training, std::size_t threads) {
    std::vector<std::jthread> adders;
    for (std::size_t t = 0; t < threads; ++t)
      adders.emplace_back([&, t] {
        double sum = 0;
        for (std::size_t place = t; place < training.rows.size(); place += threads)
          sum += std::exp(static_cast<double>(training.data.row(training.rows[place])[0]));
        for (double before = sum_.load(); !sum_.compare_exchange_weak(before, before + sum);) {
        }
      });
  }
  [[nodiscard]] std::vector<double> predict(const automl::DataSet&, std::span<const std::uint32_t> rows,
                                            std::size_t) const override {
    return std::vector<double>(rows.size(), sum_.load());
  }
  [[nodiscard]] std::string bytes() const override { return "sum"; }

 private:
  std::atomic<double> sum_ = 0;
};

/// Counts its trainings, and gives the count to its model.
class Counted final : public automl::Model {
 public:
  [[nodiscard]] std::vector<double> predict(const automl::DataSet&, std::span<const std::uint32_t> rows,
                                            std::size_t) const override {
    return std::vector<double>(rows.size());
  }
  [[nodiscard]] std::string bytes() const override { return std::to_string(number_); }

 private:
  static inline int trained = 0;
  int number_ = ++trained;
};

}  // namespace

TEST_CASE("bounds that depend on the data") {
  struct Row {
    Extent extent;
    double most, depth, trees, features_low, features_init, leaves;
  };
  for (const Row& row : {Row{{Task::binary, 1000, 20, 2}, 1000, 9, 1000, .1, .223607, 500},
                         Row{{Task::binary, 5404, 5, 2}, 5404, 12, 2048, .1, .447214, 2702},
                         Row{{Task::multiclass, 150, 4, 3}, 150, 7, 150, .1, .5, 75},
                         Row{{Task::binary, 569, 30, 2}, 569, 9, 569, .1, .182574, 284}}) {
    INFO(row.extent.rows);
    CHECK(key_of("xgboost", "n_estimators", row.extent).high == row.most);
    CHECK(key_of("lgbm", "num_leaves", row.extent).high == row.most);
    CHECK(key_of("xgb_limitdepth", "max_depth", row.extent).high - 1 == row.depth);
    CHECK(key_of("rf", "n_estimators", row.extent).high == row.trees);
    CHECK(key_of("rf", "max_features", row.extent).low == row.features_low);
    CHECK_THAT(key_of("extra_tree", "max_features", row.extent).init, WithinAbs(row.features_init, 5e-7));
    CHECK(key_of("rf", "max_leaves", row.extent).high == row.leaves);
  }
  CHECK(key_of("rf", "max_features", {Task::regression, 100, 16, 0}).init == 1);
}

TEST_CASE("every start lies in its own domain") {
  for (const Task task : {Task::binary, Task::multiclass, Task::regression})
    for (const std::uint64_t rows : {5, 6, 7, 10, 64, 127, 128, 1000, 32767, 32768, 32769, 1000000})
      for (const std::uint64_t columns : {1, 2, 20, 100, 10000})
        for (const auto& learner : automl::all_learners())
          for (const auto& key : learner.space({task, rows, columns, task == Task::regression ? 0U : 3U})) {
            INFO(learner.name << "." << key.name << " at " << rows << " x " << columns);
            using Kind = Hyperparameter::Kind;
            const bool counted = key.kind == Kind::integer || key.kind == Kind::log_integer;
            const double last = key.kind == Kind::choice ? static_cast<double>(key.choices.size() - 1)
                                : counted                ? key.high - 1
                                                         : key.high;
            const double first = key.kind == Kind::choice ? 0 : key.low;
            CHECK((key.init >= first && key.init <= last));
            if (key.cheapest) CHECK((*key.cheapest >= first && *key.cheapest <= last));
          }
}

TEST_CASE("the size of a model is a formula of trees and leaves") {
  CHECK(automl::model_bytes({4, 4}) == 800);
  CHECK(automl::model_bytes({100, 64}) == 356000);
  CHECK(automl::model_bytes({2048, 37449}) == 4294901760);
  CHECK(automl::model_bytes({}) == 0);
  CHECK(automl::complexity({10, 30}) == 300);
  CHECK(automl::complexity({}) == 1);
  const auto& deep = *automl::learner_if_known("xgb_limitdepth");
  CHECK(deep.trees({{"n_estimators", std::int64_t{10}}, {"max_depth", std::int64_t{3}}}, {Task::binary, 1000, 2, 2})
            .leaves == 8);
  CHECK(deep.trees({{"n_estimators", std::int64_t{10}}, {"max_depth", std::int64_t{16}}}, {Task::binary, 1000, 2, 2})
            .leaves == 1000);
}

TEST_CASE("learners give the same bits on any number of threads") {
  for (const Task task : {Task::binary, Task::multiclass, Task::regression})
    for (const std::string& name : automl::learners_for(task)) {
      const automl::Learner& learner = *automl::learner_if_known(name);
      if (name == "mlp") continue;  // tests/workloads/automl/networks/perceptron_torch_tests.cpp
      if (const std::string reason = learner.absent(); !reason.empty()) {
        WARN("left out: " << name << ": " << reason << " (scripts/setup)");
        continue;
      }
      INFO(name << ", " << automl::name_of(task));
      const auto found = automl::self_test(learner, task, 3);
      CHECK(found.bitwise);
      CHECK(found.difference.empty());
    }
}

TEST_CASE("a learner with a racy sum fails its self-test, and so does one that never gives the same model") {
  automl::Learner racy = *automl::learner_if_known("constant");
  racy.name = "racy";
  racy.fit = [](const automl::Training& training, const automl::Chosen&, const automl::FitSeeds&, std::size_t threads) {
    return std::make_unique<RacySum>(training, threads);
  };
  const auto found = automl::self_test(racy, Task::regression, 4);
  CHECK_FALSE(found.bitwise);
  CHECK(found.difference == "racy: the predictions on 2 threads differ from those on 1");
  automl::Learner counted = racy;
  counted.fit = [](const automl::Training&, const automl::Chosen&, const automl::FitSeeds&, std::size_t) {
    return std::make_unique<Counted>();
  };
  CHECK(automl::self_test(counted, Task::binary, 2).difference ==
        "racy: the model of a second training differs from that of the first");
}

TEST_CASE("an unknown learner, and one of classes on values, are refused with what is allowed") {
  const auto problem = [](const std::string& name, Task task) {
    try {
      (void)automl::require_learner(name, task);
    } catch (const Error& wrong) {
      CHECK(wrong.text.exit == Exit::usage);
      return std::string(wrong.what()) + " | " + wrong.text.help;
    }
    return std::string();
  };
  CHECK_THAT(problem("xgbost", Task::binary),
             has_text("automl.learners = xgbost: unknown learner (allowed: lgbm, xgboost, rf, "
                      "extra_tree, xgb_limitdepth, lrl1, lrl2, mlp, constant)") &&
                 has_text("did you mean xgboost?"));
  CHECK_THAT(problem("lrl2", Task::regression), has_text("it fits classes only"));
  CHECK(problem("rf", Task::regression).empty());
}

TEST_CASE("references are configurations of learners that are there") {
  for (const auto& reference : automl::all_references()) {
    INFO(reference.name);
    const auto* learner = automl::learner_if_known(reference.learner);
    REQUIRE(learner != nullptr);
    for (const auto& [name, value] : reference.configuration({Task::binary, 100, 4, 2}))
      CHECK(key_of(reference.learner, name, {Task::binary, 100, 4, 2}).name == name);
  }
}

}  // namespace retrial::tests::automl_learner_tests
