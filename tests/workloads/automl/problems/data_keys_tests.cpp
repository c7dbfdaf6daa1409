#include "workloads/automl/problems/data_keys.hpp"

#include "results/text/error.hpp"
#include "tests/catch.hpp"
#include "tests/workloads/data/files/data_folder.hpp"

namespace retrial::tests::automl_data_keys_tests {

using namespace retrial;

namespace {

Values keys(const Values& changed = {}) {
  Values values{{"budget_cost", std::int64_t{0}}};
  for (const auto& parameter : automl::data_parameters()) values[parameter.name] = parameter.fallback;
  for (const auto& [key, value] : changed) values[key] = value;
  return values;
}

}  // namespace

TEST_CASE("keys of a search on data become settings") {
  const auto settings = automl::data_settings(keys());
  CHECK(settings.learners.empty());
  CHECK(settings.metric.empty());
  CHECK_FALSE(settings.budget_hours);
  CHECK(settings.guard_bytes == 4294967296);
  const auto other = automl::data_settings(keys({{"learners", std::string("rf,lrl1")},
                                                 {"metric", std::string("kappa")},
                                                 {"resampling", std::string("holdout")},
                                                 {"inner_split", std::string("reshuffle")},
                                                 {"budget_cost", std::int64_t{1800000000}}}));
  CHECK(other.learners == std::vector<std::string>{"rf", "lrl1"});
  CHECK(other.metric == "kappa");
  CHECK(other.resampling == automl::ResamplingChoice::holdout);
  CHECK(other.reshuffle);
  CHECK(*other.budget_hours == .5);
}

TEST_CASE("a table is found by its key or, in a worker, by its folder, and read again when its file changes") {
  const test::Folder folder;
  const auto file = folder.path() / "t.csv";
  test::write_bytes(file, "x,y\n1,a\n2,b\n");
  const auto first = automl::data_set_of("table", keys({{"table", file.string()}}));
  CHECK(automl::data_set_of("table", keys(), {{"table", file}}) == first);
  CHECK(automl::data_set_of("table", keys({{"table", file.string()}, {"target", std::string("x")}}))->classes ==
        std::vector<std::string>{"1", "2"});
  test::write_bytes(file, "x,y\n1,a\n2,b\n3,c\n");
  CHECK(automl::data_set_of("table", keys(), {{"table", file}})->rows() == 3);
}

TEST_CASE("a table without a file is refused with the option to give") {
  try {
    (void)automl::data_set_of("table", keys());
    FAIL("accepted");
  } catch (const Error& wrong) {
    CHECK(wrong.text.exit == Exit::usage);
    CHECK_THAT(std::string(wrong.what()), has_text("automl.table"));
    CHECK_THAT(wrong.text.help, has_text("--set table=FILE.csv"));
  }
}

TEST_CASE("problems on data are known by their name") {
  CHECK(automl::is_data_problem("table"));
  CHECK(automl::is_data_problem("data:adult"));
  CHECK_FALSE(automl::is_data_problem("function:branin/2"));
}

}  // namespace retrial::tests::automl_data_keys_tests
