// Counts and rates by hand; the training itself is in perceptron_torch_tests.cpp.
#include "workloads/automl/networks/perceptron.hpp"

#include <cmath>

#include "tests/catch.hpp"
#include "tests/workloads/automl/formula_table.hpp"
#include "workloads/automl/core/cost.hpp"
#include "workloads/automl/datasets/encoding.hpp"
#include "workloads/interface/trial/trial.hpp"

namespace retrial::tests::automl_perceptron_tests {

using namespace retrial;

TEST_CASE("weights and biases are counted layer by layer") {
  // 10 columns, two layers of 64, 3 classes: 11 * 64 + 65 * 64 + 65 * 3.
  CHECK(automl::weights_of({.layers = 2, .units = 64}, 10, 3) == 704 + 4160 + 195);
  CHECK(automl::weights_of({.layers = 1, .units = 64}, 10, 1) == 704 + 65);
  // 1,000 rows in 8 batches: 20 * (.3 * 769 + 12 * 8 * .769 + 45 * 64 + 320 * 8 * 2) = 166,090.48
  CHECK(automl::network_cost({20, 1000, 128, 1, 64, 769}) == 166091);
  CHECK(automl::network_cost({1, 1, 16, 0, 0, 0}, {1, 1000}) == 1);
}

TEST_CASE("the rate falls from its first value to 0 by a half cosine") {
  const automl::PerceptronSettings settings{.epochs = 4, .learning_rate = .8};
  CHECK(automl::cosine_rate(settings, 0) == .8);
  CHECK(automl::cosine_rate(settings, 1) == Approx(.4 * (1 + std::sqrt(.5))).epsilon(1e-14));
  CHECK(automl::cosine_rate(settings, 2) == Approx(.4).epsilon(1e-14));
  CHECK(automl::cosine_rate(settings, 4) == Approx(0).margin(1e-16));
}

TEST_CASE("of many categories the most frequent have a column each, and the others share one") {
  // Categories 0 to 3, 4, 3, 2 and 2 times; of 2 and 3, which are equally frequent, the first is kept.
  automl::DataSet data{
      .name = "categories", .task = automl::Task::regression, .features = {{"c", {"p", "q", "r", "s"}}}};
  data.cells = {0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 3};
  data.target.assign(data.cells.size(), 0);
  const automl::DenseEncoding encoding(data, automl::all_rows(data), 3);
  REQUIRE(encoding.width() == 4);
  const auto columns = encoding.described(data);
  CHECK(columns.at(2).at("name") == "c = r");
  CHECK(columns.at(3).at("name") == "c = another");
  CHECK(columns.at(3).at("mean").get<double>() == Approx(2.0 / 11));
  const std::vector<std::uint32_t> last{10};
  const auto cells = encoding.apply(data, last);
  CHECK(cells[2] < 0);
  CHECK(cells[3] > 0);
  // One fewer category than the limit: none is left for the shared column, which would be constant.
  CHECK(automl::DenseEncoding(data, automl::all_rows(data), 5).width() == 4);
  CHECK(automl::DenseEncoding(data, automl::all_rows(data), 4).width() == 4);
}

TEST_CASE("a worker without LibTorch says so") {
  const auto data = test::formula_table(automl::Task::binary);
  const auto rows = automl::all_rows(data);
  CHECK_THROWS_WITH(automl::fit_perceptron({data, rows}, {}, {}), Catch::Contains("no LibTorch"));
}

}  // namespace retrial::tests::automl_perceptron_tests
