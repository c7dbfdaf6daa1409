// retrial compare --scores and --test: files, verdicts, refused input. The tests themselves are tested in
// tests/variance; whole command lines in tests/cli/scores.case.

#include <sys/stat.h>

#include <algorithm>
#include <thread>

#include "harness/scores/formats/formats.hpp"
#include "harness/scores/selection/slice.hpp"
#include "results/json/json.hpp"
#include "results/text/error.hpp"
#include "tests/catch.hpp"
#include "tests/harness/program/cli_fixture.hpp"
#include "tests/harness/program/program.hpp"
#include "variance/comparisons/comparisons.hpp"

namespace retrial::tests::score_file_tests {

using namespace retrial;
using fixture::Folder;
using fixture::json_of;

using retrial::tests::write_file;

namespace {

harness::Slice slice_of(const std::string& text) {
  write_file("s.csv", text);
  const std::vector<std::string> inputs{"s.csv"};
  return harness::slice_of(harness::read_score_table(harness::score_inputs(inputs)), "", "");
}

using Scores = std::vector<std::optional<double>>;

std::string refusal(const std::string& text) {
  try {
    static_cast<void>(slice_of(text));
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing thrown";
}

}  // namespace

TEST_CASE("columns, quotes, blanks, a byte order mark and Windows line ends", "[cli][scores]") {
  const Folder here;
  const auto slice = slice_of("\xEF\xBB\xBF\"old, slow\" , new\r\n 1.5 ,2e1\r\n-3,4\r\n");
  CHECK(slice.names == std::vector<std::string>{"old, slow", "new"});
  CHECK(slice.scores == std::vector<Scores>{{1.5, -3}, {20, 4}});
  CHECK(slice.paired);
}

TEST_CASE("groups come in any order, a first column of words names the lines", "[cli][scores]") {
  const Folder here;
  const auto groups = slice_of("group,score\nb,1\na,2\nb,3\n");
  CHECK_FALSE(groups.paired);
  CHECK(groups.names == std::vector<std::string>{"b", "a"});
  CHECK(groups.scores[0] == Scores{1, 3});
  CHECK(slice_of("set,a,b\nx,1,2\ny,3,4\n").names == std::vector<std::string>{"a", "b"});
}

TEST_CASE("a file that is not a table of scores is rejected with its line", "[cli][scores]") {
  const Folder here;
  CHECK(refusal("a,b\n1,x\n") == "s.csv:2: b = x: not a number (allowed: finite numbers like 0.91 or 1.5e-3)");
  CHECK(refusal("a,b\n1,inf\n") ==
        "s.csv:2: b = inf: not a finite number (allowed: finite numbers like 0.91 or 1.5e-3)");
  CHECK(refusal("a,b\n1,2,3\n") == "s.csv:2: 3 fields, the header has 2");
  CHECK_THAT(refusal("a,a\n1,2\n"), has_text("two columns have this name"));
  CHECK_THAT(refusal("1,2\n3,4\n"), has_text("expected a column name, found a number"));
  CHECK_THAT(refusal("a\n1\n"), has_text("the file has one column"));
  CHECK_THAT(refusal("a b\n1 2\n"), has_text("the file has one column"));
  CHECK_THAT(refusal(""), has_text("needs a header and at least one line"));
  CHECK_THAT(refusal("a,\"b\n1,2\n"), has_text("a quote is not closed on its line"));
}

TEST_CASE("numbers that are missing make no names of lines, and numbers of lines no scores", "[cli][scores]") {
  const Folder here;
  for (const char* missing : {"inf", "1e999", "\"1,5\""}) {
    CAPTURE(missing);
    const std::string one = std::string(missing) + ",1,2\n";
    CHECK_THAT(refusal("a,b,c\n" + one + one), has_text("s.csv:2: a = "));
  }
  for (const char* missing : {"nan", "NA", "n/a", "-", "#N/A", "<NA>", "None", "null"}) {
    CAPTURE(missing);
    const std::string one = std::string(missing) + ",1,2\n";
    CHECK_THAT(refusal("a,b,c\n" + one + one), has_text("a: has no score in any line"));
    CHECK(slice_of("a,b,c\n" + one + "3,4,5\n").scores[0] == std::vector<std::optional<double>>{std::nullopt, 3.0});
  }
  CHECK(slice_of("dataset,m1,m2\n1,1,2\n2,2,3\n").names == std::vector<std::string>{"m1", "m2"});
  CHECK(slice_of("c,m1,m2\n+1,1,2\n2,2,3\n").scores[0] == Scores{1, 2});
}

TEST_CASE("a column that ends early is compared where no pairs are needed, and no score may follow its end",
          "[cli][scores]") {
  const Folder here;
  const std::string uneven = "a,b,c\n1,2,1\n2,4,3\n3,5,\n5,7,\n";
  const auto slice = slice_of(uneven);
  CHECK(slice.scores[1].size() == 4);
  CHECK(slice.scores[2] == Scores{1, 3});
  const auto ask = [&](const std::string& candidate, const std::string& test) {
    return fixture::retrial({"compare", "--scores", "s.csv", "--higher", "--seed", "1", "--baseline", "a",
                             "--candidate", candidate, "--test", test});
  };
  CHECK(ask("b", "paired_t").exit == 0);
  CHECK(ask("c", "welch").exit == 0);
  CHECK_THAT(ask("b", "welch").out, !has_text("have pair numbers"));
  CHECK_THAT(ask("c", "paired_t").err, has_text("s.csv: c = 2 scores: a paired test needs 4, as many as a has"));
  for (const std::vector<std::string>& way :
       {std::vector<std::string>{"--test", "friedman"}, {"--aggregate", "mean"}, {"--bayes", "hierarchical"}}) {
    std::vector<std::string> words{"compare", "--scores", "s.csv", "--higher", "--seed", "1"};
    words.insert(words.end(), way.begin(), way.end());
    CHECK_THAT(fixture::retrial(words).err, has_text("c = 2 scores: every method needs 4, as many as a has"));
  }
  CHECK(slice_of("a,b\n1,1\n,2\n3,3\n").scores[0] == std::vector<std::optional<double>>{1.0, std::nullopt, 3.0});
  CHECK(refusal("a,b\n1,\n2,\n") == "s.csv: b: has no score in any line");
}

TEST_CASE("clusters are read from the long form and from files of other programs", "[cli][scores]") {
  const Folder here;
  write_file("long.csv", "variant,cluster,score\nv,p1,10\nv,p1,12\nv,p2,20\nv,p2,\n");
  const auto shares = [](const std::string& file) {
    return json_of({"variance", "--scores", file, "--seed", "1", "--json"});
  };
  const Json csv = shares("long.csv");
  CHECK(csv.at("clusters") == 2);
  CHECK(csv.at("runs") == 3);
  CHECK(csv.at("missing") == 1);
  // Two processes would be two files; one process is one cluster, which carries no claim.
  write_file("b.json",
             "{\"context\":{},\"benchmarks\":[{\"name\":\"b\",\"run_name\":\"b\",\"run_type\":\"iteration\","
             "\"repetition_index\":0,\"real_time\":1.5,\"cpu_time\":1,\"time_unit\":\"ns\"},{\"name\":\"b\","
             "\"run_name\":\"b\",\"run_type\":\"iteration\",\"repetition_index\":1,\"real_time\":2.5,"
             "\"cpu_time\":1,\"time_unit\":\"ns\"}]}");
  write_file("empty.csv", "");
  CHECK_THAT(fixture::retrial({"variance", "--scores", "empty.csv"}).err, has_text("no scores follow"));
  const Json process = json_of({"variance", "--scores", "b.json", "--metric", "real_time", "--seed", "1", "--json"});
  CHECK(process.at("clusters") == 1);
  CHECK(process.at("runs") == 2);
  CHECK(process.at("pipeline_claim") == "INVALID (one-cluster)");
}

TEST_CASE("scores whose squares overflow or underflow are rejected by every test", "[cli][scores]") {
  const Folder here;
  CHECK_THAT(refusal("a,b\n5e100,6e100\n7e100,8.5e100\n"), has_text("s.csv:2: a = 5e100: too large to be judged"));
  CHECK_THAT(refusal("a,b\n5e-324,1e-323\n1e-320,2e-320\n"), has_text("s.csv: scores = none larger than 2e-320"));
  CHECK_THAT(refusal("a,b\n1,1e-400\n"), has_text("outside the range of a double"));
  CHECK(refusal("a,b\n0,0\n0,0\n") == "nothing thrown");
  write_file("s.csv", "cluster,score\na,1e-200\na,2e-200\nb,3e-200\nb,5e-200\n");
  const auto answer = fixture::retrial({"variance", "--scores", "s.csv", "--seed", "1"});
  CHECK(answer.exit == 2);
  CHECK_THAT(answer.err, has_text("too small to be judged"));
}

TEST_CASE("names that turn a terminal are refused", "[cli][scores]") {
  const Folder here;
  CHECK_THAT(refusal("a\x1b[31m,b\n1,2\n"), has_text("control characters"));
  CHECK_THAT(refusal("a\xe2\x80\xae,b\n1,2\n"), has_text("writing direction"));
}

TEST_CASE("scores come from a pipe, which can be read once", "[cli][scores]") {
  const Folder here;
  REQUIRE(::mkfifo("pipe.csv", 0600) == 0);
  std::thread writer([] { write_file("pipe.csv", "a,b\n1,2\n2,4\n3,5\n"); });
  const auto answer = fixture::retrial({"compare", "--scores", "pipe.csv", "--higher", "--json"});
  writer.join();
  CAPTURE(answer.err);
  CHECK(answer.exit == 0);
  CHECK(results::parse_json(answer.out, "stdout").at("n") == 3);
}

TEST_CASE("an option that a test does not use is rejected, and a missing setting is reported", "[cli][scores]") {
  const Folder here;
  write_file("s.csv", "a,b\n1,2\n2,4\n3,5\n4,4\n");
  for (const auto& row : variance::all_comparisons()) {
    if (row.scores != variance::ScoreKind::numbers) continue;
    for (const char* option : {"margin", "overlap", "rope", "rho", "tau", "beta", "gamma", "resolution"}) {
      const std::string value = std::string(option) == "gamma" ? "0.8" : "0.1";
      std::vector<std::string> words{"compare",
                                     "--scores",
                                     "s.csv",
                                     "--test",
                                     std::string(row.name),
                                     "--higher",
                                     "--seed",
                                     "1",
                                     std::string("--") + option,
                                     value};
      if (option == std::string("beta")) words.insert(words.end(), {"--gamma", "0.75"});
      if (!row.needs.empty() && row.needs != option) words.insert(words.end(), {"--" + std::string(row.needs), "0.1"});
      const auto answer = fixture::retrial(words);
      const bool reads = row.reads_setting(option);
      CAPTURE(row.name, option, answer.err);
      CHECK((answer.exit == 2) == !reads);
      if (!reads) CHECK_THAT(answer.err, has_text(std::string("--") + option + ": is not used by test"));
    }
    if (row.needs.empty()) continue;
    const auto without =
        fixture::retrial({"compare", "--scores", "s.csv", "--test", std::string(row.name), "--higher"});
    CHECK(without.exit == 2);
    CHECK_THAT(without.err, has_text("--" + std::string(row.needs) + ": must be given"));
  }
}

TEST_CASE("a one-sided claim that fails two-sided has a note, unless a correction applies", "[cli][scores]") {
  const Folder here;
  write_file("s.csv", "a,b\n0,1\n0,2\n0,3\n0,4\n0,5\n");  // p = 1/32, two-sided 1/16
  const Json alone = json_of({"compare", "--scores", "s.csv", "--test", "sign", "--higher", "--json"});
  CHECK(alone.at("verdict") == "BETTER");
  CHECK_THAT(alone.at("notes").dump(), has_text("the claim is one-sided"));
  write_file("s.csv", "group,score\nx,1\nx,2\ny,3\ny,4\nz,5\nz,7\n");
  CHECK_THAT(fixture::retrial({"compare", "--scores", "s.csv", "--test", "welch", "--adjust", "holm", "--higher"}).out,
             !has_text("the claim is one-sided"));
}

TEST_CASE("an INVALID test leaves neither estimate nor interval, in words or numbers", "[cli][scores]") {
  const Folder here;
  write_file("s.csv", "a,b\n1,1\n2,2\n3,3\n4,4\n5,5\n");
  for (const char* test : {"sign", "wilcoxon", "pab_exact"}) {
    const Json answer = json_of({"compare", "--scores", "s.csv", "--test", test, "--higher", "--json"});
    CAPTURE(test);
    CHECK(answer.at("verdict") == "INVALID");
    CHECK(answer.at("estimate").is_null());
    CHECK(answer.at("interval").is_null());
  }
}

TEST_CASE("the order of the lines changes no byte once the sides are named", "[cli][scores]") {
  const Folder here;
  std::vector<std::string> lines;
  for (int run = 0; run < 12; ++run)
    for (const char* variant : {"a", "b", "c"})
      lines.push_back(std::string(variant) + ",task-" + std::to_string(run % 3) + "," +
                      std::to_string(1 + (run * 7 + variant[0]) % 11) + "\n");
  const auto page = [&](const char* aggregate) {
    std::string text = "variant,task,score\n";
    for (const auto& line : lines) text += line;
    write_file("s.csv", text);
    return fixture::retrial({"compare", "--scores", "s.csv", "--aggregate", aggregate, "--baseline", "a", "--candidate",
                             "b", "--higher", "--seed", "1"})
        .out;
  };
  for (const char* aggregate : {"mean", "iqm", "median", "profile"}) {
    CAPTURE(aggregate);
    const auto before = page(aggregate);
    std::reverse(lines.begin(), lines.end());
    CHECK(page(aggregate) == before);
    CHECK_THAT(before, has_text("seed: 1") || has_text("mean"));
  }
}

TEST_CASE("a test of a stored study gives the numbers of the same scores in a file", "[cli][scores]") {
  const Folder here;
  fixture::StudySpec spec;
  fixture::write_store("s.db", spec);
  std::string text = "plain,new\n";
  for (std::size_t i = 0; i < spec.baseline.size(); ++i)
    text += std::to_string(spec.baseline[i]) + "," + std::to_string(spec.baseline[i] + spec.gains[i]) + "\n";
  write_file("s.csv", text);
  const Json stored = json_of({"compare", "s.db", "--test", "paired_t", "--json"});
  const Json from_file = json_of({"compare", "--scores", "s.csv", "--test", "paired_t", "--higher", "--json"});
  for (const char* key : {"test", "statistic", "p", "estimate", "interval", "level", "method", "n", "verdict"})
    CHECK(stored.at(key) == from_file.at(key));
  CHECK_THAT(stored.at("notes").dump(), has_text("was chosen after the runs"));
}

TEST_CASE("--require turns the verdict of a test into an exit code", "[cli][scores]") {
  const Folder here;
  write_file("s.csv", "old,new\n1,3\n2,4.5\n3,5.2\n1,3.3\n2,4.1\n3,5.4\n");
  const std::vector<std::string> line{"compare", "--scores", "s.csv", "--test", "paired_t", "--require"};
  const auto exit_of = [&](const std::string& requirement, const std::string& direction) {
    auto words = line;
    words.push_back(requirement);
    words.push_back(direction);
    return fixture::retrial(words).exit;
  };
  CHECK(exit_of("better", "--higher") == 0);
  CHECK(exit_of("better", "--lower") == 1);
  CHECK(exit_of("not-worse", "--lower") == 1);
  CHECK(exit_of("equivalent", "--higher") == 1);
}

TEST_CASE("two runs of a test that draws print the same document under one seed", "[cli][scores]") {
  const Folder here;
  write_file("s.csv", "group,score\na,1\na,2\na,4\nb,2\nb,3\nb,7\n");
  const std::vector<std::string> line{"compare",  "--scores", "s.csv",  "--test", "aso",
                                      "--higher", "--json",   "--seed", "3"};
  CHECK(fixture::retrial(line).out == fixture::retrial(line).out);
  const Json drawn = json_of({"compare", "--scores", "s.csv", "--test", "aso", "--higher", "--json"});
  CHECK(drawn.at("seed").is_string());  // drawn once and printed
  const Json exact = json_of({"compare", "--scores", "s.csv", "--test", "mann_whitney", "--higher", "--json"});
  CHECK(exact.at("seed").is_null());
}

TEST_CASE("the list of tests is the table of tests", "[cli][scores]") {
  const Json listed = json_of({"list", "tests", "--json"});
  for (const char* name : {"pab_exact", "welch", "mann_whitney", "iman_davenport"})
    CHECK_THAT(listed.dump(), has_text(std::string("\"name\":\"") + name));
}

TEST_CASE("words for tests and intervals hold for stores too", "[cli][scores]") {
  const Folder here;
  fixture::write_store("s.db");
  CHECK(json_of({"compare", "s.db", "--bayes", "sign", "--rope", "0.1", "--json"}).at("test") == "bayes_sign");
  CHECK(json_of({"compare", "s.db", "--aso", "--json"}).at("test") == "paired_aso");
  const Json wilson = json_of({"compare", "s.db", "--test", "sign", "--interval", "wilson", "--json"});
  CHECK(wilson.at("interval_method") == "wilson");
  CHECK(fixture::retrial({"compare", "s.db", "--bayes", "hierarchical"}).exit == 2);
  CHECK(fixture::retrial({"compare", "s.db", "--test", "paired_t", "--interval", "wilson"}).exit == 2);
  CHECK(fixture::retrial({"compare", "s.db", "--aggregate", "iqm"}).exit == 2);
}

}  // namespace retrial::tests::score_file_tests
