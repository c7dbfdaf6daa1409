// Values A14 to A22 and D1 to D6 of the specification of the workload.
#include <cmath>
#include <limits>

#include "results/text/error.hpp"
#include "tests/catch.hpp"
#include "workloads/automl/datasets/splits.hpp"

namespace retrial::tests::automl_splits_tests {

using namespace retrial;
using Rows = std::vector<std::uint32_t>;

namespace {

const Rows twelve{0, 1, 0, 0, 2, 1, 0, 2, 0, 1, 0, 1}, ten(10, 0);

Rows folds(const Rows& classes, std::uint32_t count, const automl::KeyOfClass& key) {
  return automl::stratified_folds(classes, count, key);
}

std::string problem_of(const Rows& classes, std::uint32_t count, const std::vector<std::string>& names) try {
  automl::require_rows(classes, count, "outer_folds", names);
  return "";
} catch (const Error& wrong) {
  CHECK(wrong.text.exit == Exit::usage);
  return wrong.what();
}

}  // namespace

TEST_CASE("outer folds, stratified and plain") {
  CHECK(folds(twelve, 3, automl::outer_keys(1)) == Rows{2, 2, 1, 2, 1, 0, 0, 2, 0, 0, 1, 1});
  CHECK(folds(ten, 3, automl::outer_keys(1)) == Rows{0, 1, 2, 0, 0, 0, 2, 1, 1, 2});
}

TEST_CASE("inner folds, fixed and drawn again for an evaluation") {
  CHECK(automl::inner_keys(1, 0)(0) == 0xd3e6afcf42426c29);
  CHECK(automl::inner_keys(1, 5)(0) == 0xa80236589c999e21);
  CHECK(folds(twelve, 3, automl::inner_keys(1, 0)) == Rows{2, 1, 0, 0, 2, 0, 1, 1, 1, 2, 2, 0});
  CHECK(folds(twelve, 3, automl::inner_keys(1, 5)) == Rows{1, 0, 1, 0, 1, 1, 0, 2, 2, 0, 2, 2});
  CHECK(folds(ten, 3, automl::inner_keys(1, 0)) == Rows{0, 0, 1, 1, 2, 2, 0, 1, 2, 0});
}

TEST_CASE("stratified orders, whose prefixes keep the shares") {
  CHECK(automl::stratified_order(twelve, automl::order_keys(1)) == Rows{3, 5, 10, 7, 9, 8, 6, 1, 0, 4, 11, 2});
  CHECK(automl::stratified_order(twelve, automl::order_keys(2)) == Rows{0, 5, 10, 7, 9, 3, 8, 11, 6, 4, 1, 2});
  Rows classes(1000);
  for (std::size_t row = 0; row < classes.size(); ++row) classes[row] = row % 10 < 7 ? 0 : row % 10 < 9 ? 1 : 2;
  const Rows order = automl::stratified_order(classes, automl::order_keys(3));
  std::vector<double> taken(3);
  const std::vector<double> share{.7, .2, .1};
  for (std::size_t place = 0; place < order.size(); ++place) {
    ++taken[classes[order[place]]];
    for (std::size_t k = 0; k < 3; ++k)
      REQUIRE(std::fabs(taken[k] - share[k] * static_cast<double>(place + 1)) < 1 + 1e-9);
  }
}

TEST_CASE("a class with fewer rows than folds is named, with the largest number of folds") {
  const std::vector<std::string> names{"a", "b", "c"};
  CHECK_THAT(problem_of(twelve, 3, names),
             has_text("automl.outer_folds = 3: class c has 2 rows") && has_text("allowed: 2 to 2"));
  CHECK(problem_of({0, 0, 0, 1, 1, 1}, 3, {"a", "b"}).empty());
  CHECK_THAT(problem_of({0, 0, 1}, 2, {"a", "b"}),
             has_text("class b has 1 row to divide") && has_text("leave the class out"));
  CHECK_THAT(problem_of({0, 0}, 3, {}), has_text("more folds than the 2 rows"));
}

TEST_CASE("cross-validation or hold-out, by cells and budget") {
  const auto at = [](std::uint64_t rows, std::uint64_t columns, double seconds) {
    return automl::decide_resampling(rows, columns, seconds / 3600);
  };
  constexpr auto cv = automl::Resampling::cross_validation, holdout = automl::Resampling::holdout;
  for (const double seconds : {60., 600., 3600.}) CHECK(at(1000, 20, seconds) == cv);
  CHECK(at(32561, 14, 60) == holdout);
  CHECK(at(32561, 14, 600) == cv);
  CHECK(at(32561, 14, 182.341) == holdout);
  CHECK(at(32561, 14, 182.343) == cv);
  CHECK(at(5404, 5, 10.807) == holdout);
  CHECK(at(5404, 5, 10.809) == cv);
  CHECK(at(120000, 2, std::numeric_limits<double>::infinity()) == holdout);
  CHECK(at(99999, 2, std::numeric_limits<double>::infinity()) == cv);
  CHECK(automl::holdout_folds(.1) == 10);
}

TEST_CASE("a division keeps the order of the rows") {
  const auto division = automl::divided(Rows{4, 7, 9}, Rows{1, 0, 1}, 1);
  CHECK(division.test == Rows{4, 9});
  CHECK(division.train == Rows{7});
}

TEST_CASE("one key for both divisions is found, and ours have none") {
  using automl::inner_keys, automl::KeyOfClass, automl::outer_keys, automl::shared_class;
  CHECK_FALSE(shared_class(outer_keys(1), inner_keys(1, 0), 5));
  CHECK_FALSE(shared_class(outer_keys(1), inner_keys(1, 7), 5));
  CHECK(shared_class(outer_keys(1), outer_keys(1), 5) == 0);
  const KeyOfClass third = [](std::uint64_t k) { return k == 3 ? outer_keys(1)(2) : inner_keys(1, 0)(k); };
  CHECK(shared_class(outer_keys(1), third, 5) == 3);
}

}  // namespace retrial::tests::automl_splits_tests
