#include "workloads/command/line/copies.hpp"

#include "results/digest/sha256.hpp"
#include "results/text/error.hpp"
#include "tests/catch.hpp"
#include "tests/workloads/interface/folder.hpp"
#include "tests/workloads/interface/log_recorder.hpp"
#include "workloads/command/line/command_line.hpp"

namespace retrial::tests::copies_tests {

using namespace retrial;
using namespace retrial::workloads;
using namespace retrial::workloads::command;

namespace {

Values values_of(const test::Folder& folder, const std::string& command, const std::string& copy) {
  return resolved(find_workload("command", ""),
                  {{"command", command}, {"workdir", folder.path().string()}, {"copy", copy}});
}

std::string refusal(const Values& values) {
  try {
    check_copies(values);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("copies are files below the working folder") {
  const test::Folder folder;
  folder.write("p.sh", "");
  folder.write("data/n.txt", "");
  CHECK(refusal(values_of(folder, "sh p.sh {seed}", "p.sh\ndata/n.txt")) == "accepted");
  CHECK_THAT(refusal(values_of(folder, "sh p.sh", "q.sh")), has_text("command.copy = q.sh: no such file"));
  CHECK_THAT(refusal(values_of(folder, "sh p.sh", "data")), has_text("a folder: name its files"));
  CHECK_THAT(refusal(values_of(folder, "sh p.sh", "../p.sh")), has_text("outside the working folder"));
  CHECK_THAT(refusal(values_of(folder, "sh p.sh", "/etc/passwd")), has_text("not a relative path"));
}

TEST_CASE("a file that the command names must be among the copies") {
  const test::Folder folder;
  folder.write("p.sh", "");
  folder.write("n.txt", "");
  CHECK_THAT(refusal(values_of(folder, "sh p.sh {seed}", "n.txt")), has_text("the command names p.sh"));
  CHECK_THAT(refusal(values_of(folder, "./p.sh n.txt {seed}", "n.txt")), has_text("the command names ./p.sh"));
  CHECK(refusal(values_of(folder, "./p.sh n.txt {seed}", "./n.txt\np.sh")) == "accepted");
  CHECK(refusal(values_of(folder, "sh " + (folder.path() / "p.sh").string(), "n.txt")) == "accepted");
}

TEST_CASE("the contents of copies belong to the program") {
  const test::Folder folder;
  folder.write("n.txt", "abc");
  const auto values = values_of(folder, "true {seed}", "n.txt");
  // SHA-256 of "abc": FIPS 180-2, appendix B.1.
  CHECK(program_of(values).back() == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  folder.write("n.txt", "abd");
  CHECK(program_of(values).back() != "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

}  // namespace retrial::tests::copies_tests
