#include "workloads/automl/problems/zero_shot.hpp"

#include <cmath>
#include <limits>

#include "tests/catch.hpp"
#include "tests/workloads/automl/formula_table.hpp"
#include "workloads/automl/learners/tuned.hpp"
#include "workloads/data/sets/tables.hpp"
#include "workloads/interface/trial/trial.hpp"

namespace retrial::tests::zero_shot_tests {

using namespace retrial;
using automl::DataProblem, automl::Hyperparameter, automl::Task, automl::tuned_elsewhere, automl::TunedTable;

namespace {

DataProblem problem_of(Task task) {
  return {std::make_shared<automl::DataSet>(test::formula_table(task, 200)), {}, {.split = 1, .order = 2, .init = 3}};
}

/// The name before the rank.
std::string table_of(const std::string& name) {
  return name.substr(0, name.find('/'));
}

}  // namespace

TEST_CASE("the shapes of tuned tables are those of the known tables") {
  for (const TunedTable& tuned : automl::tuned_tables()) {
    INFO(tuned.name);
    const auto* known = data::find_known_table(tuned.name);
    REQUIRE(known != nullptr);
    CHECK(known->rows == tuned.rows);
    CHECK(known->features == tuned.columns);
    CHECK(known->task == name_of(tuned.task));
    CHECK(!tuned.ranking.empty());
  }
}

TEST_CASE("the configurations of the nearest table are taken, within the ranges of the problem") {
  const DataProblem problem = problem_of(Task::binary);
  // Nearest by the formula of the specification (automl.md, 12.3), written out here.
  const auto& data = problem.data();
  double numbers = 0;
  for (const auto& feature : data.features) numbers += feature.categories.empty() ? 1 : 0;
  std::string nearest;
  double least = std::numeric_limits<double>::infinity();
  for (const TunedTable& table : automl::tuned_tables()) {
    if (table.task != Task::binary) continue;
    const double distance = std::pow((data.rows() - table.rows) / 42124, 2) +
                            std::pow((data.columns() - table.columns) / 130, 2) +
                            std::pow((numbers / data.columns() - table.share_of_numbers) / .571, 2);
    if (distance < least) least = distance, nearest = table.name;
  }
  const auto found = tuned_elsewhere(problem, "");
  REQUIRE(!found.empty());
  for (const auto& [name, evaluation] : found) {
    CHECK(table_of(name) == nearest);
    CHECK(evaluation.fidelity == problem.full_fidelity());
    for (const Hyperparameter& parameter : problem.space(evaluation.learner)) {
      const auto value = evaluation.configuration.find(parameter.name);
      if (value == evaluation.configuration.end() || parameter.kind == Hyperparameter::Kind::choice) continue;
      INFO(name << " " << parameter.name);
      if (const auto* whole = std::get_if<std::int64_t>(&value->second))
        CHECK((static_cast<double>(*whole) >= parameter.low && static_cast<double>(*whole) < parameter.high));
      else
        CHECK((std::get<double>(value->second) >= parameter.low && std::get<double>(value->second) <= parameter.high));
    }
  }
  // What was found on a table is never tried on it.
  for (const auto& [name, evaluation] : tuned_elsewhere(problem, nearest)) CHECK(table_of(name) != nearest);
}

TEST_CASE("a task of which no other table is known has no zero-shot configurations") {
  CHECK_THROWS_AS(tuned_elsewhere(problem_of(Task::multiclass), "digits"), workloads::TrialFailure);
  CHECK(!tuned_elsewhere(problem_of(Task::multiclass), "").empty());
  CHECK(!tuned_elsewhere(problem_of(Task::regression), "abalone").empty());
}

TEST_CASE("values are cut to the ranges, whole numbers below their end, and choices go by their text") {
  const std::vector<Hyperparameter> space{
      {.name = "n", .kind = Hyperparameter::Kind::log_integer, .low = 4, .high = 100},
      {.name = "x", .low = 0, .high = 1},
      {.name = "c", .kind = Hyperparameter::Kind::choice, .choices = {"gini", "entropy"}}};
  const automl::Chosen fitted = automl::fitted_to(
      space, {.learner = "l", .values = {{"n", 2047.0}, {"x", -1.0}, {"c", std::string("entropy")}, {"absent", 3.0}}});
  CHECK(fitted == automl::Chosen{{"n", std::int64_t{99}}, {"x", 0.0}, {"c", std::int64_t{1}}});
}

}  // namespace retrial::tests::zero_shot_tests
