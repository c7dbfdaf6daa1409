// Every method as a trial, and its phases: sections 6, 8, 10, 14 and 16 of the specification of distillation.
#include <ATen/TensorOperators.h>
#include <ATen/ops/linspace.h>
#include <ATen/ops/tensor.h>

#include <algorithm>
#include <filesystem>

#include "determinism/digest/tensor_digest_torch.hpp"
#include "tests/catch.hpp"
#include "tests/workloads/distillation/libtorch/trial_torch.hpp"
#include "tests/workloads/interface/folder.hpp"
#include "workloads/data/formats/embedded.hpp"
#include "workloads/distillation/libtorch/student_torch.hpp"

namespace retrial::distillation_methods_tests {
using std::string_literals::operator""s;
using distillation::Method;
using test::check_equal, test::joined, test::Recorded, test::run, test::run_in_pieces, test::trial_of,
    test::methods_on_digits;

namespace {

/// A student of the trial with teachers that have learned nothing.
struct Looked {
  explicit Looked(const Values& keys) : trial(trial_of(keys)) {
    for (std::uint32_t row = 0; row < 64; ++row) rows.push_back(row);
    const data::ImageSet& set = data::digits();
    const data::Normalisation plain = data::no_normalisation(set);
    teachers = distillation::teachers_of(trial, {}, set, rows, plain);
    std::vector<const distillation::Teacher*> seen;
    for (const auto& teacher : teachers) seen.push_back(teacher.get());
    student = std::make_unique<distillation::Student>(trial, workloads::Place{}, set, rows, plain, seen);
  }
  workloads::Trial trial;
  std::vector<std::uint32_t> rows;
  std::vector<std::unique_ptr<distillation::Teacher>> teachers;
  std::unique_ptr<distillation::Student> student;
};

void check_shares(const nn::Shares& shares, bool preparation) {
  at::Tensor sum = shares.total.gradient * 0;
  for (const nn::Share& share : shares.terms) {
    INFO(share.name);
    CHECK(std::isfinite(share.value));
    CHECK((share.norm() > 0) == !preparation);
    sum = sum + share.gradient;
  }
  CHECK((shares.total.gradient - sum).norm().item().toDouble() <= 1e-5 * shares.total.norm());
}

}  // namespace

TEST_CASE("every method trains its student, and its weighted terms are recorded and add up") {
  for (const Method& method : methods_on_digits()) {
    INFO(method.name);
    const Values keys = test::method_keys(method.name);
    const Recorded recorded = run(keys);
    CHECK(recorded.diverged_at == -1);
    CHECK(recorded.weights(1) != recorded.weights(0));
    double sum = 0;
    const distillation::PhasePlan main = distillation::phases_of(trial_of(keys).values).back();
    for (const auto& term : main.terms) {
      const double value = recorded.metrics.at({"loss_" + term.term, 1});
      CHECK(std::isfinite(value));
      sum += value;
    }
    CHECK_THAT(recorded.metrics.at({"train_loss", 1}), WithinRel(sum, 1e-9));
    CHECK(recorded.metrics.contains({"init_loss", 1}) == (method.init_epochs > 0));
    CHECK(recorded.digests.contains({"teacher", -1}) == method.needs_teacher);
    CHECK(recorded.metrics.contains({"assistant_accuracy", -1}) == method.needs_assistant);
    CHECK(recorded.metrics.contains({"skipped_terms", -1}) == (method.name == "kdsvd"));
  }
}

TEST_CASE("every term of every method has a gradient, and together they are the objective's") {
  for (const Method& method : methods_on_digits()) {
    INFO(method.name);
    Looked looked(test::method_keys(method.name));
    const auto phases = distillation::phases_of(looked.trial.values);
    check_shares(looked.student->shares(), phases.front().preparation);
    if (phases.size() == 1) continue;
    looked.student->epoch({});
    looked.student->epoch({});
    CHECK(looked.student->phase().empty());
    check_shares(looked.student->shares(), false);
  }
}

TEST_CASE("a method resumed at every boundary, and inside every phase, gives the same bits") {
  const std::int64_t two = 2;
  for (const Values& keys :
       {test::method_keys("takd", {{"teacher_epochs", two}}), test::method_keys("multikd"),
        test::method_keys("hint", {{"init_epochs", two}}),
        test::method_keys("ab", {{"init_epochs", two}, {"teacher", "cnn3"s}}),
        test::method_keys("fsp", {{"init_epochs", two}}), test::method_keys("ft", {{"init_epochs", two}}),
        test::method_keys("ofd"), test::method_keys("crd"), test::method_keys("reviewkd"), test::method_keys("vid"),
        test::method_keys("cc"), test::method_keys("pad"), test::method_keys("kdsvd"),
        test::method_keys("kd", {{"optimizer", "dot"s}}),
        test::method_keys("hint", {{"optimizer", "dot"s}, {"base", "kd"s}})}) {
    INFO(std::get<std::string>(keys.at("method")));
    const Values twice = joined(keys, {{"epochs", two}});
    check_equal(run(twice), run_in_pieces(trial_of(twice)));
  }
}

TEST_CASE("a teacher and an assistant from the cache change no bit") {
  const test::Folder folder;
  const workloads::Place place{.data = {}, .cache = folder.path(), .out = {}};
  const Values keys = test::method_keys("takd");
  const Recorded without = run(keys), first = run(keys, {}, place);
  check_equal(without, first);
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path() / "teachers"), {}) == 2);
  check_equal(without, run(keys, {}, place));
  // The same network under another tutor is another assistant.
  (void)run(joined(keys, {{"w_soft", .7}}), {}, place);
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path() / "teachers"), {}) == 3);
}

TEST_CASE("every key that a method reads changes its weights") {
  const std::vector<std::pair<Values, Values>> changed{
      {test::method_keys("at"), {{"w_feat", 10.0}}},
      {test::method_keys("at"), {{"mode", "paper"s}}},
      {test::method_keys("at"), {{"base", "kd"s}}},
      {test::method_keys("cc"), {{"mode", "kernel"s}}},
      {test::method_keys("cc", {{"mode", "kernel"s}}), {{"mode", "bilinear"s}}},
      {test::method_keys("hint"), {{"hint_layer", std::int64_t{1}}}},
      {test::method_keys("hint"), {{"init_epochs", std::int64_t{1}}}},
      {test::method_keys("ab"), {{"init_epochs", std::int64_t{2}}}},
      {test::method_keys("crd"), {{"negatives", std::int64_t{40}}}},
      {test::method_keys("dkd"), {{"beta", 2.0}}},
      {test::method_keys("dkd"), {{"temperature", 3.0}}},
      {test::method_keys("dist"), {{"temperature", 3.0}}},
      {test::method_keys("lstd"), {{"temperature", 3.0}}},
      {test::method_keys("takd"), {{"assistant", "mlp:8"s}}},
      {test::method_keys("multikd"), {{"assistant", "mlp:8"s}}},
      {test::method_keys("multikd"), {{"teacher", "mlp:8"s}}},
      {test::method_keys("kd"), {{"optimizer", "dot"s}}},
      {test::method_keys("kd", {{"optimizer", "dot"s}}), {{"dot_delta", .05}}}};
  for (const auto& [keys, change] : changed) {
    INFO(std::get<std::string>(keys.at("method")) << " " << change.begin()->first);
    CHECK(run(keys).weights() != run(joined(keys, change)).weights());
  }
}

TEST_CASE("ft compares with the paraphraser that it has prepared") {
  // By its loss, not by weights: the gradient of an absolute difference is its sign.
  const Recorded one = run(test::method_keys("ft")),
                 two = run(test::method_keys("ft", {{"init_epochs", std::int64_t{2}}}));
  CHECK(one.metrics.at({"loss_ft", 1}) != two.metrics.at({"loss_ft", 1}));
  CHECK(two.metrics.at({"init_loss", 2}) < two.metrics.at({"init_loss", 1}));
}

TEST_CASE("methods that differ have different weights") {
  std::vector<std::string> weights;
  for (const Method& method : methods_on_digits()) weights.push_back(run(test::method_keys(method.name)).weights());
  std::sort(weights.begin(), weights.end());
  CHECK(std::adjacent_find(weights.begin(), weights.end()) == weights.end());
}

TEST_CASE("a feature loss of weight 0 is cross entropy to the bit, and on kd it is kd") {
  CHECK(run(test::method_keys("at", {{"w_feat", 0.0}})).weights() == run(test::method_keys("ce")).weights());
  CHECK(run(test::method_keys("vid", {{"w_feat", 0.0}, {"base", "kd"s}})).weights() ==
        run(test::method_keys("kd")).weights());
}

TEST_CASE("a first phase does not move the draws of the main one") {
  // With a learning rate of the smallest step the first phase leaves nothing behind that a float could see in its order
  // of rows: what must be equal is the order, so two variants of one pair see the same batches.
  const Recorded staged = run(test::method_keys(
                     "hint", {{"init_epochs", std::int64_t{1}}, {"lr", 1e-30}, {"weight_decay", 0.0}})),
                 plain = run(test::method_keys("ce", {{"lr", 1e-30}, {"weight_decay", 0.0}}));
  CHECK(staged.weights(0) == plain.weights(0));
  CHECK_THAT(staged.metrics.at({"loss_ce", 1}), WithinRel(plain.metrics.at({"loss_ce", 1}), 1e-2));
}

TEST_CASE("cosine looks at no label, cross entropy does") {
  const at::Tensor logits = at::linspace(-1, 2, 20).view({4, 5});
  distillation::Sight sight{.student = {.logits = logits, .pooled = {}},
                            .teachers = {{.logits = logits.flip({0}), .pooled = {}}}};
  const auto values = [&](std::vector<std::int64_t> labels) {
    sight.labels = at::tensor(labels, at::kLong);
    return std::pair(distillation::make_loss("cosine", {})->value(sight).item().toDouble(),
                     distillation::make_loss("ce", {})->value(sight).item().toDouble());
  };
  const auto [cosine, ce] = values({0, 1, 2, 3});
  const auto [same, other] = values({1, 2, 3, 0});
  CHECK(cosine == same);
  CHECK(ce != other);
}

TEST_CASE("crd draws its negatives from the source sampling, and a varied sampling changes nothing else") {
  const Values keys = test::method_keys("crd");
  CHECK(run(keys).weights() != run(keys, {{"sampling", 1}}).weights());
  CHECK(run(keys).weights(0) == run(keys, {{"sampling", 1}}).weights(0));
  CHECK(run(test::method_keys("at")).weights() == run(test::method_keys("at"), {{"sampling", 1}}).weights());
}

TEST_CASE("what a loss owns is drawn from init under names of its own") {
  // Another term beside it, or another width of the student elsewhere, must not shift its draws.
  const distillation::Setting setting{.student = {.pooled = 8}, .teacher = {.pooled = 8}, .init_seed = 7};
  const auto pad = distillation::make_loss("pad", setting), again = distillation::make_loss("pad", setting);
  distillation::Setting other = setting;
  other.init_seed = 8;
  const auto drawn_otherwise = distillation::make_loss("pad", other);
  REQUIRE(pad->parameters().front().first == "pad.features.weight");
  CHECK(determinism::hex(determinism::tensor_digest(pad->parameters())) ==
        determinism::hex(determinism::tensor_digest(again->parameters())));
  CHECK(determinism::hex(determinism::tensor_digest(pad->parameters())) !=
        determinism::hex(determinism::tensor_digest(drawn_otherwise->parameters())));
}

}  // namespace retrial::distillation_methods_tests
