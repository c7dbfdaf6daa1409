// Keys that do not fit each other are named together with what is allowed.
#include "workloads/pipeline/keys.hpp"

#include <cmath>

#include "tests/catch.hpp"
#include "workloads/interface/contradictions.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::tests::pipeline_keys_tests {

using namespace retrial;
using std::string_literals::operator""s;

namespace {

Values keys(const Values& more) {
  return workloads::resolved(workloads::find_workload("pipeline", ""), more);
}

/// "key: problem (allowed)" of the only problem; several are listed.
std::string problem_of(const Values& more) {
  std::string text;
  for (const auto& problem : pipeline::validate(keys(more)))
    text += (text.empty() ? "" : "; ") + problem.key + ": " + problem.problem + " (" + problem.allowed + ")";
  return text;
}

const Values pb{{"delay", "pb"s}, {"semantics", "inconsistent"s}};

Values pb_with(Values more) {
  more.insert(pb.begin(), pb.end());
  return more;
}

}  // namespace

TEST_CASE("a delay without a weight semantics is refused, naming both keys and the eight values") {
  CHECK(
      problem_of({{"delay", "pb"s}}) ==
      "delay: names no weight semantics by itself, and semantics = sequential has no delay (none, or set semantics to "
      "one of sequential, inconsistent, stashed, vertical_sync, recomputed, uniform_delay, forward_delay_only, "
      "drained)");
}

TEST_CASE("pairs of keys that do not go together") {
  CHECK(problem_of(pb) == "");
  CHECK(problem_of({{"semantics", "stashed"s}}) ==
        "delay: cannot be combined with semantics = stashed (pb, one_f_one_b, custom)");
  CHECK(problem_of({{"delay", "pb"s}, {"semantics", "vertical_sync"s}, {"corrector", "lwp_v"s}}) ==
        "corrector: cannot be combined with semantics = vertical_sync (none, sc)");
  CHECK(problem_of({{"delay", "pb"s}, {"semantics", "stashed"s}, {"corrector", "pipemare"s}}) ==
        "corrector: cannot be combined with semantics = stashed (none, sc, lwp_v, lwp_w, lwp_v+sc, lwp_w+sc, gsc, "
        "dc_asgd)");
  CHECK(problem_of({{"corrector", "sc"s}}) == "corrector: cannot be combined with semantics = sequential (none)");
  CHECK(problem_of(pb_with({{"corrector", "sc"s}, {"optimizer", "adam"s}})) ==
        "corrector: cannot be combined with optimizer = adam (none, lwp_v, lwp_w, or optimizer = sgdm)");
  CHECK(problem_of(pb_with({{"executor", "threads_fixed"s}, {"workers", std::int64_t{13}}})) ==
        "workers: more than stages = 12 (1 to 12)");
  CHECK(problem_of({{"executor", "threads_free"s}}) ==
        "executor: cannot be combined with delay = none: there is nothing that could vary (tick, threads_fixed)");
  CHECK_THAT(problem_of({{"delay", "uniform"s}, {"semantics", "uniform_delay"s}, {"executor", "threads_fixed"s}}),
             has_text("executor: cannot be combined with semantics = uniform_delay"));
  CHECK(problem_of({{"delay", "uniform"s}, {"semantics", "uniform_delay"s}, {"microbatches", std::int64_t{4}}}) ==
        "microbatches: fewer than stages = 12 cannot fill the pipeline (1, or 12 and more)");
}

TEST_CASE("what is not built is refused in words") {
  CHECK(problem_of({{"task", "images"s}}) ==
        "task: cannot be combined with backend = native (teacher4, or backend = torch)");
  CHECK(problem_of({{"norm", "group"s}}) ==
        "norm: cannot be combined with backend = native (none, or backend = torch)");
#ifndef RETRIAL_NO_TORCH
  const auto images = [](Values more) {
    more.merge(Values{{"task", "images"s}, {"backend", "torch"s}});
    return problem_of(more);
  };
  CHECK(problem_of({{"backend", "torch"s}}) == "");
  CHECK(problem_of({{"backend", "torch"s}, {"norm", "group"s}, {"width", std::int64_t{30}}}) ==
        "norm: groups of four do not divide width = 30 (none, layer, or a width that is a multiple of 4)");
  CHECK(images({}) == "");
  CHECK(images({{"stages", std::int64_t{7}}}) == "");
  CHECK(images({{"stages", std::int64_t{9}}}) ==
        "stages: cannot be combined with task = images, whose network has its own (7, or leave it out)");
  CHECK(images({{"train_count", std::int64_t{5000}}}) ==
        "train_count: larger than the training split (0 (all) to 1000)");
  CHECK(images({{"executor", "threads_fixed"s}, {"workers", std::int64_t{8}}}) ==
        "workers: more than stages = 7 (1 to 7)");
#endif
}

TEST_CASE("lists of delays and schedules") {
  const auto custom = [](const std::string& list) {
    return problem_of(
        {{"delay", "custom"s}, {"semantics", "stashed"s}, {"stages", std::int64_t{4}}, {"delay_list", list}});
  };
  CHECK(custom("6,4,2,0") == "");
  CHECK(custom("6, 4, 2, 4") ==
        "delay_list: element 3 is larger than element 2; delays must not increase towards the output (4 whole numbers "
        "from 0 to 4096, one for each stage)");
  CHECK_THAT(custom("6,4"), has_text("has 2 elements for stages = 4"));
  CHECK_THAT(custom("6,4,x,0"), has_text("not a list of delays"));
  CHECK_THAT(custom(""), has_text("not a list of delays"));
  CHECK_THAT(custom("6,4,-1,-1"), has_text("element 2 is not from 0 to 4096"));
  for (const char* wrong : {"", "0", "0=", "0=x", "5=1,5=2", "9=1,5=2", "-1=1", "0=0", "0=inf", "0=1,"})
    CHECK_THAT(problem_of({{"lr_schedule", std::string(wrong)}}), has_text("lr_schedule: not a schedule"));
  CHECK(problem_of({{"lr_schedule", "0=1, 8192=0.1"s}}) == "");
}

TEST_CASE("samples that do not fill an update") {
  const Values gpipe{{"semantics", "drained"s}, {"microbatches", std::int64_t{12}}};
  const auto with = [&](Values more) {
    more.insert(gpipe.begin(), gpipe.end());
    return problem_of(more);
  };
  CHECK(with({{"drop_last", false}}) == "samples: not divisible by microbatches = 12 (16380, or drop_last = true)");
  CHECK(with({{"samples", std::int64_t{11}}}) == "samples: fewer than one update of microbatches = 12 (at least 12)");
  CHECK(with({}) == "");
}

TEST_CASE("rates are scaled to the samples of an update") {
  CHECK_THAT(pipeline::scaled_rates(keys(pb)).momentum, WithinRel(std::pow(.9, 1.0 / 64), 1e-12));
  CHECK_THAT(pipeline::scaled_rates(keys({{"semantics", "drained"s}, {"microbatches", std::int64_t{12}}})).lr,
             WithinRel(.00366773313604143, 1e-12));  // section 18 of the specification: 64 -> 12
  CHECK(pipeline::scaled_rates(keys({{"scale_rates", false}})).lr == .1);
  CHECK(pipeline::scaled_rates(keys({{"optimizer", "adam"s}})).lr == .1);
  CHECK(pipeline::samples_per_update(keys({{"microbatches", std::int64_t{12}}})) == 1);  // not read by sequential
}

TEST_CASE("free threads are refused under a mode that promises equal bits") {
  const auto& declaration = workloads::find_workload("pipeline", "");
  const auto free_threads = keys(pb_with({{"executor", "threads_free"s}}));
  const auto problem = declaration.mode_problem(free_threads, {});
  REQUIRE(problem);
  CHECK(problem->key == "executor");
  CHECK_FALSE(declaration.mode_problem(free_threads, {.preset = "inherit"}));
  CHECK_FALSE(declaration.mode_problem(free_threads, {.preset = "custom", .deterministic = false}));
  CHECK_FALSE(declaration.mode_problem(keys(pb_with({{"executor", "threads_fixed"s}})), {}));
  CHECK(declaration.own_threads(keys(pb_with({{"executor", "threads_fixed"s}, {"workers", std::int64_t{3}}}))) == 3);
}

TEST_CASE("stages on LibTorch are refused under a mode that gives LibTorch several threads") {
  const auto& declaration = workloads::find_workload("pipeline", "");
  const determinism::KernelMode two{.preset = "custom", .threads = 2};
  const auto problem = declaration.mode_problem(keys({{"backend", "torch"s}}), two);
  REQUIRE(problem);
  CHECK(problem->key == "backend");
  CHECK_FALSE(declaration.mode_problem(keys({{"backend", "torch"s}}), {}));
  CHECK_FALSE(declaration.mode_problem(keys({}), two));
}

TEST_CASE("every preset is valid by itself") {
  for (const auto& variant : workloads::find_workload("pipeline", "").variants) {
    INFO(variant.name);
    CHECK(problem_of(variant.preset) == "");
    const auto read = pipeline::reads(keys(variant.preset));
    for (const auto& [key, value] : variant.preset) CHECK(std::find(read.begin(), read.end(), key) != read.end());
  }
}

}  // namespace retrial::tests::pipeline_keys_tests
