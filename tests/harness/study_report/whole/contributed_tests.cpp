// The views of a pruning study as a store and the command line give them, over numbers that are written by hand. The
// tables themselves: tests/workloads/pruning/report/views_tests.cpp.
#include <algorithm>
#include <map>

#include "harness/plan/plan.hpp"
#include "results/record/identity.hpp"
#include "results/record/score_bounds.hpp"
#include "results/text/text.hpp"
#include "tests/catch.hpp"
#include "tests/harness/program/cli_fixture.hpp"
#include "tests/harness/study/checks/study_text.hpp"
#include "tests/workloads/pruning/report/found.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::tests::contributed_tests {

using namespace retrial;
using fixture::Answer;
using fixture::Folder;
using namespace retrial::pruning::fixture;

namespace {

void add_series(results::TrialRecord& to, const std::string& name, const Steps& values) {
  for (std::size_t i = 0; i < values.size(); ++i) to.metrics.push_back({name, static_cast<std::int64_t>(i), values[i]});
}

results::TrialRecord record_of(const results::PlanEntry& entry, const Values& values, const Found& found) {
  results::TrialRecord out{.identity = entry.identity, .replicate = entry.replicate};
  out.attempt = results::attempt_id({}, entry.identity, 0);
  out.started_ns = entry.ordinal + 1;
  out.worker = "w0";
  for (const auto& def : workloads::metrics_under(workloads::find_workload("pruning", ""), values))
    out.defs.push_back(def);
  add_series(out, "pr_w", ratios);
  add_series(out, "pr_all", {0, 38, 76});
  add_series(out, "compression", {1, 1.6, 4.2});
  add_series(out, "speedup_theory", {1, 2, 5});
  add_series(out, "latency_dense_ms_64", {6, 6, 6});
  add_series(out, "latency_ms_64", {6, 4, 3});
  add_series(out, "accuracy", found.accuracy);
  add_series(out, "accuracy_fog", found.fog);
  add_series(out, "accuracy_noise_0.0", found.accuracy);
  add_series(out, "distance_match_0.0", {100, 98, 90});
  add_series(out, "distance_softmax_l2_0.0", {0, .05, .25});
  for (const char* name : {"potential_nominal_max", "potential_fog_max"})
    if (std::ranges::find(out.defs, name, &results::MetricDef::name) != out.defs.end()) {
      out.metrics.push_back({name, -1, found.max});  // a trial that does not prune has none
      if (found.at_end) out.metrics.push_back({results::bound_name(name), -1, 1});
    }
  out.metrics.push_back({"separate_distance_softmax_l2_0.0", -1, .1});
  const auto artifact = [&](const std::string& name, const Json& document) {
    const std::string body = results::printed(document);
    out.artifacts.push_back(
        {name, "json", results::sha256(body), static_cast<std::int64_t>(body.size()), std::optional(body)});
  };
  artifact("potential", potential_document(found));
  if (found.too_large) {
    out.artifacts.back().body = std::nullopt;
    for (std::size_t i = 0; i < ratios.size(); ++i) {
      const auto wrong = [&](double accuracy) {
        return Json{{"images", 200}, {"wrong", static_cast<int>(2 * (100 - accuracy))}};
      };
      artifact("step_" + std::to_string(i),
               {{"state", "retrained"},
                {"chance", false},
                {"errors", {{"nominal", wrong(found.accuracy[i])}, {"fog", wrong(found.fog[i])}}}});
    }
  }
  artifact("backselect", backselect_document());
  out.manifest = Json{{"schema", "retrial.manifest/1"}};
  return out;
}

const std::string keys =
    "[set]\ngrid = \"list(.6, .2)\"\ncorruptions = \"fog\"\nnoise_images = 10\nnoise_levels = \"0\"\nbackselect_images "
    "= 5\nseparate = true\n";

std::string study_text(int pairs, const std::string& variants) {
  return "schema = 1\nname = \"cut\"\nworkload = \"pruning\"\nseed = 7\npairs = " + std::to_string(pairs) +
         "\nmode = \"deterministic\"\n" + keys + variants +
         "[compare]\nmetric = \"potential_nominal_max\"\nbaseline = \"rand_global\"\ncandidate = \"wt\"\n";
}

const std::string two = "[variant.rand_global]\n[variant.wt]\n";

/// Writes cut.db; `found` gives the results of a trial.
template <typename Of>
void write_store(int pairs, const std::string& variants, Of&& found, std::size_t trials = 1000) {
  const auto study = tests::load(study_text(pairs, variants));
  const auto plan = harness::make_plan(study, {.build_id = "0123", .data = "."});
  results::Store store("cut.db", results::Store::Access::write);
  std::vector<std::pair<std::string, Json>> documents{{"design", *plan.design}};
  store.put_study(study.name, plan.study, plan.entries, documents);
  std::map<std::string, Values> values;
  for (const auto& variant : study.variants) values[variant.name] = variant.values;
  for (std::size_t i = 0; i < std::min(trials, plan.entries.size()); ++i)
    store.append(record_of(plan.entries[i], values.at(plan.entries[i].variant), found(plan.entries[i])));
}

Found plain(const results::PlanEntry& entry) {
  Found found;
  if (entry.variant == "rand_global") found.max = found.first = 40;
  return found;
}

std::string said(const std::vector<std::string>& words) {
  const Answer answer = fixture::retrial(words);
  CAPTURE(answer.err);
  CHECK(answer.exit == 0);
  return answer.out;
}

}  // namespace

TEST_CASE("a table of potentials that was too large to be kept is made again from the counts of errors") {
  const Folder folder;
  write_store(3, two, [](const results::PlanEntry& entry) {
    Found found = plain(entry);
    found.too_large = true;
    return found;
  });
  const Json all = Json::parse(said({"report", "cut.db", "--view", "potential", "--json"}));
  std::map<double, double> found;  // margin -> potential
  for (const Json& row : all.at("potential").at("rows"))
    if (row.at("variant") == "wt" && row.at("distribution") == "nominal")
      found[row.at("delta").get<double>()] = row.at("max").at("mean").get<double>();
  // Errors 8, 6, 20 of 200: 97 % is above 96, 90 % is 6 points below.
  CHECK(found.at(.5) == 40);
  CHECK(found.at(10) == 80);
  CHECK(found.at(-2) == 0);
  CHECK_THAT(said({"report", "cut.db", "--view", "excess"}), has_text("wt"));
  CHECK_THAT(said({"report", "cut.db", "--view", "potential"}), !has_text("parent untrained"));
}

TEST_CASE("a variant is compared with the baseline pair by pair, with the command that prints more") {
  const Folder folder;
  write_store(6, two + "[variant.ft]\n", plain);
  const Json paired =
      Json::parse(said({"report", "cut.db", "--view", "potential", "--json"})).at("potential").at("paired");
  REQUIRE(paired.size() == 2);
  CHECK(paired[0].at("candidate") == "wt");
  CHECK(paired[0].at("word") == "BETTER");  // six wins of six: p = 1/64
  CHECK(paired[0].at("declared") == true);
  CHECK(paired[0].at("difference").at("mean") == 40);
  CHECK(paired[1].at("candidate") == "ft");
  CHECK(paired[1].at("declared") == false);
  // Six wins of six, two-sided: 2 / 64, for each of two variants by Holm.
  CHECK(paired[1].at("p_sign") == .03125);
  CHECK(paired[1].at("p_holm") == .0625);
  CHECK(paired[1].at("word") == "not settled");
  CHECK(paired[1].at("level") == .975);
  const std::string page = said({"report", "cut.db", "--view", "potential"});
  CHECK_THAT(page, has_text("wt - rand_global, paired: BETTER, +40 pp"));
  CHECK_THAT(page, has_text("ft - rand_global, paired: not settled (not declared before; p 0.0625 of"));
  CHECK_THAT(said({"report", "cut.db", "--view", "potential"}),
             has_text("--baseline rand_global --candidate wt --metric potential_nominal_max"));
  // The command it names gives the same word.
  CHECK(Json::parse(said({"compare", "cut.db", "--baseline", "rand_global", "--candidate", "wt", "--metric",
                          "potential_nominal_max", "--json"}))
            .at("status") == "BETTER");
}

TEST_CASE("an undeclared claim is called better only when the wins of the whole family support it") {
  const Folder folder;
  write_store(8, two + "[variant.ft]\n[variant.softnet]\n", [](const results::PlanEntry& entry) {
    Found found = plain(entry);
    if (entry.variant == "softnet" && entry.pair_index < 2) found.max = 0;  // loses two of eight
    return found;
  });
  const Json paired =
      Json::parse(said({"report", "cut.db", "--view", "potential", "--json"})).at("potential").at("paired");
  REQUIRE(paired.size() == 3);
  CHECK(paired[0].at("word") == "BETTER");
  CHECK(paired[1].at("word") == "better");  // eight of eight: 2 / 256, times two by Holm, after wt's
  CHECK(paired[1].at("p_holm").get<double>() <= .05);
  CHECK(paired[2].at("candidate") == "softnet");
  CHECK(paired[2].at("word") == "not settled");  // six of eight: p = .289
  CHECK_THAT(paired[2].at("p_sign").get<double>(), WithinRel(74.0 / 256, 1e-9));
}

TEST_CASE("networks that pass every round in all ten pairs are not told apart by what their method rounds",
          "[bounds]") {
  const Folder folder;
  // A method that removes whole filters keeps less than it may: .36 points deeper at the same last round of 80 %.
  write_store(10, two, [](const results::PlanEntry& entry) {
    return Found{.max = entry.variant == "wt" ? 80.36 : 80, .first = 80, .at_end = true};
  });
  const Answer answer = fixture::retrial({"compare", "cut.db"});
  CHECK_THAT(answer.out, has_text("INVALID"));
  CHECK_THAT(answer.out, !has_text("BETTER than"));
  CHECK_THAT(answer.out, has_text("10 of 10 pairs tied (a score is only a bound in 10)"));
  CHECK_THAT(answer.out, has_text("at least 80"));
  CHECK_THAT(answer.out, has_text("10 of 10 scores of wt are bounds (at least)"));
  CHECK_THAT(answer.out, has_text("is judged as the nearest step of") && has_text("(80.36 as"));
  const Answer other = fixture::retrial({"compare", "cut.db", "--test", "paired_t", "--json"});
  CHECK_THAT(other.out, has_text("\"verdict\":\"INCONCLUSIVE\""));
  CHECK_THAT(said({"show", "cut.db"}), has_text("10 at least") && !has_text("max.bound"));
  CHECK_THAT(said({"show", "cut.db", "wt/0"}), has_text("at least 80.36"));
}

TEST_CASE("rounding alone is a tie also in a store that knows no bounds, and a round more is a win", "[bounds]") {
  const Folder folder;
  write_store(10, two + "[variant.ft]\n", [](const results::PlanEntry& entry) {
    return Found{.max = entry.variant == "wt" ? 40.3 : entry.variant == "ft" ? 79.7 : 40};
  });
  CHECK_THAT(fixture::retrial({"compare", "cut.db"}).out, has_text("10 of 10 pairs tied, more than"));
  CHECK_THAT(fixture::retrial({"compare", "cut.db", "--candidate", "ft"}).out,
             has_text("ft is BETTER than rand_global"));
}

TEST_CASE("while trials of a declared verdict are to come no number is shown") {
  const Folder folder;
  write_store(3, two, plain, 5);
  const std::string page = said({"report", "cut.db", "--view", "potential"});
  CHECK_THAT(page, has_text("1 of 6 trials are not finished: no numbers before the declared verdict"));
  CHECK_THAT(page, !has_text("paired:") && !has_text("nominal"));
  const Json document = Json::parse(said({"report", "cut.db", "--view", "potential", "--json"}));
  CHECK(document.at("finished") == false);
  CHECK_FALSE(document.contains("potential"));
}

TEST_CASE("another margin is shown where it was recorded, and refused with the list where it was not") {
  const Folder folder;
  write_store(2, two, plain);
  CHECK_THAT(said({"report", "cut.db", "--view", "potential", "--set", "delta=0"}), has_text("at delta 0 pp"));
  const Answer answer = fixture::retrial({"report", "cut.db", "--view", "potential", "--set", "delta=7"});
  CHECK(answer.exit == 2);
  CHECK_THAT(answer.err, has_text("potential.delta") && has_text("0.0, 0.5"));
  CHECK(fixture::retrial({"report", "cut.db", "--set", "delta=0"}).exit == 2);
  CHECK(fixture::retrial({"report", "cut.db", "--view", "excess", "--set", "delta=0"}).exit == 2);
  CHECK(fixture::retrial({"report", "cut.db", "--view", "potential", "--format", "md"}).exit == 2);
  CHECK(fixture::retrial({"report", "cut.db", "--json"}).exit == 2);
}

TEST_CASE("the whole report of a pruning study has its section with tables and drawings") {
  const Folder folder;
  write_store(3, two, plain);
  const std::string page = said({"report", "cut.db", "--format", "html"});
  for (const char* text : {"Accuracy along the cascades", "Prune potential by distribution", "Excess error",
                           "unstructured: no speed-up expected", "all of them"})
    CHECK_THAT(page, has_text(text));
  CHECK_THAT(said({"report", "cut.db", "--format", "md"}), has_text("## Pruning"));
  const Json document = Json::parse(said({"report", "cut.db", "--format", "json"}));
  for (const char* view : {"potential", "excess", "distance", "backselect", "mce", "size"})
    CHECK(document.at("pruning").contains(view));
}

TEST_CASE("tables of pruning are refused for a study of another workload") {
  const Folder folder;
  fixture::write_store("quick.db");
  const Answer answer = fixture::retrial({"report", "quick.db", "--view", "potential"});
  CHECK(answer.exit == 2);
  CHECK_THAT(answer.err, has_text("--view = potential: no such view for workload fixture"));
  CHECK_THAT(answer.err, has_text("it is a view of pruning"));
}

TEST_CASE("an option that became a view is answered by the new spelling") {
  const Folder folder;
  write_store(1, two, plain);
  for (const char* view : {"potential", "excess", "distance", "backselect", "mce", "size"}) {
    const Answer answer = fixture::retrial({"report", "cut.db", std::string("--") + view});
    CHECK(answer.exit == 2);
    CHECK_THAT(answer.err, has_text(std::string("use --view ") + view));
  }
  CHECK_THAT(fixture::retrial({"report", "cut.db", "--delta", "1"}).err,
             has_text("use --view potential --set delta=VALUE"));
}

TEST_CASE("the help of report names no view that it could not name for every workload") {
  const std::string help = said({"report", "--help"});
  CHECK_THAT(help, has_text("--view NAME") && !has_text("backselect"));
}

TEST_CASE("several views are printed one after the other, and an option goes to the view that has it") {
  const Folder folder;
  write_store(3, two, plain);
  const std::string page = said({"report", "cut.db", "--view", "excess", "--view", "potential", "--set", "delta=0"});
  CHECK(page.find("excess error") < page.find("at delta 0 pp"));
  const Json document = Json::parse(said({"report", "cut.db", "--view", "size", "--view", "mce", "--json"}));
  CHECK(document.at("schema") == "retrial.pruning/1");
  CHECK((document.contains("size") && document.contains("mce") && !document.contains("excess")));
}

TEST_CASE("a key that a method does not read is refused with the methods that read it") {
  const std::string error =
      tests::error_of("schema = 1\nworkload = \"pruning\"\nseed = 1\n[variant.wt]\nsample_size = 5\n");
  CHECK_THAT(error, has_text("pruning.sample_size: not read by variant wt"));
  CHECK_THAT(error, has_text("read by") && has_text("sipp, ") && has_text("thinet"));
  CHECK_THAT(error, !has_text("rand_global,"));
}

}  // namespace retrial::tests::contributed_tests
