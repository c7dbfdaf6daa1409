// Distillation on a stand-in for a GPU, whose operators are the CPU's: the CPU's digests, so nothing was left on the
// host.
#include <set>

#include "tests/catch.hpp"
#include "tests/workloads/distillation/libtorch/trial_torch.hpp"
#include "tests/workloads/nn/gpu/stand_in_kernels_torch.hpp"
#include "workloads/distillation/methods/methods.hpp"
#include "workloads/distillation/trial/dot_device.hpp"

namespace retrial::tests::distillation_device_tests {
using stand_in::on_host;
using std::string_literals::operator""s;

namespace {

void dot(std::span<const determinism::Listed<distillation::DotTensor>> tensors, const nn::UpdateControl& control,
         double delta, const nn::Sgd& sgd) {
  const auto numbers = distillation::dot_numbers(0, delta, sgd);
  stand_in::launch_list<distillation::DotTensor>(
      tensors,
      [](const distillation::DotTensor& t) {
        return distillation::DotTensor{on_host(t.w), on_host(t.gradient), on_host(t.imitation),
                                       on_host(t.v), on_host(t.u),        on_host(t.live)};
      },
      [&](const auto& parts, const determinism::Where& at) {
        distillation::dot_parts(parts, stand_in::seen(control), numbers, at);
      });
}

at::Device device_with_dot() {
  distillation::dot_kernel() = dot;
  return stand_in::device_with_kernels();
}

}  // namespace

TEST_CASE("every method of distillation has the CPU's digests on a device") {
  const at::Device device = device_with_dot();
  std::set<std::string> wait_in_steps;
  for (const auto& method : test::methods_on_digits()) {
    CAPTURE(method.name);
    const Values keys = test::method_keys(method.name);
    test::check_equal(test::run(keys), test::run(keys, {}, stand_in::place_on(device)));
    const auto waits_of = [&](std::int64_t rows) {
      const std::int64_t before = stand_in::waits();
      (void)test::run(test::joined(keys, {{"train_count", rows}}), {}, stand_in::place_on(device));
      return stand_in::waits() - before;
    };
    if (waits_of(64) != waits_of(192)) wait_in_steps.insert(method.name);
  }
  // Points without spread are refused at their step; singular vectors are found on the host; and LibTorch's gradient of
  // max() waits on every device but CUDA's.
  CHECK(wait_in_steps == std::set<std::string>{"kdsvd", "rkd", "sfd"});
}

TEST_CASE("keys of distillation that touch tensors have the CPU's digests on a device, saved at every boundary too") {
  const at::Device device = device_with_dot();
  for (const Values& more : {Values{{"optimizer", "dot"s}}, Values{{"teacher_cache", "logits"s}},
                             Values{{"dropout", .2}, {"gradient_norms", true}},
                             Values{{"method", "hint"s},
                                    {"base", "kd"s},
                                    {"init_epochs", std::int64_t{1}},
                                    {"student", "cnn2"s},
                                    {"teacher", "cnn3"s}}}) {
    const Values keys = test::joined({{"train_count", std::int64_t{70}}}, more);
    const auto on_cpu = test::run(keys);
    test::check_equal(on_cpu, test::run(keys, {}, stand_in::place_on(device)));
    test::check_equal(on_cpu, test::run_in_pieces(test::trial_of(keys), stand_in::place_on(device)));
    workloads::Place looked = stand_in::place_on(device);
    looked.checksum_every = 2;
    workloads::Place beside;
    beside.checksum_every = 2;
    test::check_equal(test::run(keys, {}, beside), test::run(keys, {}, looked));
  }
}

}  // namespace retrial::tests::distillation_device_tests
