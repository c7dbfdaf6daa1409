// Results of other programs as scores: files that those programs wrote (tests/golden/scores), and refused files.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include "harness/scores/formats/formats.hpp"
#include "harness/scores/lines/score_table.hpp"
#include "harness/scores/selection/slice.hpp"
#include "results/json/json.hpp"
#include "results/text/error.hpp"
#include "tests/catch.hpp"
#include "tests/harness/program/cli_fixture.hpp"
#include "tests/harness/program/program.hpp"
#include "variance/random/rng.hpp"

namespace retrial::tests::formats_tests {

using namespace retrial;
using namespace retrial::harness;
using fixture::Folder;
using fixture::json_of;

using retrial::tests::write_file;

namespace {

const std::string samples = RETRIAL_SOURCE_DIR "/tests/golden/scores/";

ScoreTable table_of(std::vector<std::string> inputs) {
  return read_score_table(score_inputs(inputs));
}

std::string refusal(const std::string& name, const std::string& text, const std::optional<std::string>& format = {}) {
  write_file(name, text);
  const std::vector<std::string> inputs{name};
  try {
    (void)read_score_table(score_inputs(inputs), format);
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing thrown";
}

}  // namespace

// Seconds since 1970 by Python's datetime.
TEST_CASE("the start of a process is read where 64 bits of nanoseconds hold it, and unknown elsewhere") {
  const Folder here;
  const auto started = [](const std::string& date) {
    write_file("b.json", R"({"context": {"date": ")" + date +
                             R"("}, "benchmarks": [{"name": "a", "run_type": "iteration", )"
                             R"("iterations": 1, "real_time": 2.0, "cpu_time": 1.0, "time_unit": "ns"}]})");
    const auto table = table_of({"b.json"});
    return table.started.empty() ? std::optional<std::int64_t>() : table.started.begin()->second / 1'000'000'000;
  };
  CHECK(started("2026-11-22T04:21:11+00:00") == 1795321271);
  CHECK(started("2026-11-22T04:21:11-05:30") == 1795341071);
  CHECK(started("2026-11-22T04:21:11Z") == 1795321271);
  for (const char* none : {"2701-11-22T04:21:11+00:00", "1969-11-22T04:21:11+00:00", "2026-11-22T04:-1:11+00:00",
                           "2026-11-22T04:21:nan+00:00", "2026-11-22T04:21:11+99:00", "yesterday"}) {
    INFO(none);
    CHECK_FALSE(started(none).has_value());
  }
}

TEST_CASE("a log of MLPerf gives the time to train and the last accuracy of every training", "[cli][scores]") {
  const Folder here;
  const auto line = [](const std::string& key, const std::string& time, const std::string& value,
                       const std::string& metadata = "{}") {
    return "2024 worker0: :::MLLOG {\"namespace\": \"\", \"time_ms\": " + time +
           ", \"event_type\": \"POINT_IN_TIME\", \"key\": \"" + key + "\", \"value\": " + value +
           ", \"metadata\": " + metadata + "}\n";
  };
  const std::string success = "{\"status\": \"success\", \"lineno\": 3}", aborted = "{\"status\": \"aborted\"}";
  const std::string head = "noise\n" + line("submission_benchmark", "1", "\"resnet\"");
  write_file("log.txt", head + line("run_start", "1000", "null") + line("eval_accuracy", "2000", "0.5") +
                            line("eval_accuracy", "3000", "0.759") + line("run_stop", "3500", "null", success) +
                            line("run_start", "4000", "null") + line("eval_accuracy", "4500", "0.3") +
                            line("run_stop", "9000", "null", aborted) + line("run_start", "9500", "null"));
  const auto table = table_of({"fast=log.txt"});
  REQUIRE(table.rows.size() == 6);
  CHECK(table.rows[0].variant == "fast");
  CHECK(table.rows[0].task == "resnet");
  CHECK(table.rows[0].metric == "time_to_train");
  CHECK(table.rows[0].score == 2.5);
  CHECK_FALSE(table.rows[1].score);
  CHECK_FALSE(table.rows[2].score);
  CHECK(table.rows[3].score == 0.759);
  CHECK_FALSE(table.rows[4].score);
  CHECK(table.metrics.at("time_to_train").direction == variance::Direction::lower);
  CHECK_THAT(table.notes.at(0), has_text("2 runs did not end with success"));
  CHECK_THAT(refusal("b.txt", head), has_text("no run_start"));
  CHECK_THAT(refusal("b.txt", head + line("run_stop", "1", "null", success)), has_text("no run_start before"));
  CHECK_THAT(refusal("b.txt", head + line("run_start", "5", "null") + line("run_start", "6", "null")),
             has_text("a second run_start"));
  CHECK_THAT(refusal("b.txt", head + line("run_start", "5", "null") + line("run_stop", "4", "null", success)),
             has_text("earlier than"));
  CHECK_THAT(refusal("b.txt", head + line("run_start", "5", "null") + line("run_stop", "6", "null")),
             has_text("metadata.status"));
  CHECK_THAT(refusal("b.txt", head + ":::MLLOG {broken\n"), has_text("b.txt:3"));
}

TEST_CASE("three repetitions in each of two processes are two observations", "[cli][import]") {
  const auto table =
      table_of({"old=" + samples + "google-benchmark-old-1.json", "old=" + samples + "google-benchmark-old-2.json",
                "new=" + samples + "google-benchmark-new-1.json", "new=" + samples + "google-benchmark-new-2.json"});
  CHECK(table.tasks() == std::vector<std::string>{"device", "sum/64", "sum/4096"});
  CHECK(table.metric_names() == std::vector<std::string>{"real_time", "cpu_time"});
  // 3 benchmarks x 3 repetitions x 2 times x 4 processes; aggregates are not read.
  CHECK(table.rows.size() == 72);
  CHECK(table.metrics.at("cpu_time").direction == variance::Direction::lower);
  const Slice slice = slice_of(table, "cpu_time", "sum/64");
  CHECK_FALSE(slice.paired);
  CHECK(slice.scores[0].size() == 2);
  CHECK(slice.scores[1].size() == 2);
  CHECK(slice.notes == std::vector<std::string>{"12 scores of 4 clusters: each cluster counts once, as its mean"});
}

TEST_CASE("times in microseconds become nanoseconds, a benchmark with an error has none", "[cli][import]") {
  const auto table = table_of({samples + "google-benchmark-old-1.json"});
  for (const ScoreRow& row : table.rows) {
    if (row.task == "device") CHECK_FALSE(row.score);
    // The file says about 2 us for 4096 numbers; below 100 would be its own unit.
    if (row.task == "sum/4096") CHECK(row.score.value_or(0) > 100);
    CHECK(row.variant == "google-benchmark-old-1");
  }
  REQUIRE(table.notes.size() == 1);
  CHECK_THAT(table.notes[0], has_text("benchmark device reported an error"));
}

TEST_CASE("every time of hyperfine is a run, and a failing exit code a failed one", "[cli][import]") {
  const auto table = table_of({samples + "hyperfine.json"});
  REQUIRE(table.rows.size() == 12);
  CHECK(table.variants()[0] == "sleep 0.002");
  CHECK(table.rows[0].score == 0.0034366730000000003);
  std::vector<bool> failed;
  for (std::size_t i = 6; i < 12; ++i) failed.push_back(!table.rows[i].score);
  CHECK(failed == std::vector<bool>{false, false, true, false, false, true});
  CHECK_THAT(table.notes[0], has_text("2 runs failed"));
  CHECK_THAT(table.notes[1], has_text("hyperfine ran each command to its end"));
}

TEST_CASE("the rounds of pytest-benchmark are one process, with its start and its machine", "[cli][import]") {
  const auto table = table_of({samples + "pytest-benchmark-old-1.json", samples + "pytest-benchmark-new-1.json"});
  CHECK(table.variants() == std::vector<std::string>{"pytest-benchmark-old-1", "pytest-benchmark-new-1"});
  CHECK(std::ranges::count_if(table.rows,
                              [](const ScoreRow& row) { return row.variant == "pytest-benchmark-old-1"; }) == 35);
  CHECK(table.rows[0].task == "test_sum.py::test_sum[64]");
  CHECK(table.rows[0].score == 4.557001375360414e-07);
  CHECK(table.rows[0].cluster == "pytest-benchmark-old-1.json#0");
  CHECK(table.metrics.at("time").unit == "s");
  CHECK(table.machines.at("pytest-benchmark-old-1").at("python_version") == std::set<std::string>{"3.11.7"});
  // date -d 2026-11-26T22:44:50Z +%s, and the milliseconds of the file.
  CHECK(table.started.at("pytest-benchmark-old-1.json#0") / 1'000'000 == 1795733090912);
  const Folder here;
  CHECK_THAT(refusal("a.json", R"({"machine_info":{},"benchmarks":[{"name":"x","stats":{"min":1.0}}]})"),
             has_text("benchmarks[0].stats.data: the times of the rounds are missing"));
}

TEST_CASE("a sample of criterion is its time over its iterations", "[cli][import]") {
  const Folder here;
  // The message in the manual of cargo-criterion, "External Tools", shortened to three samples.
  write_file("old.json",
             "{\"reason\":\"benchmark-complete\",\"id\":\"norm\",\"report_directory\":\"r\",\"iteration_count\":[30,"
             "60,90],\"measured_values\":[124200.0,248000.0,372000.0],\"unit\":\"ns\"}\n"
             "{\"reason\":\"group-complete\",\"group_name\":\"norm\",\"benchmarks\":[\"norm\"]}\n");
  const auto table = table_of({"old.json"});
  REQUIRE(table.rows.size() == 3);
  CHECK(table.rows[0].task == "norm");
  CHECK(table.rows[0].score == 4140.0);
  CHECK(table.rows[2].cluster == "old.json#0");
  CHECK_THAT(refusal("b.json",
                     "{\"reason\":\"benchmark-complete\",\"id\":\"x\",\"unit\":\"ns\",\"iteration_count\":[1],"
                     "\"measured_values\":[1,2]}\n"),
             has_text("must be lists of one length"));
}

TEST_CASE("a result file of asv is one process, and its benchmarks are named by their parameters", "[cli][import]") {
  const auto table = table_of({samples + "asv-1.json"});
  CHECK(table.variants() == std::vector<std::string>{"e5cfda67"});  // its commit
  const auto scores = [&](const std::string& task) {
    std::vector<std::optional<double>> out;
    for (const auto& row : table.rows)
      if (row.task == task) out.push_back(row.score);
    return out;
  };
  REQUIRE(scores("b.Sort.time_sort(100)").size() == 6);  // --record-samples
  CHECK(scores("b.Sort.time_sort(100)")[0] == 1.563399564474821e-06);
  CHECK(scores("b.Sort.time_sort(1000)")[5] == 4.500899376580492e-06);
  CHECK(scores("b.Sort.peakmem_sort(1000)") == std::vector<std::optional<double>>{35979264.0});
  CHECK(scores("b.track_len") == std::vector<std::optional<double>>{42.0});
  CHECK(scores("b.time_fail") == std::vector<std::optional<double>>{std::nullopt});  // it failed
  CHECK(scores("b.Skip.track_n(1)") == std::vector<std::optional<double>>{1.5});
  CHECK(scores("b.Skip.track_n(2)").empty());  // it skipped itself, which asv writes as NaN
  CHECK(table.metrics.at("peak_memory").unit == "B");
  CHECK(table.metrics.at("time").direction == variance::Direction::lower);
  CHECK(table.machines.at("e5cfda67").at("cpu") == std::set<std::string>{"AMD EPYC"});
  CHECK(table.started.at("asv-1.json#0") == 1795747102293 * 1'000'000);
  const Folder here;
  CHECK_THAT(refusal("a.json", R"({"env_name":"e","commit_hash":"c","result_columns":["result","params"],)"
                               R"("results":{"time_x":[[1,2],[["1"]]]}})"),
             has_text("results.time_x.result") && has_text("1 combinations"));
  CHECK_THAT(refusal("b.json", R"({"env_name":"e","commit_hash":"c","result_columns":["result"],"results":{}})"),
             has_text("holds no benchmark"));
}

TEST_CASE("a matrix of rliable has a line a run and a column a task", "[cli][import]") {
  const auto table = table_of({samples + "dqn.npy", "Rainbow=" + samples + "rainbow.npy"});
  CHECK(table.variants() == std::vector<std::string>{"dqn", "Rainbow"});
  REQUIRE(table.rows.size() == 30);
  // As np.load prints them; the second file holds 32-bit numbers.
  CHECK(table.rows[4].score == 0.864);
  CHECK(table.rows[4].task == "task-1");
  CHECK(table.rows[15].score == 1.6089999675750732);
}

TEST_CASE("compare reads the files that import writes", "[cli][import]") {
  const Folder here;
  const std::vector<std::string> files{"old=" + samples + "google-benchmark-old-1.json",
                                       "new=" + samples + "google-benchmark-new-1.json"};
  const auto table = table_of(files);
  CHECK(fixture::retrial({"import", files[0], files[1], "-o", "t.csv"}).exit == 0);
  const auto again = table_of({"t.csv"});
  REQUIRE(again.rows.size() == table.rows.size());
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    CHECK(again.rows[i].variant == table.rows[i].variant);
    CHECK(again.rows[i].cluster == table.rows[i].cluster);
    CHECK(again.rows[i].score == table.rows[i].score);
  }
  CHECK(long_csv(again) == long_csv(table));
  const auto refused = fixture::retrial({"import", files[0], "-o", "t.csv"});
  CHECK(refused.exit == 2);
  CHECK_THAT(refused.err, has_text("--force"));
}

TEST_CASE("a file judged directly and by way of import gives the same numbers", "[cli][import]") {
  const Folder here;
  const std::string dqn = samples + "dqn.npy", rainbow = samples + "rainbow.npy";
  CHECK(fixture::retrial({"import", dqn, rainbow, "-o", "t.csv"}).exit == 0);
  const std::vector<std::string> how{"--aggregate", "iqm", "--higher", "--seed", "7", "--reps", "2000", "--json"};
  std::vector<std::string> direct{"compare", "--scores", dqn, "--scores", rainbow},
      by_csv{"compare", "--scores", "t.csv"};
  direct.insert(direct.end(), how.begin(), how.end());
  by_csv.insert(by_csv.end(), how.begin(), how.end());
  CHECK(json_of(direct) == json_of(by_csv));
}

TEST_CASE("--paired numbers runs, and processes in the order of their files", "[cli][import]") {
  auto table = table_of({samples + "dqn.npy", samples + "rainbow.npy"});
  number_pairs(table);
  CHECK(table.rows[0].pair == 0);
  CHECK(table.rows[3].pair == 1);
  CHECK(slice_of(table, "", "task-1").paired);
  auto processes =
      table_of({"old=" + samples + "google-benchmark-old-1.json", "new=" + samples + "google-benchmark-new-1.json"});
  number_pairs(processes);
  CHECK(processes.rows.front().cluster == "process-0");
  CHECK(slice_of(processes, "cpu_time", "sum/64").paired);
  CHECK_THROWS_AS(number_pairs(table), Error);
}

TEST_CASE("files of no known format are refused with file and place", "[cli][import]") {
  const Folder here;
  CHECK_THAT(refusal("a.json", "{\"context\":{},\"benchmarks\":[]}"), has_text("benchmarks: the list is empty"));
  CHECK_THAT(refusal("a.json", "{\"context\":{},\"benchmarks\":[{\"name\":\"a\",\"run_type\":\"iteration\"}]}"),
             has_text("benchmarks[0].time_unit: is missing"));
  CHECK_THAT(refusal("a.json", "{\"results\":[{\"command\":\"a\",\"mean\":1}]}"), has_text("results[0].times"));
  CHECK_THAT(refusal("a.json", "{\"results\":[{\"command\":\"a\",\"times\":[\"x\"]}]}"),
             has_text("results[0].times[0] = \"x\": not a number"));
  CHECK_THAT(refusal("a.json", "{\"results\":"), has_text("a.json"));
  CHECK_THAT(refusal("a.json", "{\"other\":1}"), has_text("unknown format"));
  CHECK_THAT(refusal("a.json", "[{\"other\":1}]"), has_text("unknown format"));
  CHECK_THAT(refusal("a.npy", "x", "npy"), has_text("not an NPY file"));
  CHECK_THAT(refusal("a.csv", "a,b\n1,2\n", "hyperfine"), has_text("a.csv"));
}

TEST_CASE("errors in the long form name line and column", "[cli][import]") {
  const Folder here;
  CHECK_THAT(refusal("s.csv", "variant,pair,score\na,0,1\na,0,2\n"),
             has_text("s.csv:3: pair = 0: duplicate run (variant, pair, cluster, task, metric): also in line 2"));
  CHECK_THAT(refusal("s.csv", "variant,par,score\na,0,1\n"), has_text("s.csv:1: column = par: unknown"));
  CHECK_THAT(refusal("s.csv", "variant,score\na,1\nb,one\n"), has_text("s.csv:3: score = one: not a number"));
  CHECK_THAT(refusal("s.csv", "variant,score\na,inf\n"), has_text("s.csv:2: score = inf: not a finite number"));
  CHECK_THAT(refusal("s.csv", "variant,pair,score\na,-1,1\n"), has_text("s.csv:2: pair = -1"));
  CHECK_THAT(refusal("s.csv", "variant,score\n"), has_text("no scores follow"));
  CHECK_THAT(refusal("s.csv", "variant,score\n,1\n"), has_text("s.csv:2: variant: the name is missing"));
  CHECK_THAT(refusal("s.csv", "variant,score\na\n"), has_text("1 fields, the header has 2"));
}

TEST_CASE("a file whose name has an equals sign is a file", "[cli][import]") {
  const Folder here;
  write_file("a=b.csv", "variant,score\nx,1\ny,2\n");
  CHECK(table_of({"a=b.csv"}).variants() == std::vector<std::string>{"x", "y"});
  CHECK(table_of({"n=a=b.csv"}).variants() == std::vector<std::string>{"n"});
}

TEST_CASE("a damaged file is a table or one error, never anything else", "[cli][import]") {
  const Folder here;
  const auto bytes_of = [](const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return std::string{std::istreambuf_iterator<char>(in), {}};
  };
  std::vector<std::string> originals;
  for (const char* name : {"google-benchmark-old-1.json", "hyperfine.json", "dqn.npy"})
    originals.push_back(bytes_of(samples + name));
  originals.push_back("variant,pair,cluster,task,metric,score\na,0,,x,m,1.5\nb,0,,x,m,\na,1,c,y,n,-2\n");
  variance::Stream stream(19);
  int tables = 0, errors = 0;
  for (const std::string& original : originals)
    for (int i = 0; i < 400; ++i) {
      std::string damaged = original;
      for (int k = 0; k < 1 + i % 3; ++k) {
        const auto at = variance::bounded(stream.next(), damaged.size());
        const auto what = variance::bounded(stream.next(), 3);
        if (what == 0) damaged[at] = static_cast<char>(variance::bounded(stream.next(), 256));
        if (what == 1) damaged.erase(at, 1 + variance::bounded(stream.next(), 5));
        if (what == 2) damaged.insert(at, damaged.substr(at, 1 + variance::bounded(stream.next(), 9)));
      }
      write_file("x", damaged);
      try {
        const auto table = table_of({"x"});
        for (const std::string& metric : table.metric_names()) (void)slices_of(table, metric);
        ++tables;
      } catch (const Error&) {
        ++errors;
      }
    }
  CHECK(tables > 50);
  CHECK(errors > 50);
}

}  // namespace retrial::tests::formats_tests
