// Behaviour of whole trials of pruning. What must hold is from sections 2, 6, 9, 12 and 17 of its specification.
#include "tests/workloads/interface/folder.hpp"
#include "tests/workloads/pruning/libtorch/trial_torch.hpp"

namespace retrial::pruning_run_tests {
using namespace pruning::fixture;

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

TEST_CASE("a cascade keeps exactly the requested number at every step, and never revives a weight") {
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

// Retraining is LibTorch's: its products over some shapes have other last bits on two threads, so that threads are an
// axis of the kernel mode.
TEST_CASE("removals and replacements are the same on any number of threads") {
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

TEST_CASE("every recorded metric is declared with its axis, whatever is measured") {
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
