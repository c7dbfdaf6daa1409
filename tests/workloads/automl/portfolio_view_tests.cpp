// The regrets of value L15 of the specification of the workload, as scores of a study; other values by hand.
#include "workloads/automl/portfolio_view.hpp"

#include "results/report/report.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "tests/catch.hpp"
#include "workloads/automl/keys.hpp"
#include "workloads/interface/evidence.hpp"

namespace retrial::tests::automl_portfolio_view_tests {

using namespace retrial;

namespace {

using Scores = std::vector<std::vector<double>>;  // of each variant, on each problem

workloads::StudyEvidence study_of(const std::vector<std::string>& problems, const std::vector<std::string>& metrics,
                                  const Scores& scores, const std::vector<Json>& columns = {}) {
  Values values;
  for (const auto& parameter : automl::parameters()) values[parameter.name] = parameter.fallback;
  values["problem"] = results::joined(problems);
  workloads::StudyEvidence out{.study = "mined", .baseline = "0", .candidate = "1", .finished = true};
  for (std::size_t v = 0; v < scores.size(); ++v) {
    workloads::FinishedTrial trial;
    trial.artifact = [=](std::string_view name) {
      for (std::size_t i = 0; i < columns.size(); ++i)
        if (metrics[i].ends_with(name.substr(std::string("columns").size()))) return columns[i];
      return Json();
    };
    for (std::size_t i = 0; i < metrics.size(); ++i) trial.finals[metrics[i]] = scores[v][i];
    out.variants.push_back({.name = std::to_string(v), .values = values, .trials = {trial}});
  }
  return out;
}

Json mined(const workloads::StudyEvidence& study, const Values& set = {}) {
  return automl::portfolio_view().make(study, set).data;
}

std::vector<std::string> variants_of(const Json& data) {
  std::vector<std::string> out;
  for (const auto& row : data.at("portfolio")) out.push_back(row.at("variant"));
  return out;
}

/// L15 with a worst variant, at distance 1 of the best everywhere.
workloads::StudyEvidence known_study() {
  return study_of({"lcbench:167168", "lcbench:189873", "lcbench:189906", "lcbench:3945"},
                  {"regret_167168", "regret_189873", "regret_189906", "regret_3945"},
                  {{0, .30, .20, .40},
                   {.10, .05, .30, .10},
                   {.25, 0, 0, .35},
                   {.40, .20, .10, 0},
                   {.05, .10, .25, .20},
                   {1, 1, 1, 1}});
}

/// The `columns` artifact of a table with this many columns of each kind.
Json columns_of(std::size_t numbers, std::size_t categories) {
  Json list = Json::array();
  for (std::size_t i = 0; i < numbers + categories; ++i)
    list.push_back(
        {{"name", std::to_string(i)}, {"categories", i < numbers ? Json::array() : Json::array({"a", "b"})}});
  return {{"columns", list}, {"classes", {"0", "1"}}, {"task", "binary"}};
}

}  // namespace

TEST_CASE("a portfolio is mined from the medians of a study") {
  const Json data = mined(known_study());
  CHECK(variants_of(data) == std::vector<std::string>{"1", "2", "0", "3"});
  const double expected[] = {.1375, .05, .025, 0};
  for (std::size_t i = 0; i < 4; ++i)
    CHECK(data.at("portfolio").at(i).at("mean_regret").get<double>() == Approx(expected[i]).margin(1e-12));
  CHECK(variants_of(mined(known_study(), {{"most", std::int64_t{2}}})) == std::vector<std::string>{"1", "2"});
}

TEST_CASE("a problem that is left out chooses nothing, and tests the portfolio") {
  const Json data = mined(known_study(), {{"tested", std::string("lcbench:3945")}});
  CHECK(variants_of(data) == std::vector<std::string>{"2", "0"});
  CHECK(data.at("portfolio").at(0).at("tested_regret") == .35);
  CHECK(data.at("portfolio").at(1).at("tested_regret") == .35);  // 0 has .40 there
  CHECK_FALSE(data.contains("nearest"));
  CHECK_THROWS_WITH(mined(known_study(), {{"tested", std::string("lcbench:394")}}),
                    Catch::Contains("tested") && Catch::Contains("lcbench:167168"));
}

TEST_CASE("the nearest table of two classes is that of nearest shape, and its variants are ranked") {
  // credit-g (1000 x 20, 7 numbers) is .58 from adult (32561 x 14, 6 numbers), 1.30 from the others, squared.
  const auto study = study_of({"data:pima", "data:breast_cancer", "data:adult", "data:credit-g"},
                              {"test_auc_pima", "test_auc_breast_cancer", "test_auc_adult", "test_auc_credit_g"},
                              {{.9, .9, .7, .8}, {.8, .8, .9, .7}, {.7, .7, .8, .9}},
                              {columns_of(8, 0), columns_of(30, 0), columns_of(6, 8), columns_of(7, 13)});
  const Json data = mined(study, {{"tested", std::string("data:credit-g")}});
  CHECK(data.at("nearest").at("problem") == "data:adult");
  CHECK(data.at("nearest").at("ranking") == Json{"1", "2", "0"});  // higher is better
}

}  // namespace retrial::tests::automl_portfolio_view_tests
