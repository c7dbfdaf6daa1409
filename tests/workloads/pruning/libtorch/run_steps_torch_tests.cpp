// The steps of whole trials: rewinding, controls, skipped steps, collapse. Sections 2, 6 and 9 of the specification of
// pruning.

#include "tests/workloads/pruning/libtorch/trial_torch.hpp"

namespace retrial::pruning_run_steps_tests {
using namespace pruning::fixture;

TEST_CASE("rewinding starts every retraining from the parent's early weights, under the masks") {
  Recorded early = run({{"pipeline", "cascade_rewind"s}}),
           late = run({{"pipeline", "cascade_rewind"s}, {"rewind_epoch", std::int64_t{2}}});
  CHECK(early.digests.at({"masks", 1}) == late.digests.at({"masks", 1}));
  CHECK(early.weights(3) != late.weights(3));
  // Going back to the end of the parent's training is not going back: the first step of a cascade.
  CHECK(late.weights(4) == run({}).weights(4));
}

TEST_CASE("one-shot pruning starts every step from the parent") {
  const Recorded all = run({{"pipeline", "one_shot"s}}), last = run({{"pipeline", "one_shot"s}, {"grid", ".1"s}});
  CHECK(all.digests.at({"masks", 3}) == last.digests.at({"masks", 1}));
  CHECK(all.weights() == last.weights());
}

TEST_CASE("controls take the cascade's masks or its counts, and the cascade itself is not changed by them") {
  const Recorded plain = run({}), reinit = run({{"pipeline", "reinit"s}}), random = run({{"pipeline", "random_mask"s}});
  for (const int step : {1, 2, 3}) {
    CHECK(reinit.digests.at({"masks", step}) == plain.digests.at({"masks", step}));
    CHECK(random.digests.at({"masks", step}) != plain.digests.at({"masks", step}));
    CHECK(at_step(random, "live", step) == at_step(plain, "live", step));
    CHECK(reinit.digests.at({"cascade_weights", 2 + 2 * step}) == plain.weights(2 + 2 * step));
  }
  CHECK(reinit.weights() != plain.weights());
}

TEST_CASE("steps between retrainings are recorded as pruned, not retrained, and enter no potential") {
  const Recorded recorded = run({{"retrain_every", std::int64_t{3}}});
  CHECK_THAT(recorded.artifacts.at("step_1"), has_text("pruned, not retrained"));
  CHECK_THAT(recorded.artifacts.at("step_3"), !has_text("pruned, not retrained"));
  const Json table = Json::parse(recorded.artifacts.at("potential"));
  CHECK(table.at("pr").size() == 2);  // the parent and the last step
}

TEST_CASE("keep ratio 1 prunes nothing and is retrained as a control; a step that removes nothing more is skipped") {
  const Recorded recorded = run({{"grid", "1, .9999, .5"s}});
  CHECK(at_step(recorded, "pr_w", 1) == 0);
  CHECK(recorded.weights(4) != recorded.weights(2));
  CHECK_FALSE(recorded.metrics.contains({"live", 2}));
  CHECK(recorded.metrics.contains({"live", 3}));
  CHECK(std::any_of(recorded.warnings.begin(), recorded.warnings.end(),
                    [](const std::string& text) { return text.find("step 2 keeps as many weights") == 0; }));
}

TEST_CASE("a step that removes nothing is retrained all the same when the step before still waits for it") {
  const Values keys{{"grid", ".5, .49999, .49998, .3"s}, {"retrain_every", std::int64_t{2}}};
  const Recorded recorded = run(keys);
  CHECK_THAT(recorded.artifacts.at("step_1"), has_text("pruned, not retrained"));
  CHECK_THAT(recorded.artifacts.at("step_2"), !has_text("pruned, not retrained"));
  CHECK(at_step(recorded, "live", 2) == at_step(recorded, "live", 1));
  CHECK_FALSE(recorded.metrics.contains({"live", 3}));
  CHECK(Json::parse(recorded.artifacts.at("potential")).at("pr").size() == 3);
  check_repeats(recorded, run_in_pieces(keys));
}

TEST_CASE("one-shot pruning also skips a step that keeps as many weights, and continues from the parent") {
  const Recorded all = run({{"pipeline", "one_shot"s}, {"grid", ".5, .49999, .1"s}}),
                 last = run({{"pipeline", "one_shot"s}, {"grid", ".1"s}});
  CHECK_FALSE(all.metrics.contains({"live", 2}));
  CHECK(all.weights() == last.weights());
}

TEST_CASE("a control that is not retrained is judged by its own masks, not by the cascade's") {
  const Values keys{{"retrain_every", std::int64_t{3}}};
  Values of_random = keys;
  of_random["pipeline"] = "random_mask"s;
  const Recorded plain = run(keys), random = run(of_random);
  for (const int step : {1, 2, 3}) {
    CHECK(random.digests.at({"masks", step}) != plain.digests.at({"masks", step}));
    CHECK(at_step(random, "live", step) == at_step(plain, "live", step));
  }
  check_repeats(random, run_in_pieces(of_random));
}

TEST_CASE("where no weight lives there is no speed-up to speak of") {
  const Recorded recorded = run({{"grid", "1e-9"s}});
  CHECK(at_step(recorded, "live", 1) == 0);
  CHECK_FALSE(recorded.metrics.contains({"speedup_theory", 1}));
}

TEST_CASE("a layer that collapses is named, and the trial continues") {
  const Recorded recorded = run({{"grid", ".3, .002"s}});
  CHECK(recorded.metrics.contains({"accuracy", 2}));
  CHECK(std::any_of(recorded.warnings.begin(), recorded.warnings.end(),
                    [](const std::string& text) { return text.find("step 2: collapsed: ") == 0; }));
  const Recorded kept = run({{"grid", ".3, .004"s}, {"min_keep", std::int64_t{1}}});
  CHECK_THAT(kept.artifacts.at("step_2"), has_text("\"collapsed\": []") || has_text("\"collapsed\":[]"));
}

TEST_CASE("a training that diverges ends the trial at that step, with what was measured before") {
  const Recorded recorded = run({{"lr", 1e30}});
  CHECK(recorded.diverged_at >= 0);
  CHECK(recorded.metrics.contains({"parent_accuracy", -1}));
}

}  // namespace retrial::pruning_run_steps_tests
