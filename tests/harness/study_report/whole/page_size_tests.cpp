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

/// What makes a page large: long names, many metrics along the way, failures that all say something else.
struct Load {
  std::string prefix = "width-";
  std::vector<std::string> curves{"validation"};
  bool own_messages = false;

  [[nodiscard]] std::string variant(int i) const { return prefix + std::to_string(8 * i) + "-rate-0.1"; }
};
const Load large;
const Load heavy{.prefix = "efficientnet-wide-resolution-mixup-cutmix-ema-width-",
                 .curves = {"validation", "top5", "f1", "precision", "recall", "balanced", "calibrated", "ema", "last"},
                 .own_messages = true};

std::string study_text(const Load& load) {
  std::string out = "schema = 1\nname = \"large\"\nworkload = \"null\"\nseed = 7\npairs = " + std::to_string(pairs) +
                    "\nmode = \"deterministic\"\n";
  for (int i = 0; i < variants; ++i)
    out += "[variant.\"" + load.variant(i) + "\"]\neffect = " + std::to_string(i) + ".5\n";
  return out + "[compare]\nmetric = \"score\"\nbaseline = \"" + load.variant(0) + "\"\ncandidate = \"" +
         load.variant(1) + "\"\n";
}

/// Scores with all their digits, as training gives them.
double score_of(const results::PlanEntry& entry, double at) {
  const auto digest = results::sha256(std::to_string(entry.ordinal) + " " + std::to_string(at));
  return 80 + at + static_cast<double>(digest[0] * 256 + digest[1]) / 65536.0 / 3;
}

results::TrialRecord record_of(const results::PlanEntry& entry, const Load& load) {
  using results::Axis, results::Direction, results::Nature, results::Scale;
  results::TrialRecord out{.identity = entry.identity, .replicate = entry.replicate};
  out.attempt = results::attempt_id({}, entry.identity, 0);
  out.started_ns = entry.ordinal + 1;
  out.wall_ns = 1'000'000'000 + 1'234'567 * entry.ordinal;
  out.worker = "w0";
  out.manifest = Json{{"schema", "retrial.manifest/1"}};
  if (entry.ordinal % 20 == 7) {
    out.status = results::Status::failed;
    out.message = "command.exit: the program exited with 1; last lines:\nRuntimeError: CUDA out of memory";
    if (load.own_messages) *out.message += ", tried to allocate " + std::to_string(entry.ordinal) + " MiB";
    return out;
  }
  out.defs = {{"score", "points", Direction::higher, Nature::outcome, Scale::ratio, Axis::none},
              {"wall_s", "s", Direction::lower, Nature::cost, Scale::ratio, Axis::none},
              {"cpu_s", "s", Direction::lower, Nature::cost, Scale::ratio, Axis::none},
              {"peak_rss_mib", "MiB", Direction::lower, Nature::cost, Scale::ratio, Axis::none}};
  for (const auto& name : load.curves)
    out.defs.push_back({name, "points", Direction::higher, Nature::outcome, Scale::ratio, Axis::epoch});
  for (const char* name : {"score", "wall_s", "cpu_s", "peak_rss_mib"})
    out.metrics.push_back({name, -1, score_of(entry, epochs)});
  if (entry.variant == load.variant(0) || entry.variant == load.variant(1))
    for (const auto& name : load.curves)
      for (int epoch = 0; epoch < epochs; ++epoch) out.metrics.push_back({name, epoch, score_of(entry, epoch)});
  return out;
}

void write_store(const Load& load) {
  const auto study = tests::load(study_text(load));
  const auto plan = harness::make_plan(study, {.build_id = "0123", .data = "."});
  results::Store store("large.db", results::Store::Access::write);
  const std::vector<std::pair<std::string, Json>> documents{{"design", *plan.design}};
  store.put_study(study.name, plan.study, plan.entries, documents);
  for (const auto& entry : plan.entries) store.append(record_of(entry, load));
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
  write_store(large);
  const std::size_t page = bytes_of({"report", "large.db", "--format", "html"});
  CHECK(page < 500'000);
  CHECK(page > 200'000);  // the figures and tables are there
  const auto full = fixture::retrial({"report", "large.db", "--format", "html", "--full"}).out;
  CHECK(full.size() > page);
  CHECK_THAT(full, !has_text("retrial report --full"));
  CHECK_THAT(fixture::retrial({"report", "large.db", "--format", "html"}).out, has_text("all of them: retrial report"));
}

TEST_CASE("so is one of long names, nine curves and failures that all differ", "[report]") {
  const Folder folder;
  write_store(heavy);
  const auto page = fixture::retrial({"report", "large.db", "--format", "html"}).out;
  CHECK(page.size() < 500'000);
  CHECK_THAT(page, has_text("more series in this unit"));  // eight figures of curves are drawn
  CHECK(bytes_of({"report", "large.db", "--format", "html", "--full"}) > 700'000);
}

}  // namespace retrial::tests::page_size_tests
