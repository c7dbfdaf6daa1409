// Trials on photographs: made-up CIFAR-10 files of 40 training and 20 test images, and the real ones where they are.
#include <cmath>

#include "tests/catch.hpp"
#include "tests/workloads/data/files/data_folder.hpp"
#include "tests/workloads/distillation/libtorch/trial_torch.hpp"
#include "tests/workloads/interface/folder.hpp"

namespace retrial::distillation_photos_tests {
using std::string_literals::operator""s;
using test::Recorded, test::run;

namespace {

/// Each class a shade, each image a little different.
void write_photos(const std::filesystem::path& folder) {
  const auto records = [](int count, int offset) {
    std::string rows;
    for (int i = 0; i < count; ++i) {
      std::string pixels(3072, '\0');
      for (std::size_t at = 0; at < pixels.size(); ++at)
        pixels[at] = static_cast<char>(
            (static_cast<std::size_t>(i % 10) * 20 + at * static_cast<std::size_t>(i + offset) % 17) & 0xff);
      rows += std::string(1, static_cast<char>(i % 10)) + pixels;
    }
    return rows;
  };
  test::write_bytes(folder / "data_batch_1.bin", records(40, 3));
  test::write_bytes(folder / "test_batch.bin", records(20, 5));
}

Values photos(const std::filesystem::path& folder, const Values& more = {}) {
  Values given{{"dataset", "cifar10"s},      {"data_dir", folder.string()}, {"downscale", std::int64_t{4}},
               {"student", "resnet8b:w=2"s}, {"teacher", "resnet8a:w=3"s},  {"train_count", std::int64_t{40}},
               {"batch", std::int64_t{16}},  {"teacher_augment", "none"s}};
  for (const auto& [key, value] : more) given[key] = value;
  return given;
}

}  // namespace

TEST_CASE("a residual student learns from a residual teacher, and a second run has the same bits") {
  const test::Folder folder;
  write_photos(folder.path());
  const Recorded first = run(photos(folder.path())), second = run(photos(folder.path()));
  CHECK(first.digests == second.digests);
  CHECK(first.outcomes() == second.outcomes());
  CHECK(first.final("accuracy") >= 0);
  CHECK_THAT(first.artifacts.at("models"), has_text("\"shortcut\":\"B\"") && has_text("\"shortcut\":\"A\""));
  CHECK_THAT(first.artifacts.at("data"), has_text("cifar10-unofficial") && has_text("data_batch_1.bin"));
  CHECK_THAT(first.warnings.at(0), has_text("cifar10-unofficial"));
  CHECK(run(photos(folder.path(), {{"ablation", "norelu"s}})).weights() != first.weights());
  CHECK(run(photos(folder.path(), {{"student", "wrn-10-1"s}, {"dropout", .2}})).weights() !=
        run(photos(folder.path(), {{"student", "wrn-10-1"s}})).weights());
}

TEST_CASE("uda is kd with half of it on changed images, with or without a teacher") {
  const test::Folder folder;
  write_photos(folder.path());
  const auto weights = [&](const Values& more) { return run(photos(folder.path(), more)).weights(); };
  const Values uda{{"method", "uda"s}}, alone{{"method", "uda"s}, {"teacher", "none"s}};
  CHECK(weights(uda) == weights({{"method", "kd"s}, {"augment", "autoaugment"s}, {"augment_mix", .5}}));
  CHECK(weights(alone) == weights({{"method", "ce"s}, {"augment", "autoaugment"s}, {"augment_mix", .5}}));
  CHECK(weights(uda) != weights(alone));
  CHECK(weights(uda) == test::run_in_pieces(test::trial_of(photos(folder.path(), uda))).weights());
  CHECK(weights(uda) != run(photos(folder.path(), uda), {{"augmentation", 1}}).weights());
}

TEST_CASE("feature losses train on residual networks of different widths and kinds") {
  const test::Folder folder;
  write_photos(folder.path());
  for (const char* method : {"hint", "at", "vid", "ab", "ofd", "ft", "nst", "reviewkd"}) {
    INFO(method);
    const Recorded recorded = run(photos(folder.path(), {{"method", std::string(method)},
                                                         {"teacher", "wrn-10-1"s},
                                                         {"epochs", std::int64_t{1}},
                                                         {"teacher_epochs", std::int64_t{1}},
                                                         {"lr", .001},
                                                         {"train_count", std::int64_t{32}}}));
    CHECK(recorded.diverged_at == -1);
    CHECK(recorded.weights(1) != recorded.weights(0));
  }
}

TEST_CASE("files that changed since the plan fail the trial") {
  const test::Folder folder;
  write_photos(folder.path());
  workloads::Trial trial = test::trial_of(photos(folder.path()));
  trial.dataset = results::hex(*workloads::find_workload("distillation", "").dataset(trial.values, ""));
  CHECK_NOTHROW(test::start(trial));
  std::filesystem::resize_file(folder.path() / "test_batch.bin", 3073 * 10);
  try {
    (void)test::start(trial);
    FAIL("other data were accepted");
  } catch (const workloads::TrialFailure& failure) {
    CHECK(failure.kind == "data.digest_mismatch");
  }
}

TEST_CASE("an untrained ResNet-8 loses about ln 10 on real photographs, a trained one less", "[needs-data]") {
  const auto folder = test::real_data("cifar10-jpeg");
  if (!folder) return;
  const Recorded recorded = run(photos(*folder, {{"student", "resnet8b"s},
                                                 {"method", "ce"s},
                                                 {"downscale", std::int64_t{4}},
                                                 {"train_count", std::int64_t{500}},
                                                 {"subset", "balanced"s},
                                                 {"epochs", std::int64_t{4}}}));
  CHECK(recorded.metrics.at({"train_loss", 1}) < 1.5 * std::log(10.0));
  CHECK(recorded.metrics.at({"train_loss", 4}) < recorded.metrics.at({"train_loss", 1}));
  CHECK(recorded.final("accuracy") > 15);  // guessing gives 10
}

}  // namespace retrial::distillation_photos_tests
