// A loss, a score and a network of a project (tests/extended) in both programs, and the page that shows how.
#include <fstream>
#include <iterator>

#include "tests/catch.hpp"
#include "tests/harness/program/program.hpp"

namespace retrial::tests::extending_torch_tests {

using Folder = retrial::tests::FullFolder;

namespace {

Ran run_extended(const Folder& folder, std::vector<std::string> arguments) {
  return Program(folder, std::move(arguments), {}, RETRIAL_BINARY_DIR "/bin/extended/retrial").wait();
}

std::string text_of(const std::string& file) {
  std::ifstream in(RETRIAL_SOURCE_DIR "/" + file);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Without the first line, which says what the file is.
std::string code_of(const std::string& file) {
  const std::string text = text_of(file);
  return text.substr(text.find('\n') + 1);
}

}  // namespace

TEST_CASE("an added loss trains a student on an added network, and the trial replays") {
  const Folder folder;
  CHECK_THAT(run_extended(folder, {"list", "methods"}).out, has_text("huber"));
  CHECK_THAT(run_extended(folder, {"list", "models"}).out, has_text("funnel"));
  const auto ran = run_extended(
      folder, {"run", "distillation", "--pairs", "2", "--seed", "1", "--db", "d.db", "--set", "method=huber", "--set",
               "student=funnel", "--set", "teacher=cnn2", "--set", "epochs=2", "--set", "teacher_epochs=1"});
  INFO(ran.err);
  REQUIRE(ran.code == 0);
  CHECK_THAT(run_extended(folder, {"show", "d.db", "kd/0"}).out, has_text("loss_huber"));
  CHECK(run_extended(folder, {"replay", "d.db", "kd/1"}).code == 0);
}

TEST_CASE("an added score prunes an added network") {
  const Folder folder;
  std::ofstream(folder.path / "p.toml") << "schema = 1\nname = \"p\"\nworkload = \"pruning\"\nseed = 1\npairs = 2\n"
                                           "[set]\nmodel = \"funnel\"\nepochs = 2\ncorruptions = \"none\"\n"
                                           "grid = \"powers(2, .8, .75)\"\n[variant.wt]\n[variant.centered]\n";
  const auto ran = run_extended(folder, {"run", "p.toml"});
  INFO(ran.err);
  REQUIRE(ran.code == 0);
  CHECK_THAT(run_extended(folder, {"show", "p.db"}).out, has_text("centered"));
}

TEST_CASE("a program without them knows neither the loss nor the network, and suggests what it knows") {
  const Folder folder;
  for (const char* key : {"method=huber", "student=funnel"}) {
    const auto ran = run_retrial(folder, {"plan", "distillation", "--pairs", "2", "--seed", "1", "--set", key});
    CHECK(ran.code == 2);
    CHECK_THAT(ran.err, has_text(std::string(key).substr(std::string(key).find('=') + 1)));
  }
}

TEST_CASE("the page about extending has the code that is tested here") {
  const std::string page = text_of("docs/workloads/extending.md");
  for (const char* file : {"tests/extended/huber_torch.cpp", "tests/extended/rows.cpp"}) {
    INFO(file);
    REQUIRE_FALSE(code_of(file).empty());
    CHECK(page.find("```cpp\n" + code_of(file) + "```") != std::string::npos);
  }
}

}  // namespace retrial::tests::extending_torch_tests
