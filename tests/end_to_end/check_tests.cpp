// Every detector of the reproducibility protocol is shown failing on a planted defect, and passing without.
#include "tests/catch.hpp"
#include "tests/harness/program/program.hpp"

namespace retrial::tests::check_tests {

namespace {

retrial::tests::Ran check(const std::vector<std::string>& more) {
  const Folder folder;
  std::vector<std::string> line{"check", "null", "--json", "--set", "epochs=3"};
  line.insert(line.end(), more.begin(), more.end());
  return run_retrial(folder, line);
}

}  // namespace

TEST_CASE("a seeded workload passes the protocol with 5 seeds, 5 repeats and interruptions at every epoch") {
  const auto ran = check({"--variant", "base"});
  INFO(ran.out << ran.err);
  CHECK(ran.code == 0);
  CHECK(field(ran.out, "reproducible") == "true");
  // Three honoured sources: 1 shared base and 4 more seeds of each.
  CHECK(field(ran.out, "variants.0.identities") == "13");
  CHECK(field(ran.out, "variants.0.runs") == "65");
  CHECK(field(ran.out, "variants.0.interrupted") == "13");
  // Two boundaries before the end of three epochs, in 13 trials.
  CHECK(field(ran.out, "variants.0.boundaries") == "26");
}

TEST_CASE("an unseeded draw is found and its first differing epoch and step are named") {
  const auto ran = check(
      {"--variant", "base", "--set", "defect=unseeded", "--set", "defect_at=2", "--no-interrupt", "--seeds", "1"});
  INFO(ran.out << ran.err);
  CHECK(ran.code == 1);
  CHECK(field(ran.out, "variants.0.findings.0.kind") == "not-reproducible");
  CHECK(field(ran.out, "variants.0.findings.0.step") == "2");
  // 4 steps an epoch: epoch 2 begins with step 9.
  CHECK(field(ran.out, "variants.0.findings.0.optimiser_step") == "9");
}

TEST_CASE("a state that is lost on resume is found by the interrupted runs alone") {
  const auto ran = check({"--variant", "base", "--set", "defect=resume"});
  INFO(ran.out << ran.err);
  CHECK(ran.code == 1);
  CHECK(field(ran.out, "variants.0.findings.0.kind") == "interruption");
}

TEST_CASE("a source that changes nothing is found by name") {
  const auto ran = check({"--variant", "base", "--set", "defect=dead_source", "--no-interrupt", "--repeats", "1"});
  INFO(ran.out << ran.err);
  CHECK(ran.code == 1);
  CHECK(field(ran.out, "variants.0.findings.0.kind") == "dead-source");
}

TEST_CASE("liveness passes on a sound workload and finds a dead key, a dead source and dependence on order") {
  const auto sound = check(
      {"--liveness", "--set", "effect=0.5", "--set", "dropout=0.1", "--set", "resolution=0.125", "--set", "items=500"});
  INFO(sound.out << sound.err);
  CHECK(sound.code == 0);
  const auto key = check({"--liveness", "--set", "effect=0.5", "--set", "defect=dead_key"});
  INFO(key.out);
  CHECK(key.code == 1);
  CHECK_THAT(key.out, has_text("dead-parameter"));
  const auto source = check({"--liveness", "--set", "effect=0.5", "--set", "defect=dead_source"});
  CHECK(source.code == 1);
  CHECK_THAT(source.out, has_text("dead-source"));
  const auto order = check({"--liveness", "--set", "effect=0.5", "--set", "defect=order", "--jobs", "1"});
  CHECK(order.code == 1);
}

TEST_CASE("replay says same bits for a sound trial and names the first difference of an unsound one") {
  const Folder folder;
  REQUIRE(run_retrial(folder, {"run", "null", "--pairs", "3", "--seed", "2", "--db", "sound.db"}).code == 0);
  const auto sound = run_retrial(folder, {"replay", "sound.db", "base/2", "--json"});
  INFO(sound.out << sound.err);
  CHECK(sound.code == 0);
  CHECK(field(sound.out, "same_bits") == "true");
  REQUIRE(run_retrial(folder,
                      {"run", "null", "--pairs", "3", "--seed", "2", "--db", "unsound.db", "--set", "defect=unseeded"})
              .code == 0);
  const auto unsound = run_retrial(folder, {"replay", "unsound.db", "base/2", "--json"});
  CHECK(unsound.code == 1);
  CHECK(field(unsound.out, "first_difference.step") == "0");
}

}  // namespace retrial::tests::check_tests
