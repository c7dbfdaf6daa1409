// Trials of an emulated CPU are not judged beside native ones, by no command that reads trials for a verdict.
#include "harness/stored/likeness/emulated_trials.hpp"

#include "harness/study/declared/claims.hpp"
#include "results/record/manifest_split.hpp"
#include "results/text/text.hpp"
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

/// A study with a registered claim (its workload is that of a ledger), or one of variance by source.
Json document_with(const std::string& part, const fixture::StudySpec& spec) {
  Json document = fixture::study_document(spec);
  if (part == "claims")
    document["claims"] = harness::document_of({.claims = {{.name = "up",
                                                           .candidate = "new",
                                                           .baseline = "plain",
                                                           .metric = {{"accuracy", {}}},
                                                           .against = {{"accuracy", {}}},
                                                           .test = "paired_t",
                                                           .unit = "%"}}});
  if (part == "variance")
    document["variance"] = {{"design", "oat"}, {"sources", {"init"}}, {"runs", 5},
                            {"groups", 1},     {"replicates", 0},     {"metric", "accuracy"}};
  return document;
}

/// Everything natively, or pairs from 3 on under an emulator.
void write_store_with(const std::string& part, const std::string& file, bool mixed) {
  const fixture::StudySpec spec{.compares = part == "claims"};
  results::Store store(file, results::Store::Access::write);
  std::vector<std::pair<std::string, Json>> documents;
  if (spec.compares) documents.emplace_back("design", fixture::design_document(spec));
  const auto plan = fixture::plan_of(spec);
  store.put_study(spec.name, document_with(part, spec), plan, documents);
  const auto change = emulated("A", "", mixed ? 3 : 99);
  for (const auto& entry : plan) {
    auto record = fixture::record_of(entry, fixture::score_of(spec, entry));
    change(entry, record);
    store.append(record);
  }
}

}  // namespace

TEST_CASE("no command judges native and emulated trials together", "[cli]") {
  using Words = std::vector<std::string>;
  const Folder here;
  for (const std::string part : {"claims", "variance"})
    for (const bool mixed : {true, false}) write_store_with(part, part + (mixed ? ".mixed" : ".native"), mixed);
  for (const auto& [part, words] : std::vector<std::pair<std::string, Words>>{
           {"claims", {"compare", "--claims"}},
           {"claims", {"compare", "--metric", "accuracy", "--baseline", "plain", "--candidate", "new"}},
           {"claims", {"compare", "--adjust", "holm", "--test", "paired_t", "--baseline", "plain"}},
           {"claims", {"report"}},
           {"claims", {"report", "--format", "html", "-o", "page.html"}},
           {"claims", {"reproduce", "kd-survey"}},
           {"variance", {"variance"}},
           {"variance", {"report"}}}) {
    INFO(results::joined(words, " "));
    const auto on = [&words = words](const std::string& store) {
      Words all = words;
      all.push_back(store);
      return fixture::retrial(all);
    };
    const auto refused = on(part + ".mixed");
    CHECK(refused.exit == 4);
    CHECK(refused.out.empty());
    CHECK_THAT(refused.err, has_text("ran natively") && has_text("ran on an emulated CPU (A): they are not judged"));
    CHECK_FALSE(std::filesystem::exists("page.html"));
    CHECK_THAT(on(part + ".native").err, !has_text("emulated"));
    std::filesystem::remove("page.html");
  }
}

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
