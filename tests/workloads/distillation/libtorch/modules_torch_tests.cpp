// Losses that own something: what their parts compute. From section 6 of the specification of distillation, written out
// here with other operators.
#include <ATen/TensorOperators.h>
#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/linspace.h>
#include <ATen/ops/zeros.h>

#include <limits>

#include "tests/workloads/distillation/losses/losses_torch.hpp"
#include "workloads/distillation/terms/loss_torch.hpp"
#include "workloads/distillation/terms/maps_torch.hpp"

namespace retrial::distillation_modules_tests {
using distillation::make_loss, distillation::Setting, distillation::Sight, test::labels, test::random, test::value;

namespace {

constexpr nn::Pass training{.training = true};

nn::Outline outline(std::vector<nn::MapShape> shapes, std::int64_t pooled) {
  nn::Outline made{.pooled = pooled};
  for (const nn::MapShape& shape : shapes) made.stages.push_back({shape, shape, true});
  return made;
}

nn::Activations seen(std::uint64_t key, const nn::Outline& of, std::int64_t batch, bool gradient) {
  nn::Activations made{.logits = random(key, {batch, 5}).to(at::kFloat),
                       .pooled = random(key + 1, {batch, of.pooled}).to(at::kFloat).requires_grad_(gradient)};
  for (const nn::StageOutline& stage : of.stages) {
    const auto map = [&](std::uint64_t more) {
      return random(key + more, {batch, stage.map.channels, stage.map.height, stage.map.width})
          .to(at::kFloat)
          .requires_grad_(gradient);
    };
    made.stage.push_back(map(10 + made.stage.size()));
    made.stage_pre.push_back(map(20 + made.stage.size()));
    made.stage_norm.push_back(
        {random(key + 30, {stage.map.channels}).to(at::kFloat), random(key + 31, {stage.map.channels}).to(at::kFloat)});
  }
  return made;
}

const at::Tensor& owned(const distillation::Loss& loss, const std::string& name) {
  for (const nn::NamedTensors* tensors : {&loss.parameters(), &loss.buffers(), &loss.prepared()})
    for (const auto& [known, tensor] : *tensors)
      if (known == name) return tensor;
  throw std::logic_error(name);
}

double hint_between(const nn::MapShape& s, const nn::MapShape& t) {
  const Setting setting{.student = outline({s, s}, 4), .teacher = outline({t, t}, 4)};
  const auto loss = make_loss("hint", setting);
  Sight sight{
      .student = seen(1, setting.student, 3, true), .teachers = {seen(2, setting.teacher, 3, false)}, .pass = training};
  const at::Tensor found = loss->value(sight);
  found.backward();
  CHECK(value(sight.student.stage[1].grad().abs().sum()) > 0);
  for (const auto& [name, tensor] : loss->parameters()) CHECK(tensor.grad().defined());
  return value(found);
}

/// Twelve samples of three classes in turn, five negatives each.
Setting crd_setting() {
  Setting setting{.student = outline({}, 6), .teacher = outline({}, 7), .init_seed = 3, .sampling_seed = 4};
  setting.options.negatives = 5;
  for (std::int64_t place = 0; place < 12; ++place) setting.labels.push_back(place % 3);
  return setting;
}

}  // namespace

TEST_CASE("hint brings a map to the teacher's size, whether it is twice as large, half as large or a little larger") {
  for (const nn::MapShape& s :
       {nn::MapShape{3, 8, 8}, nn::MapShape{3, 2, 2}, nn::MapShape{3, 4, 4}, nn::MapShape{3, 6, 6}})
    CHECK(hint_between(s, {2, 4, 4}) > 0);
}

TEST_CASE("a map is averaged to another size as LibTorch's adaptive pooling does it, with its gradient") {
  const at::Tensor drawn = at::linspace(-3, 5, 2 * 3 * 7 * 12).sin().view({2, 3, 7, 12});
  for (const auto& [rows, columns] : {std::pair{7L, 6L}, {1L, 4L}, {3L, 5L}, {2L, 12L}, {6L, 11L}}) {
    const at::Tensor ours = drawn.clone().requires_grad_(true), theirs = drawn.clone().requires_grad_(true);
    const at::Tensor a = distillation::averaged(ours, rows, columns),
                     b = at::adaptive_avg_pool2d(theirs, {rows, columns});
    CHECK(at::allclose(a, b, 1e-6, 1e-6));
    a.square().sum().backward();
    b.square().sum().backward();
    CHECK(at::allclose(ours.grad(), theirs.grad(), 1e-6, 1e-6));
  }
}

TEST_CASE("crd fixes its scale at the first batch and remembers what it has seen, at unit length") {
  const Setting setting = crd_setting();
  const auto loss = make_loss("crd", setting);
  const std::vector<std::uint32_t> places{2, 9, 4};
  const Sight sight{.student = seen(1, setting.student, 3, true),
                    .teachers = {seen(2, setting.teacher, 3, false)},
                    .places = places,
                    .pass = training};
  const at::Tensor &memory = owned(*loss, "crd.student.memory"), &scale = owned(*loss, "crd.student.scale");
  const at::Tensor before = memory.clone();
  CHECK(value(before.abs().max()) <= std::sqrt(3. / 128));
  CHECK(value(scale) == 0);
  (void)loss->value(sight);
  const double fixed = value(scale);
  CHECK(fixed > 0);
  for (std::int64_t place = 0; place < 12; ++place)
    CHECK(at::equal(memory[place], before[place]) == (place != 2 && place != 9 && place != 4));
  // Half the old row, half the new embedding, at unit length.
  const at::Tensor embedded =
      at::linear(sight.student.pooled, owned(*loss, "crd.student.weight"), owned(*loss, "crd.student.bias"));
  const at::Tensor mixed = before[9] + embedded[1] / embedded[1].norm();
  CHECK(value((memory[9] - mixed / mixed.norm()).abs().max()) < 1e-6);
  (void)loss->value(sight);
  CHECK(value(scale) == fixed);
}

TEST_CASE("crd's first value is that of the scores of both memories, written out") {
  const Setting setting = crd_setting();
  const auto loss = make_loss("crd", setting);
  const std::vector<std::uint32_t> places{2, 9, 4};
  const Sight sight{.student = seen(1, setting.student, 3, true),
                    .teachers = {seen(2, setting.teacher, 3, false)},
                    .places = places,
                    .epoch = 2,
                    .pass = training};
  const auto side = [&](const at::Tensor& pooled, const std::string& own, const std::string& other) {
    const at::Tensor memory = owned(*loss, "crd." + other + ".memory").to(at::kDouble);
    const at::Tensor e =
        at::linear(pooled, owned(*loss, "crd." + own + ".weight"), owned(*loss, "crd." + own + ".bias"))
            .to(at::kDouble);
    std::vector<double> positive, negative;
    for (std::size_t b = 0; b < 3; ++b) {
      const at::Tensor unit = e[static_cast<std::int64_t>(b)] / e[static_cast<std::int64_t>(b)].norm();
      const auto score = [&](std::int64_t place) { return std::exp(value(memory[place].dot(unit)) / .07); };
      variance::Stream draws(variance::derive(variance::derive(4, "crd"), std::uint64_t{2}), places[b]);
      positive.push_back(score(places[b]));
      std::vector<std::int64_t> others;
      for (std::int64_t place = 0; place < 12; ++place)
        if (place % 3 != static_cast<std::int64_t>(places[b]) % 3) others.push_back(place);
      for (std::size_t i = 0; i < 5; ++i) {
        std::swap(others[i], others[i + variance::bounded(draws.next(), others.size() - i)]);
        negative.push_back(score(others[i]));
      }
    }
    double sum = 0, z = 0;
    for (const double p : positive) z += p;
    for (const double p : negative) z += p;
    z *= 12. / 18;
    for (const double p : positive) sum -= std::log(p / z / (p / z + 5. / 12 + 1e-7));
    for (const double p : negative) sum -= std::log((5. / 12) / (p / z + 5. / 12 + 1e-7));
    return sum / 3;
  };
  const double expected =
      side(sight.student.pooled, "student", "teacher") + side(sight.teacher().pooled, "teacher", "student");
  CHECK_THAT(value(loss->value(sight)), WithinRel(expected, 1e-5));
}

TEST_CASE("ab and ofd weigh the last stage once and each stage before it half as much") {
  const nn::MapShape shape{2, 2, 2};
  const Setting setting{.student = outline({shape, shape, shape}, 4), .teacher = outline({shape, shape, shape}, 4)};
  const Sight sight{.student = seen(1, setting.student, 3, false),
                    .teachers = {seen(2, setting.teacher, 3, false)},
                    .pass = training};
  const nn::Activations& teacher = sight.teacher();
  const auto stage_ab = [&](std::size_t i) {
    return value(distillation::ab(sight.student.stage_pre[i], teacher.stage_pre[i])) / 3;
  };
  CHECK(make_loss("ab", setting)->parameters().empty());  // equal channels: no connector
  CHECK_THAT(value(make_loss("ab", setting)->value(sight)),
             WithinRel(stage_ab(0) / 4 + stage_ab(1) / 2 + stage_ab(2), 1e-5));
  const Setting wider{.student = outline({{3, 2, 2}}, 4), .teacher = outline({shape}, 4)};
  CHECK(make_loss("ab", wider)->parameters().size() == 3);
  CHECK(make_loss("ofd", setting)->parameters().size() == 9);  // always a connector
}

TEST_CASE("vid starts with a variance of 5, so maps that agree in the mean cost half its logarithm") {
  const nn::MapShape shape{2, 2, 2};
  const Setting setting{.student = outline({shape}, 4), .teacher = outline({shape}, 4)};
  const auto loss = make_loss("vid", setting);
  for (const auto& [name, tensor] : loss->parameters())
    if (name.find("conv") != std::string::npos) tensor.detach().zero_();
  Sight sight{.student = seen(1, setting.student, 3, false),
              .teachers = {seen(2, setting.teacher, 3, false)},
              .pass = training};
  sight.teachers[0].stage[0].zero_();
  CHECK_THAT(value(loss->value(sight)), WithinRel(std::log(5.0) / 2, 1e-6));
}

TEST_CASE("reviewkd's levels share a width, and deeper maps reach shallower ones") {
  const Setting setting{.student = outline({{3, 4, 4}, {5, 2, 2}}, 4), .teacher = outline({{4, 4, 4}, {6, 2, 2}}, 4)};
  const auto loss = make_loss("reviewkd", setting);
  CHECK(owned(*loss, "reviewkd.stage1.in.weight").sizes() == at::IntArrayRef{5, 3, 1, 1});
  CHECK(owned(*loss, "reviewkd.stage1.attention.weight").sizes() == at::IntArrayRef{2, 10, 1, 1});
  CHECK(owned(*loss, "reviewkd.stage2.out.weight").sizes() == at::IntArrayRef{6, 5, 3, 3});
  CHECK_THROWS(owned(*loss, "reviewkd.stage2.attention.weight"));  // nothing is deeper
  Sight sight{
      .student = seen(1, setting.student, 3, true), .teachers = {seen(2, setting.teacher, 3, false)}, .pass = training};
  // With the deepest level's own comparison silenced (its output convolution at 0), its map still has a gradient.
  owned(*loss, "reviewkd.stage2.out.weight").detach().zero_();
  loss->value(sight).backward();
  CHECK(value(sight.student.stage[1].grad().abs().sum()) > 0);
}

TEST_CASE("ft's preparation moves the paraphraser alone, its value the translator alone") {
  const nn::MapShape shape{4, 4, 4};
  const Setting setting{.student = outline({shape}, 4), .teacher = outline({shape}, 4)};
  const auto loss = make_loss("ft", setting);
  Sight sight{
      .student = seen(1, setting.student, 3, true), .teachers = {seen(2, setting.teacher, 3, false)}, .pass = training};
  loss->preparation({.teachers = sight.teachers, .pass = training}).backward();
  for (const auto& [name, tensor] : loss->prepared()) {
    CHECK(tensor.grad().defined());
    tensor.mutable_grad().reset();
  }
  for (const auto& [name, tensor] : loss->parameters()) CHECK_FALSE(tensor.grad().defined());
  loss->value(sight).backward();
  for (const auto& [name, tensor] : loss->prepared()) CHECK_FALSE(tensor.grad().defined());
  for (const auto& [name, tensor] : loss->parameters()) CHECK(tensor.grad().defined());
  CHECK_THROWS_AS(make_loss("at", setting)->preparation(sight), std::logic_error);
}

TEST_CASE("kdsvd counts what is not finite instead of passing it on") {
  std::vector<at::Tensor> maps{random(1, {2, 3, 2, 2}), random(2, {2, 3, 2, 2})};
  CHECK(distillation::kdsvd(maps, maps).skipped == 0);
  const std::vector<at::Tensor> teacher{maps[0].clone(), maps[1].clone()};
  maps[0][0][1][0][0] = std::numeric_limits<double>::infinity();
  const auto found = distillation::kdsvd(maps, teacher);
  CHECK(found.skipped == 1);
  CHECK(std::isfinite(value(found.value)));
}

}  // namespace retrial::distillation_modules_tests
