// A network from a file is pruned as the built-in one with the same weights is.
#include <ATen/ops/ones.h>

#include <algorithm>
#include <sstream>

#include "tests/workloads/nn/script/script_torch.hpp"
#include "tests/workloads/pruning/libtorch/trial_torch.hpp"

namespace retrial::pruning_script_tests {
using std::string_literals::operator""s;
using pruning::fixture::run, pruning::fixture::start, pruning::fixture::trial_of;
using test::joined, test::Recorded, test::ScriptedPlace;

namespace {

const Values no_corruptions{{"corruptions", "none"s}};

ScriptedPlace parent_file() {
  return ScriptedPlace(test::scripted(
      *nn::make(nn::parse_architecture("mlp:16,8", "model"), {1, 8, 8}, 10, trial_of(no_corruptions).seed("init"))));
}

std::map<std::string, std::string> masks_of(const Recorded& recorded) {
  std::map<std::string, std::string> masks;
  for (const auto& [name, body] : recorded.artifacts)
    if (name.starts_with("masks_")) masks[name] = body;
  return masks;
}

/// Saved and loaded at every boundary.
Recorded in_pieces(const Values& keys, const workloads::Place& place) {
  const auto trial = trial_of(keys);
  Recorded recorded;
  std::string state;
  for (bool more = true; more;) {
    const auto one = start(trial, place);
    std::istringstream from(state);
    if (!state.empty()) one->load(from);
    more = one->advance(recorded);
    std::ostringstream to;
    one->save(to);
    state = to.str();
  }
  return recorded;
}

}  // namespace

TEST_CASE("every method of named parameters prunes the weights of a script that it prunes of the built-in network") {
  const ScriptedPlace file = parent_file();
  for (const auto& method : pruning::all_methods()) {
    if (!method.of_parameters() || method.rule == pruning::Rule::lottery) continue;
    const Values keys = joined(no_corruptions, {{"method", method.name}, {"grid", ".6"s}});
    const Recorded ours = run(keys), theirs = run(joined(keys, {{"model", file.name}}), {}, file.place);
    INFO(method.name);
    REQUIRE(masks_of(ours).size() == 1);
    CHECK(masks_of(ours) == masks_of(theirs));
    // Gradients of 0 take whole rows away, whose biases only the built-in network loses.
    CHECK((ours.weights() == theirs.weights()) == !method.reads_samples);
    CHECK(ours.final("last_accuracy") == theirs.final("last_accuracy"));
    CHECK(theirs.metrics.contains({"pr_w", 1}));
    CHECK_FALSE(theirs.metrics.contains({"macs", 1}));
  }
}

TEST_CASE("other pipelines than the cascade take a script, and a resumed trial has the same bits") {
  const ScriptedPlace file = parent_file();
  for (const std::string pipeline : {"cascade", "cascade_rewind", "one_shot", "fine_tune", "random_mask", "train"}) {
    const Values keys = joined(no_corruptions, {{"model", file.name}, {"pipeline", pipeline}});
    INFO(pipeline);
    pruning::fixture::check_repeats(run(keys, {}, file.place), in_pieces(keys, file.place));
  }
}

TEST_CASE("a trained network is pruned as its file has it, without training the parent") {
  const ScriptedPlace file = parent_file();
  const auto given =
      nn::make(nn::parse_architecture("mlp:16,8", "model"), {1, 8, 8}, 10, trial_of(no_corruptions).seed("init"));
  const Values as_it_is{{"model", file.name}, {"epochs", std::int64_t{0}}, {"retrain_epochs", std::int64_t{2}}};
  for (const std::string pipeline : {"cascade", "cascade_rewind", "one_shot", "random_mask"}) {
    const Values keys = joined(no_corruptions, joined(as_it_is, {{"pipeline", pipeline}}));
    const Recorded recorded = run(keys, {}, file.place);
    INFO(pipeline);
    CHECK(recorded.weights(0) == determinism::hex(given->digest()));
    CHECK(recorded.metrics.at({"pr_w", 0}) == 0);
    CHECK(recorded.metrics.contains({"train_loss", 2}));  // of the first retraining
    CHECK(recorded.metrics.at({"pr_w", 3}) > 89);
    pruning::fixture::check_repeats(recorded, in_pieces(keys, file.place));
  }
}

TEST_CASE("the biases of a script stay when all weights of a row are gone") {
  const ScriptedPlace file = parent_file();
  const Values keys = joined(no_corruptions, {{"model", file.name}, {"grid", ".02"s}});
  const Recorded recorded = run(keys, {}, file.place);
  CHECK(recorded.metrics.at({"pr_w", 1}) > 97);
  CHECK(std::ranges::any_of(recorded.warnings,
                            [](const auto& text) { return text.find("biases stay") != std::string::npos; }));
}

TEST_CASE("a script without a weight of two dimensions has nothing to prune") {
  const ScriptedPlace file(test::script_bytes({{"scale", at::ones({10, 64})}}, {},
                                              "def forward(self, x):\n"
                                              "  return torch.linear(torch.flatten(x, 1), self.scale)\n"));
  CHECK_THROWS_WITH(start(trial_of(joined(no_corruptions, {{"model", file.name}})), file.place),
                    has_text("has no trained parameter NAME.weight of two or more dimensions"));
}

TEST_CASE("the probes of pruning pass with a script") {
  const ScriptedPlace file = parent_file();
  const auto report =
      workloads::find_probe("pruning")(trial_of(joined(no_corruptions, {{"model", file.name}})), file.place);
  for (const auto& finding : report.findings) FAIL_CHECK(finding.kind << ": " << finding.compared);
  CHECK_FALSE(report.looked_at.empty());
}

}  // namespace retrial::pruning_script_tests
