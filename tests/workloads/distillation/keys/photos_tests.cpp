// Data sets read from files, and the networks that fit them: sections 2, 4, 8 and 19 of the specification of
// distillation. The files are made here: 40 training and 10 test images, as many of each class.
#include "results/text/error.hpp"
#include "tests/catch.hpp"
#include "tests/workloads/data/files/data_folder.hpp"
#include "tests/workloads/interface/folder.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::tests::photos_tests {

using namespace retrial;
using std::string_literals::operator""s;

namespace {

const workloads::Declaration& declared() {
  return workloads::find_workload("distillation", "");
}

void write_photos(const std::filesystem::path& folder, int train = 40) {
  std::string rows, tests;
  for (int i = 0; i < train; ++i) rows += test::cifar10_record(i % 10, i);
  for (int i = 0; i < 10; ++i) tests += test::cifar10_record(i, 100 + i);
  test::write_bytes(folder / "data_batch_1.bin", rows);
  test::write_bytes(folder / "test_batch.bin", tests);
}

Values photos(const std::filesystem::path& folder, const Values& more = {}) {
  Values given{{"dataset", "cifar10"s}, {"data_dir", folder.string()}, {"student", "resnet8b"s}, {"method", "ce"s}};
  for (const auto& [key, value] : more) given[key] = value;
  return workloads::resolved(declared(), given);
}

std::string problems(const Values& values) {
  std::string text;
  for (const auto& problem : declared().validate(values))
    text += problem.key + ": " + problem.problem + " (" + problem.allowed + ")\n";
  return text;
}

ErrorText refusal(const Values& values) {
  try {
    (void)declared().validate(values);
  } catch (const Error& error) {
    return error.text;
  }
  return {};
}

}  // namespace

TEST_CASE("a set that is not built in needs the folder of its files, and says how to get them") {
  for (const std::string& folder : {""s, "/nowhere/at/all"s}) {
    const ErrorText text = refusal(photos(folder));
    CHECK(text.exit == Exit::incomparable);
    CHECK(text.field == "distillation.data_dir");
    CHECK(text.value == folder);
    CHECK_THAT(text.help, has_text("--set data_dir=FOLDER") && has_text("cifar-10-binary.tar.gz"));
  }
}

TEST_CASE("the folder enters no identity, the bytes of the images do") {
  const test::Folder folder;
  write_photos(folder.path() / "a");
  write_photos(folder.path() / "b");
  write_photos(folder.path() / "c", 30);
  const Values a = photos(folder.path() / "a"), b = photos(folder.path() / "b"), c = photos(folder.path() / "c");
  CHECK(workloads::non_default(declared(), a) == workloads::non_default(declared(), b));
  CHECK_FALSE(workloads::non_default(declared(), a).contains("data_dir"));
  CHECK(declared().dataset(a, "") == declared().dataset(b, ""));
  CHECK(declared().dataset(a, "") != declared().dataset(c, ""));
  CHECK(declared().dataset(a, "") !=
        declared().dataset(photos(folder.path() / "a", {{"downscale", std::int64_t{2}}}), ""));
}

TEST_CASE("sizes are those of the files that were read") {
  const test::Folder folder;
  write_photos(folder.path());
  CHECK(problems(photos(folder.path(), {{"train_count", std::int64_t{40}}, {"subset", "balanced"s}})).empty());
  CHECK_THAT(problems(photos(folder.path(), {{"train_count", std::int64_t{41}}})), has_text("0 (all) to 40"));
  CHECK(declared().test_items(photos(folder.path()), "accuracy") == 10);
  CHECK_FALSE(declared().test_items(photos(folder.path() / "gone"), "accuracy").has_value());
}

TEST_CASE("a printed normalisation is refused where none is printed") {
  const test::Folder folder;
  write_photos(folder.path());
  CHECK_THAT(problems(workloads::resolved(declared(), {{"normalise", "paper"s}})), has_text("normalise"));
  CHECK(problems(photos(folder.path(), {{"normalise", "common"s}})).empty());
}

TEST_CASE("a network is checked against the images as they are downscaled") {
  const test::Folder folder;
  write_photos(folder.path());
  CHECK(problems(photos(folder.path(), {{"student", "resnet8s"s}, {"downscale", std::int64_t{2}}})).empty());
  CHECK_THAT(problems(photos(folder.path(), {{"student", "resnet8s"s}, {"downscale", std::int64_t{4}}})),
             has_text("student: does not fit the data set") && has_text("divisible by 16"));
  CHECK_THAT(problems(photos(folder.path(), {{"downscale", std::int64_t{3}}})),
             has_text("downscale") && has_text("1, 2, 4"));
  CHECK(problems(workloads::resolved(declared(), {{"downscale", std::int64_t{2}}})).empty());
}

TEST_CASE("an ablation that changes nothing is refused") {
  const auto with = [](const Values& given) { return problems(workloads::resolved(declared(), given)); };
  CHECK_THAT(with({{"ablation", "norelu"s}, {"method", "ce"s}}), has_text("ablation: changes nothing in mlp:32"));
  CHECK_THAT(with({{"ablation", "norelu"s}, {"student", "resnet8b"s}}), has_text("ablation: changes nothing in cnn16"));
  CHECK_THAT(with({{"ablation", "norelu"s}, {"student", "wrn-10-1"s}, {"method", "ce"s}}), has_text("ablation"));
  CHECK(with({{"ablation", "norelu"s}, {"student", "resnet8b"s}, {"method", "ce"s}}).empty());
  CHECK(with({{"ablation", "norelu"s}, {"student", "resnet8b:norelu"s}, {"method", "ce"s}}).empty());
}

TEST_CASE("dropout without effect is refused") {
  const auto with = [](const Values& given) { return problems(workloads::resolved(declared(), given)); };
  CHECK_THAT(with({{"dropout", .2}, {"student", "resnet8b"s}, {"method", "ce"s}}), has_text("dropout: has no effect"));
  CHECK(with({{"dropout", .2}, {"student", "resnet8b"s}, {"teacher", "cnn4"s}}).empty());
  CHECK(with({{"dropout", .2}, {"student", "wrn-10-1"s}, {"method", "ce"s}}).empty());
}

TEST_CASE("a mistyped network is named with its neighbour") {
  CHECK_THAT(problems(workloads::resolved(declared(), {{"student", "resnet8"s}, {"method", "ce"s}})),
             has_text("student: unknown model") && has_text("did you mean \"resnet8"));
}

TEST_CASE("the teacher's keys are read where there is a teacher, its mix where it augments") {
  const auto reads = [](const Values& given, const std::string& key) {
    const auto keys = declared().reads(workloads::resolved(declared(), given));
    return std::find(keys.begin(), keys.end(), key) != keys.end();
  };
  for (const char* key : {"teacher_batch", "teacher_augment", "teacher_augment_mix"}) {
    CHECK(reads({}, key));
    CHECK_FALSE(reads({{"method", "ce"s}}, key));
  }
  CHECK_FALSE(reads({{"teacher_augment", "none"s}}, "teacher_augment_mix"));
  // With all rows for the student the key would change nothing.
  CHECK(reads({{"train_count", std::int64_t{150}}}, "teacher_rows"));
  CHECK_FALSE(reads({}, "teacher_rows"));
  CHECK_FALSE(reads({{"train_count", std::int64_t{150}}, {"method", "ce"s}}, "teacher_rows"));
}

TEST_CASE("a set without training rows is refused with the sets that have some") {
  const test::Folder folder;
  test::write_bytes(
      folder.path() / "cifar10.1_v6_data.npy",
      test::npy("{'descr': '|u1', 'fortran_order': False, 'shape': (2, 32, 32, 3), }", std::string(6144, 'x')));
  test::write_bytes(
      folder.path() / "cifar10.1_v6_labels.npy",
      test::npy("{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }", std::string("\1\0\0\0\2\0\0\0", 8)));
  CHECK(problems(photos(folder.path(), {{"dataset", "cifar10.1"s}})) ==
        "dataset: is only a test set: it has no rows to train on (cifar10, cifar100, digits, fashion, mnist, mnist-5k, "
        "npy)\n");
}

TEST_CASE("images of one's own are checked against the networks when a study is planned") {
  const test::Folder folder;
  const auto with = [&](const std::string& shape, std::size_t bytes, const Values& more = {}) {
    test::write_bytes(
        folder.path() / "images.npy",
        test::npy("{'descr': '|u1', 'fortran_order': False, 'shape': (" + shape + "), }", std::string(bytes, 'x')));
    test::write_bytes(folder.path() / "labels.npy",
                      test::npy("{'descr': '|u1', 'fortran_order': False, 'shape': (10,), }",
                                std::string("\0\1\2\0\1\2\0\1\2\0", 10)));
    Values given{{"dataset", "npy"s}, {"student", "cnn2"s}, {"teacher", "cnn2"s}};
    given.insert(more.begin(), more.end());
    return problems(photos(folder.path(), given));
  };
  CHECK(with("10, 8, 12, 2", 1920).empty());
  CHECK(with("10, 8, 12", 960, {{"npy_test", std::int64_t{3}}, {"train_count", std::int64_t{7}}}).empty());
  CHECK_THAT(with("10, 6, 12", 720), has_text("student: does not fit the data set") && has_text("divisible by 4"));
  CHECK_THAT(with("10, 96", 960), has_text("student: does not fit the data set"));
  CHECK_THAT(with("10, 8, 12", 960, {{"npy_test", std::int64_t{10}}}), has_text("npy_test: does not fit the data set"));
  CHECK_THAT(with("10, 8, 12", 960, {{"train_count", std::int64_t{9}}}), has_text("0 (all) to 8"));
  CHECK_THAT(with("10, 8, 6", 480, {{"downscale", std::int64_t{4}}}), has_text("does not divide images of 8x6"));
  CHECK_THAT(with("10, 8, 12", 960, {{"npy_images", "../images.npy"s}}), has_text("npy_images: names another folder"));
  CHECK(refusal(photos("", {{"dataset", "npy"s}})).exit == Exit::incomparable);
}

}  // namespace retrial::tests::photos_tests
