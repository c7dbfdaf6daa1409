// Whole trials of the low-rank methods: sections 2, 6 and 9 of the specification of pruning.
#include "tests/workloads/pruning/libtorch/trial_torch.hpp"

namespace retrial::pruning_run_factors_tests {
using namespace pruning::fixture;

TEST_CASE("factors are trained instead of weights, within the budget, and sizes are those of the factors") {
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
    CHECK(at_step(recorded, "train_loss", 4) < at_step(recorded, "train_loss", 3));  // both epochs after the first cut
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

}  // namespace retrial::pruning_run_factors_tests
