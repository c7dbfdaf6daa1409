// Reference values: section 17.1 of the specification of distillation, computed there in double precision by two
// independent programs. Tolerance 1e-10 relative in double, 1e-5 in float32.
#include <ATen/TensorOperators.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cmath>

#include "tests/catch.hpp"
#include "variance/numbers/error.hpp"
#include "variance/random/rng.hpp"
#include "workloads/distillation/losses/losses_torch.hpp"
#include "workloads/distillation/terms/loss_torch.hpp"

namespace retrial::distillation_losses_tests {
using distillation::ce, distillation::soft, distillation::Reduction, distillation::Weights;

namespace {

at::Tensor matrix(std::vector<double> values, std::int64_t rows) {
  return at::tensor(values, at::kDouble).view({rows, static_cast<std::int64_t>(values.size()) / rows});
}
at::Tensor labels(std::vector<std::int64_t> values) {
  return at::tensor(values, at::kLong);
}

const at::Tensor S = matrix({1, 2, 3, 0, 0, 0}, 2), T = matrix({3, 2, 1, 2, 0, 0}, 2),
                 T2 = matrix({1, 1, 4, 0, 1, 0}, 2), y = labels({2, 0});

double value(const at::Tensor& tensor) {
  return tensor.item().toDouble();
}
Weights at_temperature(double t) {
  return {.temperature = t};
}

/// The reference in double, and in float32 within its own tolerance.
void check_soft(const at::Tensor& student, const at::Tensor& teacher, const Weights& weights, double expected) {
  CHECK_THAT(value(soft(student, teacher, weights)), WithinRel(expected, 1e-10));
  CHECK_THAT(value(soft(student.to(at::kFloat), teacher.to(at::kFloat), weights)), WithinRel(expected, 1e-5));
}

double kd(const at::Tensor& student, const at::Tensor& teacher, const Weights& weights) {
  return weights.w_ce * value(ce(student, y)) + weights.w_soft * value(soft(student, teacher, weights));
}

at::Tensor random_logits(std::uint64_t key, std::int64_t rows, std::int64_t classes) {
  std::vector<double> values;
  variance::Stream draws(key);
  for (std::int64_t i = 0; i < rows * classes; ++i) values.push_back(3 * variance::normal(draws.next()));
  return matrix(values, rows);
}

at::Tensor gradient(const at::Tensor& student, const at::Tensor& teacher, const Weights& weights) {
  const at::Tensor leaf = student.clone().requires_grad_(true);
  soft(leaf, teacher, weights).backward();
  return leaf.grad();
}

}  // namespace

TEST_CASE("soft has its reference values at every temperature of the grid") {
  for (const auto& [t, expected] : std::vector<std::pair<double, double>>{{2, 0.8868822546633885},
                                                                          {4, 0.9011501575910835},
                                                                          {5, 0.9007763620130134},
                                                                          {8, 0.8982223754736479},
                                                                          {10, 0.8968517282325595},
                                                                          {15, 0.8946314651778391},
                                                                          {20, 0.8933562071183503}})
    check_soft(S, T, at_temperature(t), expected);
  check_soft(S, T2, at_temperature(5), 0.2342673451816592);
}

TEST_CASE("soft has its reference values under the other reduction and without the square") {
  check_soft(S, T, {.temperature = 1, .reduction = Reduction::element_mean}, 0.26391006199638406);
  check_soft(S, T, {.temperature = 4, .reduction = Reduction::element_mean}, 0.3003833858636946);
  check_soft(S, T, {.temperature = 4, .t_squared = false}, 0.05632188484944274);
}

TEST_CASE("one row of two classes has the closed form at any temperature") {
  for (const double tau : {1.0, 4.0, 5.0, 17.5}) {
    const at::Tensor zt = matrix({tau * std::log(3.0), 0}, 1), zs = matrix({0, 0}, 1);
    check_soft(zs, zt, {.temperature = tau, .t_squared = false}, 0.13081203594113697);
  }
  check_soft(matrix({0, 0}, 1), matrix({4 * std::log(3.0), 0}, 1), at_temperature(4), 2.0929925750581915);
  check_soft(matrix({0, 0}, 1), matrix({5 * std::log(3.0), 0}, 1), at_temperature(5), 3.2703008985284243);
}

TEST_CASE("kd has its reference values with both conventions of weights") {
  CHECK_THAT(kd(S, T, {.w_ce = .5, .w_soft = .5, .temperature = 4}), WithinRel(0.8271296420736645, 1e-10));
  CHECK_THAT(kd(S, T, {.w_ce = .1, .w_soft = .9, .temperature = 10}), WithinRel(0.8824774680649281, 1e-10));
}

TEST_CASE("cross entropy of uniform logits is the logarithm of the number of classes") {
  CHECK_THAT(value(ce(at::zeros({3, 10}, at::kDouble), labels({0, 5, 9}))), WithinRel(2.302585092994046, 1e-10));
  CHECK_THAT(value(ce(at::zeros({2, 100}, at::kDouble), labels({0, 99}))), WithinRel(4.605170185988091, 1e-10));
  CHECK_THAT(value(ce(at::zeros({3, 10}, at::kFloat), labels({0, 5, 9}))), WithinRel(2.302585092994046, 1e-5));
}

TEST_CASE("the gradient of soft has its reference values") {
  const at::Tensor first = gradient(S, T, at_temperature(4));
  CHECK_THAT(value(first[0][0]), WithinRel(-0.329907478038464, 1e-10));
  CHECK_THAT(value(first[0][1]), WithinAbs(0, 1e-14));
  CHECK_THAT(value(first[0][2]), WithinRel(0.329907478038464, 1e-10));
  const at::Tensor second = gradient(S, T, at_temperature(100));
  CHECK_THAT(value(second[1][0]), WithinRel(-0.222957983617708, 1e-10));
  CHECK_THAT(value(second[1][1]), WithinRel(0.111478991808853, 1e-10));
}

TEST_CASE("the gradient tends to the difference of centred logits as the temperature grows") {
  const at::Tensor limit = gradient(S, T, at_temperature(1000));
  const std::vector<double> expected{-1. / 3, 0, 1. / 3, -2. / 9, 1. / 9, 1. / 9};
  for (std::int64_t i = 0; i < 6; ++i)
    CHECK_THAT(value(limit[i / 3][i % 3]), WithinAbs(expected[static_cast<std::size_t>(i)], 1e-3));
}

TEST_CASE("the gradient of soft agrees with finite differences") {
  const at::Tensor student = random_logits(1, 3, 5), teacher = random_logits(2, 3, 5);
  const at::Tensor slope = gradient(student, teacher, at_temperature(3));
  constexpr double h = 1e-5;
  for (std::int64_t i = 0; i < student.numel(); ++i) {
    at::Tensor up = student.clone(), down = student.clone();
    up.data_ptr<double>()[i] += h;
    down.data_ptr<double>()[i] -= h;
    const double numeric =
        (value(soft(up, teacher, at_temperature(3))) - value(soft(down, teacher, at_temperature(3)))) / (2 * h);
    CHECK_THAT(slope.data_ptr<double>()[i], WithinAbs(numeric, 1e-6 * (std::abs(numeric) + 1e-3)));
  }
}

TEST_CASE("the reduction changes soft by exactly the number of classes") {
  const at::Tensor student = random_logits(3, 4, 10), teacher = random_logits(4, 4, 10);
  const auto reduced = [&](Reduction reduction) {
    return value(soft(student, teacher, {.temperature = 4, .reduction = reduction}));
  };
  CHECK_THAT(reduced(Reduction::batch_mean) / reduced(Reduction::element_mean), WithinRel(10.0, 1e-14));
  CHECK_THAT(reduced(Reduction::sum) / reduced(Reduction::batch_mean), WithinRel(4.0, 1e-14));
}

TEST_CASE("soft is 0 when teacher and student agree and positive otherwise") {
  const at::Tensor logits = random_logits(5, 4, 10);
  CHECK(value(soft(logits, logits, at_temperature(4))) == 0);
  CHECK(value(soft(logits.to(at::kFloat), logits.to(at::kFloat), at_temperature(4))) == 0);
  CHECK_THAT(value(soft(logits + 7, logits, at_temperature(4))), WithinAbs(0, 1e-12));  // a constant per sample
  CHECK(value(soft(logits * 1.01, logits, at_temperature(4))) > 0);
}

TEST_CASE("no order of the batch changes a loss") {
  const at::Tensor student = random_logits(6, 3, 4), teacher = random_logits(7, 3, 4), order = labels({2, 0, 1}),
                   label = labels({1, 3, 0});
  CHECK_THAT(value(soft(student.index_select(0, order), teacher.index_select(0, order), at_temperature(4))),
             WithinRel(value(soft(student, teacher, at_temperature(4))), 1e-14));
  CHECK_THAT(value(ce(student.index_select(0, order), label.index_select(0, order))),
             WithinRel(value(ce(student, label)), 1e-14));
}

TEST_CASE("a class the teacher gives probability 0 adds nothing") {
  const double infinity = std::numeric_limits<double>::infinity();
  // Two classes remain: the closed form of one row above.
  const at::Tensor teacher = matrix({4 * std::log(3.0), 0, -infinity}, 1), student = matrix({0, 0, -1000}, 1);
  CHECK_THAT(value(soft(student, teacher, at_temperature(4))), WithinRel(2.0929925750581915, 1e-10));
}

TEST_CASE("no gradient flows to the teacher") {
  const at::Tensor teacher = T.clone().requires_grad_(true), student = S.clone().requires_grad_(true);
  soft(student, teacher, at_temperature(4)).backward();
  CHECK_FALSE(teacher.grad().defined());
  CHECK(student.grad().defined());
}

TEST_CASE("another number of classes is refused with both sizes") {
  CHECK_THROWS_WITH(soft(S, at::zeros({2, 4}, at::kDouble), {}), has_text("[2, 4]") && has_text("[2, 3]"));
}

TEST_CASE("every term of a method has a loss, and every loss is a term of a method") {
  std::vector<std::string> terms = distillation::term_names(), losses = distillation::registered_terms();
  std::sort(terms.begin(), terms.end());
  CHECK(terms == losses);
  CHECK_THROWS_AS(distillation::make_loss("hnit", {}), std::logic_error);
  CHECK_THROWS_AS(distillation::RegisterLoss("ce", {}), std::logic_error);
}

}  // namespace retrial::distillation_losses_tests
