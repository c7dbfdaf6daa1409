// export: every stored value as CSV. The expected lines are written by hand.
#include <fstream>
#include <iterator>

#include "tests/catch.hpp"
#include "tests/harness/program/cli_fixture.hpp"

namespace retrial::tests::tidy_values_tests {

using namespace retrial;
using fixture::Answer;
using fixture::Folder;
using fixture::StudySpec;

namespace {

StudySpec one_pair() {
  StudySpec spec;
  spec.baseline = {90.0};
  spec.gains = {0.1};
  return spec;
}

std::string whole(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("a line for each value: steps, then the end without a step", "[cli][export]") {
  const Folder here;
  fixture::write_store("s.db", one_pair());
  // 90 + 0.1 is the double 90.1 and half of it 45.05.
  const std::string expected =
      "study,variant,pair,replicate,seed.init,status,metric,unit,step,value\n"
      "quick,plain,0,0,000000000000004d,ok,accuracy,%,,90.0\n"
      "quick,plain,0,0,000000000000004d,ok,curve,%,0,45.0\n"
      "quick,plain,0,0,000000000000004d,ok,curve,%,1,90.0\n"
      "quick,plain,0,0,000000000000004d,ok,wall_s,s,,0.5\n"
      "quick,new,0,0,000000000000004d,ok,accuracy,%,,90.1\n"
      "quick,new,0,0,000000000000004d,ok,curve,%,0,45.05\n"
      "quick,new,0,0,000000000000004d,ok,curve,%,1,90.1\n"
      "quick,new,0,0,000000000000004d,ok,wall_s,s,,0.75\n";
  const Answer out = fixture::retrial({"export", "s.db"});
  CHECK(out.exit == 0);
  CHECK(out.out == expected);
  CHECK(out.err.empty());
  CHECK(fixture::retrial({"export", "s.db", "-o", "-"}).out == expected);
  const Answer file = fixture::retrial({"export", "s.db", "-o", "runs.csv"});
  CHECK(file.out == "runs.csv: 8 values of 2 trials, 1 study\n");
  CHECK(whole("runs.csv") == expected);
}

TEST_CASE("one metric, one study", "[cli][export]") {
  const Folder here;
  fixture::write_store("s.db", one_pair());
  StudySpec second = one_pair();
  second.name = "second";
  second.baseline = {70.0};
  second.first_seed = 5;
  fixture::write_store("s.db", second);
  const Answer both = fixture::retrial({"export", "s.db", "--metric", "accuracy"});
  CHECK(both.out ==
        "study,variant,pair,replicate,seed.init,status,metric,unit,step,value\n"
        "quick,plain,0,0,000000000000004d,ok,accuracy,%,,90.0\n"
        "quick,new,0,0,000000000000004d,ok,accuracy,%,,90.1\n"
        "second,plain,0,0,0000000000000005,ok,accuracy,%,,70.0\n"
        "second,new,0,0,0000000000000005,ok,accuracy,%,,70.1\n");
  const Answer one = fixture::retrial({"export", "s.db", "--metric", "accuracy", "--study", "second"});
  CHECK_THAT(one.out, has_text("second,plain") && !has_text("quick"));
  const Answer unknown = fixture::retrial({"export", "s.db", "--metric", "acuracy"});
  CHECK(unknown.exit == 2);
  CHECK(unknown.out.empty());
  CHECK_THAT(unknown.err, has_text("accuracy"));
}

TEST_CASE("a failed trial has no line, and a note counts it", "[cli][export]") {
  const Folder here;
  fixture::write_store("s.db", {}, fixture::one_failed_one_diverged);
  const Answer out = fixture::retrial({"export", "s.db", "--metric", "accuracy"});
  CHECK_THAT(out.err, has_text("1 trial without values has no line, 1 failed"));
  CHECK_THAT(out.out, has_text("quick,plain,2,0,000000000000004f,diverged,accuracy,%,,NaN\n"));
  CHECK_THAT(out.out, !has_text("quick,new,1,"));
}

TEST_CASE("a name that a spreadsheet would read as a formula is made text", "[cli][export]") {
  const Folder here;
  StudySpec spec = one_pair();
  spec.name = "=1+1,\"x\"";
  fixture::write_store("s.db", spec);
  CHECK_THAT(fixture::retrial({"export", "s.db"}).out, has_text("\n\"'=1+1,\"\"x\"\"\",plain,0,"));
  CHECK_THAT(fixture::retrial({"export", "s.db", "--raw"}).out, has_text("\n\"=1+1,\"\"x\"\"\",plain,0,"));
}

TEST_CASE("export replaces nothing by accident", "[cli][export]") {
  const Folder here;
  fixture::write_store("s.db", one_pair());
  std::ofstream("runs.csv") << "mine\n";
  const Answer refused = fixture::retrial({"export", "s.db", "-o", "runs.csv"});
  CHECK(refused.exit == 2);
  CHECK_THAT(refused.err, has_text("runs.csv: already exists\nhelp: use --force to replace it"));
  CHECK(whole("runs.csv") == "mine\n");
  CHECK(fixture::retrial({"export", "s.db", "-o", "runs.csv", "--force"}).exit == 0);
  CHECK(fixture::retrial({"export", "s.db", "-o", "s.db", "--force"}).exit == 2);
  CHECK(fixture::retrial({"export", "s.db", "--force"}).exit == 2);
}

}  // namespace retrial::tests::tidy_values_tests
