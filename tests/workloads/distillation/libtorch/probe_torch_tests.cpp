// The probes of the liveness check on our own methods, which must give no finding, and trials that are cut.
#include <ATen/Parallel.h>

#include <algorithm>

#include "tests/catch.hpp"
#include "tests/workloads/distillation/libtorch/trial_torch.hpp"
#include "workloads/distillation/methods/methods.hpp"

namespace retrial::distillation_probe_tests {
using std::string_literals::operator""s;
using test::Recorded, test::run, test::trial_of;

namespace {

Values keys_of(const std::string& method) {
  Values keys{{"method", method},
              {"student", "cnn2"s},
              {"teacher", "cnn2"s},
              {"assistant", "mlp:9"s},
              {"train_count", std::int64_t{160}},
              {"teacher_epochs", std::int64_t{3}},
              {"epochs", std::int64_t{3}},
              {"negatives", std::int64_t{50}}};
  if (distillation::find_method(method).init_epochs > 0) keys["init_epochs"] = std::int64_t{1};
  return keys;
}

}  // namespace

TEST_CASE("the probes of distillation find nothing in any of its methods, and look at every term and network") {
  at::set_num_threads(1);
  for (const distillation::Method& method : distillation::all_methods()) {
    if (method.name == "uda") continue;  // photographs
    INFO(method.name);
    const workloads::Trial trial = trial_of(keys_of(method.name));
    const auto report = workloads::find_probe("distillation")(trial, {.max_steps = 3});
    for (const auto& finding : report.findings) {
      INFO(finding.kind << ", " << finding.subject << ": " << finding.compared);
      CHECK(false);
    }
    const auto looked_at = [&](const std::string& part) {
      return std::find(report.looked_at.begin(), report.looked_at.end(), part) != report.looked_at.end();
    };
    CHECK(looked_at("student"));
    CHECK(looked_at("teacher") == method.needs_teacher);
    const auto phases = distillation::phases_of(trial.values);
    for (const auto& term : phases.back().terms) CHECK(looked_at("loss term " + term.term));
  }
}

TEST_CASE("a trial that is cut after three steps has the weights of the whole trial after three steps") {
  const Recorded whole = run(keys_of("kd"), {}, {.checksum_every = 3});
  const Recorded cut = run(keys_of("kd"), {}, {.max_steps = 3});
  // The teacher is cut as well, so the student is compared in a method without one.
  CHECK(cut.digests.at({"teacher_weights", 1}) == whole.digests.at({"teacher_step_weights", 3}));
  const Recorded alone = run(keys_of("ce"), {}, {.checksum_every = 3}),
                 short_alone = run(keys_of("ce"), {}, {.max_steps = 3});
  CHECK(short_alone.weights() == alone.digests.at({"step_weights", 3}));
  CHECK(short_alone.weights() != alone.weights());
  // Its schedule is that of the whole trial, and those of the teacher are told beside it.
  CHECK(short_alone.digests.at({"lr_schedule", -1}) == alone.digests.at({"lr_schedule", -1}));
  CHECK(cut.digests.contains({"teacher_lr_schedule", -1}));
  CHECK_FALSE(whole.digests.contains({"teacher_lr_schedule", -1}));
}

}  // namespace retrial::distillation_probe_tests
