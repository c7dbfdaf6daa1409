#include "results/text/error.hpp"
#include "tests/catch.hpp"
#include "tests/results/store/fixtures.hpp"

namespace retrial::tests::store_study_tests {

using namespace retrial;
using namespace retrial::results;

TEST_CASE("one environment is stored once for many trials, and two make two") {
  const TemporaryFolder folder;
  Store store(folder / "s.db", Store::Access::write);
  for (std::uint32_t i = 0; i < 5; ++i) store.append(sample_record(i));
  CHECK(store.documents("environment").size() == 1);
  TrialRecord moved = sample_record(5);
  moved.manifest["machine"]["cpu_model"] = "Another CPU";
  store.append(moved);
  store.append(sample_record(6));
  CHECK(store.documents("environment").size() == 2);
  for (const TrialRow& row : store.trials()) CHECK(store.manifest(row.id).at("machine").contains("cpu_model"));
  CHECK(store.manifest(6) == moved.manifest);
  CHECK(store.verify(true).empty());
}

TEST_CASE("the environments of a study are those of its own trials") {
  const TemporaryFolder folder;
  Store store(folder / "s.db", Store::Access::write);
  store.put_study("s", sample_study("s"), sample_plan(2), {});
  const Digest study = store.studies().front().digest;
  CHECK(store.environments(study).empty());
  store.append(sample_record(0));
  TrialRecord elsewhere = sample_record(7);  // no trial of this study
  elsewhere.manifest["machine"]["cpu_model"] = "Another CPU";
  store.append(elsewhere);
  store.append(sample_record(1));
  const auto found = store.environments(study);
  REQUIRE(found.size() == 1);
  CHECK(found[0].at("machine").at("cpu_model") == "Example CPU");
}

TEST_CASE("documents are found by their digest, and a second put does nothing") {
  const TemporaryFolder folder;
  Store store(folder / "s.db", Store::Access::write);
  const Json claim = {{"schema", "retrial.claim/1"}, {"text", "kd is BETTER"}};
  CHECK(store.put_document("claim", claim) == digest_of(claim));
  CHECK(store.put_document("claim", claim) == digest_of(claim));
  CHECK(store.document(digest_of(claim)).value() == claim);
  CHECK_FALSE(store.document(sha256("nothing")));
  CHECK(store.documents("claim").size() == 1);
  CHECK(store.documents("verdict").empty());
  CHECK_THROWS_WITH(store.put_document("clam", claim), has_text("clam") && has_text("gate_state"));
  CHECK_THROWS_WITH(store.put_document("result", claim), has_text("retrial.claim/1") && has_text("retrial.result/1"));
  (void)store.put_document("environment", {{"machine", {{"cpu_model", "x"}}}});
  CHECK(store.verify(true).empty());
}

TEST_CASE("studies keep their plan, their documents and their order, and are stored once") {
  const TemporaryFolder folder;
  Store store(folder / "s.db", Store::Access::write);
  const std::vector<std::pair<std::string, Json>> documents = {
      {"config", {{"schema", "retrial.config/1"}, {"values", Json::object()}}}};
  const auto plan = sample_plan(4);
  for (const char* name : {"zebra", "apple", "zebra"}) store.put_study(name, sample_study(name), plan, documents);
  const auto studies = store.studies();
  REQUIRE(studies.size() == 2);
  CHECK(studies[0].name == "zebra");
  CHECK(studies[1].name == "apple");
  CHECK(studies[0].trials == 4);
  CHECK(studies[0].digest == digest_of(sample_study("zebra")));
  CHECK(studies[0].document == sample_study("zebra"));
  CHECK(hex(digest_of(store.documents("config").at(0))) ==
        "93700759c54a969a2a50d8471ec350690671e133d1b5f500f531ee1ce9152d36");
  const auto back = store.plan(studies[1].digest);
  REQUIRE(back.size() == 4);
  CHECK(back[3].identity == identity_of(3));
  CHECK(back[3].trial_body == "{\"n\":3}");
  CHECK(back[3].variant == "kd");
  CHECK(back[3].pair_index == 1);
  CHECK(store.plan(sha256("no study")).empty());
  CHECK(store.verify(true).empty());
}

TEST_CASE("a plan that runs one (identity, replicate) twice is refused whole") {
  const TemporaryFolder folder;
  Store store(folder / "s.db", Store::Access::write);
  auto plan = sample_plan(3);
  plan[2].identity = plan[0].identity;
  CHECK(exit_of([&] { store.put_study("s", sample_study("s"), plan, {}); }) == Exit::usage);
  CHECK(store.studies().empty());
  plan[2].replicate = 1;
  store.put_study("s", sample_study("s"), plan, {});
  CHECK(store.studies().size() == 1);
}

TEST_CASE("verdicts belong to a study that is there") {
  const TemporaryFolder folder;
  Store store(folder / "s.db", Store::Access::write);
  const Json verdict = {{"schema", "retrial.verdict/1"}, {"verdict", "BETTER"}};
  CHECK(exit_of([&] { store.put_verdict(sha256("x"), verdict, "accuracy", "BETTER", sha256("in")); }) == Exit::usage);
  store.put_study("s", sample_study("s"), {}, {});
  store.put_verdict(digest_of(sample_study("s")), verdict, "accuracy", "BETTER", sha256("in"));
  CHECK(store.documents("verdict").size() == 1);
  CHECK(store.verify(true).empty());
}

}  // namespace retrial::tests::store_study_tests
