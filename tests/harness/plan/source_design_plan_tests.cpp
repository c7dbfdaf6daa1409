// Studies of variance: which seeds each run has, what a search tries, and that every mistake is one clear error.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "harness/plan/plan.hpp"
#include "harness/plan/searched_keys.hpp"
#include "harness/study/file/study_file.hpp"
#include "harness/study_report/provenance/provenance.hpp"
#include "results/record/identity.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "tests/catch.hpp"
#include "tests/harness/program/program.hpp"
#include "tests/harness/study/checks/study_text.hpp"
#include "variance/random/rng.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::tests::source_design_plan_tests {

using namespace retrial;
using namespace retrial::harness;
using retrial::tests::error_of;
using retrial::tests::Folder;
using retrial::tests::load;
using retrial::tests::write_file;

namespace {

const std::string head = "schema = 1\nworkload = \"null\"\nseed = 42\n[variant.base]\n";
const std::string search =
    "[set]\ncurvature = 2.0\nvalidation = true\n[search]\ntrials = 5\nmetric = \"validation\"\n"
    "[search.keys]\nlr = { low = 0.01, high = 10, log = true }\n";

Plan plan_of(const Study& study) {
  return make_plan(study, {.build_id = "0123", .data = "."});
}

Json body(const results::PlanEntry& entry) {
  return results::parse_json(entry.trial_body, "plan");
}

/// Pair indices of the runs of `base`, in plan order, by source.
std::vector<Json> indices(const Plan& plan) {
  std::vector<Json> out;
  for (const auto& entry : plan.entries)
    if (entry.variant == "base") out.push_back(body(entry).at("pairs"));
  return out;
}

}  // namespace

TEST_CASE("one source at a time: each alone around the base seeds, then all together, then replicates") {
  const auto study = load(head + "[variance]\nsources = [\"init\", \"data-split\"]\nruns = 3\n");
  CHECK(study.held == std::vector<std::string>{"data-order"});
  const auto plan = plan_of(study);
  const auto pairs = indices(plan);
  const auto row = [](int init, int split) { return Json{{"data-order", 0}, {"data-split", split}, {"init", init}}; };
  CHECK(pairs == std::vector<Json>{row(0, 0), row(1, 0), row(2, 0), row(0, 1), row(0, 2), row(1, 1), row(2, 2),
                                   row(0, 0), row(0, 0), row(0, 0), row(0, 0)});
  // Five runs with every seed frozen are one identity; only the replicate numbers differ.
  std::set<std::uint32_t> replicates;
  for (const auto& entry : plan.entries)
    if (entry.identity == plan.entries.front().identity) replicates.insert(entry.replicate);
  CHECK(replicates == std::set<std::uint32_t>{0, 1, 2, 3, 4});
  CHECK(static_cast<std::int64_t>(plan.entries.size()) == trial_count(study));
  CHECK(body(plan.entries[1]).at("seeds").at("init") == results::hex16(variance::source_seed(42, "init", 1)));
}

TEST_CASE("crossed, nested, Saltelli and matched designs give each source its own index") {
  const auto crossed =
      indices(plan_of(load(head + "[variance]\ndesign = \"crossed\"\nsources = [\"init\", \"data-split\"]\nruns = 3\n"
                                  "groups = 2\nreplicates = 0\n")));
  REQUIRE(crossed.size() == 6);
  CHECK(crossed[4] == Json{{"data-order", 0}, {"data-split", 1}, {"init", 1}});
  const auto nested = indices(plan_of(
      load(head + "[variance]\ndesign = \"nested\"\nsources = [\"data-split\", \"init\", \"data-order\"]\nruns = 3\n"
                  "groups = 2\nreplicates = 0\n")));
  REQUIRE(nested.size() == 6);
  CHECK(nested[4] == Json{{"data-order", 4}, {"data-split", 1}, {"init", 4}});
  const auto saltelli = indices(plan_of(load(head + "[variance]\ndesign = \"saltelli\"\nruns = 2\nreplicates = 0\n")));
  REQUIRE(saltelli.size() == 10);
  CHECK(saltelli[2] == Json{{"data-order", 0}, {"data-split", 0}, {"init", 1}});
  const auto study = load(head + "[variance]\ndesign = \"matched\"\nruns = 12\nreplicates = 0\n");
  const auto matched = indices(plan_of(study));
  std::map<std::string, std::map<int, int>> shared;
  for (const auto& pairs : matched)
    for (const auto& [source, index] : pairs.items()) ++shared[source][index.get<int>()];
  for (const auto& [source, levels] : shared)
    for (const auto& [level, runs] : levels) CHECK(runs == 2);
  CHECK(indices(plan_of(study)) == matched);
}

TEST_CASE("an ideal run searches with its own seeds, a fixed search is shared by its group") {
  const auto ideal = plan_of(load(head + search + "[variance]\ndesign = \"ideal\"\nruns = 4\nreplicates = 0\n"));
  CHECK(ideal.searches.size() == 4);
  CHECK(ideal.entries.size() == 4 * (5 + 1));
  // Every trial of a search has the seeds of the run that it is for, and keys of its own.
  for (std::size_t run = 0; run < 4; ++run) {
    const auto last = body(ideal.entries[6 * run + 5]);
    std::set<std::string> rates;
    for (std::size_t t = 0; t < 5; ++t) {
      const auto trial = body(ideal.entries[6 * run + t]);
      CHECK(trial.at("variant") == "base.search");
      CHECK(trial.at("seeds").at("init") == last.at("seeds").at("init"));
      CHECK_FALSE(trial.at("seeds").contains("hopt"));
      rates.insert(trial.at("values").at("lr").get<std::string>());
      CHECK(last.at("search").at("trials").at(t) == trial.at("identity"));
    }
    CHECK(rates.size() == 5);
    CHECK(last.at("seeds").at("hopt") == results::hex16(variance::source_seed(42, "hopt", run)));
  }
  const auto study =
      load(head + search + "[variance]\ndesign = \"fix_hopt\"\nsources = \"data\"\nruns = 3\ngroups = 2\n");
  CHECK(study.variance->sources == std::vector<std::string>{"data-split"});
  const auto fixed = plan_of(study);
  CHECK(fixed.searches.size() == 2);
  CHECK(fixed.entries.size() == 2 * 5 + 6 + 4);
  CHECK(static_cast<std::int64_t>(fixed.entries.size()) == trial_count(study));
  const auto pairs = indices(fixed);
  CHECK(pairs[4] == Json{{"data-order", 1}, {"data-split", 4}, {"hopt", 1}, {"init", 1}});
}

TEST_CASE("a search at a level of hopt does not depend on the sources it is crossed with") {
  const auto plan = plan_of(load(head + search +
                                 "[variance]\ndesign = \"crossed\"\nsources = [\"hopt\", \"init\"]\nruns = 4\n"
                                 "groups = 3\nreplicates = 0\n"));
  CHECK(plan.searches.size() == 3);
  for (const auto& entry : plan.entries)
    if (entry.variant == "base.search") CHECK(body(entry).at("pairs").at("init") == 0);
}

TEST_CASE("each variant searches the keys that it reads, all with the same number of trials") {
  const std::string two =
      "schema = 1\nworkload = \"null\"\nseed = 42\npairs = 4\n[set]\nvalidation = true\n"
      "[variant.base]\n[variant.curved]\npreset = \"base\"\ncurvature = 2.0\n"
      "[search]\ntrials = 5\nmetric = \"validation\"\n[search.keys]\n";
  const auto plan = plan_of(load(two + "lr = { low = 0.01, high = 10, log = true }\nmean = { low = 1, high = 2 }\n"));
  REQUIRE(plan.searches.size() == 8);
  std::map<std::string, std::set<Json>> keys;
  for (const auto& document : plan.searches) {
    CHECK(document.at("trials").size() == 5);
    keys[document.at("variant").get<std::string>()].insert(document.at("keys"));
  }
  CHECK(keys["base"] == std::set<Json>{{"mean"}});
  CHECK(keys["curved"] == std::set<Json>{{"lr", "mean"}});
  std::map<std::string, std::set<std::string>> rates;
  for (const auto& entry : plan.entries)
    rates[entry.variant].insert(body(entry).at("values").at("lr").get<std::string>());
  CHECK(rates["base.search"].size() == 1);
  CHECK(rates["curved.search"].size() == 20);

  const auto held = plan_of(load("hold = [\"hopt\"]\n" + two + "mean = { low = 1, high = 2 }\n"));
  CHECK(held.searches.size() == 2);  // one for each variant serves all four pairs
  CHECK(held.entries.size() == 2 * (5 + 4));

  CHECK_THAT(error_of(two + "lr = { low = 1, high = 2 }\n"), has_text("variant base reads none of them"));
  CHECK_THAT(error_of("schema = 1\nworkload = \"null\"\nseed = 42\npairs = 4\n[set]\nvalidation = true\n"
                      "[variant.base]\n[variant.curved]\npreset = \"base\"\ncurvature = 2.0\n"
                      "[search]\nmethod = \"noisy-grid\"\nmetric = \"validation\"\n[search.keys]\n"
                      "lr = { low = 1, high = 2, points = 3 }\nmean = { low = 1, high = 2, points = 3 }\n"),
             has_text("variant base reads only mean of them"));
}

TEST_CASE("a search draws each key within its bounds and from its own stream") {
  const auto& declaration = workloads::find_workload("null", "");
  SearchSpace space{.trials = 400,
                    .metric = "validation",
                    .keys = {{.key = "lr", .low = .01, .high = 10, .log = true},
                             {.key = "steps", .low = 2, .high = 5},
                             {.key = "sd", .low = 1, .high = 2}}};
  std::set<std::int64_t> steps;
  double logs = 0;
  for (std::int64_t t = 0; t < space.trials; ++t) {
    const auto values = searched_values(declaration, space, 77, t);
    const double lr = std::get<double>(values.at("lr"));
    CHECK((lr >= .01 && lr <= 10));
    CHECK(results::text_of(lr).size() <= 9);  // six digits
    logs += std::log10(lr) / 400;
    steps.insert(std::get<std::int64_t>(values.at("steps")));
  }
  // Uniform on [-2, 1]: mean -.5, standard error .866 / 20.
  CHECK_THAT(logs, WithinAbs(-.5, 4 * .866 / 20));
  CHECK(steps == std::set<std::int64_t>{2, 3, 4, 5});
  auto fewer = space;
  fewer.keys.pop_back();
  CHECK(searched_values(declaration, fewer, 77, 3).at("lr") == searched_values(declaration, space, 77, 3).at("lr"));
  CHECK(searched_values(declaration, space, 78, 3).at("lr") != searched_values(declaration, space, 77, 3).at("lr"));
}

TEST_CASE("a noisy grid is even, and its bounds are within half a step of the given ones") {
  const auto& declaration = workloads::find_workload("null", "");
  const SearchSpace space{
      .method = "noisy-grid",
      .trials = 15,
      .metric = "validation",
      .keys = {{.key = "mean", .low = 10, .high = 50, .points = 5}, {.key = "sd", .low = 1, .high = 3, .points = 3}}};
  std::set<std::pair<double, double>> cells;
  std::set<double> means;
  for (std::int64_t t = 0; t < 15; ++t) {
    const auto values = searched_values(declaration, space, 5, t);
    cells.emplace(std::get<double>(values.at("mean")), std::get<double>(values.at("sd")));
    means.insert(std::get<double>(values.at("mean")));
  }
  CHECK(cells.size() == 15);
  REQUIRE(means.size() == 5);
  const std::vector<double> at(means.begin(), means.end());
  CHECK_THAT(at[0], WithinAbs(10, 5));
  CHECK_THAT(at[4], WithinAbs(50, 5));
  for (std::size_t i = 1; i < 5; ++i) CHECK_THAT(at[i] - at[i - 1], WithinAbs((at[4] - at[0]) / 4, 1e-3));
}

TEST_CASE("the identity of a run with searched keys names the search, not the values of the keys") {
  const auto with = [](const std::string& set) {
    return plan_of(load(head + "[set]\ncurvature = 2.0\nvalidation = true\n" + set +
                        "[search]\ntrials = 5\nmetric = \"validation\"\n[search.keys]\n"
                        "lr = { low = 0.01, high = 10, log = true }\n[variance]\ndesign = \"ideal\"\nruns = 2\n"));
  };
  CHECK(with("").plan_digest == with("lr = 0.5\n").plan_digest);
  CHECK(with("").plan_digest != with("optimum = 0.5\n").plan_digest);
}

TEST_CASE("studies without design and search have the digests that they had") {
  // Taken before either existed: 2 variants, 6 pairs, root 42, build 0123.
  const StudyDraft draft{.where = "test", .workload = "null", .seed = 42, .pairs = 6};
  const auto document = study_document(checked(draft));
  CHECK_FALSE(document.contains("variance"));
  CHECK_FALSE(document.contains("search"));
  const results::IdentityParts parts{.workload = "null", .variant = "base", .mode = Json::object(), .program = "p"};
  CHECK_FALSE(results::identity_document(parts).contains("search"));
}

TEST_CASE("errors in a study of variance name the place and the allowed values") {
  const auto variance = [](const std::string& text) { return error_of(head + "[variance]\n" + text); };
  CHECK_THAT(variance("design = \"crosed\"\n"), has_text("did you mean \"crossed\"?"));
  CHECK_THAT(variance("sources = [\"inti\"]\n"), has_text("did you mean \"init\"?"));
  CHECK_THAT(variance("sources = [\"init\", \"init\"]\n"), has_text("named twice"));
  CHECK_THAT(variance("runs = 1\n"), has_text("2 to 1000000"));
  CHECK_THAT(variance("replicates = 3\n"), has_text("5 to 1000"));
  CHECK_THAT(variance("groups = 3\n"), has_text("has no groups"));
  CHECK_THAT(variance("design = \"matched\"\nruns = 7\n"), has_text("even number"));
  CHECK_THAT(variance("design = \"crossed\"\n"), has_text("exactly 2"));
  CHECK_THAT(variance("design = \"nested\"\nsources = [\"init\"]\n"), has_text("2 or more"));
  CHECK_THAT(variance("desing = \"oat\"\n"), has_text("did you mean \"design\"?"));
  CHECK_THAT(variance("[compare]\nalpha = 0.01\n"), has_text("not independent pairs"));
  CHECK_THAT(variance("sources = [\"hopt\"]\n"), has_text("unknown source"));
  CHECK_THAT(
      variance("design = \"ideal\"\n[variant.shifted]\n[compare]\nfamily = \"dual_e\"\ngamma = 0.75\nn_max = 60\n"),
      has_text("runs all its trials"));
  CHECK_THAT(error_of("pairs = 4\n" + head + "[variance]\n"), has_text("set by its design"));
  CHECK_THAT(error_of("vary = [\"init\"]\n" + head + "[variance]\nsources = [\"init\"]\n"), has_text("one of them"));
}

TEST_CASE("errors in a search name the place and the allowed values") {
  const auto error = [](const std::string& keys, const std::string& more = "trials = 5\nmetric = \"validation\"\n") {
    return error_of(head + "[set]\ncurvature = 2.0\nvalidation = true\n[search]\n" + more + "[search.keys]\n" + keys);
  };
  CHECK_THAT(error("l = { low = 1, high = 2 }\n"), has_text("unknown searchable key"));
  CHECK_THAT(error("failure = { low = 1, high = 2 }\n"), has_text("unknown searchable key"));
  CHECK_THAT(error("lr = { low = 2, high = 1 }\n"), has_text("not above low"));
  CHECK_THAT(error("lr = { low = 0, high = 1, log = true }\n"), has_text("null.lr"));
  CHECK_THAT(error("mean = { low = -1, high = 1, log = true }\n"), has_text("has no logarithm"));
  CHECK_THAT(error("steps = { low = 1.5, high = 4 }\n"), has_text("not a whole number"));
  CHECK_THAT(error("lr = { low = 1 }\n"), has_text("search.lr.high"));
  CHECK_THAT(error("lr = { lwo = 1 }\n"), has_text("did you mean \"low\"?"));
  CHECK_THAT(error("lr = 3\n"), has_text("a table such as"));
  CHECK_THAT(error("lr = { low = 1, high = 2, points = 3 }\n"), has_text("noisy-grid"));
  CHECK_THAT(error(""), has_text("search.keys: missing"));
  const std::string lr = "lr = { low = 1, high = 2 }\n";
  CHECK_THAT(error(lr, "trials = 5\n"), has_text("search.metric: missing"));
  CHECK_THAT(error(lr, "trials = 5\nmetric = \"score\"\n"), has_text("select on the test items"));
  CHECK_THAT(error(lr, "metric = \"validation\"\n"), has_text("search.trials: missing"));
  CHECK_THAT(error(lr, "trials = 501\nmetric = \"validation\"\n"), has_text("2 to 500"));
  CHECK_THAT(error("lr = { low = 1, high = 2, points = 600 }\n", "method = \"noisy-grid\"\nmetric = \"validation\"\n"),
             has_text("2 to 500"));
  CHECK_THAT(error_of(head + "[search]\ntrials = 5\nmetric = \"loss\"\n[search.keys]\n" + lr),
             has_text("not read by any variant of this study"));
}

TEST_CASE("the study file of a report gives the study back") {
  for (const std::string design : {"design = \"oat\"\nsources = [\"init\", \"hopt\"]\nruns = 3\n",
                                   "design = \"fix_hopt\"\nsources = \"all\"\ngroups = 3\nruns = 4\n",
                                   "design = \"fix_hopt\"\nsources = \"init\"\nruns = 4\n",
                                   "design = \"ideal\"\nruns = 4\n", "design = \"matched\"\nruns = 8\n"}) {
    const Folder folder;
    const auto study = load(head + search + "[variance]\n" + design);
    const auto plan = plan_of(study);
    results::Store store(folder / "s.db", results::Store::Access::write);
    store.put_study(study.name, plan.study, plan.entries, {});
    const auto text = study_file_of(read_study(store, store.studies().front()));
    REQUIRE(text);
    INFO(*text);
    CHECK(results::digest_of(study_document(load(*text))) == plan.study_digest);
  }
}

TEST_CASE("the shipped studies of variance plan the runs that their comments state") {
  const std::string folder = std::string(RETRIAL_SOURCE_DIR) + "/studies/";
  const auto sources = checked(read_study_file(folder + "digits-sources.toml"));
  CHECK(trial_count(sources) == 397);
  CHECK(sources.held.empty());
  const auto estimators = checked(read_study_file(folder + "digits-estimators.toml"));
  CHECK(trial_count(estimators) == 404);
  CHECK(estimators.variance->sources == std::vector<std::string>{"init", "teacher", "data-split", "data-order"});
}

}  // namespace retrial::tests::source_design_plan_tests
