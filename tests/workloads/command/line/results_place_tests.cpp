#include "workloads/command/line/results_place.hpp"

#include "tests/catch.hpp"
#include "tests/workloads/interface/folder.hpp"
#include "tests/workloads/interface/log_recorder.hpp"

namespace retrial::tests::results_place_tests {

using namespace retrial;
using namespace retrial::workloads;
using namespace retrial::workloads::command;

namespace {

struct Case {
  std::string command, json;
  bool shared;
};

}  // namespace

TEST_CASE("results outside a trial's own folder are shared by trials at the same time") {
  const test::Folder folder;
  folder.write("plain.sh", "echo > m.json");
  folder.write("aware.sh", "echo > $TRIAL_OUT/m.json");
  for (const auto& [command, json, shared] : std::vector<Case>{{"sh plain.sh {seed}", "m.json", true},
                                                               {"sh plain.sh {seed}", "m-{seed}.json", true},
                                                               {"sh plain.sh {seed}", "/tmp/m.json", true},
                                                               {"sh aware.sh {seed}", "/tmp/m.json", true},
                                                               {"sh aware.sh {seed}", "../m.json", true},
                                                               {"sh plain.sh {seed}", "{out}m.json", true},
                                                               {"sh aware.sh {seed}", "m.json", false},
                                                               {"sh plain.sh {seed} {out}", "m.json", false},
                                                               {"sh -c 'echo > $TRIAL_OUT/m.json'", "m.json", false},
                                                               {"sh plain.sh {seed}", "{out}/m.json", false},
                                                               {"sh plain.sh {seed}", "-", false},
                                                               {"sh plain.sh {seed}", "", false}}) {
    CAPTURE(command, json);
    for (const std::string key : {"read_json", "read_file"}) {
      if (key == "read_file" && json == "-") continue;
      const auto place = shared_place(resolved(
          find_workload("command", ""), {{"command", command}, {key, json}, {"workdir", folder.path().string()}}));
      CHECK(place.has_value() == shared);
      if (place) CHECK(place->problem.key == key);
      if (place) CHECK_FALSE(place->declared);
    }
  }
}

TEST_CASE("copies make a relative file of results the trial's own, but not an absolute one") {
  const auto shared = [](const std::string& json) {
    return shared_place(
               resolved(find_workload("command", ""),
                        {{"command", std::string("true {seed}")}, {"read_json", json}, {"copy", std::string("a")}}))
        .has_value();
  };
  CHECK_FALSE(shared("m.json"));
  CHECK(shared("/tmp/m.json"));
}

TEST_CASE("a declared shared folder needs no file of results") {
  const auto place = shared_place(resolved(find_workload("command", ""), {{"shared_folder", true}}));
  REQUIRE(place);
  CHECK(place->declared);
}

}  // namespace retrial::tests::results_place_tests
