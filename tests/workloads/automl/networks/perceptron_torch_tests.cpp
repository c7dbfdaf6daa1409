// Tables with a known answer: exclusive or, which no linear model learns, and a line. Bits are compared with those of a
// second training, on other threads and beside other trainings.
#include <cmath>
#include <thread>

#include "results/json/json.hpp"
#include "tests/catch.hpp"
#include "variance/random/rng.hpp"
#include "workloads/automl/learners/self_test.hpp"
#include "workloads/automl/linear/logistic.hpp"
#include "workloads/automl/networks/perceptron.hpp"

namespace retrial::tests::automl_perceptron_torch_tests {

using namespace retrial;
using automl::Task;

namespace {

/// 400 points of the square; class: whether both coordinates have the same sign; value: 3 x - 2 y + 100.
automl::DataSet points(Task task) {
  automl::DataSet data{.name = "points", .task = task, .features = {{"x"}, {"y"}}};
  variance::Stream draws(7);
  for (int i = 0; i < 400; ++i) {
    const double x = 2 * variance::uniform(draws.next()) - 1, y = 2 * variance::uniform(draws.next()) - 1;
    data.cells.insert(data.cells.end(), {static_cast<float>(x), static_cast<float>(y)});
    data.target.push_back(task == Task::regression ? 3 * x - 2 * y + 100
                          : task == Task::binary   ? (x * y > 0 ? 1.0 : 0.0)
                                                   : (x > .3  ? 2.0
                                                      : y > 0 ? 1.0
                                                              : 0.0));
  }
  if (task == Task::binary) data.classes = {"other", "same"};
  if (task == Task::multiclass) data.classes = {"a", "b", "c"};
  return data;
}

constexpr automl::PerceptronSettings long_enough{
    .epochs = 60, .batch = 32, .layers = 2, .units = 32, .learning_rate = .05};

std::unique_ptr<automl::Model> trained(const automl::DataSet& data, const automl::PerceptronSettings& settings,
                                       std::uint64_t init = 1) {
  const auto rows = automl::all_rows(data);
  return automl::fit_perceptron({data, rows}, settings, {.init = init});
}

double accuracy(const automl::DataSet& data, const automl::Model& model) {
  const auto answers = model.predict(data, automl::all_rows(data), 1);
  const std::size_t width = automl::outputs_of(data);
  double right = 0;
  for (std::size_t r = 0; r < data.target.size(); ++r) {
    const auto row = std::span(answers).subspan(r * width, width);
    const auto answer = width == 1 ? static_cast<double>(row[0] > .5)
                                   : static_cast<double>(std::ranges::max_element(row) - row.begin());
    right += answer == data.target[r];
  }
  return right / static_cast<double>(data.target.size());
}

}  // namespace

TEST_CASE("a perceptron learns what no linear model can, a line, and three classes") {
  const auto both = points(Task::binary), three = points(Task::multiclass), line = points(Task::regression);
  const auto rows = automl::all_rows(both);
  CHECK(accuracy(both, *automl::fit_logistic({both, rows}, {})) < .7);
  CHECK(accuracy(both, *trained(both, long_enough)) > .95);
  CHECK(accuracy(three, *trained(three, long_enough)) > .95);
  const auto answers = trained(line, long_enough)->predict(line, rows, 1);
  double worst = 0;
  for (std::size_t r = 0; r < rows.size(); ++r) worst = std::max(worst, std::fabs(answers[r] - line.target[r]));
  CHECK(worst < .5);  // values go from 95 to 105
}

TEST_CASE("probabilities of classes sum to 1, and a column that is constant changes nothing") {
  const auto three = points(Task::multiclass);
  const auto answers = trained(three, {})->predict(three, automl::all_rows(three), 1);
  for (std::size_t r = 0; r < answers.size(); r += 3) CHECK(answers[r] + answers[r + 1] + answers[r + 2] == Approx(1));
}

TEST_CASE("the model has as many numbers as its cost counts, with their sizes") {
  const auto three = points(Task::multiclass);
  const auto model = results::parse_json(trained(three, {.layers = 3, .units = 64})->bytes(), "model");
  std::size_t numbers = 0;
  for (const auto& [name, tensor] : model.at("tensors").items()) numbers += tensor.at("values").size();
  CHECK(numbers == automl::weights_of({.layers = 3, .units = 64}, 2, 3));
  CHECK(model.at("tensors").at("layer2.weight").at("sizes") == Json{64, 64});
}

TEST_CASE("equal seeds give equal bits on any thread; each key changes the model") {
  const auto data = points(Task::binary);
  const automl::PerceptronSettings settings{.epochs = 2, .units = 256, .dropout = .2};
  const auto first = automl::model_digest(*trained(data, settings));
  CHECK(automl::model_digest(*trained(data, settings)) == first);
  std::vector<std::string> others(3);
  {
    std::vector<std::jthread> threads;
    for (auto& other : others) threads.emplace_back([&] { other = automl::model_digest(*trained(data, settings)); });
  }
  for (const auto& other : others) CHECK(other == first);
  CHECK(automl::model_digest(*trained(data, settings, 2)) != first);
  auto without = settings;
  without.dropout = 0;
  CHECK(automl::model_digest(*trained(data, without)) != first);
}

TEST_CASE("the perceptron passes the self-test of learners") {
  for (const Task task : {Task::binary, Task::multiclass, Task::regression}) {
    const auto found = automl::self_test(*automl::learner_if_known("mlp"), task, 3);
    CHECK(found.difference.empty());
  }
}

}  // namespace retrial::tests::automl_perceptron_torch_tests
