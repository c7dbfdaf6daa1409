// Tables as spreadsheets, pandas and R write them: another separator, decimal commas, missing scores, lines that sum up
// others. The expected numbers are those of the same table with commas and points.
#include "harness/scores/lines/separators.hpp"

#include "harness/scores/formats/formats.hpp"
#include "harness/scores/selection/slice.hpp"
#include "results/text/error.hpp"
#include "tests/catch.hpp"
#include "tests/harness/program/cli_fixture.hpp"
#include "tests/harness/program/program.hpp"

namespace retrial::tests::separators_tests {

using namespace retrial;
using namespace retrial::harness;
using fixture::Folder;
using retrial::tests::write_file;

namespace {

ScoreTable table_of(const std::string& text, const std::string& columns = "") {
  write_file("t.csv", text);
  const std::vector<std::string> inputs{"t.csv"};
  return read_score_table(score_inputs(inputs, columns.empty() ? ColumnRoles{} : roles_from(columns)));
}

std::string long_form(const std::string& text, const std::string& columns = "") {
  return long_csv(table_of(text, columns));
}

std::string refusal(const std::string& text, const std::string& columns = "") try {
  return "no error: " + long_form(text, columns);
} catch (const Error& error) {
  return Error::line(error.text) + "\n" + error.text.help;
}

fixture::Answer compared(const std::string& text, const std::vector<std::string>& more = {}) {
  write_file("t.csv", text);
  std::vector<std::string> words{"compare", "--scores", "t.csv", "--higher"};
  words.insert(words.end(), more.begin(), more.end());
  return fixture::retrial(words);
}

const std::string plain = "base,kd\n1.5,2.25\n1.625,2.5\n-1e-3,+2.75\n";

}  // namespace

TEST_CASE("semicolons and tabs separate columns as commas do", "[cli][scores]") {
  const Folder here;
  for (const char mark : {';', '\t'}) {
    std::string text = plain;
    std::ranges::replace(text, ',', mark);
    CHECK(long_form(text) == long_form(plain));
    const std::string lines = "kd,1,0.5\nbase,1,0.25\nkd,2,0.625\nbase,2,0.375\n";
    std::string runs = "model,seed,acc\n" + lines, form = "variant,pair,score\n" + lines;
    const std::string roles = "variant=model,pair=seed,score=acc", expected = long_form(form);
    CHECK(long_form(runs, roles) == expected);
    std::ranges::replace(runs, ',', mark);
    std::ranges::replace(form, ',', mark);
    CHECK(long_form(runs, roles) == expected);
    CHECK(long_form(form) == expected);
    CHECK_THAT(refusal(runs), has_text("--columns " + roles));
  }
  // A comma inside of a name, and a semicolon inside of one, with and without quotes.
  CHECK(table_of("base;\"kd, T=4\"\n1;2\n3;4\n").variants() == std::vector<std::string>{"base", "kd, T=4"});
  CHECK(table_of("base;kd, T=4\n1;2\n3;4\n").variants() == std::vector<std::string>{"base", "kd, T=4"});
  CHECK(table_of("base,kd; T=4\n1,2\n3,4\n").variants() == std::vector<std::string>{"base", "kd; T=4"});
}

TEST_CASE("a file that two separators read is refused", "[cli][scores]") {
  const Folder here;
  CHECK_THAT(refusal("a;b,c\n1;2,3\n4;5,6\n"),
             has_text("t.csv:1: the file is a table in two ways: 2 columns separated by commas, or 2 columns separated "
                      "by semicolons") &&
                 has_text("double quotes"));
  CHECK(long_form("a;\"b,c\"\n1;2\n4;5\n") == long_form("a,\"b,c\"\n1,2\n4,5\n"));
}

TEST_CASE("a decimal comma is one only where it can be nothing else", "[cli][scores]") {
  const Folder here;
  std::string text = plain;
  std::ranges::replace(text, ',', ';');
  std::ranges::replace(text, '.', ',');
  const auto found = table_of(text);
  CHECK(long_csv(found) == long_form(plain));
  CHECK(found.notes == std::vector<std::string>{"numbers are read with a decimal comma: 1,5 is 1.5"});
  // 1,625 alone may be 1625; beside 0,625 or 1,5 it is not.
  CHECK_THAT(refusal("a;b\n1,625;2\n1,750;3\n"),
             has_text("t.csv:2: a = 1,625: the comma may be a decimal one or separate thousands") &&
                 has_text("with a decimal point"));
  CHECK(long_form("a;b\n1,625;2\n0,625;3\n") == long_form("a,b\n1.625,2\n0.625,3\n"));
  CHECK(long_form("a;b\n1,625;2,5\n") == long_form("a,b\n1.625,2.5\n"));
  CHECK_THAT(refusal("a;b\n1,5;2\n1.5;3\n"),
             has_text("t.csv:2: a = 1,5: a decimal comma, and line 3") && has_text("a decimal point: 1.5"));
  CHECK_THAT(refusal("a;b\n1.234,5;2\n"), has_text("a = 1.234,5: not a number"));
  // In a table with commas, and in columns that are no scores, nothing is changed.
  CHECK_THAT(refusal("a,b\n\"1,5\",2\n"), has_text("a = 1,5: not a number"));
  CHECK(long_form("model;acc\n128,64;0,5\n64,128;0,25\n", "variant=model,score=acc") ==
        long_form("model,acc\n\"128,64\",0.5\n\"64,128\",0.25\n", "variant=model,score=acc"));
}

TEST_CASE("missing scores of a table are named, counted and decided by --failure", "[cli][scores]") {
  const Folder here;
  const std::string text = "base,kd\n1,2\nNA,3\n1,2\n1,\n1,2\n1,2\n1,nan\n1,2\n";
  const auto open = compared(text);
  CHECK(open.exit == 2);
  CHECK(open.out.empty());
  CHECK_THAT(open.err,
             has_text("t.csv: --failure: must be given: 3 scores are missing, base in line 3 (NA), kd in line "
                      "5 (empty), kd in line 8 (nan) (allowed: drop, loss, refuse)"));
  const auto drop = compared(text, {"--failure", "drop"});
  CHECK(drop.exit == 0);
  CHECK_THAT(drop.out, has_text("5 pairs") && has_text("3 pairs with a failed run left out"));
  CHECK_THAT(compared(text, {"--failure", "loss"}).out, has_text("8 pairs"));
  CHECK_THAT(compared(text, {"--failure", "refuse"}).out, has_text("INVALID"));
  write_file("t.csv", text);
  CHECK(fixture::retrial({"report", "--scores", "t.csv", "--higher", "-o", "r.html"}).exit == 2);
  const auto imported = fixture::retrial({"import", "t.csv", "-o", "s.csv"});
  CHECK_THAT(imported.err, has_text("3 missing scores written as failed runs: base in line 3 (NA)"));
  CHECK_THAT(imported.out, has_text("--failure drop|loss|refuse"));
  // A line of the long form without a score is a failed run, however the lack is written.
  const std::string form = "variant,pair,score\na,0,1\na,1,";
  CHECK(long_form(form + "NaN\n") == long_form(form + "\n"));
  CHECK(table_of(form + "NaN\n").holes.empty());
  CHECK_THAT(refusal("model,seed,acc\na,1,1\nb,1,NaN\na,2,1\nb,2,2\na,3,1\nb,3,2\n"),
             has_text("--columns variant=model,pair=seed,score=acc"));
}

TEST_CASE("an empty end of a column beside pairs says how a missing score is written", "[cli][scores]") {
  const Folder here;
  CHECK_THAT(compared("a,b\n1,2\n2,3\n3,\n").err, has_text("write NA where a run has no score"));
}

TEST_CASE("lines that sum up others are no runs", "[cli][scores]") {
  const Folder here;
  for (const std::string name : {"mean", "Std", "std. dev.", "Average", "Avg. rank", "25%", "total", "count"}) {
    CAPTURE(name);
    const std::string label = "\"" + name + "\"";
    CHECK_THAT(refusal("seed,base,kd\n1,1,2\n2,2,3\n" + label + ",1.5,2.5\n"),
               has_text("t.csv:4: seed = " + name + ": by its name this line sums up others"));
    CHECK_THAT(refusal(",base,kd\n0,1,2\n1,2,3\n" + label + ",1.5,2.5\n"), has_text("t.csv:4: "));
    CHECK_THAT(refusal("m,seed,x\na,1,1\nb,1,2\na," + label + ",1\nb," + label + ",2\n", "variant=m,pair=seed,score=x"),
               has_text("t.csv:4: seed = " + name + ": by its name"));
    CHECK_THAT(refusal("variant,task,score\na,x,1\na," + label + ",2\n"), has_text("t.csv:3: task = " + name));
  }
  // What only contains such a word, and numbers, are names.
  CHECK(table_of("dataset,base,kd\nmean-shift,1,2\n25,2,3\nmaxwell,2,3\n").rows.size() == 6);
}

TEST_CASE("several columns of scores are a variant each", "[cli][scores]") {
  const Folder here;
  const std::string text = "n,x,y\n1,3,2\n2,2,3\n3,1,4\n4,2,2\n";
  const std::string offered = refusal(text);
  CHECK_THAT(offered, has_text("column = n: counts the lines") &&
                          has_text("if the other columns are variants, and n numbers the pairs: --columns "
                                   "pair=n,score=x,score=y; if it is a variant: --columns score=n,score=x,score=y"));
  CHECK(long_form(text, "pair=n,score=x,score=y") ==
        "variant,pair,cluster,task,metric,score\nx,1,,,,3.0\ny,1,,,,2.0\nx,2,,,,2.0\ny,2,,,,3.0\n"
        "x,3,,,,1.0\ny,3,,,,4.0\nx,4,,,,2.0\ny,4,,,,2.0\n");
  CHECK(table_of(text, "score=n,score=x,score=y").variants() == std::vector<std::string>{"n", "x", "y"});
  CHECK(roles_from("pair=n,score=x,score=y").text() == "pair=n,score=x,score=y");
  // The names of metrics and keys are variants where the user says so.
  CHECK_THAT(refusal("x,y,lr\n1,2,3\n2,3,1\n"),
             has_text("and lr is not one: --columns score=x,score=y") || has_text("and lr numbers the pairs"));
  CHECK(table_of("acc,f1\n1,2\n2,3\n", "score=acc,score=f1").variants() == std::vector<std::string>{"acc", "f1"});
  CHECK(table_of("x,y\n1,2\nNA,3\n", "score=x,score=y").holes == std::vector<std::string>{"x in line 3 (NA)"});
  CHECK_THAT(refusal("m,x,y\na,1,2\n", "variant=m,score=x,score=y"), has_text("no column names the variants"));
  CHECK_THAT(refusal("x,y\n1,2\n", "score=x,score=x"), has_text("is given twice for this column"));
  CHECK_THAT(refusal("x,y\n1,2\n", "score=x,score=z"), has_text("score = z: no column has this name"));
}

}  // namespace retrial::tests::separators_tests
