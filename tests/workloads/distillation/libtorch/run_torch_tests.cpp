// Behaviour of whole trials. What must hold is from sections 5, 9, 14, 16 and 19 of the specification of distillation.
#include <ATen/Context.h>

#include <filesystem>
#include <fstream>

#include "determinism/digest/tensor_digest_torch.hpp"
#include "tests/catch.hpp"
#include "tests/workloads/distillation/libtorch/trial_torch.hpp"
#include "tests/workloads/interface/folder.hpp"
#include "workloads/nn/protocol/schedule.hpp"

namespace retrial::distillation_run_tests {
using std::string_literals::operator""s;
using test::check_equal, test::joined, test::Recorded, test::run, test::run_in_pieces, test::trial_of;

namespace {

const Values scratch_keys{{"method", "ce"s}};

}  // namespace

TEST_CASE("the same trial gives the same digests, metrics and artifacts") {
  const Recorded first = run({}), second = run({});
  check_equal(first, second);
  CHECK(first.artifacts == second.artifacts);
  CHECK(first.fraction == 1);
}

TEST_CASE("digests are taken before training, at every epoch and at the end") {
  const Recorded recorded = run({});
  for (const std::int64_t step : {0, 1, 2, -1}) CHECK(recorded.digests.contains({"weights", step}));
  for (const std::int64_t step : {1, 2}) {
    CHECK(recorded.digests.contains({"teacher_weights", step}));
    CHECK(recorded.metrics.contains({"train_loss", step}));
    CHECK(recorded.metrics.contains({"loss_ce", step}));
    CHECK(recorded.metrics.contains({"loss_soft", step}));
  }
  CHECK(recorded.weights(2) == recorded.weights(-1));
  CHECK(recorded.weights(0) != recorded.weights(1));
  CHECK(recorded.digests.contains({"predictions", -1}));
}

TEST_CASE("every recorded metric is declared") {
  const auto& declaration = workloads::find_workload("distillation", "");
  for (const Values& given : {Values{}, Values{{"validation", .2}}}) {
    for (const auto& [key, value] : run(given).metrics) {
      const auto found = std::find_if(declaration.metrics.begin(), declaration.metrics.end(),
                                      [&name = key.first](const auto& metric) { return metric.name == name; });
      REQUIRE(found != declaration.metrics.end());
      CHECK((found->axis == results::Axis::none) == (key.second == -1));
    }
  }
}

TEST_CASE("a trial saved and loaded at every boundary gives the same bits") {
  for (const Values& given :
       {Values{{"teacher", "cnn2"s}}, joined(scratch_keys, {{"validation", .2}, {"select", "best-val"s}}),
        Values{{"student", "cnn2"s}, {"dropout", .3}, {"augment", "shift1"s}}, Values{{"teacher_cache", "logits"s}}})
    check_equal(run(given), run_in_pieces(trial_of(given)));
}

TEST_CASE("a state of another trial, or a damaged one, is refused") {
  Recorded recorded;
  const auto first = test::start(trial_of({}));
  first->advance(recorded);
  std::ostringstream state;
  first->save(state);
  workloads::Trial other = trial_of({});
  other.identity = std::string(64, 'b');
  std::istringstream of_first(state.str());
  CHECK_THROWS_AS(test::start(other)->load(of_first), workloads::TrialFailure);
  std::istringstream cut(state.str().substr(0, state.str().size() / 2));
  CHECK_THROWS_AS(test::start(trial_of({}))->load(cut), workloads::TrialFailure);
}

TEST_CASE("reseeding torch's global generator changes nothing") {
  const Values given{{"dropout", .3}, {"augment", "shift1"s}};
  at::Generator generator = at::globalContext().defaultGenerator(at::kCPU);
  generator.set_current_seed(1);
  const Recorded first = run(given);
  generator.set_current_seed(999);
  check_equal(first, run(given));
}

TEST_CASE("variants in another order give the same digests") {
  const Recorded kd_first = run({}), ce_second = run(scratch_keys);
  const Recorded ce_first = run(scratch_keys), kd_second = run({});
  check_equal(kd_first, kd_second);
  check_equal(ce_first, ce_second);
}

TEST_CASE("two variants that differ in temperature alone have different weights") {
  CHECK(run({{"temperature", 4.0}, {"epochs", std::int64_t{1}}}).weights() !=
        run({{"temperature", 5.0}, {"epochs", std::int64_t{1}}}).weights());
}

TEST_CASE("every training key changes the weights") {
  const Values base{{"epochs", std::int64_t{2}}};
  const std::string reference = run(base).weights();
  const Values changed{{"train_count", std::int64_t{149}},
                       {"validation", .1},
                       {"normalise", "computed"s},
                       {"student", "mlp:16"s},
                       {"teacher", "mlp:9"s},
                       {"dropout", .2},
                       {"method", "ce"s},
                       {"w_ce", .6},
                       {"w_soft", .6},
                       {"temperature", 5.0},
                       {"t_squared", false},
                       {"reduction", "element_mean"s},
                       {"epochs", std::int64_t{3}},
                       {"batch", std::int64_t{33}},
                       {"lr", .06},
                       {"momentum", .8},
                       {"nesterov", false},
                       {"weight_decay", 6e-4},
                       {"milestones", ""s},
                       {"gamma", .2},
                       {"augment", "shift1"s},
                       {"split", "permuted"s},
                       {"subset", "balanced"s},
                       {"teacher_epochs", std::int64_t{3}},
                       {"teacher_lr", .06},
                       {"teacher_batch", std::int64_t{33}},
                       {"teacher_augment", "none"s},
                       {"teacher_augment_mix", .6},
                       {"teacher_rows", "student"s},
                       {"downscale", std::int64_t{2}}};
  for (const auto& [key, value] : changed) {
    INFO(key);
    CHECK(run(joined(base, {{key, value}})).weights() != reference);
  }
  CHECK(run({{"augment", "shift1"s}, {"augment_mix", .7}}).weights() != run({{"augment", "shift1"s}}).weights());
  CHECK(run({{"split", "oob"s}}).weights() != run({{"split", "permuted"s}}).weights());
}

TEST_CASE("every honoured source changes the trial when it alone is varied") {
  const Values given{{"split", "oob"s}, {"augment", "shift1"s}, {"dropout", .2}};
  const Recorded reference = run(given);
  for (const std::string& source : workloads::find_workload("distillation", "").honours(trial_of(given).values)) {
    INFO(source);
    CHECK(run(given, {{source, 1}}).weights() != reference.weights());
  }
}

TEST_CASE("scratch and kd of one pair start from the same weights") {
  CHECK(run(scratch_keys).weights(0) == run({}).weights(0));
}

TEST_CASE("kd with the labels alone is cross entropy to the bit") {
  const Recorded labels_alone = run({{"w_ce", 1.0}, {"w_soft", 0.0}}), scratch = run(scratch_keys);
  CHECK(labels_alone.weights() == scratch.weights());
  CHECK(labels_alone.digests.at({"predictions", -1}) == scratch.digests.at({"predictions", -1}));
}

TEST_CASE("the weighted terms of an epoch add up to its loss") {
  const Recorded recorded = run({});
  CHECK_THAT(recorded.metrics.at({"loss_ce", 1}) + recorded.metrics.at({"loss_soft", 1}),
             WithinRel(recorded.metrics.at({"train_loss", 1}), 1e-12));
  CHECK(recorded.metrics.at({"loss_ce", 1}) > 0);
  CHECK(recorded.metrics.at({"loss_soft", 1}) > 0);
}

TEST_CASE("the pull of every term is recorded when asked for, and nothing else changes") {
  const Recorded plain = run({}), asked = run({{"gradient_norms", true}});
  CHECK(asked.digests == plain.digests);
  for (const std::int64_t epoch : {1, 2})
    for (const char* term : {"gradient_ce", "gradient_soft"}) {
      CHECK(asked.metrics.at({term, epoch}) > 0);
      CHECK_FALSE(plain.metrics.contains({term, epoch}));
    }
}

TEST_CASE("a teacher does not change while a student learns from it") {
  const Recorded recorded = run({{"teacher", "cnn2"s}});  // one with running statistics
  CHECK(recorded.digests.at({"teacher", 0}) == recorded.digests.at({"teacher", -1}));
  CHECK(recorded.digests.at({"teacher", 0}) == recorded.digests.at({"teacher_weights", 2}));
}

TEST_CASE("one teacher serves every student of its seed") {
  const std::string teacher = run({}).digests.at({"teacher", -1});
  CHECK(run({{"temperature", 9.0}, {"lr", .01}, {"train_count", std::int64_t{100}}}, {{"init", 3}, {"data-order", 3}})
            .digests.at({"teacher", -1}) == teacher);
  CHECK(run({}, {{"teacher", 1}}).digests.at({"teacher", -1}) != teacher);
}

TEST_CASE("a teacher is read from the cache, trained without it, and trained again if its file is damaged") {
  const test::Folder folder;
  const workloads::Place place{.data = {}, .cache = folder.path(), .out = {}};
  const Recorded without = run({}), first = run({}, {}, place);
  const auto files = std::filesystem::directory_iterator(folder.path() / "teachers");
  const std::filesystem::path file = files->path();
  CHECK(file.extension() == ".state");
  const Recorded recalled = run({}, {}, place);
  check_equal(without, first);
  check_equal(without, recalled);

  const auto whole = std::filesystem::file_size(file);
  {
    std::fstream damage(file, std::ios::in | std::ios::out | std::ios::binary);
    damage.seekp(static_cast<std::streamoff>(whole) / 2);
    damage.put('!');
  }
  check_equal(without, run({}, {}, place));
  CHECK(std::filesystem::file_size(file) == whole);
  std::filesystem::resize_file(file, whole / 2);
  check_equal(without, run({}, {}, place));
  CHECK(std::filesystem::file_size(file) == whole);  // written again
}

TEST_CASE("a teacher from the cache is really taken from there") {
  // Negative control: the file of one teacher under the name of another is not used, and its own name is.
  const test::Folder folder;
  const workloads::Place place{.data = {}, .cache = folder.path(), .out = {}};
  const Recorded one = run({}, {}, place);
  const std::filesystem::path file = std::filesystem::directory_iterator(folder.path() / "teachers")->path();
  const auto written = std::filesystem::last_write_time(file);
  check_equal(one, run({}, {}, place));
  CHECK(std::filesystem::last_write_time(file) == written);
  const Recorded other = run({}, {{"teacher", 1}}, place);
  for (const auto& entry : std::filesystem::directory_iterator(folder.path() / "teachers"))
    if (entry.path() != file)
      std::filesystem::copy_file(entry.path(), file, std::filesystem::copy_options::overwrite_existing);
  check_equal(one, run({}, {}, place));
  CHECK(one.digests.at({"teacher", -1}) != other.digests.at({"teacher", -1}));
}

TEST_CASE("a cache that cannot be written is no failure") {
  const test::Folder folder;
  folder.write("teachers", "a file where a folder should be");
  check_equal(run({}), run({}, {}, {.data = {}, .cache = folder.path(), .out = {}}));
}

TEST_CASE("weights are digested every K steps when asked, and nothing else changes") {
  const Recorded plain = run(scratch_keys),
                 stepped = run(scratch_keys, {}, {.data = {}, .cache = {}, .out = {}, .checksum_every = 2});
  CHECK(stepped.digests.contains({"step_weights", 2}));
  CHECK_FALSE(stepped.digests.contains({"step_weights", 1}));
  CHECK(stepped.digests.at({"step_weights", 10}) == stepped.weights());  // 5 batches of 32 an epoch, 2 epochs
  CHECK(stepped.weights() == plain.weights());
  CHECK(stepped.outcomes() == plain.outcomes());
}

TEST_CASE("step digests of a teacher are taken although it is cached") {
  const test::Folder folder;
  (void)run({}, {}, {.data = {}, .cache = folder.path(), .out = {}});
  const Recorded stepped = run({}, {}, {.data = {}, .cache = folder.path(), .out = {}, .checksum_every = 16});
  CHECK(stepped.digests.at({"teacher_step_weights", 64}) == stepped.digests.at({"teacher_weights", 2}));
}

TEST_CASE("a rate that explodes is recorded as diverged and still evaluated") {
  const Recorded recorded = run(joined(scratch_keys, {{"lr", 1e30}, {"epochs", std::int64_t{5}}, {"milestones", ""s}}));
  CHECK(recorded.diverged_at >= 1);
  CHECK(recorded.metrics.contains({"accuracy", -1}));
  CHECK(recorded.final("accuracy") >= 0);
  CHECK(recorded.digests.contains({"predictions", -1}));
}

TEST_CASE("a teacher that explodes ends its trial as diverged") {
  const Recorded recorded = run({{"teacher_lr", 1e30}, {"teacher", "mlp:8"s}});
  CHECK(recorded.diverged_at >= 1);
  CHECK_FALSE(recorded.metrics.contains({"train_loss", 1}));
  CHECK(recorded.metrics.contains({"accuracy", -1}));
}

TEST_CASE("the record keeps models, normalisation and the learning rates") {
  const Recorded recorded = run({{"teacher", "cnn4"s}});
  CHECK_THAT(recorded.artifacts.at("models"),
             has_text("\"parameters\":2410") && has_text("\"name\":\"cnn4\"") && has_text("\"sd\":[1.0]"));
  CHECK(recorded.digests.at({"lr_schedule", -1}) ==
        results::hex(nn::schedule_digest(nn::learning_rates({.lr = .05, .gamma = .1, .milestones = "1/3,2/3"}, 2))));
}

TEST_CASE("best_test is recorded always and optimism is its distance from the last epoch") {
  const Recorded recorded = run(joined(scratch_keys, {{"epochs", std::int64_t{6}}}));
  double best = 0;
  for (std::int64_t epoch = 1; epoch <= 6; ++epoch)
    best = std::max(best, recorded.metrics.at({"test_accuracy", epoch}));
  CHECK(recorded.final("best_test") == best);
  CHECK(recorded.final("optimism") == best - recorded.final("last"));
  CHECK(recorded.final("accuracy") == recorded.metrics.at({"test_accuracy", 6}));
  CHECK(run(joined(scratch_keys, {{"epochs", std::int64_t{6}}, {"select", "best-test"s}})).final("accuracy") == best);
}

TEST_CASE("what a user should know is said once as a warning") {
  const auto said = [](const Values& given) {
    std::string text;
    for (const std::string& warning : run(given).warnings) text += warning + "\n";
    return text;
  };
  CHECK(said({}).empty());
  CHECK_THAT(said({{"batch", std::int64_t{151}}}), has_text("one short batch"));
  CHECK_THAT(said({{"validation", .1}}), has_text("validation rows are not used for selection"));
  CHECK_THAT(said({{"teacher", "cnn16"s}, {"teacher_epochs", std::int64_t{1}}}), has_text("more than 5 points below"));
  CHECK_THAT(said({{"select", "best-test"s}}), has_text("cannot confirm a claim"));
  CHECK_THAT(said({{"teacher", "mlp:32"s}}), has_text("self-distillation"));
}

TEST_CASE("running statistics that became NaN are warned about, although no loss ever was") {
  // The last batch of 33 rows has one, and images of 4x4 end in maps of 1x1, so that a variance is divided by 0. A plan
  // with these keys is refused; the warning is for whatever else spoils the statistics.
  const Values odd{{"student", "resnet8b:w=2"s},
                   {"method", "ce"s},
                   {"downscale", std::int64_t{2}},
                   {"train_count", std::int64_t{33}},
                   {"epochs", std::int64_t{1}}};
  const auto said = [](const test::Recorded& recorded) {
    std::string text;
    for (const std::string& warning : recorded.warnings) text += warning + "\n";
    return text;
  };
  const test::Recorded broken = run(odd);
  CHECK(broken.diverged_at == -1);
  CHECK_THAT(said(broken),
             has_text("797 of 797 test rows have logits of the student resnet8b:w=2 that are not finite"));
  Values even = odd;
  even["train_count"] = std::int64_t{34};
  CHECK_THAT(said(run(even)), !has_text("not finite"));
}

TEST_CASE("a trial without a seed it honours is refused") {
  workloads::Trial trial = trial_of({});
  trial.seeds.erase("teacher");
  CHECK_THROWS(test::start(trial));
}

TEST_CASE("a drawn split that lacks rows of a class fails its trial, not the plan") {
  CHECK_THROWS_AS(
      test::start(trial_of({{"split", "permuted"s}, {"subset", "balanced"s}, {"train_count", std::int64_t{1000}}})),
      workloads::TrialFailure);
}

}  // namespace retrial::distillation_run_tests
