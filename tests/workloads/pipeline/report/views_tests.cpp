#include "workloads/pipeline/report/views.hpp"

#include <cmath>

#include "results/json/json.hpp"
#include "tests/catch.hpp"
#include "tests/workloads/interface/log_recorder.hpp"
#include "workloads/interface/formula.hpp"

namespace retrial::tests::pipeline_views_tests {

using namespace retrial;
using workloads::StudyEvidence;

namespace {

/// Two pairs of each variant, really trained, with 3 stages of width 4.
StudyEvidence evidence_of(const std::vector<std::string>& variants, std::int64_t samples = 300) {
  StudyEvidence evidence{.study = "s", .baseline = variants.front(), .finished = true};
  for (const std::string& name : variants) {
    Values keys{{"stages", std::int64_t{3}}, {"width", std::int64_t{4}}, {"samples", samples}};
    for (const auto& [key, value] : workloads::find_variant(workloads::find_workload("pipeline", ""), name)->preset)
      keys.insert({key, value});
    auto& variant = evidence.variants.emplace_back();
    variant.name = name;
    for (const std::uint64_t pair : {0, 1}) {
      const workloads::Trial trial = workloads::trial_of("pipeline", keys, 1, pair, name);
      variant.values = trial.values;
      const workloads::LogRecorder log = workloads::run_to_end(trial);
      auto& made = variant.trials.emplace_back();
      made.pair = static_cast<std::int64_t>(pair);
      for (const char* metric :
           {"accuracy", "diverged", "delay_mean_first", "delay_max_first", "utilisation_tick", "utilisation_slot"})
        made.finals[metric] = log.final_value(metric);
      const Json artifact = results::parse_json(log.artifacts.at(0).second, "artifact");
      made.artifact = [artifact](std::string_view asked) { return asked == "pipeline" ? artifact : Json(); };
    }
  }
  return evidence;
}

/// Rows of the first table of a section.
std::vector<std::vector<report::Cell>> rows_of(const report::Part& part) {
  for (const auto& block : part.section.value().blocks)
    if (const auto* table = std::get_if<report::Table>(&block)) return table->rows;
  return {};
}

}  // namespace

TEST_CASE("the table of a study: delays, reads of other weights, methods at work") {
  const auto part = pipeline::report_section(evidence_of({"seq", "pb", "pb-stash", "pb-sc"}));
  const auto rows = rows_of(part);
  REQUIRE(rows.size() == 4);
  CHECK(rows[0][5] == "0");
  CHECK(rows[1][5] == "4");
  CHECK(part.data["pipeline"][0]["other_weights_percent"] == 0);
  // Stages 0 and 1 of 3 read other weights at all but their first backward.
  CHECK_THAT(part.data["pipeline"][1]["other_weights_percent"].get<double>(), WithinRel(100 * 2 * 299.0 / 900, 1e-9));
  CHECK(part.data["pipeline"][2]["other_weights_percent"] == 0);
  CHECK(rows[0][7] == "-");
  CHECK(rows[1][7] == "-");
  CHECK(rows[2][7] == "older versions");
  CHECK(rows[3][7] == "spiked updates");
  CHECK_THAT(part.data["pipeline"][1]["delay_mean_first"].get<double>(), WithinRel(4 - (4 + 3 + 2 + 1) / 300.0, 1e-9));
  const double first = part.data["pipeline"][0]["accuracy"];
  CHECK((first > 0 && first < 100));
}

TEST_CASE("delays by stage: the model, and what was counted") {
  const auto part = pipeline::delays_view(evidence_of({"pb", "pb-sc", "pipedream"}), {});
  REQUIRE(part.data["delays"].size() == 2);  // pb and pb-sc share theirs
  CHECK(part.data["delays"][0]["variants"] == Json::parse(R"(["pb", "pb-sc"])"));
  CHECK(part.data["delays"][0]["stages"][0]["model"] == 4);
  CHECK(part.data["delays"][0]["stages"][2]["max"] == 0);
  CHECK(part.data["delays"][1]["stages"][0]["model"] == 2);
  CHECK_THAT(part.data["delays"][1]["stages"][0]["mean"].get<double>(), WithinRel(2 - (2 + 1) / 300.0, 1e-9));
}

TEST_CASE("memory: versions of the account") {
  const auto part = pipeline::memory_view(evidence_of({"seq", "pb-stash"}), {});
  // 4*16+4, 4*4+4, 4*4+4 weights; stashes of 5, 3 and 1 versions.
  CHECK(part.data["memory"][0]["numbers"]["versions"] == 108);
  CHECK(part.data["memory"][1]["numbers"]["versions"] == 5 * 68 + 3 * 20 + 20);
}

TEST_CASE("timelines: one per schedule, in steps of one pass") {
  const auto part = pipeline::timeline_view(evidence_of({"seq", "pb", "pb-sc", "gpipe", "2bw"}), {});
  const Json& all = part.data["timeline"];
  REQUIRE(all.size() == 4);
  CHECK(all[0]["stages"][0][1] == Json::parse(R"(["B0", 5.0, 6.0])"));  // a sample alone: 3 forwards, 3 backwards
  CHECK(all[0]["utilisation_slot"].get<double>() < .34);
  CHECK(all[1]["schedule"] == "pb, S = 3");
  CHECK(all[1]["stages"][2][0] == Json::parse(R"(["F0", 2.0, 3.0])"));
  CHECK(all[2]["schedule"] == "drained, S = 3");
  CHECK(all[2]["stages"][0].size() == 24);  // 12 micro-batches
}

// Two formulas give .842 and .914 for one pipeline (32 samples, 4 stages).
TEST_CASE("no metric, no column and no key is called utilisation without its slot model") {
  const auto names_its_model = [](const std::string& name) {
    return !name.starts_with("utilisation") || name == "utilisation_tick" || name == "utilisation_slot";
  };
  std::size_t metrics = 0;
  for (const auto& metric : workloads::find_workload("pipeline", "").metrics) {
    CHECK(names_its_model(metric.name));
    metrics += metric.name.starts_with("utilisation") ? 1 : 0;
  }
  CHECK(metrics == 2);
  const auto part = pipeline::report_section(evidence_of({"seq", "pb", "2bw"}));
  for (const auto& block : part.section.value().blocks)
    if (const auto* table = std::get_if<report::Table>(&block))
      for (const auto& column : table->columns) CHECK(column.title.find("utilisation") == std::string::npos);
  for (const auto& row : part.data["timeline"])
    for (const auto& [key, value] : row.items()) CHECK(names_its_model(key));
  for (const char* model : {"tick", "slot"}) {
    const auto& formula = workloads::find_formula("utilisation");
    const Json answer =
        formula.function(workloads::arguments_of(formula, {std::string("model=") + model, "N=32", "S=4"}));
    CHECK(answer.contains(std::string("utilisation_") + model));
    CHECK_FALSE(answer.contains("utilisation"));
  }
}

TEST_CASE("a study without results has no section, and views that say so") {
  StudyEvidence evidence = evidence_of({"pb"}, 60);
  evidence.variants[0].trials.clear();
  CHECK_FALSE(pipeline::report_section(evidence).section);
  for (const auto& view : pipeline::views()) {
    const auto part = view.make(evidence, {});
    CHECK(std::get<report::Paragraph>(part.section.value().blocks.at(0)).text == "no trial has a result");
  }
}

}  // namespace retrial::tests::pipeline_views_tests
