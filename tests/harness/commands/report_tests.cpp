// retrial report: the approved pages of a fixed store, reports without a verdict, hostile names in every
// format, and the same bytes wherever it is run. Goldens: RETRIAL_ACCEPT=1 harness_tests "[golden]".
#include <cstdlib>
#include <filesystem>
#include <limits>

#include "harness/study_report/material/footnotes.hpp"
#include "harness/study_report/provenance/provenance.hpp"
#include "results/text/text.hpp"
#include "tests/catch.hpp"
#include "tests/harness/program/cli_fixture.hpp"
#include "tests/harness/program/golden.hpp"
#include "tests/results/report/hostile_names.hpp"
#include "variance/comparisons/comparisons.hpp"
#include "variance/sequential/sequential.hpp"

namespace retrial::tests::report_tests {

using namespace retrial;
using fixture::Answer;
using fixture::Folder;
using fixture::StudySpec;

namespace {

const std::vector<std::string> formats{"html", "md", "json", "txt"};

void approve(const std::string& name, const std::string& text) {
  fixture::approve("commands/" + name, text);
}

std::string rendered(const std::string& store, const std::string& format) {
  const Answer answer = fixture::retrial({"report", store, "--format", format});
  CAPTURE(answer.err);
  CHECK(answer.exit == 0);
  return answer.out;
}

Json document(const std::string& store) {
  return results::parse_json(rendered(store, "json"), "stdout");
}

/// Whether `what` occurs without a backslash before it.
bool bare(const std::string& markdown, const std::string& what) {
  for (std::size_t at = 0; (at = markdown.find(what, at)) != std::string::npos; ++at)
    if (at == 0 || markdown[at - 1] != '\\') return true;
  return false;
}

class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) { ::setenv(name, value, 1); }
  ~Variable() { ::unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

}  // namespace

TEST_CASE("the report of a study of five pairs is the approved one", "[golden][report]") {
  const Folder here;
  fixture::write_store("quick.db", {}, fixture::one_failed_one_diverged);
  approve("report.txt", rendered("quick.db", "txt"));
  approve("report.md", rendered("quick.db", "md"));
  approve("report.json", rendered("quick.db", "json"));
}

TEST_CASE("the report of an unfinished study shows no number of it", "[golden][report]") {
  const Folder here;
  fixture::write_store("part.db", {}, [](const auto& entry, auto&) { return entry.ordinal < 7; });
  const std::string text = rendered("part.db", "txt");
  approve("report_unfinished.txt", text);
  for (const char* score : {"91.5", "90.0", "92.25", "89.25"}) CHECK_THAT(text, !has_text(score));
  const Json data = document("part.db");
  CHECK(data.at("word") == "UNFINISHED");
  CHECK(data.at("verdict").is_null());
  CHECK(data.at("claims").empty());
  CHECK(data.at("pairs").empty());
  CHECK(data.at("metrics").empty());
}

TEST_CASE("a study without a comparison has no verdict, and the report explains how to get one", "[report]") {
  const Folder here;
  fixture::write_store("s.db", {.compares = false});
  const std::string text = rendered("s.db", "txt");
  CHECK_THAT(text, has_text("quick: NO VERDICT") && has_text("[compare]") && has_text("retrial compare s.db"));
  CHECK(document("s.db").at("claims").empty());
  CHECK_FALSE(document("s.db").at("metrics").empty());
}

TEST_CASE("an INVALID comparison is a word and a reason, never an estimate", "[report]") {
  const Folder here;
  StudySpec spec;
  spec.failure = "refuse";
  fixture::write_store("bad.db", spec, fixture::one_failed_one_diverged);
  const std::string text = rendered("bad.db", "txt");
  CHECK(text.starts_with("new against plain: INVALID (missing)\n"));
  CHECK_THAT(text, has_text("An INVALID comparison has no estimates") && !has_text("clopper_pearson") &&
                       !has_text("mean difference"));
  const Json data = document("bad.db");
  CHECK(data.at("claims").empty());
  CHECK(data.at("verdict").at("status") == "INVALID");
  CHECK(data.at("verdict").at("paired_p").is_null());
  CHECK(data.at("verdict").at("p_better").is_null());
}

TEST_CASE("the pairs add up to the counts of the verdict under every failure policy", "[report]") {
  const Folder here;
  for (const char* policy : {"loss", "drop"}) {
    StudySpec spec;
    spec.failure = policy;
    spec.gains[4] = 0;
    const std::string file = std::string(policy) + ".db";
    fixture::write_store(file, spec, fixture::one_failed_one_diverged);
    const Json data = document(file);
    std::map<std::string, int> counts;
    for (const auto& pair : data.at("pairs")) ++counts[pair.at(4).get<std::string>()];
    CHECK(data.at("pairs").size() == 5);
    CHECK(counts["win"] == data.at("verdict").at("wins"));
    CHECK(counts["tie"] == data.at("verdict").at("ties"));
    CHECK(counts["loss"] == data.at("verdict").at("losses"));
    CHECK(counts["left out"] == data.at("verdict").at("dropped_pairs"));
  }
}

TEST_CASE("lower is better where the metric declares it", "[report]") {
  const Folder here;
  StudySpec spec;
  spec.metric = "wall_s";
  spec.direction = "lower";
  fixture::write_store("s.db", spec);
  const Json judged = document("s.db");
  for (const auto& pair : judged.at("pairs")) CHECK(pair.at(4) == "loss");  // new takes 0.75 s, plain 0.5 s
}

TEST_CASE("a report has the same bytes again, elsewhere, and under another locale and time zone", "[report]") {
  for (const auto& format : formats) {
    const Folder here;
    fixture::write_store("quick.db");
    std::filesystem::create_directories("another/folder");
    std::filesystem::copy_file("quick.db", "another/folder/quick.db");
    const std::string first = rendered("quick.db", format);
    CHECK(rendered("quick.db", format) == first);
    CHECK(rendered("another/folder/quick.db", format) == first);
    CHECK(rendered((std::filesystem::current_path() / "quick.db").string(), format) == first);
    const Variable locale("LC_ALL", "de_DE.UTF-8"), zone("TZ", "America/St_Johns"), columns("COLUMNS", "40");
    CHECK(rendered("quick.db", format) == first);
    CHECK_THAT(first, !has_text(std::filesystem::current_path().string()));
  }
}

TEST_CASE("judging does not change the report, and reporting does not change the store", "[report]") {
  const Folder here;
  fixture::write_store("quick.db");
  const std::string before = rendered("quick.db", "json");
  (void)fixture::retrial({"compare", "quick.db"});
  const Json info = results::parse_json(fixture::retrial({"show", "quick.db", "--info", "--json"}).out, "info");
  CHECK(rendered("quick.db", "json") == before);
  CHECK(results::parse_json(fixture::retrial({"show", "quick.db", "--info", "--json"}).out, "info") == info);
}

TEST_CASE("the date is that of the newest attempt, or the requested one", "[report]") {
  const Folder here;
  fixture::write_store("quick.db");  // ten attempts, one a second from 2021-04-03 12:00:00
  CHECK(document("quick.db").at("date") == "2021-04-03 12:00:09 UTC");
  const Variable given("SOURCE_DATE_EPOCH", "86400");
  CHECK(document("quick.db").at("date") == "1970-01-02 00:00:00 UTC");
  const Variable wrong("SOURCE_DATE_EPOCH", "yesterday");
  const Answer answer = fixture::retrial({"report", "quick.db"});
  CHECK(answer.exit == 2);
  CHECK_THAT(answer.err, has_text("SOURCE_DATE_EPOCH = yesterday"));
}

TEST_CASE("the ending of the file names the format, and a wrong one is refused before anything is written",
          "[report]") {
  const Folder here;
  fixture::write_store("quick.db");
  for (const auto& format : {"md", "json", "txt"}) {
    const std::string file = std::string("out.") + format;
    CHECK(fixture::retrial({"report", "quick.db", "-o", file}).exit == 0);
    CHECK(fixture::bytes_of(file) == rendered("quick.db", format));
  }
  const Answer wrong = fixture::retrial({"report", "quick.db", "-o", "out.htm"});
  CHECK(wrong.exit == 2);
  CHECK_THAT(wrong.err, has_text("-o = out.htm: its extension names no format (allowed: .html, .md, .json, .txt)") &&
                            has_text("did you mean .html?"));
  CHECK_FALSE(std::filesystem::exists("out.htm"));
  CHECK(fixture::retrial({"report", "quick.db", "-o", "out.md", "--format", "json"}).exit == 2);
  CHECK(fixture::retrial({"report", "quick.db", "-o", "-", "--format", "md"}).out == rendered("quick.db", "md"));
  CHECK(fixture::retrial({"report", "quick.db"}).out == rendered("quick.db", "txt"));
  const Answer nowhere = fixture::retrial({"report", "quick.db", "-o", "no/such/folder/out.md"});
  CHECK(nowhere.exit == 5);
  CHECK_THAT(nowhere.err, has_text("no/such/folder/out.md: cannot be written"));
}

TEST_CASE("a page holds everything it needs: figures with words and tables, no script, no address", "[report]") {
  const Folder here;
  fixture::write_store("quick.db", {}, fixture::one_failed_one_diverged);
  const std::string page = rendered("quick.db", "html");
  const auto count = [&](const std::string& what) {
    std::size_t out = 0;
    for (std::size_t at = 0; (at = page.find(what, at)) != std::string::npos; at += what.size()) ++out;
    return out;
  };
  // Claims, slopes and differences of pairs, distributions, curves, time, failures: each for a desk and for a phone.
  for (const char* what : {"<svg ", "role=\"img\"", "<title id=\"fig", "<desc id=\"fig"}) CHECK(count(what) == 2 * 7);
  CHECK(count("The numbers of this figure") == 6);  // both figures of pairs have the same
  CHECK(count("<script") == 1);
  CHECK(count("<script type=\"application/json\" id=\"data\">") == 1);
  CHECK_THAT(page, has_text("default-src 'none'") && !has_text("src=\"") && !has_text("<link") && !has_text("@import"));
  CHECK(count("://") == count("http://www.w3.org/2000/svg"));  // the name of a namespace is the only address
}

TEST_CASE("numbers for readers have at most six significant digits, those for programs have all", "[report]") {
  const Folder here;
  StudySpec spec;
  spec.baseline[1] = 91.45671267252196;
  spec.gains[1] = 0.1234567890123;
  fixture::write_store("quick.db", spec);
  const std::string page = rendered("quick.db", "html");
  const auto body = page.substr(0, page.find("<script"));
  CHECK_THAT(body, has_text(">91.4567<") && has_text(">0.12346<"));
  std::size_t numbers = 0;
  static constexpr std::string_view begins = "<td class=\"n\">";
  for (std::size_t at = 0; (at = body.find(begins, at)) != std::string::npos;) {
    at += begins.size();
    const std::string cell = body.substr(at, body.find('<', at) - at);
    const auto point = cell.find('.');
    if (point == std::string::npos) continue;
    const auto first = cell.find_first_of("123456789");
    if (first == std::string::npos) continue;  // "0.0000"
    const auto end = cell.find_first_not_of("0123456789.", first);
    const std::string digits = cell.substr(first, end == std::string::npos ? end : end - first);
    CAPTURE(cell);
    CHECK(digits.size() - (point >= first ? 1 : 0) <= 6);
    ++numbers;
  }
  CHECK(numbers > 30);
  CHECK_THAT(page, has_text("91.45671267252196"));
  CHECK_THAT(rendered("quick.db", "md"), has_text("| 91.4567 |"));
}

TEST_CASE("a report shows which trials failed, by variant and pair", "[report]") {
  const Folder here;
  fixture::write_store("all.db");
  CHECK_THAT(rendered("all.db", "html"), !has_text("Failures by variant and pair"));
  fixture::write_store("some.db", {}, fixture::one_failed_one_diverged);
  const std::string page = rendered("some.db", "md");
  CHECK_THAT(page, has_text("**Failures by variant and pair, 2 trials**") && has_text("| plain | \\- | 2 |") &&
                       has_text("| new | 1 | \\- |"));
}

TEST_CASE("time and score are shown for a verdict with estimates, and for no other", "[report]") {
  const Folder here;
  fixture::write_store("s.db");
  CHECK_THAT(rendered("s.db", "txt"), has_text("Wall time and accuracy of 10 runs"));
  StudySpec refuses;
  refuses.failure = "refuse";
  fixture::write_store("bad.db", refuses, fixture::one_failed_one_diverged);
  CHECK_THAT(rendered("bad.db", "txt"), !has_text("Wall time and"));
}

TEST_CASE("the machine is described in units and names of people, its settings are folded", "[report]") {
  const Folder here;
  fixture::write_store("s.db", {}, [](const auto&, results::TrialRecord& record) {
    record.manifest["machine"]["memory_kib"] = 24684096;  // 24684096 / 1024 / 1024 = 23.5406
    record.manifest["machine"]["virtualisation"] = "KVMKVMKVM";
    record.manifest["numeric"]["variables"] = {
        {"MKL_CBWR", "unset"}, {"MKL_DYNAMIC", "unset"}, {"OMP_NUM_THREADS", "3"}};
    return true;
  });
  const std::string text = rendered("s.db", "txt");
  CHECK_THAT(text, has_text("23.54 GiB") && has_text(" KVM\n") && has_text("MKL_CBWR, MKL_DYNAMIC") &&
                       has_text("Environment variables that were not set: 2 variables"));
  const std::string page = rendered("s.db", "html");
  CHECK_THAT(page, has_text("<details class=\"settings\"><summary>Environment variables that were not set"));
  CHECK_THAT(page, has_text(">OMP_NUM_THREADS</td><td>3</td>"));
}

TEST_CASE("--full belongs to the form that has limits", "[report]") {
  const Folder here;
  fixture::write_store("s.db");
  CHECK(fixture::retrial({"report", "s.db", "--format", "html", "--full"}).out == rendered("s.db", "html"));
  for (const auto& words : {std::vector<std::string>{"report", "s.db", "--full"},
                            {"report", "s.db", "--format", "json", "--full"},
                            {"report", "s.db", "--view", "x", "--full"}}) {
    const Answer refused = fixture::retrial(words);
    CHECK(refused.exit == 2);
    CHECK_THAT(refused.err, has_text("--full"));
  }
}

TEST_CASE("three variants: each of the others against the baseline and the candidate, as a family", "[report]") {
  const Folder folder;
  fixture::write_store("s.db", StudySpec{.third_gains = {3.0, 2.5, 2.75, 3.25, 2.0}});
  const Json families = document("s.db").at("families");
  REQUIRE(families.size() == 2);
  CHECK(families[0].at("reference") == "plain");
  CHECK(families[1].at("reference") == "new");
  // SciPy 1.17.1: ttest_1samp of the five differences, t.ppf(1 - .05 / 2 / 2, 4) for the ends; Holm by hand.
  const Json &fresh = families[0].at("members")[0], &third = families[0].at("members")[1];
  CHECK(fresh.at("p_two").get<double>() == Approx(0.07861139903123825).epsilon(1e-9));
  CHECK(fresh.at("p_holm").get<double>() == Approx(0.07861139903123825).epsilon(1e-9));
  CHECK(fresh.at("low").get<double>() == Approx(-0.4881154532643439).epsilon(1e-9));
  CHECK(fresh.at("high").get<double>() == Approx(2.488115453264344).epsilon(1e-9));
  CHECK(fresh.at("word") == "not settled");
  CHECK(third.at("p_holm").get<double>() == Approx(2 * 0.00023161716370733565).epsilon(1e-9));
  CHECK(third.at("low").get<double>() == Approx(1.948284530703578).epsilon(1e-9));
  CHECK(third.at("word") == "better");
  CHECK_THAT(rendered("s.db", "html"), Catch::Contains("Every variant vs plain"));
}

TEST_CASE("a family is equivalent within the margin, worse where lower is better, and absent for two variants",
          "[report]") {
  const Folder folder;
  fixture::write_store("s.db", StudySpec{.third_gains = {0.01, -0.01, 0.02, -0.02, 0.005}, .margin = 0.5});
  CHECK(document("s.db").at("families")[0].at("members")[1].at("word") == "equivalent");
  fixture::write_store("none.db", StudySpec{.third_gains = {0.01, -0.01, 0.02, -0.02, 0.005}});
  CHECK(document("none.db").at("families")[0].at("members")[1].at("word") == "not settled");
  fixture::write_store("less.db", StudySpec{.third_gains = {3.0, 2.5, 2.75, 3.25, 2.0}, .direction = "lower"},
                       [](const auto&, auto& record) {
                         record.defs[0].direction = results::Direction::lower;
                         return true;
                       });
  CHECK(document("less.db").at("families")[0].at("members")[1].at("word") == "worse");
  fixture::write_store("two.db");
  CHECK_FALSE(document("two.db").contains("families"));
}

TEST_CASE("names written to do harm are inert in every format", "[report]") {
  for (const auto& name : fixture::hostile_names()) {
    const std::string stored = results::one_line(name, 100);
    if (stored.empty()) continue;
    const Folder here;
    StudySpec spec;
    spec.name = stored;
    spec.baseline.resize(2);
    spec.gains.resize(2);
    fixture::write_store("s.db", spec, [&](const auto& entry, auto& record) {
      record.message = stored;
      record.manifest["machine"]["cpu_model"] = stored;
      if (entry.ordinal == 0) record.status = results::Status::failed;
      return true;
    });
    CAPTURE(stored);
    const std::string page = rendered("s.db", "html");
    CHECK_THAT(page, !has_text("<script>") && !has_text("<img") && !has_text("<svg onload"));
    CHECK(page.find("<script", page.find("<script") + 1) == std::string::npos);
    CHECK_THAT(rendered("s.db", "txt"), !has_text("\x1b") && !has_text("\xE2\x80\xAE"));
    const std::string markdown = rendered("s.db", "md");
    for (const char* what : {"<script", "<img", "](http", "@somebody", "`touch"}) CHECK_FALSE(bare(markdown, what));
    CHECK(document("s.db").at("study") == stored);
    CHECK_FALSE(std::filesystem::exists("planted"));
  }
}

TEST_CASE("of many series in the unit of the judged metric eight are drawn, and the rest is counted", "[report]") {
  const auto lines_of = [](int more) {
    const Folder here;
    fixture::write_store("c.db", {}, [&](const auto&, results::TrialRecord& record) {
      for (int i = 0; i < more; ++i) {
        const std::string name = "more" + std::to_string(i);
        record.defs.push_back(
            {.name = name, .unit = "%", .direction = results::Direction::higher, .axis = results::Axis::epoch});
        record.metrics.push_back({name, 0, 1.0});
        record.metrics.push_back({name, 1, 2.0});
      }
      return true;
    });
    const auto answer = fixture::retrial({"report", "c.db", "--format", "json"});
    return std::pair{Json::parse(answer.out).at("curves").size(), fixture::retrial({"report", "c.db"}).out};
  };
  const auto few = lines_of(7), many = lines_of(10);
  CHECK(few.first == 8);  // with the fixture's own
  CHECK_THAT(few.second, !has_text("more series in this unit"));
  CHECK(many.first == 8);
  CHECK_THAT(many.second, has_text("3 more series in this unit"));
}

TEST_CASE("every test and every rule has its footnote, in the words of its table", "[report]") {
  std::vector<std::string_view> names;
  for (const auto& row : variance::all_comparisons()) names.push_back(row.name);
  for (const auto& row : variance::all_sequential_rules()) names.push_back(row.name);
  names.push_back(names.front());
  const auto table = harness::footnotes_of(names);
  REQUIRE(table.rows.size() == names.size() - 1);
  for (std::size_t i = 0; i < variance::all_comparisons().size(); ++i) {
    CHECK(table.rows[i][0] == variance::all_comparisons()[i].name);
    CHECK(table.rows[i][1] == variance::all_comparisons()[i].asks);
    CHECK(table.rows[i][2] == variance::all_comparisons()[i].when);
  }
  CHECK_THROWS_AS(harness::footnotes_of({"guessing"}), std::logic_error);
}

}  // namespace retrial::tests::report_tests
