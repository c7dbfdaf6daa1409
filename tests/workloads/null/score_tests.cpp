#include "workloads/null/score.hpp"

#include <cmath>

#include "tests/catch.hpp"
#include "tests/workloads/interface/log_recorder.hpp"

namespace retrial::tests::score_tests {

using namespace retrial;
using namespace retrial::workloads;

namespace {

struct Moments {
  double mean = 0, variance = 0;
};

Moments moments(const std::vector<double>& values) {
  Moments found;
  const auto n = static_cast<double>(values.size());
  for (const double value : values) found.mean += value / n;
  for (const double value : values) found.variance += (value - found.mean) * (value - found.mean) / (n - 1);
  return found;
}

std::vector<double> scores(const Values& values, const std::string& variant, std::uint64_t n = 4000) {
  std::vector<double> all;
  for (std::uint64_t pair = 0; pair < n; ++pair) all.push_back(null::score(trial_of("null", values, 7, pair, variant)));
  return all;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const auto x = moments(a), y = moments(b);
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - x.mean) * (b[i] - y.mean);
  return sum / static_cast<double>(a.size() - 1) / std::sqrt(x.variance * y.variance);
}

}  // namespace

// The shares .6, .64 and .48 are chosen so that their squares sum to 1. With 4,000 draws a mean is off by more than
// 4 standard errors (4/sqrt(4000) = .063) once in 16,000 studies, the variance by 4 sqrt(2/3999) = .09.
TEST_CASE("the score has the mean and the variance that the keys say") {
  const auto found = moments(scores({}, "base"));
  CHECK_THAT(found.mean, WithinAbs(80, 0.063));
  CHECK_THAT(found.variance, WithinAbs(1, 0.09));
  const auto wide = moments(scores(
      {{"mean", 10.0}, {"effect", 2.0}, {"sd", 3.0}, {"sd_init", 1.0}, {"sd_order", 0.0}, {"sd_split", 0.0}}, "base"));
  CHECK_THAT(wide.mean, WithinAbs(12, 3 * 0.063));
  CHECK_THAT(wide.variance, WithinAbs(9, 9 * 0.09));
}

TEST_CASE("two variants that share their seeds correlate as asked") {
  for (const double asked : {0.0, 0.5, 0.9}) {
    const Values values{{"correlation", asked}};
    CHECK_THAT(correlation(scores(values, "base"), scores(values, "shifted")), WithinAbs(asked, 0.063));
  }
  CHECK(scores({{"correlation", 1.0}}, "base", 50) == scores({{"correlation", 1.0}}, "shifted", 50));
}

TEST_CASE("each honoured source changes the score and no other seed does") {
  const Values values{{"dropout", 0.5}};
  const auto before = null::score(trial_of("null", values));
  for (const std::string source : {"init", "data-split", "data-order", "dropout"}) {
    auto trial = trial_of("null", values);
    trial.seeds.at(source) ^= 1;
    CHECK(null::score(trial) != before);
  }
  auto trial = trial_of("null", values);
  trial.pair = 99;
  CHECK(null::score(trial) == before);
}

TEST_CASE("dropout is honoured only when there is some, and failure only when it is drawn") {
  const auto& declaration = find_workload("null", "");
  const auto honoured = [&](const Values& values) { return declaration.honours(resolved(declaration, values)); };
  const std::vector<std::string> always{"init", "data-split", "data-order"};
  CHECK(honoured({}) == always);
  CHECK(honoured({{"dropout", 0.1}}).back() == "dropout");
  CHECK(honoured({{"failure", std::string{"throw"}}}) == always);
  CHECK(honoured({{"failure", std::string{"throw"}}, {"failure_share", 0.5}}).back() == "failure");
}

TEST_CASE("a grid makes ties, and accuracy is a count of items") {
  CHECK(null::on_grid(80.26, 0.5) == 80.5);
  CHECK(null::on_grid(-0.25, 0.5) == -0.5);
  CHECK(null::on_grid(80.26, 0) == 80.26);
  CHECK(null::accuracy(80.26, 10) == 80.0);
  CHECK(null::accuracy(80.26, 400) == 80.25);
  CHECK(null::accuracy(120, 7) == 100.0);
  CHECK(null::accuracy(-3, 7) == 0.0);
  CHECK(null::accuracy(std::nan(""), 7) == 0.0);
}

TEST_CASE("a run ends at the closed form of its score, whatever the number of boundaries") {
  for (const std::int64_t epochs : {1, 3, 20}) {
    const auto trial = trial_of("null", {{"epochs", epochs}, {"items", std::int64_t{500}}});
    const auto log = run_to_end(trial);
    CHECK_THAT(log.final_value("score"), WithinAbs(null::score(trial), 1e-11));
    CHECK(log.final_value("accuracy") == null::accuracy(log.final_value("score"), 500));
    CHECK(log.final_value("loss") == null::loss(trial, epochs - 1));
    CHECK(log.digests.size() == static_cast<std::size_t>(epochs) + 1);
    CHECK(log.digests.back().step == -1);
    CHECK(log.done == 1.0);
  }
  CHECK(run_to_end(trial_of("null", {{"sd", 0.0}, {"epochs", std::int64_t{7}}})).final_value("score") == 80.0);
}

TEST_CASE("everything a run reports is declared under its keys") {
  const auto& declaration = find_workload("null", "");
  for (const std::int64_t items : {0, 100}) {
    const auto trial = trial_of("null", {{"items", items}});
    const auto defs = metrics_under(declaration, trial.values);
    const auto log = run_to_end(trial);
    CHECK(log.has("accuracy") == (items > 0));
    for (const auto& metric : log.metrics)
      CHECK(std::any_of(defs.begin(), defs.end(), [&](const auto& def) { return def.name == metric.name; }));
    CHECK(declaration.test_items(trial.values, "accuracy") == (items > 0 ? std::optional(items) : std::nullopt));
    CHECK_FALSE(declaration.test_items(trial.values, "score"));
  }
}

TEST_CASE("a score beyond the range of the keys ends there and is reported as a bound") {
  const auto bound_of = [](double lowest, double highest) {
    const auto log = run_to_end(trial_of("null", {{"sd", 0.0}, {"lowest", lowest}, {"highest", highest}}));
    return std::pair(log.final_value("score"), log.has("score.bound") ? log.final_value("score.bound") : 0.0);
  };
  CHECK(bound_of(0, 70) == std::pair(70.0, 1.0));     // 80 is above: at least 70
  CHECK(bound_of(90, 100) == std::pair(90.0, -1.0));  // at most 90
  CHECK(bound_of(0, 100) == std::pair(80.0, 0.0));
  CHECK(bound_of(0, 80) == std::pair(80.0, 0.0));
}

TEST_CASE("checksums are taken every checksum_every steps") {
  const auto trial = trial_of("null", {{"epochs", std::int64_t{3}}, {"steps", std::int64_t{4}}});
  std::vector<std::int64_t> steps;
  for (const auto& digest : run_to_end(trial, {.checksum_every = 5}).digests)
    if (digest.name == "step_state") steps.push_back(digest.step);
  CHECK(steps == std::vector<std::int64_t>{5, 10});
}

TEST_CASE("every training key changes what is recorded") {
  // lr and optimum are read where the score is curved.
  const auto run_with = [](const std::string& key, const Value& value) {
    Values values{{"curvature", 1.0}};
    values[key] = value;
    return run_to_end(trial_of("null", values));
  };
  const auto base = run_with("curvature", 1.0);
  const Values others{{"mean", 81.0},
                      {"effect", 1.0},
                      {"sd", 2.0},
                      {"sd_init", 1.0},
                      {"sd_order", 1.0},
                      {"sd_split", 1.0},
                      {"dropout", 0.5},
                      {"correlation", 0.5},
                      {"resolution", 0.5},
                      {"interaction", 0.5},
                      {"lr", 0.2},
                      {"optimum", 0.5},
                      {"curvature", 2.0},
                      {"validation", true},
                      {"items", std::int64_t{10}},
                      {"epochs", std::int64_t{2}},
                      {"steps", std::int64_t{5}}};
  for (const auto& parameter : find_workload("null", "").parameters) {
    if (parameter.reads == Reads::evaluation) continue;
    CAPTURE(parameter.name);
    CHECK_FALSE(same_bits(base, run_with(parameter.name, others.at(parameter.name))));
  }
}

TEST_CASE("the score loses curvature points for each squared decade between lr and optimum") {
  const auto at = [](double lr, double curvature) {
    return null::score(trial_of("null", {{"lr", lr}, {"optimum", 1.0}, {"curvature", curvature}}));
  };
  CHECK_THAT(at(1.0, 0.0) - at(0.01, 3.0), WithinAbs(12.0, 1e-12));
  CHECK(at(1.0, 3.0) == at(1.0, 0.0));
  CHECK(at(0.01, 0.0) == at(1.0, 0.0));
}

TEST_CASE("validation is the score on other items") {
  const auto only = [](const std::string& part) {
    Values values{{"sd_init", 0.0}, {"sd_order", 0.0}, {"sd_split", 0.0}, {"curvature", 2.0}, {"lr", 0.1}};
    values[part] = 1.0;
    return trial_of("null", values);
  };
  CHECK(null::validation_score(only("sd_init")) == null::score(only("sd_init")));
  CHECK(null::validation_score(only("sd_split")) != null::score(only("sd_split")));
}

TEST_CASE("keys that contradict each other are reported") {
  const auto& declaration = find_workload("null", "");
  const auto problems =
      declaration.validate(resolved(declaration, {{"defect_at", std::int64_t{3}}, {"epochs", std::int64_t{3}}}));
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].key == "defect_at");
  CHECK(problems[0].allowed == "0 to 2");
  CHECK(declaration.validate(resolved(declaration, {})).empty());
}

}  // namespace retrial::tests::score_tests
