// The tables of a pruning study, over trials whose numbers are written by hand. Expected means and intervals are closed
// forms: three values with mean m and deviation s have Student's 95 % interval m +- 4.302653 s / sqrt 3.
#include <algorithm>

#include "results/report/report.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "tests/catch.hpp"
#include "tests/workloads/pruning/report/found.hpp"
#include "workloads/interface/evidence.hpp"
#include "workloads/interface/registry.hpp"
#include "workloads/pruning/report/cascades.hpp"

namespace retrial::tests::views_tests {

using namespace retrial;
using namespace retrial::pruning::fixture;

namespace {

Json step_document(const Found& found, std::size_t step) {
  const auto wrong = [](double accuracy) {
    return Json{{"images", 200}, {"wrong", static_cast<int>(2 * (100 - accuracy))}};
  };
  return {{"state", "retrained"},
          {"chance", false},
          {"errors", {{"nominal", wrong(found.accuracy[step])}, {"fog", wrong(found.fog[step])}}}};
}

std::map<std::string, Json, std::less<>> artifacts_of(const Found& found) {
  std::map<std::string, Json, std::less<>> out{{"backselect", backselect_document()}};
  if (!found.too_large) out["potential"] = potential_document(found);
  for (std::size_t i = 0; i < ratios.size(); ++i) out["step_" + std::to_string(i)] = step_document(found, i);
  return out;
}

workloads::FinishedTrial trial_of(std::int64_t pair, const Found& found) {
  workloads::FinishedTrial out{.pair = pair, .series = {}, .finals = {}, .artifact = {}};
  const auto add = [&](const std::string& name, const Steps& values) {
    for (std::size_t i = 0; i < values.size(); ++i) out.series[name][static_cast<std::int64_t>(i)] = values[i];
  };
  add("pr_w", ratios);
  add("pr_all", {0, 38, 76});
  add("compression", {1, 1.6, 4.2});
  add("speedup_theory", {1, 2, 5});
  add("latency_dense_ms_64", {6, 6, 6});
  add("latency_ms_64", {6, 4, 3});
  add("accuracy", found.accuracy);
  add("accuracy_fog", found.fog);
  add("accuracy_noise_0.0", found.accuracy);
  add("distance_match_0.0", {100, 98, 90});
  add("distance_softmax_l2_0.0", {0, .05, .25});
  out.finals = {{"potential_nominal_max", found.max}, {"separate_distance_softmax_l2_0.0", .1}};
  out.artifact = [stored = artifacts_of(found)](std::string_view name) {
    const auto one = stored.find(name);
    return one == stored.end() ? Json() : one->second;
  };
  return out;
}

const workloads::Declaration& pruning() {
  return workloads::find_workload("pruning", "");
}

Values values_of(const std::string& preset, const Values& more) {
  Values given{{"corruptions", std::string("fog")},
               {"noise_images", std::int64_t{10}},
               {"noise_levels", std::string("0")},
               {"backselect_images", std::int64_t{5}},
               {"separate", true}};
  for (const auto& [key, value] : workloads::find_variant(pruning(), preset)->preset) given[key] = value;
  for (const auto& [key, value] : more) given[key] = value;
  return workloads::resolved(pruning(), given);
}

Found plain(const std::string& variant, std::int64_t) {
  Found found;
  if (variant == "rand_global") found.max = found.first = 40;
  return found;
}

template <typename Of>
workloads::VariantTrials trials_of(const std::string& name, Values values, int pairs, Of&& found) {
  workloads::VariantTrials out{.name = name, .values = std::move(values), .trials = {}};
  for (int pair = 0; pair < pairs; ++pair) out.trials.push_back(trial_of(pair, found(name, pair)));
  return out;
}

/// The baseline rand_global and the candidate wt; nothing is judged.
template <typename Of>
workloads::StudyEvidence study_of(int pairs, Of&& found) {
  workloads::StudyEvidence out{.study = "cut", .baseline = "rand_global", .candidate = "wt", .finished = true};
  for (const char* name : {"rand_global", "wt"})
    out.variants.push_back(trials_of(name, values_of(name, {}), pairs, found));
  out.judge = [](const std::string&, const std::string&) { return std::nullopt; };
  return out;
}

report::Part view(const workloads::StudyEvidence& study, const std::string& name, const Values& set = {}) {
  const auto& all = pruning().contributes.views;
  const auto found = std::ranges::find(all, name, &workloads::View::name);
  REQUIRE(found != all.end());
  return found->make(study, set);
}

Json json_of(const workloads::StudyEvidence& study, const std::string& name) {
  return view(study, name).data.at(name);
}

/// Every text of a section: paragraphs, captions, titles of columns, cells.
struct Texts {
  std::string out;

  void operator()(const report::Paragraph& block) { out += block.text + "\n"; }
  void operator()(const report::Warning& block) { out += block.text + "\n"; }
  void operator()(const report::Table& block) {
    out += block.caption + "\n";
    for (const auto& column : block.columns) out += column.title + "\n";
    for (const auto& row : block.rows)
      out += results::joined(std::vector<std::string>(row.begin(), row.end()), " | ") + "\n";
  }
  template <typename Other>
  void operator()(const Other&) {}
};
std::string text_of(const report::Section& section) {
  Texts texts;
  for (const report::Block& block : section.blocks) std::visit(texts, block);
  return texts.out;
}

/// The view and its notes.
std::string page(const workloads::StudyEvidence& study, const std::string& name, const Values& set = {}) {
  return text_of(*view(study, name, set).section) + text_of(pruning().contributes.notes(study));
}

Json rows_of(const Json& view, const std::string& variant) {
  for (const Json& one : view)
    if (one.at("variant") == variant) return one;
  return nullptr;
}

}  // namespace

TEST_CASE("the potential is a mean over pairs with Student's interval and its step of the grid") {
  const auto study = study_of(3, [](const std::string& variant, std::int64_t pair) {
    Found found = plain(variant, pair);
    if (variant == "wt") found.max = pair == 0 ? 40 : 80;
    return found;
  });
  const Json potential = json_of(study, "potential");
  for (const Json& row : potential.at("rows"))
    if (row.at("variant") == "wt" && row.at("distribution") == "nominal" && row.at("delta") == .5) {
      CHECK(row.at("judged") == true);
      CHECK(row.at("pairs") == 3);
      // 40, 80, 80: mean 66.67, deviation 23.094.
      CHECK_THAT(row.at("max").at("mean").get<double>(), WithinRel(200.0 / 3, 1e-9));
      CHECK_THAT(row.at("max").at("low").get<double>(), WithinAbs(9.2980, 1e-3));
      CHECK_THAT(row.at("max").at("high").get<double>(), WithinAbs(100, 0));
      CHECK(row.at("first_failure").at("mean") == 40);
    }
  const std::string text = page(study, "potential");
  CHECK_THAT(text, has_text("% of weights at delta 0.5 pp (grid step in brackets)"));
  CHECK_THAT(text, has_text("66.67") && has_text("9.298 .. 100") && has_text("[40 80]"));
  CHECK_THAT(text, has_text("unstructured: no speed-up expected (rand_global, wt)"));
  CHECK_THAT(text, has_text("noise_0.0"));
}

TEST_CASE("a parent that guesses is named too where the table of potentials was too large") {
  const auto study = study_of(2, [](const std::string& variant, std::int64_t pair) {
    Found found = plain(variant, pair);
    found.too_large = true;
    if (variant == "wt" && pair == 1) found.accuracy = {12, 11, 10};  // chance is 10 %
    return found;
  });
  CHECK_THAT(page(study, "potential"), has_text("parent untrained, so potentials are meaningless: wt/1"));
}

TEST_CASE("one pair has values, no interval and no verdict") {
  const auto study = study_of(1, plain);
  const std::string text = page(study, "potential");
  CHECK_THAT(text, has_text("1 pair: no interval, no verdict"));
  const Json rows = json_of(study, "potential").at("rows");
  for (const Json& row : rows) CHECK(row.at("max").at("low").is_null());
}

TEST_CASE("a parent that guesses is named") {
  const auto study = study_of(2, [](const std::string& variant, std::int64_t pair) {
    Found found = plain(variant, pair);
    found.untrained = variant == "wt" && pair == 1;
    return found;
  });
  CHECK_THAT(page(study, "potential"), has_text("parent untrained, so potentials are meaningless: wt/1"));
}

TEST_CASE("excess error is the loss under the shift beyond the nominal one, less the parent's; its slope per cascade") {
  const auto study = study_of(3, plain);
  const Json wt = rows_of(json_of(study, "excess"), "wt");
  // Errors: nominal 4, 3, 10; fog 10, 9, 20. Parent's gap 6; gaps 6 and 10: excess 0 and 4.
  REQUIRE(wt.at("steps").size() == 2);
  CHECK(wt.at("steps")[0].at("excess").at("mean") == 0);
  CHECK(wt.at("steps")[1].at("excess").at("mean") == 4);
  // (.4 * 0 + .8 * 4) / (.16 + .64) = 4, the same in every cascade: so is its band.
  for (const char* part : {"mean", "low", "high"})
    CHECK_THAT(wt.at("slope").at(part).get<double>(), WithinRel(4.0, 1e-9));
  CHECK_THAT(page(study, "excess"), has_text("bootstrap"));
}

TEST_CASE("distances are listed by step with a separately trained network, in the unit of the noise") {
  const auto study = study_of(2, plain);
  const std::string text = page(study, "distance");
  CHECK_THAT(text, has_text("in pixel units"));
  CHECK_THAT(text, has_text("separate"));
  const Json wt = rows_of(json_of(study, "distance"), "wt");
  const Json& last = wt.at("rows").back();
  CHECK(last.at("network") == "separate");
  CHECK(last.at("distance_softmax_l2").at("mean") == .1);
  CHECK(wt.at("rows")[2].at("distance_match").at("mean") == 90);
  CHECK(wt.at("rows")[0].at("distance_softmax_l2").at("mean") == 0);
}

TEST_CASE("informative pixels are a matrix of whose pixels by who sees them") {
  const auto study = study_of(2, plain);
  const Json wt = rows_of(json_of(study, "backselect"), "wt");
  REQUIRE(wt.at("matrix").size() == 3);
  CHECK_THAT(wt.at("matrix")[0][2].at("mean").get<double>(), WithinRel(.7, 1e-9));
  CHECK_THAT(wt.at("matrix")[1][1].at("mean").get<double>(), WithinRel(.9, 1e-9));
  CHECK_THAT(page(study, "backselect"), has_text("parent's pixels") && has_text("PR 80"));
}

TEST_CASE("corruption errors are ratios to those of the parent, relative ones without the clean errors") {
  const auto study = study_of(2, plain);
  const Json steps = rows_of(json_of(study, "mce"), "wt").at("steps");
  REQUIRE(steps.size() == 3);
  CHECK(steps[0].at("mce").at("mean") == 1);
  CHECK(steps[2].at("mce").at("mean") == 2);  // fog 20 of 10
  // (20 - 10) / (10 - 4)
  CHECK_THAT(steps[2].at("relative_mce").at("mean").get<double>(), WithinRel(10.0 / 6, 1e-9));
  CHECK(steps[2].at("ce").at("fog").at("mean") == 2);
  CHECK_THAT(page(study, "mce"), has_text("relative mCE"));
}

TEST_CASE("sizes are weights, parameters, multiplications and measured time, not the requested ratio") {
  const auto study = study_of(2, plain);
  const std::string text = page(study, "size");
  CHECK_THAT(text, has_text("fewer MACs") && has_text("unstructured: no speed-up expected"));
  const Json last = rows_of(json_of(study, "size"), "wt").at("steps").at(2);
  CHECK(last.at("pr") == 80);
  CHECK(last.at("pr_all").at("mean") == 76);
  CHECK(last.at("compression").at("mean") == 4.2);
  CHECK(last.at("macs_ratio").at("mean") == 5);
  CHECK(last.at("latency_ratio_64").at("mean") == 2);
  CHECK(last.at("latency_ratio_1").is_null());
}

TEST_CASE("a step that was not retrained does not represent the retrained one of its ratio, nor the parent") {
  pruning::CascadeRun run{.series = {{"pr_w", {{0, 0}, {1, 0}, {2, 40}, {3, 40}, {4, 60}, {5, 80}}}}};
  // Steps 1, 2 and 4 were pruned and not retrained.
  run.potential = {{"pr", {0, 40, 80}}};
  CHECK(run.steps() == std::vector<std::int64_t>{0, 3, 5});
  run.potential = {{"pr", {0, 0, 40, 60, 80}}};  // a control at keep ratio 1
  CHECK(run.steps() == std::vector<std::int64_t>{0, 1, 3, 4, 5});
  run.potential = nullptr;
  CHECK(run.steps().empty());
}

TEST_CASE("a network that was never pruned has no potential, no size and no masks to speak of") {
  auto study = study_of(2, plain);
  study.variants.push_back(trials_of("idle", values_of("wt", {{"pipeline", std::string("train")}}), 2,
                                     [](const std::string& variant, std::int64_t pair) {
                                       Found found = plain(variant, pair);
                                       found.too_large = true;  // no table of potentials
                                       return found;
                                     }));
  for (const char* view : {"potential", "size"}) {
    CAPTURE(view);
    const std::string text = page(study, view);
    CHECK_THAT(text, has_text("unstructured: no speed-up expected (rand_global, wt)"));
    CHECK_THAT(text, has_text("wt | ") && !has_text("idle | "));
  }
}

TEST_CASE("a margin that was not recorded is refused with the list of those that were") {
  const auto study = study_of(2, plain);
  CHECK_THAT(page(study, "potential", {{"delta", 0.0}}), has_text("at delta 0 pp"));
  try {
    (void)view(study, "potential", {{"delta", 7.0}});
    FAIL("accepted");
  } catch (const Error& error) {
    CHECK(error.text.exit == Exit::usage);
    CHECK(error.text.field == "potential.delta");
    CHECK(error.text.allowed == "0.0, 0.5");
  }
}

TEST_CASE("the steps that are compared are the nearest ones to the published prune ratios, each once") {
  const std::vector<std::pair<std::int64_t, double>> paper{{0, 0},    {3, 15},    {6, 46.2}, {8, 68.9},
                                                           {9, 80.3}, {10, 93.8}, {11, 98}};
  std::vector<std::int64_t> steps;
  for (const auto& [step, ratio] : pruning::compared_steps(paper)) steps.push_back(step);
  CHECK(steps == std::vector<std::int64_t>{3, 6, 8, 9, 10});
  CHECK(pruning::compared_steps({{0, 0}, {1, 50}}).size() == 1);
  CHECK(pruning::compared_steps({{0, 0}}).empty());
}

}  // namespace retrial::tests::views_tests
