// Knowledge distillation through the two programs: the same bits whatever process, order, cache or instruction set.
#include <fstream>

#include "results/store/store.hpp"
#include "results/text/text.hpp"
#include "tests/catch.hpp"
#include "tests/harness/program/program.hpp"

namespace retrial::tests::distillation_torch_tests {

using retrial::results::Store;
using Folder = retrial::tests::FullFolder;

namespace {

/// Two short pairs with a teacher of two epochs: everything a full study does, in seconds.
const std::vector<std::string> brief{
    "run",      "distillation", "--pairs",          "2",     "--seed",         "77",    "--json",   "--set",
    "epochs=4", "--set",        "teacher_epochs=2", "--set", "train_count=64", "--set", "split=oob"};

std::string outcome(const Folder& folder, const std::vector<std::string>& more,
                    const std::map<std::string, std::string>& environment = {}) {
  auto line = brief;
  line.insert(line.end(), more.begin(), more.end());
  const auto ran = run_retrial(folder, line, environment);
  INFO(ran.err);
  REQUIRE(ran.code == 0);
  return field(ran.out, "outcome_digest");
}

}  // namespace

TEST_CASE("the outcome of a distillation study does not depend on processes, jobs, order or the teacher cache") {
  const Folder folder;
  const auto one = outcome(folder, {"--db", "one.db", "--jobs", "1"});
  CHECK(outcome(folder, {"--db", "kept.db", "--jobs", "2"}) == one);  // the teachers come from the cache
  CHECK(outcome(folder, {"--db", "fresh.db", "--fresh", "--cache", "empty"}) == one);
  // A damaged cache is noticed and made again.
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path / "empty"))
    if (entry.is_regular_file()) {
      std::fstream file(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
      file.seekp(static_cast<std::streamoff>(entry.file_size() / 2));
      file.put('\x5a');
      file.put('\x5b');
    }
  CHECK(outcome(folder, {"--db", "damaged.db", "--cache", "empty"}) == one);
  // The control: the nondeterministic mode is another identity, and another seed another outcome.
  CHECK(outcome(folder, {"--db", "other.db", "--mode", "nondeterministic"}) != one);
}

TEST_CASE("a stored distillation trial replays bit for bit in a fresh process") {
  const Folder folder;
  static_cast<void>(outcome(folder, {"--db", "s.db"}));
  const auto ran = run_retrial(folder, {"replay", "s.db", "kd/1", "--json"});
  INFO(ran.err);
  CHECK(ran.code == 0);
  CHECK(field(ran.out, "same_bits") == "true");
  // 4 student epochs and the end of weights and predictions at least.
  CHECK(std::stol(field(ran.out, "digests")) >= 6);
}

TEST_CASE("a study with teacher_rows = student has equal rows and labels of both in its store") {
  const Folder folder;
  std::ofstream(folder.path / "rows.toml") << R"(schema = 1
name = "rows"
workload = "distillation"
seed = 7
pairs = 2
[set]
split = "oob"
epochs = 1
teacher = "mlp:8"
teacher_epochs = 1
train_count = 150
[variant.scratch]
[variant.kd]
[variant.fair]
preset = "kd"
teacher_rows = "student"
)";
  const auto ran = run_retrial(folder, {"run", "rows.toml", "--json"});
  INFO(ran.err);
  REQUIRE(ran.code == 0);
  const Store store(folder.path / "rows.db", Store::Access::read);
  int seen = 0;
  for (const auto& study : store.studies())
    for (const auto& entry : store.plan(study.digest)) {
      const auto trial = store.canonical(entry.identity, entry.replicate);
      REQUIRE(trial);
      const Json data = results::parse_json(store.json_artifact(trial->id, "data").value(), "data");
      for (const char* count : {"rows", "labels"}) {
        INFO(entry.variant << ", " << count);
        const Json& of = data.at(count);
        CHECK((of.at("teacher") == of.at("train")) == (entry.variant == "fair"));
      }
      CHECK(data.at("rows").at("train") == 150);
      CHECK(data.at("labels").at("train") < 150);  // out-of-bootstrap: rows repeat
      ++seen;
    }
  CHECK(seen == 6);
  const auto page = run_retrial(folder, {"compare", "rows.db", "--candidate", "fair", "--baseline", "scratch"});
  CHECK_THAT(page.out, has_text("fair: student of 150 rows with ") && has_text(", teacher of 150 rows with ") &&
                           has_text("scratch: student of 150 rows with ") && !has_text("teacher of 1000 rows"));
  CHECK_THAT(run_retrial(folder, {"report", "rows.db"}).out, has_text("Training rows"));
}

TEST_CASE("distillation passes the reproducibility protocol, interrupted at every epoch of teacher and student") {
  const Folder folder;
  const auto ran = run_retrial(
      folder, {"check", "distillation", "--json", "--seeds", "2", "--repeats", "2", "--set", "epochs=2", "--set",
               "teacher_epochs=2", "--set", "train_count=64", "--set", "split=oob", "--set", "dropout=0.1"});
  INFO(ran.out << ran.err);
  CHECK(ran.code == 0);
  CHECK(field(ran.out, "reproducible") == "true");
}

TEST_CASE("every key and every source of distillation changes something") {
  const Folder folder;
  const auto ran = run_retrial(
      folder, {"check", "distillation", "--liveness", "--json", "--set", "epochs=3", "--set", "teacher_epochs=2",
               "--set", "train_count=64", "--set", "split=oob", "--set", "augment=shift1", "--set", "dropout=0.1"});
  INFO(ran.out << ran.err);
  CHECK(ran.code == 0);
}

TEST_CASE("a report notes self-distillation and unused validation rows") {
  const Folder folder;
  const auto report_of = [&](const std::string& student, const std::string& validation) {
    const auto ran = run_retrial(folder, {"run",     "distillation",
                                          "--set",   "teacher=cnn4",
                                          "--set",   "student=" + student,
                                          "--set",   "validation=" + validation,
                                          "--set",   "epochs=1",
                                          "--set",   "teacher_epochs=1",
                                          "--set",   "train_count=20",
                                          "--pairs", "1",
                                          "--seed",  "1",
                                          "--db",    student + validation + ".db"});
    REQUIRE(ran.code == 0);
    return run_retrial(folder, {"report", student + validation + ".db", "--format", "md"}).out;
  };
  const std::string own = report_of("cnn4", "0.1"), other = report_of("cnn8", "0.0");
  CHECK_THAT(own, has_text("kd: teacher and student are the same model: self-distillation"));
  CHECK_THAT(own, !has_text("scratch: teacher and student"));  // it has no teacher
  CHECK_THAT(own, has_text("the validation rows are not used for selection"));
  CHECK_THAT(other, !has_text("self-distillation") && !has_text("select nothing"));
}

TEST_CASE("requested and effective mode are shown together, and two modes explain a difference") {
  const Folder folder;
  static_cast<void>(outcome(folder, {"--db", "s.db"}));
  const auto manifest = run_retrial(folder, {"show", "s.db", "kd/0", "--manifest", "--json"});
  INFO(manifest.out << manifest.err);
  CHECK(manifest.code == 0);
  CHECK_THAT(manifest.out, has_text("\"requested\""));
  CHECK_THAT(manifest.out, has_text("\"effective\""));
  CHECK_THAT(manifest.out, has_text("ATEN_CPU_CAPABILITY"));
  const auto same = run_retrial(folder, {"explain", "s.db", "kd/0", "kd/0"});
  CHECK(same.code == 0);
  const auto other = run_retrial(folder, {"explain", "s.db", "kd/0", "kd/1"});
  INFO(other.out);
  CHECK(other.code == 0);
  CHECK_THAT(other.out, has_text("init"));
}

namespace {

/// CIFAR-10 files: 30 training and 10 test images in shades of their class.
void write_photos(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  const auto records = [](int count) {
    std::string rows;
    for (int i = 0; i < count; ++i)
      rows += std::string(1, static_cast<char>(i % 10)) + std::string(3072, static_cast<char>(i * 5));
    return rows;
  };
  retrial::tests::write_file((folder / "data_batch_1.bin").string(), records(30));
  retrial::tests::write_file((folder / "test_batch.bin").string(), records(10));
}

/// Two pairs of the smallest residual networks on images of 8x8.
std::vector<std::string> on_photos(const std::vector<std::string>& more, const std::string& downscale = "4") {
  std::vector<std::string> line{"run", "distillation", "--pairs", "2", "--seed", "77", "--json"};
  for (const char* key : {"dataset=cifar10", "train_count=20", "subset=balanced", "epochs=2", "batch=10",
                          "student=resnet8b:w=2", "teacher=resnet8b:w=4", "teacher_epochs=1", "teacher_augment=none"})
    line.insert(line.end(), {"--set", key});
  line.insert(line.end(), {"--set", "downscale=" + downscale});
  line.insert(line.end(), more.begin(), more.end());
  return line;
}

}  // namespace

TEST_CASE("the folder of photographs changes no bit, their content changes the identities") {
  const Folder folder;
  write_photos(folder.path / "here");
  write_photos(folder.path / "there");
  const auto first = run_retrial(folder, on_photos({"--db", "a.db", "--data", "here"}));
  INFO(first.err);
  REQUIRE(first.code == 0);
  const auto second = run_retrial(folder, on_photos({"--db", "b.db", "--set", "data_dir=there"}));
  CHECK(field(second.out, "outcome_digest") == field(first.out, "outcome_digest"));
  const auto third = run_retrial(folder, on_photos({"--db", "c.db", "--data", "here"}, "2"));
  CHECK(field(third.out, "outcome_digest") != field(first.out, "outcome_digest"));
}

TEST_CASE("photographs that are not there end a plan with the key to set") {
  const Folder folder;
  const auto ran = run_retrial(folder, {"plan", std::string(RETRIAL_SOURCE_DIR) + "/studies/distill-tier2.toml"});
  CHECK(ran.code == 4);
  CHECK_THAT(ran.err, has_text("distillation.data_dir") && has_text("--data FOLDER"));
  const auto lost = run_retrial(
      folder, {"plan", std::string(RETRIAL_SOURCE_DIR) + "/studies/distill-tier2.toml", "--data", "nowhere"});
  CHECK(lost.code == 4);
  CHECK_THAT(lost.err, has_text("nowhere"));
}

TEST_CASE("changed or missing images are named when a study is continued or a trial is replayed") {
  const Folder folder;
  write_photos(folder.path / "here");
  REQUIRE(run_retrial(folder, on_photos({"--db", "a.db", "--data", "here"})).code == 0);
  CHECK(run_retrial(folder, {"replay", "a.db", "kd/0", "--data", "here"}).code == 0);
  const auto gone = run_retrial(folder, {"replay", "a.db", "kd/0", "--data", "nowhere"});
  CHECK(gone.code == 4);
  CHECK_THAT(gone.err, has_text("nowhere"));
  std::string rows;
  for (int i = 0; i < 30; ++i) rows += std::string(1, static_cast<char>(i % 10)) + std::string(3072, 'x');
  retrial::tests::write_file((folder.path / "here" / "data_batch_1.bin").string(), rows);
  const auto replayed = run_retrial(folder, {"replay", "a.db", "kd/0", "--data", "here"});
  CHECK(replayed.code == 6);
  CHECK_THAT(replayed.err, has_text("planned with data") && has_text(", found "));
  const auto resumed = run_retrial(folder, on_photos({"--db", "a.db", "--data", "here"}));
  CHECK(resumed.code == 6);
  CHECK_THAT(resumed.err, has_text("started with different data") && !has_text("different program"));
}

}  // namespace retrial::tests::distillation_torch_tests
