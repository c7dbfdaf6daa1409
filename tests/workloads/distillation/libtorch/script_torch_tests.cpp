// Networks from files as student and teacher. The oracle is the built-in network with the same weights.
#include <algorithm>

#include "results/json/json.hpp"
#include "tests/catch.hpp"
#include "tests/workloads/distillation/libtorch/trial_torch.hpp"
#include "tests/workloads/nn/script/script_torch.hpp"

namespace retrial::distillation_script_tests {
using std::string_literals::operator""s;
using test::check_equal, test::joined, test::Recorded, test::run, test::run_trial, test::ScriptedPlace, test::trial_of;

namespace {

/// A file with the weights that the built-in network would draw as the student of the trial.
ScriptedPlace student_file(const std::string& model, const workloads::Trial& trial) {
  return ScriptedPlace(
      test::scripted(*nn::make(nn::parse_architecture(model, "student"), {1, 8, 8}, 10, trial.seed("init"))));
}

/// Outcomes and digests of a trial, but for those about which network it was.
void check_same_training(const Recorded& ours, const Recorded& theirs) {
  CHECK(ours.digests == theirs.digests);
  CHECK(ours.outcomes() == theirs.outcomes());
  for (const auto& [key, value] : ours.metrics)
    if (key.first == "train_loss") CHECK_THAT(theirs.metrics.at(key), WithinRel(value, 1e-6));
}

}  // namespace

TEST_CASE("a scripted copy of a student trains to the same losses and the same bits as the built-in one") {
  for (const Values& keys : {Values{{"method", "ce"s}}, Values{}, Values{{"method", "dkd"s}, {"augment", "shift1"s}},
                             Values{{"method", "dist"s}}, Values{{"method", "lstd"s}, {"teacher_cache", "logits"s}},
                             Values{{"optimizer", "dot"s}}, Values{{"method", "cosine"s}}}) {
    const Values ours = joined(keys, {{"student", "mlp:32"s}});
    const auto trial = trial_of(ours);
    const ScriptedPlace file = student_file("mlp:32", trial);
    const auto scripted = trial_of(joined(keys, {{"student", file.name}}));
    CHECK_FALSE(scripted.seeds.contains("init"));
    check_same_training(run(ours), run_trial(scripted, file.place));
  }
}

TEST_CASE("every pair starts from the weights of the file") {
  const ScriptedPlace file = student_file("mlp:16", trial_of({{"student", "mlp:16"s}}));
  const Values keys{{"student", file.name}, {"method", "ce"s}};
  const Recorded first = run(keys, {{"data-order", 0}}, file.place),
                 second = run(keys, {{"data-order", 1}}, file.place);
  CHECK(first.weights(0) == second.weights(0));
  CHECK(first.weights() != second.weights());
}

TEST_CASE("a trial with a script that was saved and loaded at every boundary gives the same bits") {
  const ScriptedPlace file = student_file("mlp:16", trial_of({{"student", "mlp:16"s}}));
  for (const Values& keys : {Values{{"student", file.name}}, Values{{"student", file.name}, {"teacher", file.name}},
                             Values{{"teacher", file.name}, {"teacher_epochs", std::int64_t{0}}},
                             Values{{"teacher", file.name},
                                    {"assistant", file.name},
                                    {"teacher_epochs", std::int64_t{0}},
                                    {"method", "multikd"s}},
                             Values{{"student", file.name}, {"assistant", file.name}, {"method", "takd"s}}})
    check_equal(run(keys, {}, file.place), test::run_in_pieces(trial_of(keys), file.place));
}

TEST_CASE("a teacher from a file is used as it is, or trained on from there") {
  const ScriptedPlace file = student_file("mlp:16", trial_of({{"student", "mlp:16"s}}));
  const Values as_it_is{{"teacher", file.name}, {"teacher_epochs", std::int64_t{0}}};
  CHECK_FALSE(trial_of(as_it_is).seeds.contains("teacher"));
  const Recorded given = run(as_it_is, {}, file.place);
  const auto net = nn::make(nn::parse_architecture("mlp:16", "student"), {1, 8, 8}, 10,
                            trial_of({{"student", "mlp:16"s}}).seed("init"));
  CHECK(given.digests.at({"teacher", -1}) == determinism::hex(net->digest()));
  CHECK(given.digests.at({"teacher", 0}) == given.digests.at({"teacher", -1}));
  CHECK_FALSE(given.digests.contains({"teacher_weights", 1}));
  const Recorded trained = run({{"teacher", file.name}}, {}, file.place);
  CHECK(trained.digests.at({"teacher", -1}) != given.digests.at({"teacher", -1}));
  CHECK(trained.digests.contains({"teacher_weights", 2}));
}

TEST_CASE("the cache of teachers tells two files apart, and finds the same file again") {
  const test::Folder cache;
  std::filesystem::permissions(cache.path(), std::filesystem::perms::owner_all);
  const auto taught = [&](const std::string& model) {
    ScriptedPlace file = student_file(model, trial_of({{"student", model}}));
    file.place.cache = cache.path();
    return run({{"teacher", file.name}}, {}, file.place).digests.at({"teacher", -1});
  };
  const std::string first = taught("mlp:16"), other = taught("mlp:8");
  CHECK(first != other);
  CHECK(taught("mlp:16") == first);
  const auto kept = std::filesystem::directory_iterator(cache.path() / "teachers");
  CHECK(std::distance(begin(kept), end(kept)) == 2);
}

TEST_CASE("the artifact about the networks has the switches of a script, and no count that nobody knows") {
  const ScriptedPlace file = student_file("mlp:16", trial_of({{"student", "mlp:16"s}}));
  const Recorded recorded = run({{"student", file.name}}, {}, file.place);
  const Json student = results::parse_json(recorded.artifacts.at("models"), "models").at("student");
  CHECK(student.at("name") == file.name);
  CHECK(student.at("parameters") == 64 * 16 + 16 + 16 * 10 + 10);
  CHECK(student.at("macs").is_null());
  CHECK(student.at("switches").at("profiling_executor") == false);
  CHECK(std::ranges::any_of(recorded.warnings, [](const auto& text) {
    return text.find("the source init does not reach it") != std::string::npos;
  }));
}

TEST_CASE("the probes of a trial pass with a script") {
  ScriptedPlace file = student_file("mlp:16", trial_of({{"student", "mlp:16"s}}));
  file.place.max_steps = 2;
  const auto report =
      workloads::find_probe("distillation")(trial_of({{"student", file.name}, {"teacher", file.name}}), file.place);
  for (const auto& finding : report.findings) FAIL_CHECK(finding.kind << ": " << finding.compared);
  CHECK_FALSE(report.looked_at.empty());
}

}  // namespace retrial::distillation_script_tests
