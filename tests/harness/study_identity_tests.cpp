// Identities of the studies that are shipped, as they were before the catalogue of distillation had its keys: a key
// that is added later must not change them. Taken from the program of 22 November 2026 with `plan --program-label
// pinned`; that of quickstart is the same since the first version.
#include "harness/plan.hpp"
#include "harness/study.hpp"
#include "results/text.hpp"
#include "tests/catch.hpp"

using namespace retrial;
using namespace retrial::harness;

namespace {

Study shipped(const std::string& name) {
  return checked(read_study_file(std::string(RETRIAL_SOURCE_DIR) + "/studies/" + name));
}

std::string plan_digest(const Study& study) {
  return results::hex(make_plan(study, {.build_id = "0123", .program_label = "pinned", .data = "."}).plan_digest);
}

}  // namespace

TEST_CASE("the shipped studies keep the identities that they had") {
  CHECK(plan_digest(shipped("quickstart.toml")) == "c57858be295059fc081c2a98157d797b93e1778688a73bbf73317779299004dc");
  CHECK(plan_digest(shipped("early.toml")) == "34236233837adb209abc00fa4a15adbfd022912cc59af22b2cb137b4797f0916");
  CHECK(plan_digest(shipped("digits-early.toml")) ==
        "67481a24927a2a1368d2282f56db646c7d840bbe8f7897a4c73888230fdc68ee");
  CHECK(plan_digest(shipped("digits-sources.toml")) ==
        "7e594ba640942c493f93ffc50a37f738da46ba2775b7a1c38e0d18f531679b95");
  CHECK(plan_digest(shipped("digits-estimators.toml")) ==
        "244ef785494d00cd70dc9811e1835d53016bfc66cb1e175fae2a8d8467eb86e6");
}

TEST_CASE("a key at another value is another identity") {  // the control of the test above
  Study study = shipped("quickstart.toml");
  const std::string before = plan_digest(study);
  study.variants[1].values["w_feat"] = 1.0;
  CHECK(plan_digest(study) != before);
}
