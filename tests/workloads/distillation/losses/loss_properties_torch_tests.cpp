// Properties of the losses: gradients, precision, invariances, and inputs that they refuse.
#include <ATen/ops/zeros.h>

#include "tests/determinism/mode/mode_scope_torch_torch.hpp"
#include "tests/workloads/distillation/losses/reference_torch.hpp"

namespace retrial::distillation_loss_properties_tests {
using namespace distillation;     // NOLINT: the subject of every line
using namespace test::reference;  // NOLINT: inputs of every line
using test::PairLoss, test::check_gradient, test::check_pair, test::labels, test::matrix, test::numbers, test::random,
    test::value;

TEST_CASE("every loss has the gradient of its finite differences") {
  const at::Tensor a = random(11, {4, 5}), b = random(12, {4, 5}), classes = labels({0, 4, 2, 2});
  const at::Tensor maps_a = random(13, {3, 2, 4, 4}).abs() + .1, maps_b = random(14, {3, 3, 2, 2}).abs() + .1,
                   same = random(15, {3, 2, 4, 4}).abs() + .1;
  for (const PairLoss& loss : std::vector<PairLoss>{
           cosine, rkd_distance, rkd_angle, pkt, sp, cc_delta, darkrank,
           [](const at::Tensor&s, const at::Tensor&t) { return dist_inter(s, t, 2); },
           [](const at::Tensor&s, const at::Tensor&t) { return dist_intra(s, t, 2); },
           [](const at::Tensor&s, const at::Tensor&t) { return lstd(s, t, {.temperature = 2}); },
           [&](const at::Tensor&s, const at::Tensor&t) { return decoupled(s, t, classes, 2).target.mean(); },
           [&](const at::Tensor&s, const at::Tensor&t) { return decoupled(s, t, classes, 2).others.mean(); },
           [](const at::Tensor&s, const at::Tensor&t) { return cc_kernel(s, t, true); },
           [](const at::Tensor&s, const at::Tensor&t) { return cc_kernel(s, t, false); },
           [](const at::Tensor&s, const at::Tensor&t) { return pad(s, t, s * .1); }})
    check_gradient(loss, a, b);
  for (const PairLoss& loss : std::vector<PairLoss>{
           nst, ft, [](const at::Tensor&s, const at::Tensor&t) { return at_loss(s, t, AtMode::code); },
           [](const at::Tensor&s, const at::Tensor&t) { return at_loss(s, t, AtMode::paper); }})
    check_gradient(loss, maps_a, maps_b);
  for (const PairLoss& loss : std::vector<PairLoss>{
           hcl, sfd, ab, [](const at::Tensor&s, const at::Tensor&t) { return pkd({s}, {t}); },
           [](const at::Tensor&s, const at::Tensor&t) {
             return ofd(s - 1, t - 1, at::zeros({2, 1, 1}, at::kDouble) - .5);
           },
           [](const at::Tensor&s, const at::Tensor&t) { return (flow(s, s * s) - flow(t, t * t)).square().mean(); },
           [](const at::Tensor&s, const at::Tensor&t) {
             return kdsvd({s, s * s}, {t, t * t}).value;
           }})
    check_gradient(loss, maps_a, same);
}

/// Sums in double, loop by loop: of maps a and b of both networks, (G - H)^2 on average, where G[i][j] of an image is
/// the mean of a[i] b[j] over the pixels of the student, and H that of the teacher. Its gradient by a is 2 / count (G -
/// H) b / pixels.
TEST_CASE("fsp and its gradient are their sums by hand, under deterministic and under portable") {
  constexpr int rows = 32, width = 8, next = 16, pixels = 16;
  const at::Tensor as = random(31, {rows, width, 4, 4}), bs = random(32, {rows, next, 4, 4}),
                   at_ = random(33, {rows, width, 4, 4}), bt = random(34, {rows, next, 4, 4});
  const auto element = [](const at::Tensor& x, int n, int c, int p) {
    return x.const_data_ptr<double>()[(n * x.size(1) + c) * pixels + p];
  };
  double loss = 0;
  at::Tensor slope = at::zeros({rows, width, 4, 4}, at::kDouble);
  for (int n = 0; n < rows; ++n)
    for (int i = 0; i < width; ++i)
      for (int j = 0; j < next; ++j) {
        double gap = 0;
        for (int p = 0; p < pixels; ++p)
          gap += (element(as, n, i, p) * element(bs, n, j, p) - element(at_, n, i, p) * element(bt, n, j, p)) / pixels;
        loss += gap * gap / (rows * width * next);
        for (int p = 0; p < pixels; ++p)
          slope.mutable_data_ptr<double>()[(n * width + i) * pixels + p] +=
              2 * gap * element(bs, n, j, p) / pixels / (rows * width * next);
      }
  for (const bool portable : {false, true}) {
    determinism::KernelMode mode = determinism::mode_here(true, 1);
    mode.portable = portable;
    if (portable) mode.preset = "portable";
    const determinism::ModeScope scope(mode);
    for (const auto& [type, error] : {std::pair{at::kDouble, 1e-13}, {at::kFloat, 2e-6}}) {
      const at::Tensor a = as.to(type).detach().requires_grad_();
      const at::Tensor found = (flow(a, bs.to(type)) - flow(at_.to(type), bt.to(type))).square().mean();
      found.backward();
      CHECK_THAT(found.item<double>(), WithinRel(loss, error));
      CHECK((a.grad().to(at::kDouble) - slope).abs().max().item<double>() < error * slope.abs().max().item<double>());
    }
  }
}

TEST_CASE("no gradient flows to a teacher") {
  const at::Tensor t = random(1, {4, 5}).requires_grad_(true), s = random(2, {4, 5}).requires_grad_(true);
  const at::Tensor mt = random(3, {4, 3, 2, 2}).requires_grad_(true), ms = random(4, {4, 3, 2, 2}).requires_grad_(true);
  (cosine(s, t) + rkd(s, t) + pkt(s, t) + sp(s, t) + darkrank(s, t) + dist_inter(s, t, 1) + dist_intra(s, t, 1) +
   lstd(s, t, {}) + decoupled(s, t, labels({0, 1, 2, 3}), 1).target.sum() + pad(s, t, s) + nst(ms, mt) + ft(ms, mt) +
   hcl(ms, mt) + sfd(ms, mt) + ab(ms, mt) + pkd({ms}, {mt}) + at_loss(ms, mt, AtMode::paper) +
   kdsvd({ms, ms}, {mt, mt}).value)
      .backward();
  CHECK_FALSE(t.grad().defined());
  CHECK_FALSE(mt.grad().defined());
  CHECK(s.grad().defined());
}

TEST_CASE("every loss in float32 is within 1e-5 of itself in double") {
  const at::Tensor a = random(21, {6, 5}), b = random(22, {6, 5}), maps_a = random(23, {4, 3, 4, 4}),
                   maps_b = random(24, {4, 3, 4, 4}), classes = labels({0, 1, 2, 3, 4, 0});
  const auto check = [](const char* name, const PairLoss& loss, const at::Tensor& s, const at::Tensor& t) {
    INFO(name);
    CHECK_THAT(value(loss(s.to(at::kFloat), t.to(at::kFloat))),
               WithinRel(value(loss(s.to(at::kFloat).to(at::kDouble), t.to(at::kFloat).to(at::kDouble))), 1e-5));
  };
  const std::vector<std::pair<const char*, PairLoss>> of_rows{
      {"cosine", cosine},
      {"rkd_distance", rkd_distance},
      {"rkd_angle", rkd_angle},
      {"pkt", pkt},
      {"sp", sp},
      {"cc_delta", cc_delta},
      {"darkrank", darkrank},
      {"dist_inter", [](const at::Tensor& s, const at::Tensor& t) { return dist_inter(s, t, 2); }},
      {"dist_intra", [](const at::Tensor& s, const at::Tensor& t) { return dist_intra(s, t, 2); }},
      {"soft", [](const at::Tensor& s, const at::Tensor& t) { return soft(s, t, {}); }},
      {"lstd", [](const at::Tensor& s, const at::Tensor& t) { return lstd(s, t, {}); }},
      {"tckd", [&](const at::Tensor& s, const at::Tensor& t) { return decoupled(s, t, classes, 2).target.mean(); }},
      {"nckd", [&](const at::Tensor& s, const at::Tensor& t) { return decoupled(s, t, classes, 2).others.mean(); }},
      {"cc_kernel", [](const at::Tensor& s, const at::Tensor& t) { return cc_kernel(s, t, true); }},
      {"pad", [](const at::Tensor& s, const at::Tensor& t) { return pad(s, t, s * .1); }}};
  for (const auto& [name, loss] : of_rows) check(name, loss, a, b);
  const std::vector<std::pair<const char*, PairLoss>> of_maps{
      {"nst", nst},
      {"ft", ft},
      {"hcl", hcl},
      {"sfd", sfd},
      {"ab", ab},
      {"at", [](const at::Tensor& s, const at::Tensor& t) { return at_loss(s, t, AtMode::code); }},
      {"pkd", [](const at::Tensor& s, const at::Tensor& t) { return pkd({s}, {t}); }},
      {"kdsvd", [](const at::Tensor& s, const at::Tensor& t) {
         return kdsvd({s, s * s}, {t, t * t}).value;
       }}};
  for (const auto& [name, loss] : of_maps) check(name, loss, maps_a, maps_b);
}

TEST_CASE("a teacher equal to the student gives nothing to learn") {
  const at::Tensor z = random(1, {4, 5}), m = random(2, {4, 3, 4, 4});
  for (const PairLoss& loss :
       std::vector<PairLoss>{rkd, pkt, sp, [](const at::Tensor&s, const at::Tensor&t) { return lstd(s, t, {}); },
                             [](const at::Tensor&s, const at::Tensor&t) { return cc_kernel(s, t, true); }, cc_delta})
    CHECK_THAT(value(loss(z, z)), WithinAbs(0, 1e-12));
  for (const PairLoss& loss : std::vector<PairLoss>{
           nst, ft, hcl, [](const at::Tensor&s, const at::Tensor&t) { return at_loss(s, t, AtMode::code); }})
    CHECK_THAT(value(loss(m, m)), WithinAbs(0, 1e-12));
}

TEST_CASE("what a loss is invariant to, and what it is not") {
  const at::Tensor a = random(1, {5, 4}), b = random(2, {5, 4}), m = random(3, {5, 3, 2, 2}),
                   n = random(4, {5, 3, 2, 2});
  const auto same = [](const PairLoss& loss, const at::Tensor& s, const at::Tensor& changed, const at::Tensor& t) {
    return std::abs(value(loss(s, t)) - value(loss(changed, t))) < 1e-6 * std::abs(value(loss(s, t)));
  };
  const PairLoss at_code = [](const at::Tensor& s, const at::Tensor& t) { return at_loss(s, t, AtMode::code); };
  const PairLoss square = [](const at::Tensor& s, const at::Tensor& t) { return pkd({s}, {t}); };
  SECTION("the scale of one network's features") {
    for (const PairLoss& loss : {at_code, PairLoss(sp), PairLoss(ft), PairLoss(nst)}) CHECK(same(loss, m, 3 * m, n));
    CHECK_FALSE(same(square, m, 3 * m, n));
    CHECK(same(rkd_distance, a, 3 * a, b));
    CHECK(same(rkd_angle, a, 3 * a + 7, b));
    CHECK_FALSE(same(pkt, a, 3 * a + 7, b));
  }
  SECTION("an orthogonal map") {
    const double c = std::cos(.7), d = std::sin(.7);
    const at::Tensor turn = matrix({c, d, 0, 0, -d, c, 0, 0, 0, 0, c, -d, 0, 0, d, c}, 4);
    for (const PairLoss& loss : {PairLoss(pkt), PairLoss(sp)}) CHECK(same(loss, a, a.matmul(turn), b));
    CHECK_FALSE(same(cc_delta, a, a.matmul(turn), b));
  }
  SECTION("the order of the batch, but for the neighbours of cc") {
    const at::Tensor order = labels({3, 0, 4, 1, 2});
    const auto permuted = [&](const PairLoss& loss, const at::Tensor& s, const at::Tensor& t) {
      return std::abs(value(loss(s.index_select(0, order), t.index_select(0, order))) - value(loss(s, t))) < 1e-12;
    };
    for (const PairLoss& loss : std::vector<PairLoss>{
             rkd, pkt, sp, cosine, darkrank, [](const at::Tensor&s, const at::Tensor&t) { return dist_inter(s, t, 1); },
             [](const at::Tensor&s, const at::Tensor&t) { return dist_intra(s, t, 1); },
             [](const at::Tensor&s, const at::Tensor&t) { return cc_kernel(s, t, true); }})
      CHECK(permuted(loss, a, b));
    for (const PairLoss& loss : {at_code, PairLoss(nst), PairLoss(hcl), PairLoss(sfd), square})
      CHECK(permuted(loss, m, n));
    CHECK_FALSE(permuted(cc_delta, a, b));
  }
  SECTION("a constant added to the logits of a sample, but for cosine") {
    const at::Tensor shifted = a + matrix({1, 2, 3, 4, 5}, 5);
    for (const PairLoss& loss :
         std::vector<PairLoss>{[](const at::Tensor&s, const at::Tensor&t) { return soft(s, t, {}); },
                               [](const at::Tensor&s, const at::Tensor&t) { return lstd(s, t, {}); },
                               [](const at::Tensor&s, const at::Tensor&t) { return dist_inter(s, t, 1); },
                               [](const at::Tensor&s, const at::Tensor&t) {
                                 return decoupled(s, t, labels({0, 1, 2, 3, 0}), 1).others.mean();
                               },
                               [](const at::Tensor&s, const at::Tensor&t) {
                                 return decoupled(s, t, labels({0, 1, 2, 3, 0}), 1).target.mean();
                               }})
      CHECK(same(loss, a, shifted, b));
    CHECK_FALSE(same(cosine, a, shifted, b));
  }
}

TEST_CASE("a batch of 1 and channels that differ are refused by losses that cannot do with them") {
  const at::Tensor one = random(1, {1, 4}), two = random(2, {2, 4});
  for (const PairLoss& loss :
       std::vector<PairLoss>{sp, rkd_distance, rkd_angle, pkt, cc_delta,
                             [](const at::Tensor&s, const at::Tensor&t) { return dist_intra(s, t, 1); }})
    CHECK_THROWS_WITH(loss(one, one), has_text("batch of 1"));
  CHECK_THROWS_WITH(darkrank(two, two), has_text("batch = 2"));
  CHECK_NOTHROW(dist_inter(one, one, 1));
  const at::Tensor wide = random(3, {2, 3, 2, 2}), narrow = random(4, {2, 2, 2, 2});
  CHECK_THROWS_WITH(sfd(narrow, wide), has_text("2 channels") && has_text("3"));
  CHECK_THROWS_WITH(pkd({narrow}, {wide}), has_text("method pkd"));
  CHECK_THROWS_WITH(kdsvd({narrow}, {wide}), has_text("method kdsvd"));
  CHECK_THROWS_WITH(rkd_distance(at::zeros({3, 2}, at::kDouble), random(5, {3, 2})), has_text("zero spread"));
}

TEST_CASE("no two reference values of different losses are equal without a reason") {
  // ab with the teacher on and off is 12.5 twice because the five points are symmetric about 0.
  const at::Tensor m = random(1, {4, 3, 4, 4}).abs(), n = random(2, {4, 3, 4, 4}).abs(), a = random(3, {4, 5}),
                   b = random(4, {4, 5});
  std::vector<double> found;
  for (const PairLoss& loss : std::vector<PairLoss>{
           nst, ft, hcl, sfd, sp, [](const at::Tensor&s, const at::Tensor&t) { return pkd({s}, {t}); },
           [](const at::Tensor&s, const at::Tensor&t) { return at_loss(s, t, AtMode::code); },
           [](const at::Tensor&s, const at::Tensor&t) { return at_loss(s, t, AtMode::paper); },
           [](const at::Tensor&s, const at::Tensor&t) {
             return kdsvd({s, s}, {t, t}).value;
           }})
    found.push_back(value(loss(m, n)));
  for (const PairLoss& loss :
       std::vector<PairLoss>{cosine, rkd_distance, rkd_angle, pkt, sp, cc_delta, darkrank,
                             [](const at::Tensor&s, const at::Tensor&t) { return soft(s, t, {}); },
                             [](const at::Tensor&s, const at::Tensor&t) { return lstd(s, t, {}); },
                             [](const at::Tensor&s, const at::Tensor&t) { return dist_inter(s, t, 4); },
                             [](const at::Tensor&s, const at::Tensor&t) { return dist_intra(s, t, 4); },
                             [](const at::Tensor&s, const at::Tensor&t) { return cc_kernel(s, t, true); },
                             [](const at::Tensor&s, const at::Tensor&t) { return pad(s, t, s); }})
    found.push_back(value(loss(a, b)));
  std::sort(found.begin(), found.end());
  for (std::size_t i = 1; i < found.size(); ++i) CHECK(std::abs(found[i] - found[i - 1]) > 1e-9);
}

}  // namespace retrial::distillation_loss_properties_tests
