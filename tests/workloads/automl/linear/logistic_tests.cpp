// Expected values: scikit-learn 1.9.1, LogisticRegression on standardised columns, solvers lbfgs and saga, tolerance
// 1e-12.
#include "tests/catch.hpp"
#include "tests/workloads/automl/formula_table.hpp"
#include "workloads/automl/linear/logistic.hpp"

namespace retrial::tests::automl_logistic_tests {

using namespace retrial;
using automl::Penalty, automl::Task;

namespace {

std::vector<double> first_answers(Task task, Penalty penalty, double c, std::size_t count) {
  const automl::DataSet data = test::formula_table(task);
  const automl::Rows rows = automl::all_rows(data);
  const auto model = automl::fit_logistic({data, rows}, {.penalty = penalty, .c = c});
  std::vector<double> answers = model->predict(data, rows, 1);
  CHECK(model->iterations() > 0);
  CHECK(model->iterations() < 1000);
  answers.resize(count);
  return answers;
}

void check_near(const std::vector<double>& found, const std::vector<double>& expected) {
  for (std::size_t i = 0; i < expected.size(); ++i) CHECK_THAT(found[i], WithinAbs(expected[i], 2e-5));
}

}  // namespace

TEST_CASE("logistic regression l2: probabilities of scikit-learn") {
  check_near(first_answers(Task::binary, Penalty::l2, 1, 4), {0.465049, 0.707760, 0.319695, 0.780481});
  check_near(first_answers(Task::binary, Penalty::l2, 30, 4), {0.460066, 0.733552, 0.297844, 0.809375});
  check_near(first_answers(Task::multiclass, Penalty::l2, 1, 6),
             {0.516001, 0.478242, 0.005757, 0.424495, 0.506269, 0.069236});
  check_near(first_answers(Task::multiclass, Penalty::l2, 30, 6),
             {0.605871, 0.393089, 0.001040, 0.453142, 0.509177, 0.037681});
}

TEST_CASE("logistic regression l1: probabilities of scikit-learn") {
  check_near(first_answers(Task::binary, Penalty::l1, 1, 4), {0.434018, 0.685053, 0.339633, 0.762649});
  check_near(first_answers(Task::binary, Penalty::l1, .2, 4), {0.403759, 0.537553, 0.460517, 0.594370});
  check_near(first_answers(Task::multiclass, Penalty::l1, 1, 6),
             {0.524688, 0.467960, 0.007352, 0.439256, 0.491038, 0.069706});
  check_near(first_answers(Task::multiclass, Penalty::l1, .2, 6),
             {0.370496, 0.475850, 0.153654, 0.346181, 0.491980, 0.161840});
}

TEST_CASE("logistic regression: unknown cells, categories and constant columns") {
  automl::DataSet data = test::formula_table(Task::binary, 40, true);
  data.features[2].categories = {"x", "y", "z"};
  data.features.push_back({"constant"});
  std::vector<float> cells;
  for (std::uint32_t row = 0; row < data.rows(); ++row) {
    const float* of_row = data.cells.data() + std::size_t{row} * 3;
    cells.insert(cells.end(), of_row, of_row + 3);
    cells.push_back(7);
  }
  data.cells = cells;
  const automl::Rows rows = automl::all_rows(data);
  const auto model = automl::fit_logistic({data, rows}, {});
  for (const double answer : model->predict(data, rows, 1)) CHECK((answer > 0 && answer < 1));
  const std::string text = model->bytes();
  CHECK_THAT(text, has_text("\"b unknown\"") && has_text("\"c = y\""));
  CHECK(text.find("constant") == std::string::npos);
}

}  // namespace retrial::tests::automl_logistic_tests
