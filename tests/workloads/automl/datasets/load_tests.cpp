// Row counts and classes of the shared tables: section 17 of the specification of the workload.
#include "workloads/automl/datasets/load.hpp"

#include <cmath>

#include "results/text/error.hpp"
#include "tests/catch.hpp"
#include "tests/workloads/data/files/data_folder.hpp"
#include "workloads/data/sets/tables.hpp"

namespace retrial::tests::automl_load_tests {

using namespace retrial;
using automl::DataSet, automl::Task, automl::TableChoice;
using Texts = std::vector<std::string>;

namespace {

DataSet set_of(const std::string& text, const TableChoice& choice = {}) {
  const test::Folder folder;
  test::write_bytes(folder.path() / "t.csv", text);
  return automl::load_table_file(folder.path() / "t.csv", choice);
}

std::string problem_of(const std::string& text, const TableChoice& choice = {}) try {
  (void)set_of(text, choice);
  return "";
} catch (const Error& wrong) {
  CHECK(wrong.text.exit == Exit::usage);
  return std::string(wrong.what()) + (wrong.text.help.empty() ? "" : " | " + wrong.text.help);
}

std::vector<std::size_t> counts(const DataSet& data) {
  std::vector<std::size_t> found(data.classes.size());
  for (const double label : data.target) ++found[static_cast<std::size_t>(label)];
  return found;
}

Texts names(const DataSet& data) {
  Texts found;
  for (const auto& feature : data.features) found.push_back(feature.name);
  return found;
}

}  // namespace

TEST_CASE("a header, types and the task are found") {
  const DataSet data = set_of("age,job,churned\n31, clerk ,yes\n?,nurse,no\n40,,yes\n\n");
  CHECK(names(data) == Texts{"age", "job"});
  CHECK(data.task == Task::binary);
  CHECK(data.classes == Texts{"no", "yes"});
  CHECK(data.target == std::vector<double>{1, 0, 1});
  CHECK(data.features[1].categories == Texts{"clerk", "nurse"});
  CHECK(data.row(0)[0] == 31);
  CHECK(std::isnan(data.row(1)[0]));
  CHECK(std::isnan(data.row(2)[1]));
  CHECK(automl::description(data) == "3 rows, 2 columns (1 of categories), binary: no 1, yes 2");
}

TEST_CASE("a first line of data is no header, and a table of texts alone has one where no name comes again") {
  CHECK(names(set_of("1,a\n2,b\n")) == Texts{"1"});
  CHECK(names(set_of("u,x\nv,y\nu,x\n")) == Texts{"1"});
  CHECK(names(set_of("color,answer\nred,x\nblue,y\n")) == Texts{"color"});
  CHECK(names(set_of("color,answer\nred,x\nblue,y\n", {.header = "none"})) == Texts{"1"});
  CHECK(set_of("1,2\n3,4\n5,6\n", {.header = "names"}).rows() == 2);
}

TEST_CASE("semicolons and tabs separate where there is no comma") {
  CHECK(names(set_of("a;b;y\n1;2;3\n4;5;6\n")) == Texts{"a", "b"});
  CHECK(names(set_of("a\tb\ty\n1\t2\t3\n4\t5\t6\n")) == Texts{"a", "b"});
}

TEST_CASE("up to 20 whole numbers are classes in ascending order, other numbers are values") {
  CHECK(set_of("1,10\n2,9\n3,10\n4,11\n").classes == Texts{"9", "10", "11"});
  std::string many, fractions = "1,0.5\n2,1\n";
  for (int row = 0; row < 21; ++row) many += "1," + std::to_string(row) + "\n";
  CHECK(set_of(many).task == Task::regression);
  CHECK(set_of(fractions).task == Task::regression);
  CHECK(set_of(many, {.task = "multiclass"}).classes.size() == 21);
  CHECK(set_of("1,10\n2,9\n3,10\n4,11\n", {.task = "regression"}).target == std::vector<double>{10, 9, 10, 11});
}

TEST_CASE("a target by name or number, and columns that are categories in spite of their numbers") {
  const DataSet data = set_of("y,zip,x\n0,100,1\n1,200,2\n0,100,3\n", {.target = "y", .categorical = "zip"});
  CHECK(names(data) == Texts{"zip", "x"});
  CHECK(data.features[0].categories == Texts{"100", "200"});
  CHECK(set_of("0,1,5\n1,2,6\n", {.target = "1"}).classes == Texts{"0", "1"});
}

TEST_CASE("rows without a target are left out and counted") {
  const DataSet data = set_of("x,y\n1,a\n2,?\n3,b\n");
  CHECK(data.rows() == 2);
  CHECK(data.left_out == 1);
  CHECK_THAT(automl::description(data), has_text("1 rows without a target left out"));
}

TEST_CASE("errors name the key, the value and what is allowed") {
  const std::string table = "age,job,churned\n31,clerk,yes\n40,nurse,no\n";
  CHECK_THAT(problem_of(table, {.target = "chruned"}),
             has_text("automl.target = chruned: no such column (allowed: age, job, churned; 1 to 3)") &&
                 has_text("did you mean churned?"));
  CHECK_THAT(problem_of(table, {.target = "4"}), has_text("no such column"));
  CHECK_THAT(problem_of(table, {.target = "0"}), has_text("no such column"));
  CHECK_THAT(problem_of("a,a,y\n1,2,x\n3,4,z\n", {.target = "a", .header = "names"}), has_text("several columns"));
  CHECK_THAT(problem_of(table, {.task = "multiclass"}),
             has_text("automl.task = multiclass: the target churned has 2 classes (allowed: auto, binary)"));
  CHECK_THAT(problem_of(table, {.task = "regression"}), has_text("a column of text"));
  CHECK_THAT(problem_of("x,y\n1,a\n2,a\n"), has_text("automl.target = y: the column has one class only"));
  CHECK_THAT(problem_of("x,y\n1,2.5\n2,2.5\n"), has_text("all values are equal"));
  CHECK_THAT(problem_of("x,y\n1,?\n2,?\n"), has_text("no row has a value"));
  CHECK_THAT(problem_of("x\n1\n2\n"), has_text("one column only"));
  CHECK_THAT(problem_of("x,y\n1e39,a\n2,b\n"), has_text("column x is too large"));
  CHECK_THAT(problem_of("1,2\n3,4,5\n6,7\n"), has_text(":2:"));
  CHECK_THAT(problem_of(""), has_text("holds no row"));
  CHECK_THAT(problem_of(table, {.categorical = "jobs"}), has_text("automl.categorical = jobs"));
}

TEST_CASE("the digest of a table is that of its columns, codes and target, not of its file") {
  const DataSet data = set_of("x,y\n1,a\n2,b\n");
  CHECK(data.content == set_of("x,y\r\n1.0,a\r\n2,\"b\"\r\n").content);
  for (const char* other :
       {"x,y\n1,a\n3,b\n", "z,y\n1,a\n2,b\n", "x,y\n1,b\n2,a\n", "x,y\n2,b\n1,a\n", "x,y\n1,a\n2,c\n"})
    CHECK(data.content != set_of(other).content);
}

TEST_CASE("a missing file and an unknown set") {
  const auto exit_of = [](auto&& load) {
    try {
      load();
    } catch (const Error& wrong) {
      return std::pair(wrong.text.exit, std::string(wrong.what()) + " | " + wrong.text.help);
    }
    return std::pair(Exit::ok, std::string());
  };
  CHECK(exit_of([] { (void)automl::load_table_file("/nowhere/t.csv"); }).first == Exit::incomparable);
  const test::Folder folder;
  const auto missing = exit_of([&] { (void)automl::load_known_set("phoneme", folder.path()); });
  CHECK(missing.first == Exit::incomparable);
  CHECK_THAT(missing.second, has_text("phoneme.csv") && has_text("jbrownlee/Datasets"));
  const auto unknown = exit_of([] { (void)automl::load_known_set("phonemes", ""); });
  CHECK(unknown.first == Exit::usage);
  CHECK_THAT(unknown.second, has_text("automl.problem = data:phonemes") && has_text("did you mean data:phoneme?"));
}

TEST_CASE("a file with other bytes is another set") {
  const test::Folder folder;
  test::write_bytes(folder.path() / "phoneme.csv", "1,2,0\n2,3,1\n");
  CHECK(automl::load_known_set("phoneme", folder.path()).name == "phoneme-unofficial");
}

TEST_CASE("known tables have the rows, columns and classes of their documentation [needs-data]", "[needs-data]") {
  const auto folder = test::real_data("tabular");
  if (!folder) return;
  for (const auto& known : data::known_tables()) {
    INFO(known.name);
    DataSet data;
    try {
      data = automl::load_known_set(known.name, *folder);
    } catch (const Error& missing) {
      WARN("left out: " << missing.what());
      continue;
    }
    CHECK(data.name == known.name);
    CHECK(data.rows() == known.rows);
    CHECK(data.columns() == known.features);
    CHECK(automl::name_of(data.task) == known.task);
    CHECK(data.left_out == 0);
  }
  const auto set = [&](const std::string& name) { return automl::load_known_set(name, *folder); };
  CHECK(counts(set("phoneme")) == std::vector<std::size_t>{3818, 1586});
  CHECK(counts(set("credit-g")) == std::vector<std::size_t>{700, 300});
  CHECK(counts(set("pima")) == std::vector<std::size_t>{500, 268});
  CHECK(counts(set("adult")) == std::vector<std::size_t>{24720, 7841});
  double sum = 0;
  for (const double rings : set("abalone").target) sum += rings;
  CHECK_THAT(sum / 4177, WithinAbs(9.93368, 1e-5));
  CHECK(counts(automl::load_table_file(*folder / "winequality-white.csv")) ==
        std::vector<std::size_t>{20, 163, 1457, 2198, 880, 175, 5});
}

}  // namespace retrial::tests::automl_load_tests
