// Whole pages, compared with tests/golden/commands/*.txt. After reading a change: RETRIAL_ACCEPT=1 harness_tests
// "[golden]". The inputs are those of cli_fixture.hpp: differences 1.5, 0.75, 2, 1.25, -0.5 in five pairs, so 4 of 5
// won.
#include "tests/catch.hpp"
#include "tests/harness/program/cli_fixture.hpp"
#include "tests/harness/program/golden.hpp"

namespace retrial::tests::golden_tests {

using namespace retrial;
using fixture::Answer;
using fixture::Folder;

namespace {

void approve_page(const std::string& name, const std::vector<std::string>& words, int exit = 0) {
  const Answer answer = fixture::retrial(words);
  CAPTURE(answer.err);
  CHECK(answer.exit == exit);
  fixture::approve("commands/" + name, answer.out);
}

/// One failed trial, one diverged, one never run.
bool troubled(const results::PlanEntry& entry, results::TrialRecord& record) {
  return !(entry.variant == "new" && entry.pair_index == 4) && fixture::one_failed_one_diverged(entry, record);
}

}  // namespace

TEST_CASE("the verdict page of a study of five pairs is the approved one", "[golden]") {
  const Folder here;
  fixture::write_store("quick.db");
  approve_page("compare.txt", {"compare", "quick.db"});
  approve_page("compare.json", {"compare", "quick.db", "--json"});
}

TEST_CASE("a metric that was not declared is judged with a note", "[golden]") {
  const Folder here;
  fixture::write_store("quick.db");
  approve_page("compare_undeclared.txt", {"compare", "quick.db", "--metric", "wall_s"});
}

TEST_CASE("a failed and a diverged trial are on the verdict page", "[golden]") {
  const Folder here;
  fixture::write_store("quick.db", {}, [](const auto& entry, auto& record) {
    if (entry.pair_index == 4) return true;
    return troubled(entry, record);
  });
  approve_page("compare_failures.txt", {"compare", "quick.db"});
}

TEST_CASE("a study at a glance is the approved page", "[golden]") {
  const Folder here;
  fixture::write_store("quick.db", {}, troubled);
  approve_page("show.txt", {"show", "quick.db"});
  approve_page("show.json", {"show", "quick.db", "--json"});
  approve_page("show_metrics.txt", {"show", "quick.db", "--metrics", "--metric", "accuracy"});
}

TEST_CASE("one trial in full is the approved page", "[golden]") {
  const Folder here;
  fixture::write_store("quick.db", {}, troubled);
  approve_page("show_trial.txt", {"show", "quick.db", "new/0"});
  approve_page("show_trial.json", {"show", "quick.db", "#1", "--json"});
  approve_page("show_trial_failed.txt", {"show", "quick.db", "new/1"});
  approve_page("show_trial_missing.txt", {"show", "quick.db", "new/4"});
  approve_page("show_digests.txt", {"show", "quick.db", "new/0", "--digests"});
  approve_page("show_manifest.json", {"show", "quick.db", "new/0", "--manifest", "--json"});
}

TEST_CASE("the status of an unfinished study is the approved page", "[golden]") {
  const Folder here;
  fixture::write_store("quick.db", {}, troubled);
  approve_page("status.txt", {"status", "quick.db"});
  approve_page("status.json", {"status", "quick.db", "--json"});
}

TEST_CASE("an explained difference is the approved page", "[golden]") {
  const Folder here;
  fixture::write_store("quick.db");
  approve_page("explain.txt", {"explain", "quick.db", "new/0", "new/1"});
  approve_page("explain.json", {"explain", "quick.db", "new/0", "new/1", "--json"});
}

TEST_CASE("a sound store is the approved page", "[golden]") {
  const Folder here;
  fixture::write_store("quick.db");
  approve_page("verify.txt", {"verify", "quick.db"});
  approve_page("verify.json", {"verify", "quick.db", "--full", "--json"});
}

}  // namespace retrial::tests::golden_tests
