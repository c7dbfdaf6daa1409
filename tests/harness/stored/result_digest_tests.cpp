// The result digest: what two builds of this program have in common when their results agree.
#include "harness/stored/result_digest.hpp"

#include <algorithm>
#include <bit>
#include <optional>

#include "harness/plan/plan.hpp"
#include "harness/plan/trial_body.hpp"
#include "results/text/text.hpp"
#include "tests/catch.hpp"
#include "tests/harness/program/cli_fixture.hpp"
#include "tests/harness/program/program.hpp"
#include "tests/harness/study/checks/study_text.hpp"

namespace retrial::tests::result_digest_tests {

using namespace retrial;
using namespace retrial::harness;
using retrial::fixture::Folder;

namespace {

const std::string two_variants = "schema = 1\nname = \"s\"\nworkload = \"null\"\nseed = 7\npairs = 3\n";

struct Digests {
  results::Digest outcome{};
  ResultDigest result;
};

using Score = std::function<double(const results::PlanEntry&)>;

/// By pair and variant, in no order that a digest could have.
double usual_score(const results::PlanEntry& entry) {
  return 80.0 + 0.3 * static_cast<double>(entry.pair_index) - (entry.variant == "shifted" ? 0.7 : 0.0);
}

/// The fixture's record with the same weights in every build: its own digest is made from the identity.
results::TrialRecord record_of(const results::PlanEntry& entry, double score) {
  auto record = fixture::record_of(entry, score);
  record.digests = {{"weights", -1, "psum2", std::string(32, 'a')}};
  return record;
}

void add_study(results::Store& store, const std::string& text, const std::string& build, const Score& score,
               bool backwards = false) {
  const auto study = load(text);
  const auto plan = make_plan(study, {.build_id = build, .program_label = {}, .data = "."});
  store.put_study(study.name, plan.study, plan.entries, {});
  std::vector<results::TrialRecord> records;
  for (const auto& entry : plan.entries) records.push_back(record_of(entry, score(entry)));
  if (backwards) std::reverse(records.begin(), records.end());
  for (const auto& record : records) store.append(record);
}

Digests digests_of(const results::Store& store) {
  return {.outcome = store.info().outcome_digest, .result = result_digest_of(store)};
}

Digests digests_of(const std::string& text, const std::string& build, const Score& score = usual_score,
                   bool backwards = false) {
  const Folder here;
  results::Store store("s.db", results::Store::Access::write);
  add_study(store, text, build, score, backwards);
  return digests_of(store);
}

}  // namespace

TEST_CASE("two builds with equal results have equal result digests and different outcome digests") {
  const auto one = digests_of(two_variants, "aaaa"), two = digests_of(two_variants, "bbbb");
  REQUIRE(one.result.digest);
  CHECK(one.result.digest == two.result.digest);
  CHECK(one.outcome != two.outcome);
  CHECK(*one.result.digest != one.outcome);
}

TEST_CASE("the result digest does not depend on the order in which trials ended") {
  const auto one = digests_of(two_variants, "aaaa"), two = digests_of(two_variants, "aaaa", usual_score, true);
  CHECK(one.result.digest == two.result.digest);
  CHECK(one.outcome == two.outcome);
}

TEST_CASE("one bit of one metric changes both digests") {
  const auto flipped = [](const results::PlanEntry& entry) {
    const double score = usual_score(entry);
    const bool here = entry.pair_index == 2 && entry.variant == "base";
    return here ? std::bit_cast<double>(std::bit_cast<std::uint64_t>(score) ^ 1) : score;
  };
  const auto one = digests_of(two_variants, "aaaa"), two = digests_of(two_variants, "aaaa", flipped);
  CHECK(one.result.digest != two.result.digest);
  CHECK(one.outcome != two.outcome);
}

TEST_CASE("another key, seed or kernel mode is another result, whatever the scores") {
  const auto usual = digests_of(two_variants, "aaaa").result.digest;
  for (const char* change : {"mode = \"inherit\"\n", "[set]\nsd = 2.0\n"})
    CHECK(digests_of(two_variants + change, "aaaa").result.digest != usual);
  std::string other_seed = two_variants;
  other_seed.replace(other_seed.find("seed = 7"), 8, "seed = 8");
  CHECK(digests_of(other_seed, "aaaa").result.digest != usual);
}

TEST_CASE("trials that two builds ran into one store have the result digest of one build") {
  const Folder here;
  results::Store store("s.db", results::Store::Access::write);
  add_study(store, two_variants, "aaaa", usual_score);
  const auto before = digests_of(store);
  std::string renamed = two_variants;
  renamed.replace(renamed.find("\"s\""), 3, "\"t\"");
  add_study(store, renamed, "bbbb", usual_score);
  CHECK(digests_of(store).result.digest == before.result.digest);
  CHECK(digests_of(store).outcome != before.outcome);
}

// The document is written by hand and digested with `retrial.result/1` by the formula of the header.
TEST_CASE("a result identity is the digest of the identity's document without the program") {
  const Folder here;
  results::Store store("s.db", results::Store::Access::write);
  const auto study = load(two_variants);
  const auto plan = make_plan(study, {.build_id = "aaaa", .program_label = {}, .data = "."});
  store.put_study(study.name, plan.study, plan.entries, {});
  ResultIdentities identities(store);
  for (const auto& entry : plan.entries) {
    const std::string values = entry.variant == "base" ? "{}" : R"({"effect":"3ff0000000000000"})";
    const std::string written =
        R"({"dataset":null,"mode":{"deterministic":true,"fused":false,"isa":"avx2","onednn":true,"tf32":false,"threads":1},)"
        R"("schema":"retrial.trial/1","seeds":)" +
        results::canonical(TrialBody(entry).seeds()) + R"(,"values":)" + values + R"(,"variant":")" + entry.variant +
        R"(","workload":"null"})";
    CHECK(identities.of(entry.identity).identity == results::sha256(written));
  }
}

TEST_CASE("the build does not enter through the trials of a search either") {
  const auto identities_of = [](const std::string& build) {
    const Folder here;
    results::Store store("s.db", results::Store::Access::write);
    const auto study =
        checked(read_study_file(std::filesystem::path(RETRIAL_SOURCE_DIR) / "studies/digits-estimators.toml"));
    const auto plan = make_plan(study, {.build_id = build, .program_label = {}, .data = "."});
    store.put_study(study.name, plan.study, plan.entries, {});
    ResultIdentities identities(store);
    std::vector<std::pair<results::Digest, std::optional<results::Digest>>> out;
    for (const auto& entry : plan.entries) out.emplace_back(entry.identity, identities.of(entry.identity).identity);
    return out;
  };
  const auto one = identities_of("aaaa"), two = identities_of("bbbb");
  REQUIRE(one.size() == two.size());
  bool equal = true, different = true;
  for (std::size_t i = 0; i < one.size(); ++i) {
    equal = equal && one[i].second && one[i].second == two[i].second;
    different = different && one[i].first != two[i].first;
  }
  CHECK(equal);
  CHECK(different);
}

TEST_CASE("a program of the user stays in the result digest, the build of this one never was in it") {
  const auto of_script = [](const std::string& script, const std::string& build) {
    const Folder here;
    write_file("one.sh", script);
    const std::string text =
        "schema = 1\nname = \"c\"\nworkload = \"command\"\nseed = 7\npairs = 3\n"
        "[set]\nread = \"accuracy\"\ndirection = \"higher\"\n"
        "[variant.base]\ncommand = \"sh one.sh {seed}\"\n[variant.shifted]\ncommand = \"sh one.sh {seed} more\"\n";
    results::Store store("s.db", results::Store::Access::write);
    write_file("s.toml", text);
    const auto study = checked(read_study_file("s.toml"));
    const auto plan = make_plan(study, {.build_id = build, .program_label = {}, .data = "."});
    store.put_study(study.name, plan.study, plan.entries, {});
    for (const auto& entry : plan.entries) store.append(record_of(entry, usual_score(entry)));
    return digests_of(store);
  };
  const auto one = of_script("echo accuracy=1\n", "aaaa");
  REQUIRE(one.result.digest);
  CHECK(of_script("echo accuracy=1\n", "bbbb").result.digest == one.result.digest);
  CHECK(of_script("echo accuracy=1  # edited\n", "aaaa").result.digest != one.result.digest);
}

TEST_CASE("a result digest that cannot be computed has a reason in place of a number") {
  const auto unknown = [](const results::Store& store) {
    const auto result = result_digest_of(store);
    CHECK_FALSE(result.digest);
    CHECK(json_of(result).is_null());
    return text_of(result);
  };
  SECTION("the workload belongs to another program") {
    const Folder here;
    fixture::write_store("quick.db");
    CHECK(unknown(results::Store("quick.db", results::Store::Access::read)) ==
          "unknown: this program does not have the workload fixture");
  }
  SECTION("no study plans the trial") {
    const Folder here;
    results::Store store("s.db", results::Store::Access::write);
    const auto plan = make_plan(load(two_variants), {.build_id = "aaaa", .program_label = {}, .data = "."});
    store.append(record_of(plan.entries[0], 80));
    CHECK_THAT(unknown(store), has_text("no study plans trial"));
  }
  SECTION("the body of the plan is not the one of its identity, or none") {
    for (const auto& [from, to] :
         {std::pair{"\"pair\":0", "\"pair\":0"}, {"aaaa", "aaab"}, {"\"seeds\"", "\"sseds\""}}) {
      const Folder here;
      results::Store store("s.db", results::Store::Access::write);
      const auto study = load(two_variants);
      auto plan = make_plan(study, {.build_id = "aaaa", .program_label = {}, .data = "."});
      auto& body = plan.entries[0].trial_body;
      body.replace(body.find(from), std::string(from).size(), to);
      store.put_study(study.name, plan.study, plan.entries, {});
      store.append(record_of(plan.entries[0], 80));
      if (std::string(from) == to)
        CHECK(result_digest_of(store).digest);  // the control: nothing was changed
      else
        CHECK_THAT(unknown(store), has_text("/0"));
    }
  }
}

}  // namespace retrial::tests::result_digest_tests
