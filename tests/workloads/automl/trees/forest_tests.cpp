#include <cmath>

#include "tests/catch.hpp"
#include "tests/workloads/automl/formula_table.hpp"
#include "workloads/automl/trees/forest.hpp"

namespace retrial::tests::automl_forest_tests {

using namespace retrial;
using automl::Criterion, automl::Task;

namespace {

constexpr automl::FitSeeds seeds{.init = 7, .learner = 1};

std::vector<double> answers_of(const automl::DataSet& data, const automl::ForestSettings& settings,
                               std::size_t threads = 1, std::string* digest = nullptr) {
  const automl::Rows rows = automl::all_rows(data);
  const auto model = automl::fit_forest({data, rows}, settings, seeds, threads);
  if (digest != nullptr) *digest = automl::model_digest(*model);
  return model->predict(data, rows, threads);
}

/// One column whose values are the rows' numbers.
automl::DataSet line(const std::vector<double>& target, Task task) {
  automl::DataSet data{.task = task, .features = {{"x"}}, .classes = {"0", "1"}, .target = target};
  for (std::size_t row = 0; row < target.size(); ++row) data.cells.push_back(static_cast<float>(row));
  if (task == Task::regression) data.classes.clear();
  return data;
}

}  // namespace

TEST_CASE("a tree without a cap on all rows repeats its training rows") {
  std::vector<double> classes, values;
  for (int row = 0; row < 120; ++row) {
    classes.push_back(row * row % 7 > 3);
    values.push_back(std::sin(row));
  }
  const automl::DataSet data = line(classes, Task::binary);
  const automl::Bins bins(data, automl::all_rows(data));
  const automl::TreeTarget target{.classes = 2, .codes = {classes.begin(), classes.end()}};
  const std::vector<std::uint32_t> once(classes.size(), 1);
  for (const Criterion criterion : {Criterion::gini, Criterion::entropy}) {
    const automl::Tree tree = automl::grown(bins, target, {.criterion = criterion, .max_leaves = 120}, once,
                                            [](std::uint64_t node) { return node; });
    for (std::uint32_t row = 0; row < data.rows(); ++row)
      CHECK(tree.leaves[2 * tree.leaf_of(data.row(row)) + 1] == classes[row]);
  }
  const auto means = answers_of(line(values, Task::regression), {.trees = 3, .extra = true});
  for (std::size_t row = 0; row < values.size(); ++row) CHECK_THAT(means[row], WithinAbs(values[row], 1e-9));
}

TEST_CASE("the best edge is in the middle of the gap, and a tie goes to the lowest") {
  const automl::DataSet data = line({0, 0, 1, 1, 1, 1}, Task::binary);
  const automl::Bins bins(data, automl::all_rows(data));
  CHECK(bins.edge(0, 1) == .5);
  CHECK(bins.edge(0, 2) == 1.5);
  const automl::TreeTarget target{.classes = 2, .codes = {0, 0, 1, 1, 1, 1}};
  const std::vector<std::uint32_t> once(6, 1);
  const auto key = [](std::uint64_t node) { return node; };
  for (const Criterion criterion : {Criterion::gini, Criterion::entropy}) {
    const automl::Tree tree = automl::grown(bins, target, {.criterion = criterion, .max_leaves = 6}, once, key);
    REQUIRE(tree.nodes.size() == 3);
    CHECK(tree.nodes[0].edge == 1.5);
    CHECK(tree.leaves == std::vector<double>{1, 0, 0, 1});
  }
  const automl::TreeTarget mirrored{.classes = 2, .codes = {0, 1, 1, 1, 1, 0}};
  const automl::Tree tie = automl::grown(bins, mirrored, {.max_leaves = 2}, once, key);
  CHECK(tie.nodes[0].edge == .5);
  CHECK(tie.leaves == std::vector<double>{1, 0, .2, .8});
}

TEST_CASE("growth is best first up to the cap of leaves") {
  // The right half has the larger variance, so the second split is there.
  const automl::DataSet data = line({0, 1, 100, 150}, Task::regression);
  const auto answers = answers_of(data, {.trees = 1, .max_leaves = 3, .max_features = 1, .extra = true});
  CHECK(answers[2] != answers[3]);
  const automl::Bins bins(data, automl::all_rows(data));
  const automl::TreeTarget target{.codes = {0, 28633115, 2863311531, 4294967296}, .lowest = 0, .range = 150};
  const std::vector<std::uint32_t> once(4, 1);
  const automl::Tree tree = automl::grown(bins, target, {.criterion = Criterion::variance, .max_leaves = 3}, once,
                                          [](std::uint64_t node) { return node; });
  CHECK(tree.nodes[0].edge == 1.5);
  CHECK(tree.nodes[tree.nodes[0].left].column == -1);
  CHECK(tree.nodes[tree.nodes[0].right].edge == 2.5);
}

TEST_CASE("unknown values are a bin of their own, left of all others") {
  automl::DataSet data = line({1, 0, 0, 1, 0, 0}, Task::binary);
  data.cells[0] = data.cells[3] = std::nanf("");
  const auto answers = answers_of(data, {.trees = 1, .extra = true});
  CHECK(answers == std::vector<double>{1, 0, 0, 1, 0, 0});
}

TEST_CASE("a column of many values has at most 255 bins of about equal size") {
  const automl::DataSet data = line(std::vector<double>(10000, 0), Task::regression);
  const automl::Bins bins(data, automl::all_rows(data));
  std::vector<int> counts(256);
  for (const std::uint8_t bin : bins.column(0)) ++counts[bin];
  CHECK(counts[0] == 0);
  CHECK(counts[255] == 0);
  for (int bin = 1; bin < 255; ++bin) CHECK((counts[bin] >= 39 && counts[bin] <= 40));
}

TEST_CASE("a forest is the same for any number of threads, and another for another seed, place or setting") {
  const automl::DataSet data = test::formula_table(Task::multiclass, 300, true);
  for (const bool extra : {false, true}) {
    const automl::ForestSettings settings{.trees = 20, .max_leaves = 30, .max_features = .5, .extra = extra};
    std::string one, two, eight;
    const auto answers = answers_of(data, settings, 1, &one);
    CHECK(answers == answers_of(data, settings, 2, &two));
    CHECK(answers == answers_of(data, settings, 8, &eight));
    CHECK(one == two);
    CHECK(one == eight);
    const automl::Rows rows = automl::all_rows(data);
    for (const automl::FitSeeds& other : {automl::FitSeeds{.init = 8, .learner = 1}, {.init = 7, .learner = 2}})
      CHECK(automl::model_digest(*automl::fit_forest({data, rows}, settings, other, 1)) != one);
    CHECK(answers_of(
              data,
              {.trees = 20, .max_leaves = 30, .max_features = .5, .criterion = Criterion::entropy, .extra = extra}) !=
          answers);
  }
}

TEST_CASE("a target without variance gives one leaf") {
  CHECK(answers_of(line({5, 5, 5}, Task::regression), {.trees = 2}) == std::vector<double>{5, 5, 5});
}

}  // namespace retrial::tests::automl_forest_tests
