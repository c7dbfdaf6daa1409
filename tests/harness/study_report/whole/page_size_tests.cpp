// The page of a large study stays small enough to be mailed: 40 variants of 100 pairs, with curves and failures.
#include "harness/plan/plan.hpp"
#include "results/record/identity.hpp"
#include "tests/catch.hpp"
#include "tests/harness/program/cli_fixture.hpp"
#include "tests/harness/study/checks/study_text.hpp"

namespace retrial::tests::page_size_tests {

using namespace retrial;
using fixture::Folder;

namespace {

constexpr int variants = 40, pairs = 100, epochs = 120;

std::string study_text() {
  std::string out = "schema = 1\nname = \"large\"\nworkload = \"null\"\nseed = 7\npairs = " + std::to_string(pairs) +
                    "\nmode = \"deterministic\"\n";
  for (int i = 0; i < variants; ++i)
    out += "[variant.\"width-" + std::to_string(8 * i) + "-rate-0.1\"]\neffect = " + std::to_string(i) + ".5\n";
  return out + "[compare]\nmetric = \"score\"\nbaseline = \"width-0-rate-0.1\"\ncandidate = \"width-8-rate-0.1\"\n";
}

/// Scores with all their digits, as training gives them.
double score_of(const results::PlanEntry& entry, double at) {
  const auto digest = results::sha256(std::to_string(entry.ordinal) + " " + std::to_string(at));
  return 80 + at + static_cast<double>(digest[0] * 256 + digest[1]) / 65536.0 / 3;
}

results::TrialRecord record_of(const results::PlanEntry& entry) {
  using results::Axis, results::Direction, results::Nature, results::Scale;
  results::TrialRecord out{.identity = entry.identity, .replicate = entry.replicate};
  out.attempt = results::attempt_id({}, entry.identity, 0);
  out.started_ns = entry.ordinal + 1;
  out.wall_ns = 1'000'000'000 + 1'234'567 * entry.ordinal;
  out.worker = "w0";
  out.manifest = Json{{"schema", "retrial.manifest/1"}};
  if (entry.ordinal % 20 == 7) {
    out.status = results::Status::failed;
    out.message = "command.exit: the program exited with 1; last lines: RuntimeError: CUDA out of memory";
    return out;
  }
  out.defs = {{"score", "points", Direction::higher, Nature::outcome, Scale::ratio, Axis::none},
              {"validation", "points", Direction::higher, Nature::outcome, Scale::ratio, Axis::epoch},
              {"wall_s", "s", Direction::lower, Nature::cost, Scale::ratio, Axis::none},
              {"cpu_s", "s", Direction::lower, Nature::cost, Scale::ratio, Axis::none},
              {"peak_rss_mib", "MiB", Direction::lower, Nature::cost, Scale::ratio, Axis::none}};
  for (const char* name : {"score", "wall_s", "cpu_s", "peak_rss_mib"})
    out.metrics.push_back({name, -1, score_of(entry, epochs)});
  if (entry.variant == "width-0-rate-0.1" || entry.variant == "width-8-rate-0.1")
    for (int epoch = 0; epoch < epochs; ++epoch) out.metrics.push_back({"validation", epoch, score_of(entry, epoch)});
  return out;
}

void write_large_store() {
  const auto study = tests::load(study_text());
  const auto plan = harness::make_plan(study, {.build_id = "0123", .data = "."});
  results::Store store("large.db", results::Store::Access::write);
  const std::vector<std::pair<std::string, Json>> documents{{"design", *plan.design}};
  store.put_study(study.name, plan.study, plan.entries, documents);
  for (const auto& entry : plan.entries) store.append(record_of(entry));
}

std::size_t bytes_of(const std::vector<std::string>& words) {
  const auto answer = fixture::retrial(words);
  INFO(answer.err);
  REQUIRE(answer.exit == 0);
  return answer.out.size();
}

}  // namespace

TEST_CASE("a page of 40 variants and 100 pairs is below 500 kB, and all its data are one option away", "[report]") {
  const Folder folder;
  write_large_store();
  const std::size_t page = bytes_of({"report", "large.db", "--format", "html"});
  CHECK(page < 500'000);
  CHECK(page > 200'000);  // the figures and tables are there
  const auto full = fixture::retrial({"report", "large.db", "--format", "html", "--full"}).out;
  CHECK(full.size() > page);
  CHECK_THAT(full, !has_text("retrial report --full"));
  CHECK_THAT(fixture::retrial({"report", "large.db", "--format", "html"}).out, has_text("all of them: retrial report"));
}

}  // namespace retrial::tests::page_size_tests
