// Measurements of whole trials: test distributions, potentials, sizes, informative pixels. Sections 9, 12 and 17 of the
// specification of pruning.
#include <ATen/ops/empty.h>
#include <limits>

#include "tests/workloads/data/files/data_folder.hpp"
#include "tests/workloads/interface/folder.hpp"
#include "tests/workloads/pruning/libtorch/trial_torch.hpp"

namespace retrial::pruning_run_measures_tests {
using namespace pruning::fixture;

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

TEST_CASE("trainings that are cut are measured by few images, at every level and under every name") {
  const Values keys{{"noise_images", std::int64_t{20}},    {"noise_draws", std::int64_t{5}},
                    {"noise_levels", ".1, .3"s},           {"backselect_images", std::int64_t{3}},
                    {"backselect_block", std::int64_t{4}}, {"grid", ".5"s}};
  workloads::Place cut;
  cut.max_steps = 3;
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

TEST_CASE("unstructured masks are reported to give no speed, smaller networks are not") {
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

TEST_CASE("a parent at chance level is reported as untrained; one that learned is not") {
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

TEST_CASE("logits that are not finite are distinguished from wrong answers") {
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

}  // namespace retrial::pruning_run_measures_tests
