// Trials of an emulated CPU are not judged beside native ones, by no command that reads trials for a verdict.
#include "harness/stored/emulated_trials.hpp"

#include "results/record/manifest_split.hpp"
#include "tests/catch.hpp"
#include "tests/harness/program/cli_fixture.hpp"

namespace retrial::tests::emulated_trials_tests {

using namespace retrial;
using fixture::Folder;

namespace {

/// The trials at these pairs of this variant (empty: both) ran on the emulated CPU.
fixture::Change emulated(const std::string& cpu, const std::string& variant, std::int64_t from_pair) {
  return [=](const results::PlanEntry& entry, results::TrialRecord& record) {
    if ((variant.empty() || entry.variant == variant) && static_cast<std::int64_t>(entry.pair_index) >= from_pair)
      record.manifest["machine"]["emulated"] = cpu;
    return true;
  };
}

}  // namespace

TEST_CASE("a verdict on native and emulated trials is refused, with one of each", "[cli]") {
  const Folder here;
  fixture::write_store("mixed.db", {}, emulated("AMD EPYC-Rome Processor", "new", 3));
  const auto refused = fixture::retrial({"compare", "mixed.db"});
  CHECK(refused.exit == 4);
  CHECK_THAT(refused.err, has_text("trial plain/0 ran natively, trial new/3 ran on an emulated CPU (AMD EPYC-Rome "
                                   "Processor): they are not judged together"));
}

TEST_CASE("trials of one emulated CPU are judged, those of two are not", "[cli]") {
  const Folder here;
  fixture::write_store("one.db", {}, emulated("Intel Core Processor (Haswell)", "", 0));
  CHECK(fixture::retrial({"compare", "one.db"}).exit == 0);
  fixture::write_store("native.db");
  CHECK(fixture::retrial({"compare", "native.db"}).exit == 0);
  fixture::write_store("two.db", {}, [](const results::PlanEntry& entry, results::TrialRecord& record) {
    record.manifest["machine"]["emulated"] = entry.variant == "new" ? "A" : "B";
    return true;
  });
  CHECK_THAT(fixture::retrial({"compare", "two.db"}).err,
             has_text("ran on an emulated CPU (A), trial plain/0 ran on an "
                      "emulated CPU (B)"));
}

TEST_CASE("a store of an emulated CPU is not compared with one of this machine", "[cli][across]") {
  const Folder here;
  fixture::write_store("native.db");
  fixture::write_store("emulated.db", {}, emulated("A", "", 0));
  for (const auto& words :
       {std::vector<std::string>{"compare", "native.db", "emulated.db"}, {"compare", "emulated.db", "native.db"}}) {
    const auto refused = fixture::retrial(words);
    CHECK(refused.exit == 4);
    CHECK_THAT(refused.err,
               has_text("of emulated.db ran on an emulated CPU (A)") && has_text("of native.db ran natively"));
  }
  CHECK_THAT(fixture::retrial({"compare", "native.db", "native.db"}).err, !has_text("emulated"));
}

TEST_CASE("an emulated CPU is a hardware class of its own, others keep theirs") {
  Json base{{"machine", {{"cpu_model", "AMD EPYC"}, {"cpu_cores", 2}}}};
  const auto native = results::environment_columns(base).stratum;
  base["machine"]["emulated"] = "A";
  CHECK(results::environment_columns(base).stratum != native);
  base["machine"].erase("emulated");
  CHECK(results::environment_columns(base).stratum == native);
}

}  // namespace retrial::tests::emulated_trials_tests
