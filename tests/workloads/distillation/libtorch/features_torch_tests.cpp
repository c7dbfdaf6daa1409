// Reference values of the losses: sections 17.1 and 17.2 of the specification of distillation, computed there in double
// precision by two independent programs, unless another source is named. Tolerance 1e-10 relative in double, 1e-5 in
// float32, or the digits given.
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/zeros.h>

#include "tests/workloads/distillation/losses/reference_torch.hpp"

namespace retrial::distillation_features_tests {
using namespace distillation;     // NOLINT: the subject of every line
using namespace test::reference;  // NOLINT: inputs of every line
using test::PairLoss, test::check_gradient, test::check_pair, test::labels, test::matrix, test::numbers, test::random,
    test::value;

TEST_CASE("kd of two teachers is that of the mean of their divergences") {
  const std::vector<nn::Activations> teachers{{.logits = T, .pooled = {}}, {.logits = T2, .pooled = {}}};
  const auto kd_of = [](const std::vector<nn::Activations>& seen) {
    return .5 * term_value("ce", 5, seen) + .5 * term_value("soft", 5, seen);
  };
  CHECK_THAT(kd_of(teachers), WithinRel(0.6603154900767908, 1e-10));
  // Each of them counts: one alone, or another in its place, gives another value.
  CHECK_THAT(kd_of({teachers[0]}), WithinRel(kd(S, T, {.w_ce = .5, .w_soft = .5, .temperature = 5}), 1e-12));
  CHECK(std::abs(kd_of({teachers[0], teachers[0]}) - 0.6603154900767908) > .01);
  CHECK(std::abs(kd_of({teachers[1], teachers[1]}) - 0.6603154900767908) > .01);
}

TEST_CASE("the two terms that a training of dkd adds up have its reference values") {
  const std::vector<nn::Activations> teacher{{.logits = T, .pooled = {}}};
  const double target = term_value("tckd", 4, teacher), others = term_value("nckd", 4, teacher);
  CHECK_THAT(target + 8 * others, WithinRel(2.7053319543169, 1e-10));
  CHECK_THAT(target + 2 * others, WithinRel(1.2130959330577462, 1e-10));
}

TEST_CASE("uda is the mean of kd of two inputs") {
  const Weights five{.w_ce = .5, .w_soft = .5, .temperature = 5};
  CHECK_THAT(.5 * kd(S, T, five) + .5 * kd(S1, T, five), WithinRel(0.9270717075637227, 1e-10));
}

TEST_CASE("dkd has its reference values, together and in its parts") {
  const at::Tensor zeros = at::zeros({1, 3}, at::kDouble), sure = matrix({4 * std::log(2.0), 0, 0}, 1);
  const Decoupled one = decoupled(zeros, sure, labels({1}), 4);
  CHECK_THAT(value(one.target), WithinRel(0.016416758629342, 1e-12));
  CHECK_THAT(value(one.others), WithinRel(0.056633012265133, 1e-12));
  CHECK_THAT(16 * (value(one.target) + 8 * value(one.others)), WithinRel(7.511693708006447, 1e-10));
  check_pair(dkd(8), S, T, 2.7053319543169);
  check_pair(dkd(2), S, T, 1.2130959330577462);
  const Decoupled rows = decoupled(S, T, y, 4);
  CHECK_THAT(value(rows.target[0]), WithinRel(0.0592935905571507, 1e-12));
  CHECK_THAT(value(rows.others[0]), WithinRel(0.0310882504428991, 1e-12));
  CHECK_THAT(value(rows.target[1]), WithinRel(0.0301669001892695, 1e-12));
  CHECK_THAT(value(rows.others[1]), WithinAbs(0, 1e-15));
  const WeightedTerm warming{.term = "nckd", .warms_up = true};
  CHECK_THAT(value(ce(S, y)) + warming.weight_at(4) * value(dkd(8)(S, T)), WithinRel(1.4294421151354704, 1e-10));
}

TEST_CASE("the divergence is that of the target class plus the rest's share of the others'") {
  const at::Tensor s = random(1, {6, 5}, 3), t = random(2, {6, 5}, 3), classes = labels({0, 1, 2, 3, 4, 0});
  const Decoupled parts = decoupled(s, t, classes, 1);
  const at::Tensor p = at::log_softmax(t, 1).exp(), target = p.gather(1, classes.unsqueeze(1)).squeeze(1);
  CHECK_THAT(value((parts.target + (1 - target) * parts.others).mean()),
             WithinRel(value(soft(s, t, {.temperature = 1})), 1e-12));
}

TEST_CASE("a teacher sure to the last digit still has a rest") {
  const at::Tensor sure = matrix({60, 0, 4}, 1), student = matrix({1, 2, 3}, 1);
  const Decoupled parts = decoupled(student, sure, labels({0}), 1);
  CHECK(std::isfinite(value(parts.target)));
  CHECK(value(parts.others) > 0);
}

TEST_CASE("dist has its reference values at temperatures 1 and 4") {
  CHECK_THAT(value(dist_inter(S1, T, 1)), WithinAbs(1.68354631, 5e-9));
  CHECK_THAT(value(dist_intra(S1, T, 1)), WithinAbs(1.33333274, 5e-9));
  CHECK_THAT(value(dist_inter(S1, T, 4)), WithinAbs(27.91794034, 5e-9));
  CHECK_THAT(value(dist_intra(S1, T, 4)), WithinAbs(21.33331989, 5e-9));
}

TEST_CASE("at has two forms that differ by more than a factor") {
  check_pair([](const at::Tensor& s, const at::Tensor& t) { return at_loss(s, t, AtMode::code); }, map_s, map_t,
             0.24772314834229198);
  check_pair([](const at::Tensor& s, const at::Tensor& t) { return at_loss(s, t, AtMode::paper); }, map_s, map_t,
             0.937347503207907);
}

TEST_CASE("losses of maps have their reference values") {
  check_pair(ft, map_s, map_t, 0.43651782744834644);
  check_pair(sp, map_s, map_t, 0.007827167625852437);
  check_pair(nst, map_s, map_t, 0.6875);
  check_pair(hcl, map_s, map_t, 1.2083333333333333);
  check_pair([](const at::Tensor& s, const at::Tensor& t) { return 10 * pkd({s}, {t}); }, map_s, map_t, 17.5);
}

TEST_CASE("the flow between two maps is their mean product, and fsp compares such matrices") {
  const at::Tensor one = flow(map_s, map_t)[0];
  CHECK(value(one[0][0]) == 5);
  CHECK(value(one[0][1]) == 2.5);
  CHECK(value(one[1][0]) == 1);
  CHECK(value(one[1][1]) == .5);
  CHECK_THAT(value((flow(map_s, map_t) - flow(map_t, map_s)).square().mean()), WithinRel(0.5625, 1e-10));
}

TEST_CASE("sfd compares maxima over space, channel by channel") {
  const at::Tensor rows = sfd_rows(map_s, map_t);
  CHECK_THAT(value(rows[0]), WithinAbs(2.000001, 1e-9));
  CHECK_THAT(value(rows[1]), WithinRel(1.41421e-6, 1e-5));
  CHECK_THAT(value(sfd(map_s, map_t)), WithinAbs(2.000001, 1e-9));
  // Negative control: the same distance over the last axis of the maps is another number.
  CHECK(std::abs(value((map_s - map_t + 1e-6).norm(2, {3}).max()) - 2.000001) > .1);
}

TEST_CASE("rkd has its reference values, and is the weighted sum of its terms") {
  check_pair(rkd, x_s, x_t, 3.230389384144827);
  check_pair(rkd_distance, q_s, q_t, 0.020795009935641203);
  check_pair(rkd_angle, q_s, q_t, 0.006414587743685774);
  check_pair(rkd, q_s, q_t, 0.8406046355753187);
}

TEST_CASE("pkt has its reference value, and its small constant changes the ninth digit") {
  const at::Tensor s = matrix({1, 0, 0, 1}, 2), t = matrix({1, 0, 1, 0}, 2);
  check_pair(pkt, s, t, 0.029445738080771604);
  CHECK_THAT(value(pkt(s, t)), WithinAbs(std::log(9. / 8) / 4, 3e-8));
  CHECK(std::isfinite(value(pkt(matrix({0, 0, 0, 1}, 2), t))));
}

TEST_CASE("ab counts the distance to the margin on the teacher's side") {
  const at::Tensor s = matrix({-2, -.5, 0, .5, 2}, 1), on = at::zeros({1, 5}, at::kDouble) + 1, off = on - 2;
  check_pair(ab, s, on, 12.5);
  check_pair(ab, s, off, 12.5);
}

TEST_CASE("ofd skips values below the margin on both sides") {
  const at::Tensor s = matrix({-2, -.5, .5, 2}, 1), margin = at::zeros({1}, at::kDouble) - 1;
  const PairLoss loss = [&](const at::Tensor& a, const at::Tensor& t) { return ofd(a, t, margin.to(a.scalar_type())); };
  check_pair(loss, s, at::zeros({1, 4}, at::kDouble) - 2, 11.5);
  check_pair(loss, s, at::zeros({1, 4}, at::kDouble) - .5, 7.25);
}

TEST_CASE("the margin of ofd is the mean of a normal variable's negative part") {
  CHECK_THAT(ofd_margin(1, 1), WithinRel(-0.5251352761609811, 1e-10));
  CHECK_THAT(ofd_margin(1, -1), WithinRel(-1.2875999709391783, 1e-10));
  CHECK_THAT(ofd_margin(2, .5), WithinRel(-1.4271079588328082, 1e-10));
  CHECK(ofd_margin(1, 3.2) == -3);
  CHECK(ofd_margin(2, 7) == -6);
  CHECK(ofd_margin(-1, 1) == ofd_margin(1, 1));
  CHECK(ofd_margin(0, -.5) == -.5);
  CHECK(ofd_margin(0, .5) == 0);
}

TEST_CASE("vid of a variance of 5 has its closed form, and a variance starts at 5") {
  const at::Tensor mu = at::zeros({2, 3, 2, 2}, at::kDouble), spread = at::zeros({3}, at::kDouble) + 5;
  check_pair([&](const at::Tensor& a, const at::Tensor& t) { return vid(a, t, spread.to(a.scalar_type())); }, mu,
             mu + 1, 0.9047189562170501);
  CHECK_THAT(std::log(std::expm1(5 - 1e-5)), WithinRel(4.9932291827136215, 1e-10));
  CHECK_THAT(std::log1p(std::exp(4.9932291827136215)) + 1e-5, WithinRel(5, 1e-12));
}

TEST_CASE("one side of crd has its closed form, the logarithm of 5") {
  const at::Tensor positive = at::tensor({.03}, at::kDouble), negative = matrix({.01, .02}, 1);
  CHECK_THAT(value(contrast(positive, negative, 100, 0)), WithinRel(1.6094379124341003, 1e-10));
  CHECK_THAT(value(contrast(positive, negative, 100)), WithinRel(1.6094379124341003, 1e-4));
}

TEST_CASE("losses without a reference value have their closed forms") {
  // By hand: cosines 10/14 and 0 (one side has no length, its denominator is 1e-8).
  check_pair(cosine, S, T, 1 - (10. / 14 + 0) / 2);
  // Two classes become (+-1/sqrt 2) on both sides, whatever their distance.
  const at::Tensor near = matrix({0, 1}, 1), far = matrix({0, 9}, 1);
  CHECK_THAT(value(lstd(near, far, {.temperature = 4})), WithinAbs(0, 1e-12));
  CHECK_THAT(value(lstd(near, matrix({9, 0}, 1), {.temperature = 1, .t_squared = true})),
             WithinRel(std::tanh(std::sqrt(.5)) * std::sqrt(2), 1e-6));  // KL of (p, 1-p) from (1-p, p)
  // |e_s - e_t| = (1,2), (3,0), (1,1): products 3 and 3.
  check_pair(cc_delta, matrix({1, 2, 3, 0, 1, 1}, 3), at::zeros({3, 2}, at::kDouble), 3);
  // Two equal rows against two at a right angle: Gram matrices differ by 1 twice.
  check_pair([](const at::Tensor& s, const at::Tensor& t) { return cc_kernel(s, t, false); }, matrix({1, 0, 1, 0}, 2),
             matrix({1, 0, 0, 1}, 2), std::sqrt(2) / 4);
  check_pair([](const at::Tensor& s, const at::Tensor& t) { return cc_kernel(s, t, true); }, matrix({2, 0, 3, 0}, 2),
             matrix({1, 0, 0, 1}, 2), std::exp(-.8) * (.8 + .32) * std::sqrt(2) / 4);
  // (t - s)^2 = 4 with unit variance: 4 / (1 + 1e-6) + 0.
  check_pair([](const at::Tensor& s, const at::Tensor& t) { return pad(s, t, at::zeros(s.sizes(), s.options())); },
             matrix({1, 1}, 1), matrix({3, -1}, 1), 4 / (1 + 1e-6));
  // Three points on a line, the teacher's order of each one's neighbours against distances of 1, 2 and 3.
  const double by_hand =
      std::log1p(std::exp(-3. * 27 + 3)) + std::log1p(std::exp(3. * 8 - 3)) + std::log1p(std::exp(-3. * (27 - 8)));
  check_pair(darkrank, matrix({0, 1, 3}, 3), matrix({0, 2, 3}, 3), by_hand / 3, 1e-9);
}

TEST_CASE("kdsvd is 0 for equal networks and sees a rotated channel space") {
  const std::vector<at::Tensor> a{random(1, {3, 4, 4, 4}), random(2, {3, 6, 2, 2})},
      b{random(3, {3, 4, 4, 4}), random(4, {3, 6, 2, 2})};
  CHECK_THAT(value(kdsvd(a, a).value), WithinAbs(0, 1e-20));
  CHECK(value(kdsvd(a, b).value) > 0);
  CHECK(kdsvd(a, b).skipped == 0);
  // By hand: rank one maps, whose leading right vectors are their channel patterns (1,0) and (3,4)/5.
  const auto maps = [](double c, double d) { return numbers({c, 2 * c, d, 2 * d}, {1, 2, 1, 2}); };
  const auto r = [](double v, double w) { return std::exp(-(v - w) * (v - w) / 8); };
  double expected = 0;
  for (const double v : {1., 0.})
    for (const double w : {.6, .8}) expected += std::pow(r(v, w) - r(v, w == .6 ? .8 : .6), 2);
  CHECK_THAT(value(kdsvd({maps(1, 0), maps(3, 4)}, {maps(1, 0), maps(4, 3)}).value), WithinRel(expected, 1e-10));
}

/// By NumPy 2.4.6 (numpy.linalg.svd, in Python): each teacher's vector with its component of largest magnitude
/// positive. Under other signs of those vectors the value is another, .20 to .24 for example.
TEST_CASE("kdsvd has the value of NumPy") {
  const auto maps = [](std::int64_t seed, std::vector<std::int64_t> sizes) {
    std::vector<double> values;
    for (std::int64_t i = 0; i < sizes[0] * sizes[1] * sizes[2] * sizes[3]; ++i)
      values.push_back(static_cast<double>((5 * i * i * i + 7 * i * i + 3 * i * seed + seed) % 23 - 11));
    return numbers(values, sizes);
  };
  const auto stages = [&](std::int64_t a, std::int64_t b, std::int64_t c) {
    return std::vector<at::Tensor>{maps(a, {3, 4, 3, 2}), maps(b, {3, 5, 2, 2}), maps(c, {3, 6, 2, 2})};
  };
  CHECK_THAT(value(kdsvd(stages(1, 5, 9), stages(3, 11, 2)).value), WithinRel(0.13751295604422806, 1e-10));
}

/// A reflection of the positions changes no right singular vector, but the signs that a library returns.
TEST_CASE("kdsvd does not depend on the signs of singular vectors") {
  const at::Tensor images = random(1, {32, 4, 2, 2}), next = random(2, {32, 5, 2, 2});
  const std::vector<at::Tensor> student{random(3, {32, 4, 2, 2}), random(4, {32, 5, 2, 2})};
  const double expected = value(kdsvd(student, {images, next}).value);
  for (const int seed : {5, 6, 7}) {
    const at::Tensor w = random(seed, {4, 1}), unit = w / w.norm();
    const auto mirrored = [&](const at::Tensor& x) {
      const at::Tensor rows = x.flatten(2);
      return (rows - 2 * rows.matmul(unit).matmul(unit.t())).view(x.sizes());
    };
    CHECK_THAT(value(kdsvd(student, {mirrored(images), next}).value), WithinRel(expected, 1e-10));
    CHECK_THAT(value(kdsvd({mirrored(student[0]), student[1]}, {images, mirrored(next)}).value),
               WithinRel(expected, 1e-10));
  }
}

TEST_CASE("kdsvd trains on maps without a spread of singular values") {
  // Maps of zeros have no leading vector: the gradient must be a number all the same.
  const at::Tensor zeros = at::zeros({2, 3, 2, 2}, at::kFloat).requires_grad_(true);
  kdsvd({zeros, zeros}, {random(1, {2, 3, 2, 2}).to(at::kFloat), random(2, {2, 3, 2, 2}).to(at::kFloat)})
      .value.backward();
  CHECK(std::isfinite(value(zeros.grad().abs().sum())));
}

}  // namespace retrial::distillation_features_tests
