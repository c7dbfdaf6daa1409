// Studies of pruning from their study file to their report: official arrays, photographs of ice, factors.
#include <fstream>

#include "results/json/json.hpp"
#include "tests/catch.hpp"
#include "tests/harness/program/program.hpp"
#include "tests/workloads/data/corrupt/frost_folder.hpp"

namespace retrial::tests::pruning_torch_tests {

using retrial::Json;
using Folder = retrial::tests::FullFolder;

namespace {

namespace fs = std::filesystem;

constexpr std::size_t pixels = 3072;

/// Images of one shade a class, so that little training tells them apart.
char shade(int label) {
  return static_cast<char>(25 * label);
}

/// A file of CIFAR-10 whose first `made` images are in the shades of their classes; after them black images of class
/// 0, which take no room on the disk.
void write_batch(const fs::path& file, int made) {
  fs::create_directories(file.parent_path());
  std::ofstream out(file, std::ios::binary);
  for (int i = 0; i < made; ++i) out << std::string(1, static_cast<char>(i % 10)) << std::string(pixels, shade(i % 10));
  out.close();
  fs::resize_file(file, 10000 * (1 + pixels));
}

/// 50,000 images as CIFAR-10-C has them, all black but those of severity 3, which are those of the test file where they
/// are to be like it.
void write_array(const fs::path& file, bool like_test) {
  const std::string header =
      retrial::test::npy("{'descr': '|u1', 'fortran_order': False, 'shape': (50000, 32, 32, 3), }", "");
  retrial::test::write_bytes(file, header);
  fs::resize_file(file, header.size() + 50000 * pixels);
  if (!like_test) return;
  std::fstream out(file, std::ios::binary | std::ios::in | std::ios::out);
  out.seekp(static_cast<std::streamoff>(header.size() + 20000 * pixels));
  for (int i = 0; i < 10000; ++i) out << std::string(pixels, shade(i % 10));
}

std::string repeated_labels() {
  std::string labels;
  for (int i = 0; i < 50000; ++i) labels += static_cast<char>(i % 10);
  return labels;
}

/// CIFAR-10 in its published layout and two of the nineteen arrays, made up.
void write_cifar(const fs::path& folder) {
  for (int batch = 1; batch <= 5; ++batch)
    write_batch(folder / ("data_batch_" + std::to_string(batch) + ".bin"), batch == 1 ? 200 : 0);
  write_batch(folder / "test_batch.bin", 10000);
  const fs::path arrays = folder / "CIFAR-10-C";
  retrial::test::write_bytes(
      arrays / "labels.npy",
      retrial::test::npy("{'descr': '|u1', 'fortran_order': False, 'shape': (50000,), }", repeated_labels()));
  write_array(arrays / "fog.npy", false);
  write_array(arrays / "gaussian_noise.npy", true);
}

/// One pair of one variant under the official arrays.
const std::string official_study = R"(schema = 1
name = "official"
workload = "pruning"
pairs = 1
seed = 7

[set]
dataset = "cifar10"
corruptions = "official"
model = "mlp:8"
train_count = 200
epochs = 4
grid = ".5"
normalise = "none"

[variant.wt]
)";

const Json& metric(const Json& shown, const std::string& name) {
  for (const Json& row : shown.at("metrics"))
    if (row.at("name") == name) return row;
  throw std::runtime_error("no metric " + name);
}

}  // namespace

TEST_CASE("a study under the official arrays runs from its file to its report, and a missing array is left out aloud") {
  const Folder folder;
  write_cifar(folder.path / "data");
  std::ofstream(folder / "official.toml") << official_study;
  const auto ran = run_retrial(folder, {"run", "official.toml", "--db", "o.db", "--data", "data"});
  INFO(ran.out << ran.err);
  REQUIRE(ran.code == 0);
  CHECK_THAT(ran.err, has_text("corruptions = official: the file of snow is missing; left out"));
  CHECK_THAT(ran.err, !has_text("the file of fog is missing"));

  const auto shown = run_retrial(folder, {"show", "o.db", "wt/0", "--json"});
  REQUIRE(shown.code == 0);
  const auto value = [document = Json::parse(shown.out)](const std::string& name) {
    return metric(document, name).at("value").dump();
  };
  // Black images have one answer, and a tenth of the labels is that; images of their own shades have several.
  INFO(shown.out);
  CHECK(value("potential_gaussian_noise_max") == value("potential_nominal_max"));
  const auto report = run_retrial(folder, {"report", "o.db", "--view", "potential"});
  CHECK(report.code == 0);
  CHECK_THAT(report.out, has_text("fog") && has_text("gaussian_noise") && !has_text("snow"));
}

TEST_CASE("an official array of another shape ends a run before it begins, with the file and what was found") {
  const Folder folder;
  write_cifar(folder.path / "data");
  std::ofstream(folder / "official.toml") << official_study;
  retrial::test::write_bytes(folder.path / "data" / "CIFAR-10-C" / "fog.npy",
                             retrial::test::npy("{'descr': '|u1', 'fortran_order': False, 'shape': (10, 32, 32, 3), }",
                                                std::string(10 * pixels, 'a')));
  const auto ran = run_retrial(folder, {"run", "official.toml", "--db", "o.db", "--data", "data"});
  CHECK(ran.code == 2);
  CHECK_THAT(ran.err, has_text("fog.npy") && has_text("shape = (10, 32, 32, 3): expected"));
  fs::remove(folder.path / "data" / "CIFAR-10-C" / "fog.npy");
  fs::remove(folder.path / "data" / "CIFAR-10-C" / "gaussian_noise.npy");
  CHECK(run_retrial(folder, {"run", "official.toml", "--db", "o.db", "--data", "data"}).code == 4);
}

namespace {

/// A tiny study of the digits with one variant, as a file in the folder.
std::vector<std::string> on_digits(const Folder& folder, const std::string& variant,
                                   const std::vector<std::string>& more) {
  std::ofstream(folder / "s.toml") << "schema = 1\nname = \"s\"\nworkload = \"pruning\"\npairs = 1\nseed = 9\n\n[set]\n"
                                   << "model = \"mlp:16\"\nepochs = 2\ntrain_count = 100\ngrid = \".5\"\n\n[variant."
                                   << variant << "]\n";
  std::vector<std::string> line{"run", "s.toml", "--db", "s.db"};
  line.insert(line.end(), more.begin(), more.end());
  return line;
}

}  // namespace

TEST_CASE("digits are judged under frost with photographs that are named, and replayed with them alone",
          "[needs-jpeg]") {
  if (!retrial::test::reads_ice()) return;
  const Folder folder;
  retrial::test::write_ice(folder.path / "ice");
  retrial::test::write_ice(folder.path / "other");
  retrial::test::write_bytes(folder.path / "other" / "frost3.png",
                             retrial::test::png_bytes(560, 315, std::vector<std::uint8_t>(560 * 315 * 3, 9)));
  const auto ran =
      run_retrial(folder, on_digits(folder, "wt", {"--set", "corruptions=frost", "--set", "frost_dir=ice"}));
  INFO(ran.out << ran.err);
  REQUIRE(ran.code == 0);
  CHECK(run_retrial(folder, {"replay", "s.db", "wt/0", "--set", "frost_dir=ice"}).code == 0);
  CHECK(run_retrial(folder, {"replay", "s.db", "wt/0", "--set", "frost_dir=other"}).code != 0);
  CHECK(run_retrial(folder, {"replay", "s.db", "wt/0"}).code != 0);

  const auto none = run_retrial(folder, on_digits(folder, "wt", {"--set", "corruptions=frost"}));
  CHECK(none.code == 2);
  CHECK_THAT(none.err, has_text("frost is not available: no folder with its six photographs"));
  retrial::test::write_bytes(folder.path / "other" / "frost1.png", "no image");
  const auto bad =
      run_retrial(folder, on_digits(folder, "wt", {"--set", "corruptions=frost", "--set", "frost_dir=other"}));
  CHECK(bad.code == 2);
  CHECK_THAT(bad.err, has_text("frost1.png") && has_text("PNG, 900 x 600 pixels"));
  const auto made =
      run_retrial(folder, {"data", "corrupt", "--name", "frost", "--set", "frost_dir=ice", "--seed", "1", "--json"});
  CHECK(made.code == 0);
  CHECK(Json::parse(made.out).contains("textures"));
  CHECK(
      run_retrial(folder, {"data", "corrupt", "--name", "all", "--set", "frost_dir=ice", "--sheet", "all.png"}).code ==
      0);
}

TEST_CASE("a trial of factors replays to the same bits in a fresh process, and its report has tables") {
  const Folder folder;
  const auto ran = run_retrial(folder, on_digits(folder, "alds", {}));
  INFO(ran.out << ran.err);
  REQUIRE(ran.code == 0);
  CHECK(run_retrial(folder, {"replay", "s.db", "alds/0"}).code == 0);
  const auto table = run_retrial(folder, {"report", "s.db", "--view", "potential"});
  CHECK(table.code == 0);
  CHECK_THAT(table.out, has_text("alds") && !has_text("unstructured"));
}

}  // namespace retrial::tests::pruning_torch_tests
