// Behaviour of whole trials of pruning. What must hold is from sections 2, 6, 9, 12 and 17 of its specification.
#include <ATen/ops/empty.h>

#include <limits>

#include "tests/catch.hpp"
#include "tests/workloads/data/files/data_folder.hpp"
#include "tests/workloads/distillation/libtorch/trial_torch.hpp"
#include "tests/workloads/interface/folder.hpp"
#include "workloads/pruning/keys/keys.hpp"
#include "workloads/pruning/libtorch/run_torch.hpp"

namespace retrial::pruning_run_tests {
using std::string_literals::operator""s;
using test::Recorded;

namespace {

Values small_keys(const Values& given = {}) {
  Values keys{{"model", "mlp:16,8"s},
              {"epochs", std::int64_t{2}},
              {"train_count", std::int64_t{200}},
              {"grid", ".6, .3, .1"s},
              {"batch", std::int64_t{32}}};
  for (const auto& [key, value] : given) keys[key] = value;
  return keys;
}

workloads::Trial trial_of(const Values& given, const std::map<std::string, std::uint64_t>& pairs = {}) {
  const workloads::Declaration& declaration = workloads::find_workload("pruning", "");
  workloads::Trial trial{.workload = "pruning",
                         .variant = "wt",
                         .values = workloads::resolved(declaration, small_keys(given)),
                         .identity = std::string(64, 'a')};
  REQUIRE(declaration.validate(trial.values).empty());
  for (const std::string& source : declaration.honours(trial.values)) {
    const auto found = pairs.find(source);
    trial.pairs[source] = found == pairs.end() ? 0 : found->second;
    trial.seeds[source] = variance::source_seed(20210403, source, trial.pairs[source]);
  }
  return trial;
}

std::unique_ptr<workloads::Run> start(const workloads::Trial& trial, const workloads::Place& place = {}) {
  at::set_num_threads(1);
  return workloads::find_start("pruning")(trial, place);
}

Recorded run(const Values& given, const std::map<std::string, std::uint64_t>& pairs = {},
             const workloads::Place& place = {}) {
  Recorded recorded;
  const auto one = start(trial_of(given, pairs), place);
  while (one->advance(recorded)) {
  }
  return recorded;
}

/// Runs with a save and a load into a fresh run at every boundary.
Recorded run_in_pieces(const Values& given) {
  const workloads::Trial trial = trial_of(given);
  Recorded recorded;
  std::string state;
  for (bool more = true; more;) {
    const auto one = start(trial);
    if (!state.empty()) {
      std::istringstream from(state);
      one->load(from);
    }
    more = one->advance(recorded);
    std::ostringstream to;
    one->save(to);
    state = to.str();
  }
  return recorded;
}

/// Metrics that must reproduce, as bits.
std::map<std::string, std::string> outcomes(const Recorded& recorded) {
  std::map<std::string, std::string> found;
  for (const auto& [key, value] : recorded.metrics)
    if (key.first != "seconds" && !key.first.starts_with("latency"))
      found[key.first + std::to_string(key.second)] = results::hex_of_bits(value);
  return found;
}

void check_repeats(const Recorded& a, const Recorded& b) {
  CHECK(a.digests == b.digests);
  CHECK(outcomes(a) == outcomes(b));
  CHECK(a.artifacts == b.artifacts);
}

double at_step(const Recorded& recorded, const std::string& name, std::int64_t step) {
  return recorded.metrics.at({name, step});
}

}  // namespace

TEST_CASE("the same trial of every method gives the same digests, metrics and artifacts, also in pieces") {
  for (const auto& variant : workloads::find_workload("pruning", "").variants) {
    CAPTURE(variant.name);
    Values keys = variant.preset;
    if (variant.name == "lth") keys["grid"] = "levels(.4, 3)"s;
    check_repeats(run(keys), run_in_pieces(keys));
  }
}

TEST_CASE("every pipeline reproduces when it is saved and loaded at every boundary, at and inside steps") {
  for (const std::string& pipeline : pruning::pipeline_names()) {
    CAPTURE(pipeline);
    const Values keys{{"pipeline", pipeline}, {"rewind_epoch", std::int64_t{1}}};
    check_repeats(run(keys), run_in_pieces(keys));
  }
  const Values several{
      {"retrain_every", std::int64_t{2}}, {"grid", ".8,.6,.4,.2"s}, {"dropout", .2}, {"augment", "shift1"s}};
  check_repeats(run(several), run_in_pieces(several));
}

TEST_CASE("a cascade keeps exactly what was asked for at every step, and never revives a weight") {
  const Recorded recorded = run({});
  const double weights = 16 * 64 + 16 * 8 + 8 * 10;
  CHECK(at_step(recorded, "live", 0) == weights);
  CHECK(at_step(recorded, "pr_w", 0) == 0);
  CHECK(at_step(recorded, "live", 1) == std::round(.6 * weights));
  CHECK(at_step(recorded, "live", 2) == std::round(.3 * weights));
  CHECK(at_step(recorded, "live", 3) == std::round(.1 * weights));
  const auto masks = [&](int step) {
    const std::string name = std::to_string(step), digest = recorded.digests.at({"masks", step});
    return pruning::masks_from(recorded.artifacts.at("masks_" + name), results::digest_from_hex(digest, "masks"), "",
                               step);
  };
  CHECK(pruning::within(masks(2), masks(1)));
  CHECK(pruning::within(masks(3), masks(2)));
}

TEST_CASE("factors are trained in the place of weights, within the budget, and sizes are those of the factors") {
  for (const char* method : {"svd", "alds", "pca"}) {
    CAPTURE(method);
    const Recorded recorded = run({{"method", std::string(method)}});
    const double weights = 16 * 64 + 16 * 8 + 8 * 10, all = weights + 16 + 8 + 10;
    double before = weights;
    for (const int step : {1, 2, 3}) {
      CAPTURE(step);
      const double live = at_step(recorded, "live", step);
      CHECK(live <= std::max(std::round((step == 1 ? .6 : step == 2 ? .3 : .1) * weights), 16. + 64 + 16 + 8 + 8 + 10));
      CHECK(live < before);
      before = live;
      CHECK_THAT(at_step(recorded, "pr_w", step), WithinAbs(100 * (1 - live / weights), 1e-9));
      CHECK_THAT(at_step(recorded, "pr_all", step), WithinAbs(100 * (weights - live) / all, 1e-9));
      CHECK_THAT(at_step(recorded, "compression", step), WithinAbs(all / (all - weights + live), 1e-9));
      CHECK(at_step(recorded, "macs", step) == live);
      CHECK(at_step(recorded, "pr_nnz", step) >= at_step(recorded, "pr_all", step) - 1e-9);
      CHECK(recorded.digests.contains({"ranks", step}));
      const Json document = Json::parse(recorded.artifacts.at("step_" + std::to_string(step)));
      CHECK(document.at("live") == live);
      CHECK(document.at("rank_error").get<double>() > 0);
    }
    CHECK(recorded.weights(4) != recorded.weights(3));
    CHECK(at_step(recorded, "train_loss", 4) < at_step(recorded, "train_loss", 3));  // both epochs behind the first cut
    CHECK_FALSE(std::count(recorded.warnings.begin(), recorded.warnings.end(), "unstructured: no speed-up expected"));
  }
}

// With both factors trained at this rate every one of these ended at chance, or diverged.
TEST_CASE("factors retrained at the learning rate of their parent keep what it knew") {
  for (const char* method : {"svd", "alds", "pca"}) {
    CAPTURE(method);
    const Recorded recorded = run({{"method", std::string(method)},
                                   {"model", "mlp:128,64"s},
                                   {"train_count", std::int64_t{1000}},
                                   {"epochs", std::int64_t{8}},
                                   {"grid", ".5,.3"s},
                                   {"lr", .1}});
    CHECK(at_step(recorded, "accuracy", 0) > 95);
    CHECK(at_step(recorded, "accuracy", 2) > at_step(recorded, "accuracy", 0) - 2);
  }
}

TEST_CASE("factorised networks reproduce in every pipeline they have, in pieces, and are compared like any other") {
  const Values compared{{"noise_images", std::int64_t{4}},
                        {"noise_draws", std::int64_t{2}},
                        {"noise_levels", "0,.3"s},
                        {"backselect_images", std::int64_t{2}},
                        {"separate", true},
                        {"corruptions", "contrast"s},
                        {"grid", ".6,.3"s},
                        {"method", "alds"s}};
  for (const char* pipeline : {"cascade", "one_shot", "fine_tune"}) {
    CAPTURE(pipeline);
    Values keys = compared;
    keys["pipeline"] = std::string(pipeline);
    const Recorded recorded = run(keys);
    check_repeats(recorded, run_in_pieces(keys));
    CHECK(recorded.metrics.contains({"distance_softmax_l2_0.3", 2}));
    CHECK(recorded.metrics.contains({"excess_slope", -1}));
    CHECK(Json::parse(recorded.artifacts.at("backselect")).at("networks").size() == 4);  // with the separate one
  }
  const Recorded all = run({{"method", "svd"s}, {"pipeline", "one_shot"s}}),
                 last = run({{"method", "svd"s}, {"pipeline", "one_shot"s}, {"grid", ".1"s}});
  CHECK(all.digests.at({"ranks", 3}) == last.digests.at({"ranks", 1}));
  CHECK(all.weights() == last.weights());
}

TEST_CASE("convolutions are factorised in trials too") {
  for (const char* method : {"svd", "alds", "pca"}) {
    CAPTURE(method);
    const Recorded recorded = run({{"method", std::string(method)},
                                   {"model", "cnn4"s},
                                   {"grid", ".5,.3"s},
                                   {"train_count", std::int64_t{64}},
                                   {"corruptions", "none"s},
                                   {"epochs", std::int64_t{1}}});
    CHECK(at_step(recorded, "pr_w", 1) >= 50);
    CHECK(at_step(recorded, "pr_w", 2) >= 70);
  }
}

// Retraining is LibTorch's: its products over some shapes have other last bits on two threads, so that threads are an
// axis of the kernel mode.
TEST_CASE("what steps take away and put in its place is the same on any number of threads") {
  for (const auto& variant : workloads::find_workload("pruning", "").variants) {
    CAPTURE(variant.name);
    Values keys = variant.preset;
    keys["retrain_every"] = std::int64_t{3};
    if (variant.name == "lth") keys["grid"] = "levels(.4, 3)"s;
    const workloads::Trial trial = trial_of(keys);
    Recorded by_threads[2];
    for (const int threads : {1, 2}) {
      const auto one = start(trial);
      Recorded& recorded = by_threads[threads - 1];
      while (!recorded.artifacts.contains("step_0")) REQUIRE(one->advance(recorded));  // the parent
      at::set_num_threads(threads);
      while (!recorded.artifacts.contains("step_2")) REQUIRE(one->advance(recorded));
      at::set_num_threads(1);
    }
    CHECK(by_threads[0].artifacts == by_threads[1].artifacts);
  }
}

TEST_CASE("every recorded metric is declared with its axis, under whatever is asked for") {
  const auto& declaration = workloads::find_workload("pruning", "");
  for (const Values& given :
       {Values{}, Values{{"pipeline", "train"s}}, Values{{"method", "ft"s}, {"structure", "group"s}, {"latency", true}},
        Values{{"method", "alds"s}, {"latency", true}},
        Values{{"corruptions", "contrast, fog"s},
               {"noise_images", std::int64_t{3}},
               {"noise_draws", std::int64_t{2}},
               {"noise_levels", "0,.3"s},
               {"separate", true},
               {"backselect_images", std::int64_t{1}}}}) {
    const auto declared = workloads::metrics_under(declaration, trial_of(given).values);
    for (const auto& [key, value] : run(given).metrics) {
      CAPTURE(key.first);
      const auto found = std::find_if(declared.begin(), declared.end(),
                                      [&name = key.first](const auto& metric) { return metric.name == name; });
      REQUIRE(found != declared.end());
      CHECK((found->axis == results::Axis::none) == (key.second == -1));
    }
  }
}

TEST_CASE("each honoured source changes something, and masks of methods that look at data depend on the scoring set") {
  const auto check_changes = [](const Values& given, const std::string& source, const std::string& digest,
                                std::int64_t step) {
    CAPTURE(source);
    CHECK(run(given).digests.at({digest, step}) != run(given, {{source, 1}}).digests.at({digest, step}));
  };
  check_changes({}, "init", "masks", 1);
  check_changes({}, "data-order", "masks", 1);
  check_changes({{"split", "permuted"s}}, "data-split", "masks", 1);
  check_changes({{"method", "rand_global"s}}, "prune", "masks", 1);
  check_changes({{"method", "uni_filter"s}}, "prune", "masks", 1);
  for (const char* method : {"sipp", "snip", "pfp", "thinet"})
    check_changes({{"method", std::string(method)}, {"sample_size", std::int64_t{5}}}, "sample",
                  std::string(method) == "pfp" ? "weights" : "masks", std::string(method) == "pfp" ? -1 : 1);
  check_changes({{"pipeline", "reinit"s}}, "rewind", "weights", -1);
  check_changes({{"pipeline", "random_mask"s}}, "prune", "masks", 1);
}

TEST_CASE("noise and corruptions of test images change what is measured, and no network") {
  const Values given{{"corruptions", "gaussian_noise"s},
                     {"noise_images", std::int64_t{4}},
                     {"noise_draws", std::int64_t{2}},
                     {"noise_levels", "0,.6"s}};
  const Recorded one = run(given), other = run(given, {{"corrupt", 1}, {"test-noise", 1}});
  CHECK(one.weights() == other.weights());
  CHECK(at_step(one, "distance_softmax_l2_0.6", 2) != at_step(other, "distance_softmax_l2_0.6", 2));
  CHECK(one.digests == other.digests);
  CHECK(at_step(one, "distance_match_0.0", 0) == 100);  // the parent and itself
  CHECK(at_step(one, "distance_softmax_l2_0.6", 0) == 0);
  CHECK(one.metrics.contains({"excess_slope", -1}));
  CHECK(one.metrics.contains({"potential_gaussian_noise_max", -1}));
}

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

TEST_CASE("one-shot pruning skips a step that leaves as many weights too, and goes on from the parent") {
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

TEST_CASE("trainings that are cut are measured by few images, at every level and under every name") {
  const Values keys{{"noise_images", std::int64_t{20}},    {"noise_draws", std::int64_t{5}},
                    {"noise_levels", ".1, .3"s},           {"backselect_images", std::int64_t{3}},
                    {"backselect_block", std::int64_t{4}}, {"grid", ".5"s}};
  workloads::Place cut;
  cut.most_steps = 3;
  const Recorded whole = run(keys), few = run(keys, {}, cut);
  for (const auto& [name, value] : whole.metrics)
    if (name.first != "train_loss") CHECK(few.metrics.contains(name));
  const auto noisy = [](const Recorded& recorded) {
    return Json::parse(recorded.artifacts.at("distances_1")).at("levels").at(0).at("noisy_images").get<std::int64_t>();
  };
  CHECK(noisy(whole) == 100);
  CHECK(noisy(few) == 8);
  CHECK(Json::parse(few.artifacts.at("backselect")).at("images") == 1);
  CHECK(outcomes(run(keys, {{"test-noise", 1}}, cut)) != outcomes(few));
}

TEST_CASE("a layer that collapses is named, and the trial goes on") {
  const Recorded recorded = run({{"grid", ".3, .002"s}});
  CHECK(recorded.metrics.contains({"accuracy", 2}));
  CHECK(std::any_of(recorded.warnings.begin(), recorded.warnings.end(),
                    [](const std::string& text) { return text.find("step 2: collapsed: ") == 0; }));
  const Recorded kept = run({{"grid", ".3, .004"s}, {"min_keep", std::int64_t{1}}});
  CHECK_THAT(kept.artifacts.at("step_2"), has_text("\"collapsed\": []") || has_text("\"collapsed\":[]"));
}

TEST_CASE("the parent is trained once and read from the cache, with the same bits") {
  const test::Folder folder;
  const workloads::Place place{.data = {}, .cache = folder.path(), .out = {}, .checksum_every = 0};
  const Recorded trained = run({}, {}, place), recalled = run({}, {}, place);
  CHECK(recalled.digests == trained.digests);
  CHECK(outcomes(recalled) == outcomes(trained));
  const auto other = run({{"method", "ft"s}}, {}, place);
  CHECK(other.weights(2) == trained.weights(2));
  const auto kept = [&] {
    const auto files = std::filesystem::directory_iterator(folder.path() / "parents");
    return std::distance(begin(files), end(files));
  };
  CHECK(kept() == 1);
  // Whatever it is trained on or by makes another parent; what it is tested on does not.
  (void)run({{"corruptions", "fog"s}}, {}, place);
  CHECK(kept() == 1);
  CHECK(run({{"train_count", std::int64_t{100}}}, {}, place).weights(2) != trained.weights(2));
  CHECK(run({{"weight_decay", 1e-3}}, {}, place).weights(2) != trained.weights(2));
  CHECK(kept() == 3);
}

TEST_CASE("a training that diverges ends the trial at that step, with what was measured before") {
  const Recorded recorded = run({{"lr", 1e30}});
  CHECK(recorded.diverged_at >= 0);
  CHECK(recorded.metrics.contains({"parent_accuracy", -1}));
}

TEST_CASE("structured pruning measures the smaller network, in a cnn and a residual network too") {
  for (const char* model : {"cnn4", "resnet8a:w=4", "resnet8b:w=4"}) {
    CAPTURE(model);
    const Recorded recorded = run({{"model", std::string(model)},
                                   {"method", "ft"s},
                                   {"structure", "group"s},
                                   {"latency", true},
                                   {"grid", ".5"s},
                                   {"train_count", std::int64_t{64}},
                                   {"epochs", std::int64_t{1}}});
    CHECK(at_step(recorded, "pr_w", 1) >= 50);
    CHECK(at_step(recorded, "latency_ms_64", 1) > 0);
    CHECK(at_step(recorded, "speedup_theory", 1) > 1);
  }
}

TEST_CASE("unstructured masks are said to give no speed, networks made smaller are not") {
  const auto says_so = [](const Recorded& recorded) {
    return std::count(recorded.warnings.begin(), recorded.warnings.end(), "unstructured: no speed-up expected");
  };
  CHECK(says_so(run({})) == 1);
  CHECK(says_so(run({{"method", "ft"s}, {"structure", "group"s}})) == 0);
}

TEST_CASE("training under corruptions draws from their source, and differs from training without") {
  const Values mixed{{"augment", "mix1"s}, {"pipeline", "train"s}, {"corruptions", "none"s}};
  const Recorded one = run(mixed);
  CHECK(one.weights() != run({{"pipeline", "train"s}, {"corruptions", "none"s}}).weights());
  CHECK(one.weights() != run(mixed, {{"corrupt", 1}}).weights());
  check_repeats(one, run_in_pieces(mixed));
}

TEST_CASE("the digits are judged under thirteen shifts besides, and excess error is that of their mean") {
  const Recorded recorded = run({});
  CHECK(std::count_if(recorded.metrics.begin(), recorded.metrics.end(), [](const auto& metric) {
          return metric.first.first.starts_with("accuracy_") && metric.first.second == 0;
        }) == 13);
  // By one pruned network the slope through the origin is its excess error over its prune ratio.
  const Recorded single = run({{"grid", ".6"s}});
  double shifted = 0, nominal = at_step(single, "accuracy", 0) - at_step(single, "accuracy", 1);
  for (const auto& [key, value] : single.metrics)
    if (key.first.starts_with("accuracy_")) shifted += (key.second == 0 ? value : -value) / 13;
  const double pr = at_step(single, "pr_w", 1) / 100;
  CHECK_THAT(single.final("excess_slope"), WithinAbs((shifted - nominal) / pr, 1e-9));
}

TEST_CASE("every noise level is a test distribution of its own: accuracy by step, potential, and no excess error") {
  const Values noise{{"corruptions", "none"s},
                     {"noise_images", std::int64_t{50}},
                     {"noise_draws", std::int64_t{3}},
                     {"noise_levels", "0,.3"s}};
  const Recorded recorded = run(noise);
  for (const char* level : {"0.0", "0.3"}) {
    const std::string name = "noise_"s + level;
    CHECK(recorded.metrics.contains({"accuracy_" + name, 3}));
    CHECK(recorded.final("potential_" + name + "_first") <= recorded.final("potential_" + name + "_max"));
  }
  // 150 noisy images: an accuracy is a whole number of them.
  const double share = at_step(recorded, "accuracy_noise_0.3", 1) * 1.5;
  CHECK_THAT(share, WithinAbs(std::round(share), 1e-9));
  CHECK_FALSE(recorded.metrics.contains({"excess_slope", -1}));
  const Json levels = Json::parse(recorded.artifacts.at("distances_2")).at("levels");
  REQUIRE(levels.size() == 2);
  CHECK(levels[1].at("softmax_l2").at("mean") == at_step(recorded, "distance_softmax_l2_0.3", 2));
  CHECK(levels[1].at("softmax_l2").at("sd") > 0.0);
  CHECK(levels[1].at("noisy_images") == 150);
  check_repeats(recorded, run_in_pieces(noise));
}

TEST_CASE(
    "a network trained apart is the yardstick: no parent, no pruned network, and the cascade does not notice it") {
  const Values noise{{"corruptions", "none"s},
                     {"noise_images", std::int64_t{20}},
                     {"noise_draws", std::int64_t{2}},
                     {"noise_levels", "0,.3"s}};
  Values with = noise;
  with["separate"] = true;
  with["backselect_images"] = std::int64_t{2};
  const Recorded plain = run(noise), beside = run(with);
  CHECK(beside.weights() == plain.weights());
  CHECK(beside.digests.at({"separate_weights", -1}) != beside.weights(2));
  CHECK(beside.final("separate_distance_softmax_l2_0.3") > 0);
  CHECK(beside.metrics.contains({"separate_accuracy", -1}));
  CHECK(beside.metrics.contains({"separate_backselect_from_parent", -1}));
  check_repeats(beside, run_in_pieces(with));
}

TEST_CASE("pixels that each network found informative are shown to all of them, as a matrix") {
  const Recorded recorded = run({{"corruptions", "none"s}, {"backselect_images", std::int64_t{3}}, {"grid", ".6,.3"s}});
  const Json found = Json::parse(recorded.artifacts.at("backselect"));
  REQUIRE(found.at("networks").size() == 3);
  CHECK(found.at("networks")[1].at("name") == "step 1");
  CHECK(found.at("networks")[1].at("pr") == at_step(recorded, "pr_w", 1));
  for (const int chooser : {0, 1, 2}) {
    CHECK(found.at("matrix")[chooser].size() == 3);
    CHECK(found.at("matrix")[chooser][chooser] == at_step(recorded, "backselect_own", chooser));
    CHECK(found.at("matrix")[chooser][0] == at_step(recorded, "backselect_parent", chooser));
    CHECK(found.at("matrix")[0][chooser] == at_step(recorded, "backselect_from_parent", chooser));
  }
}

TEST_CASE("the portable corruptions work on the 8x8 digits, and training is not touched by them") {
  const Recorded recorded = run({{"corruptions", "portable"s}, {"grid", ".5"s}});
  CHECK(std::count_if(recorded.metrics.begin(), recorded.metrics.end(), [](const auto& metric) {
          return metric.first.first.starts_with("accuracy_") && metric.first.second == 1;
        }) == 12);
  CHECK(recorded.weights() == run({{"corruptions", "none"s}, {"grid", ".5"s}}).weights());
}

TEST_CASE("a parent at the accuracy of chance is said to be untrained; one that learnt is not") {
  const auto untrained = [](const Recorded& recorded) {
    return std::any_of(recorded.warnings.begin(), recorded.warnings.end(),
                       [](const std::string& text) { return text.starts_with("parent untrained"); });
  };
  CHECK(untrained(run({{"lr", 1e-12}, {"corruptions", "none"s}, {"grid", ".5"s}})));
  CHECK_FALSE(untrained(run({{"epochs", std::int64_t{6}}, {"corruptions", "none"s}, {"grid", ".5"s}})));
}

TEST_CASE("a pruned network that guesses is named at its step, and only there") {
  const Recorded recorded = run({{"epochs", std::int64_t{6}}, {"corruptions", "none"s}, {"grid", ".5, .002"s}});
  const auto said = [&](const std::string& start) {
    return std::any_of(recorded.warnings.begin(), recorded.warnings.end(),
                       [&](const std::string& text) { return text.starts_with(start); });
  };
  CHECK(said("step 2: chance-collapse"));
  CHECK_FALSE(said("step 1: chance-collapse"));
  CHECK(Json::parse(recorded.artifacts.at("step_2")).at("chance") == true);
  CHECK(Json::parse(recorded.artifacts.at("step_1")).at("chance") == false);
}

TEST_CASE("compression at the potential is that of all parameters without the weights that went") {
  const Recorded recorded = run({{"deltas", "100"s}});  // every step qualifies
  CHECK_THAT(recorded.final("compression_nominal"), WithinRel(at_step(recorded, "compression", 3), 1e-12));
}

TEST_CASE("official arrays are read by the place of a test image, and one whose file is missing is left out") {
  const test::Folder folder;
  const auto header = [](const std::string& shape) {
    return test::npy("{'descr': '|u1', 'fortran_order': False, 'shape': " + shape + ", }", "");
  };
  const auto arrays = folder.path() / pruning::official_folder;
  test::write_bytes(arrays / "labels.npy", header("(50000,)") + std::string(50000, '\0'));
  // Severity 3 begins at image 20,000; image 1 of it is all 255, the others are 0.
  const std::string begin = header("(50000, 32, 32, 3)");
  test::write_bytes(arrays / "fog.npy", begin);
  std::filesystem::resize_file(arrays / "fog.npy", begin.size() + 50000ULL * 3072);
  std::fstream out(arrays / "fog.npy", std::ios::binary | std::ios::in | std::ios::out);
  out.seekp(static_cast<std::streamoff>(begin.size() + 20001ULL * 3072));
  out << std::string(3072, '\xff');
  out.close();

  auto set = std::make_shared<data::ImageSet>();
  *set = {.name = "four", .count = 4, .shape = {3, 32, 32}, .classes = 10, .published = {.train = 2, .test = 2}};
  set->pixels.resize(4 * 3072);
  set->labels.assign(4, 0);
  data::Inputs inputs{.set = set, .parts = {}, .normalisation = data::no_normalisation(*set)};
  inputs.parts.test = {2, 3};
  const Values values = workloads::resolved(
      workloads::find_workload("pruning", ""),
      {{"dataset", "cifar10"s}, {"data_dir", folder.path().string()}, {"corruptions", "official"s}});
  const auto found = pruning::test_sets(values, inputs, 0);
  REQUIRE(found.size() == 2);
  CHECK(found[1].name == "fog");
  const at::Tensor images = found[1].images();
  CHECK(images.size(0) == 2);
  CHECK(images.data_ptr<float>()[0] == 0);
  CHECK(images.data_ptr<float>()[3072] == 1);  // the second test row
}

TEST_CASE("logits that are not finite are told from wrong answers") {
  const at::Tensor weight = at::empty({2, 4}, at::kFloat).fill_(1), bias = at::empty({2}, at::kFloat).zero_();
  const nn::Architecture linear{.family = nn::Family::mlp, .name = "linear"};
  const auto model = [&] {
    return nn::assembled(linear, {.name = "linear", .parameters = 10},
                         {{"classifier.weight", weight}, {"classifier.bias", bias}}, {});
  };
  const at::Tensor images = at::empty({3, 1, 2, 2}, at::kFloat).fill_(1), labels = at::empty({3}, at::kLong).zero_();
  const pruning::TestSet test{.name = "three", .images = [&] { return images; }, .labels = labels};
  CHECK(pruning::answers_of(*model(), test).finite);
  CHECK(pruning::answers_of(*model(), test).wrong == 0);  // ties go to the lowest class
  weight.data_ptr<float>()[5] = std::numeric_limits<float>::infinity();
  CHECK_FALSE(pruning::answers_of(*model(), test).finite);
}

TEST_CASE("random pruning keeps an exact count, not an expected one") {
  for (const char* method : {"rand_global", "uni_weight", "norm1", "norm12"}) {
    CAPTURE(method);
    const Recorded recorded = run({{"method", std::string(method)}});
    CHECK(at_step(recorded, "live", 1) == std::round(.6 * 1232));
    CHECK(at_step(recorded, "live", 3) == std::round(.1 * 1232));
  }
}

TEST_CASE("a trial without one of its seeds is refused, not drawn from anywhere else") {
  workloads::Trial trial = trial_of({});
  trial.seeds.erase("data-order");
  CHECK_THROWS(start(trial));
}

TEST_CASE("weights that were drawn are scaled in the network, and the duality gap of the budget is recorded") {
  const Recorded recorded = run({{"method", "sipp_rand"s}, {"grid", ".4"s}});
  const Json step = Json::parse(recorded.artifacts.at("step_1"));
  CHECK(step.at("dual_gap").get<double>() < 1e-9);
  // 16 + 8 + 10 filters of two signs: as many draws more, by rounding up.
  CHECK(at_step(recorded, "live", 1) <= .4 * 1232 + 68);
}

}  // namespace retrial::pruning_run_tests
