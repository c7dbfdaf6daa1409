// What runs before the start of a program that is timed and read: --prepare and --warm-up.
#include <fstream>

#include "tests/catch.hpp"
#include "tests/harness/program/program.hpp"

namespace retrial::tests::prepare_tests {

namespace {

std::vector<std::string> line_of(const std::string& command, const std::vector<std::string>& more = {}) {
  std::vector<std::string> line{"run", "--command", command, "--read", "acc",  "--higher", "--pairs",
                                "1",   "--seed",    "1",     "--db",   "s.db", "--json"};
  line.insert(line.end(), more.begin(), more.end());
  return line;
}

std::string content(const std::string& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("the preparation runs before each start, and only the last start is read") {
  const Folder folder;
  write_file(folder / "p.sh", "ls $2 | wc -l >> log; touch $2/x; echo acc=$(wc -l < log)\n");
  write_file(folder / "prepare.sh", "echo prepared $1 >> log\n");
  const auto ran = run_retrial(
      folder, line_of("sh p.sh {seed} {out}", {"--prepare", "sh prepare.sh {pair}", "--warm-up", "2", "--jobs", "1"}));
  INFO(ran.out << ran.err);
  REQUIRE(ran.code == 0);
  // Three times: prepared, then a start that finds its folder empty.
  CHECK(content(folder / "log") == "prepared 0\n0\nprepared 0\n0\nprepared 0\n0\n");
  const auto shown = run_retrial(folder, {"show", "s.db", "a/0", "--metrics"});
  INFO(shown.out);
  CHECK_THAT(shown.out, has_text("6.0"));
}

TEST_CASE("a preparation that fails, and a warm-up that does, fail the trial and say which start it was") {
  const Folder folder;
  const auto prepared =
      run_retrial(folder, line_of("sh -c 'echo acc=1' {seed}", {"--prepare", "sh -c 'echo no data; exit 7'"}));
  CHECK(prepared.code == 5);
  CHECK_THAT(prepared.err, has_text("a/0 failed: no data"));
  CHECK_THAT(prepared.err, has_text("(--prepare) exited with 7"));
  const Folder other;
  const auto warm = run_retrial(other, line_of("sh -c 'exit 8' {seed}", {"--warm-up", "3"}));
  CHECK_THAT(warm.err, has_text("(warm-up 1 of 3) exited with 8"));
}

TEST_CASE("preparation and warm-up belong to the identity, and without them a study keeps its digest") {
  const Folder folder;
  const auto digest = [&](const std::vector<std::string>& more) {
    auto line = line_of("sh -c 'echo acc=1' {seed}", more);
    line.front() = "plan";
    std::erase(line, "--db");
    std::erase(line, "s.db");
    return field(run_retrial(folder, line).out, "study_digest");
  };
  const auto plain = digest({});
  CHECK(!plain.empty());
  CHECK(digest({"--warm-up", "0"}) == plain);
  CHECK(digest({"--warm-up", "1"}) != plain);
  CHECK(digest({"--prepare", "true"}) != plain);
  const auto refused = run_retrial(folder, line_of("sh -c true {seed}", {"--prepare", "no-such-program"}));
  CHECK(refused.code == 2);
  CHECK_THAT(refused.err, has_text("command.prepare = no-such-program: no such program in PATH"));
}

}  // namespace retrial::tests::prepare_tests
