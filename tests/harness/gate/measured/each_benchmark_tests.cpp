#include "harness/gate/measured/each_benchmark.hpp"

#include <filesystem>
#include <fstream>
#include <regex>

#include "harness/system/host.hpp"
#include "results/text/error.hpp"
#include "tests/catch.hpp"

namespace retrial::tests::each_benchmark_tests {

using namespace retrial::harness;

namespace {

/// A program that lists benchmarks as Google Benchmark does.
std::string program(const std::filesystem::path& folder, const std::string& name, const std::string& benchmarks) {
  const auto file = folder / name;
  std::ofstream(file) << "#!/bin/sh\n[ \"$1\" = --benchmark_list_tests=true ] || exit 9\nprintf '" << benchmarks
                      << "'\n";
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  return file.string();
}

StudyDraft draft_of(const std::string& a, const std::string& b) {
  StudyDraft out{.where = "--command", .workload = "command"};
  for (const auto& [name, command] : {std::pair("base", a), std::pair("head", b)})
    out.variants.push_back({.name = name, .preset = {}, .where = {}, .keys = {{"command", command, "--command"}}});
  return out;
}

}  // namespace

TEST_CASE("the filter of a benchmark fits its name alone", "[gate]") {
  for (const std::string name : {"sort/1024", "f<int, 4>/min_time:2.000", "a.b", "x(1)|y", "[z]{2}", "c++", "^$"}) {
    for (const auto syntax : {std::regex::extended, std::regex::ECMAScript}) {
      const std::regex filter(exact_filter(name), syntax);
      CHECK(std::regex_search(name, filter));
      CHECK_FALSE(std::regex_search(name + "1", filter));
      CHECK_FALSE(std::regex_search("1" + name, filter));
    }
  }
  CHECK_FALSE(std::regex_search(std::string("aXb"), std::regex(exact_filter("a.b"), std::regex::extended)));
}

TEST_CASE("benchmarks of both programs are run, those of one are named", "[gate]") {
  const ScratchFolder folder;
  std::filesystem::create_directory(folder.path() / "it's");
  const auto base = program(folder.path() / "it's", "bench", "copy\\nsort/8\\nold\\n");
  const auto head = program(folder.path(), "bench", "sort/8\\ncopy\\nsort/8\\nnew\\n");
  const std::string quoted = "'" + (folder.path() / "it").string() + "'\\''s/bench'";
  const auto each = each_benchmark(draft_of(quoted, head));
  CHECK(base == (folder.path() / "it's" / "bench").string());
  REQUIRE(each.benches.size() == 2);
  CHECK(each.benches[0].name == "copy");
  CHECK(each.benches[1].name == "sort/8");
  CHECK(std::get<std::string>(each.benches[1].draft.variants[1].keys[0].value) ==
        head + " '--benchmark_filter=^sort/8$'");
  CHECK(each.alone == std::vector<std::pair<std::string, std::string>>{{"old", "base"}, {"new", "head"}});
}

TEST_CASE("a program that lists nothing, or nothing in common, ends the gate", "[gate]") {
  const ScratchFolder folder;
  const auto some = program(folder.path(), "some", "copy\\n"), none = program(folder.path(), "none", "");
  const auto other = program(folder.path(), "other", "sort\\n");
  const auto exit_of = [](const StudyDraft& draft) {
    try {
      (void)each_benchmark(draft);
    } catch (const Error& error) {
      return error.text.exit;
    }
    return Exit::ok;
  };
  CHECK(exit_of(draft_of(some, none)) == Exit::measurement);
  CHECK(exit_of(draft_of(some, "/bin/false")) == Exit::measurement);
  CHECK(exit_of(draft_of(some, other)) == Exit::incomparable);
  CHECK(exit_of(draft_of(some, some)) == Exit::ok);
}

}  // namespace retrial::tests::each_benchmark_tests
