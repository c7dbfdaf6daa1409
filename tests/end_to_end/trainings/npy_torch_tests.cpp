// Images of one's own through both programs: 60 images of 8x12 pixels in two channels and three classes, which differ
// in brightness.
#include "results/store/store.hpp"
#include "tests/harness/program/program.hpp"
#include "tests/workloads/data/files/data_folder.hpp"

namespace retrial::tests::npy_torch_tests {

using retrial::results::Store;
using Folder = retrial::tests::FullFolder;

namespace {

constexpr int rows = 60, values = 8 * 12 * 2;

void write_images(const std::filesystem::path& folder) {
  std::string images, labels;
  for (int row = 0; row < rows; ++row) {
    labels.push_back(static_cast<char>(row % 3));
    for (int i = 0; i < values; ++i) images.push_back(static_cast<char>(row % 3 * 80 + (row * 31 + i * 7) % 60));
  }
  const auto header = [](const std::string& shape) {
    return "{'descr': '|u1', 'fortran_order': False, 'shape': (" + shape + "), }";
  };
  test::write_bytes(folder / "images.npy", test::npy(header("60, 8, 12, 2"), images));
  test::write_bytes(folder / "labels.npy", test::npy(header("60,"), labels));
}

using Words = std::vector<std::string>;

Words both(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

Json data_of_first(const std::filesystem::path& file) {
  const Store store(file, Store::Access::read);
  const auto study = store.studies().front();
  const auto entry = store.plan(study.digest).front();
  const auto trial = store.canonical(entry.identity, entry.replicate);
  return results::parse_json(store.json_artifact(trial.value().id, "data").value(), "data");
}

}  // namespace

TEST_CASE("students are distilled on images of one's own, and their trials replay") {
  const Folder folder;
  write_images(folder.path / "own");
  const Words keys{"--set", "dataset=npy", "--set", "student=cnn2",     "--set",  "teacher=cnn4",
                   "--set", "epochs=3",    "--set", "teacher_epochs=3", "--data", "own"};
  const auto ran =
      run_retrial(folder, both({"run", "distillation", "--pairs", "2", "--seed", "1", "--db", "d.db"}, keys));
  INFO(ran.err);
  REQUIRE(ran.code == 0);
  const Json data = data_of_first(folder.path / "d.db");
  CHECK(data.at("shape") == Json{2, 8, 12});
  CHECK(data.at("classes") == 3);
  CHECK(data.at("rows").at("train") == 48);
  CHECK(data.at("rows").at("test") == 12);
  CHECK(data.at("files").at(0).at("sha256") == results::hex(results::sha256_file(folder.path / "own/images.npy")));
  CHECK(data.at("files").at(1).at("sha256") == results::hex(results::sha256_file(folder.path / "own/labels.npy")));
  CHECK(run_retrial(folder, {"replay", "d.db", "kd/1", "--data", "own"}).code == 0);
  const auto missing = run_retrial(folder, {"replay", "d.db", "kd/1"});
  CHECK(missing.code == 4);
  // Without the files, pages are made from the store alone.
  std::filesystem::rename(folder.path / "own", folder.path / "moved");
  CHECK(run_retrial(folder, {"compare", "d.db"}).code != 2);
  CHECK(run_retrial(folder, {"report", "d.db"}).code == 0);
  CHECK(run_retrial(folder, {"replay", "d.db", "kd/1", "--data", "moved"}).code == 0);
}

TEST_CASE("a network is pruned on images of one's own and tested under corruptions") {
  const Folder folder;
  write_images(folder.path / "own");
  const auto ran = run_retrial(
      folder,
      {"run",   "pruning",     "--pairs", "2",          "--seed", "1",        "--db",  "p.db",
       "--set", "dataset=npy", "--set",   "model=cnn2", "--set",  "epochs=2", "--set", "grid=powers(2, .8, .75)",
       "--set", "npy_test=15", "--data",  "own"});
  INFO(ran.err);
  REQUIRE(ran.code == 0);
  CHECK(data_of_first(folder.path / "p.db").at("rows").at("test") == 15);
  std::filesystem::rename(folder.path / "own", folder.path / "moved");
  CHECK(run_retrial(folder, {"report", "p.db"}).code == 0);
  CHECK_THAT(run_retrial(folder, {"show", "p.db"}).out, has_text("fog"));
}

}  // namespace retrial::tests::npy_torch_tests
