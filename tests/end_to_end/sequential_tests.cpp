// A study that declares a sequential design: it stops at its boundary, whatever runs side by side, whatever kills it.
#include "tests/catch.hpp"
#include "tests/harness/program/program.hpp"

#include <array>
#include <csignal>

#include "results/json/json.hpp"

namespace retrial::tests::end_to_end_sequential_tests {

using Words = std::vector<std::string>;

namespace {

Words operator+(Words base, const Words& more) {
  base.insert(base.end(), more.begin(), more.end());
  return base;
}

const Words dual{"run",     "null", "--family", "dual_e", "--gamma",         "0.75",
                 "--n-max", "60",   "--seed",   "1",      "--until-decided", "--json"};

retrial::Json json_of(const std::string& text) {
  return retrial::results::parse_json(text, "test");
}

}  // namespace

TEST_CASE("a run stops at the boundary of its design, with the same verdict for any number of jobs") {
  const Folder folder;
  std::vector<retrial::Json> seen;
  for (const std::string jobs : {"1", "2", "4"}) {
    // Trials of some length: a busy machine runs all shorter ones before the front end has its turn.
    const auto ran = run_retrial(folder, dual + Words{"--set", "epoch_ms=10", "--jobs", jobs, "--db", jobs + ".db"});
    INFO(ran.err);
    REQUIRE(ran.code == 0);
    CHECK_THAT(ran.err, has_text(" of at most 60: "));
    seen.push_back(json_of(ran.out));
    CHECK(seen.back().at("decided") == true);
    CHECK(seen.back().at("finished").get<int>() < 120);
  }
  for (const auto& one : seen) {
    CHECK(one.at("verdict") == seen[0].at("verdict"));
    CHECK(one.at("at_n") == seen[0].at("at_n"));
    CHECK(one.at("outcome_digest") == seen[0].at("outcome_digest"));
    CHECK(one.at("result_digest") == seen[0].at("result_digest"));
  }
  // With one job nothing runs after the boundary, so the store's own digest is that of the judged pairs.
  CHECK(seen[0].at("finished") == 2 * seen[0].at("at_n").get<int>());
  CHECK(seen[0].at("store_outcome_digest") == seen[0].at("outcome_digest"));
  CHECK(seen[0].at("store_result_digest") == seen[0].at("result_digest"));
  CHECK(field(run_retrial(folder, {"compare", "2.db", "--json"}).out, "result_digest") == seen[0].at("result_digest"));
  // The control: another seed is another outcome.
  const auto other = run_retrial(folder, {"run", "null", "--family", "dual_e", "--gamma", "0.75", "--n-max", "60",
                                          "--seed", "2", "--json", "--set", "epoch_ms=10", "--db", "other.db"});
  CHECK(field(other.out, "outcome_digest") != seen[0].at("outcome_digest"));
}

TEST_CASE("a decided study has nothing left to run, and every command that reads it knows") {
  const Folder folder;
  // One job and trials of some length: else a busy machine has run all pairs before the front end has its turn.
  const Words line = dual + Words{"--set", "epoch_ms=10", "--jobs", "1"};
  const auto first = run_retrial(folder, line);
  const auto again = run_retrial(folder, line + Words{"--retry-failed"});
  REQUIRE(again.code == 0);
  CHECK(field(again.out, "finished") == "0");
  CHECK(field(again.out, "outcome_digest") == field(first.out, "outcome_digest"));
  CHECK_THAT(again.err, has_text("already decided"));
  const auto status = run_retrial(folder, {"status", "null.db"});
  CHECK_THAT(status.out, has_text("not needed"));
  CHECK_THAT(status.out, has_text("retrial compare null.db"));
  CHECK(field(run_retrial(folder, {"status", "null.db", "--json"}).out, "decided") == "true");
  CHECK(run_retrial(folder, {"verify", "null.db", "--full"}).code == 0);
  CHECK(run_retrial(folder, {"report", "null.db", "-o", "r.md"}).code == 0);
}

TEST_CASE("a run that is killed stops at the same pair with the same outcome when it is given again") {
  const Words slow{"run",    "null", "--family", "dual_e",      "--gamma", "0.75", "--n-max", "40",
                   "--seed", "1",    "--set",    "epoch_ms=20", "--json",  "--db", "n.db",    "--jobs"};
  const Folder whole, killed;
  const auto straight = run_retrial(whole, slow + Words{"2"});
  INFO(straight.err);
  REQUIRE(straight.code == 0);
  for (const char* place : {"pair 3 of", "pair 9 of", "pair 16 of"}) {
    Program program(killed, slow + Words{"1"});  // side by side, two pairs may end at once and share a line
    REQUIRE(program.until_stderr(place));
    program.signal(SIGKILL);
    static_cast<void>(program.wait());
  }
  const auto resumed = run_retrial(killed, slow + Words{"2"});
  INFO(resumed.err);
  REQUIRE(resumed.code == 0);
  CHECK(std::stol(field(resumed.out, "finished_before")) > 0);
  CHECK(field(resumed.out, "at_n") == field(straight.out, "at_n"));
  CHECK(field(resumed.out, "verdict") == field(straight.out, "verdict"));
  CHECK(field(resumed.out, "outcome_digest") == field(straight.out, "outcome_digest"));
  CHECK(run_retrial(killed, {"verify", "n.db", "--full"}).code == 0);
}

TEST_CASE("two launches on one store follow each other's pairs and come to one verdict") {
  const Words shared{"run",    "null", "--family", "dual_e",      "--gamma", "0.75",   "--n-max", "60",
                     "--seed", "1",    "--set",    "epoch_ms=10", "--json",  "--jobs", "1"};
  const Folder folder, alone;
  Program other(folder, shared);
  const auto ours = run_retrial(folder, shared);
  const auto theirs = other.wait();
  const auto whole = run_retrial(alone, shared);
  INFO(ours.err << theirs.err);
  REQUIRE((ours.code == 0 && theirs.code == 0));
  CHECK(field(ours.out, "at_n") == field(whole.out, "at_n"));
  CHECK(field(theirs.out, "at_n") == field(whole.out, "at_n"));
  CHECK(field(ours.out, "outcome_digest") == field(whole.out, "outcome_digest"));
  CHECK(field(theirs.out, "outcome_digest") == field(whole.out, "outcome_digest"));
}

TEST_CASE("the verdict of a sequential design carries its digest, family, guarantee and pair") {
  const Folder folder;
  REQUIRE(run_retrial(folder, dual).code == 0);
  const auto compared = run_retrial(folder, {"compare", "null.db", "--sequential", "--looks", "--json"});
  REQUIRE(compared.code == 0);
  const auto verdict = json_of(compared.out);
  CHECK(verdict.at("status") == "BETTER");
  CHECK(verdict.at("at_n") == 26);
  CHECK(verdict.at("family") == "dual_e");
  CHECK(verdict.at("design_digest").get<std::string>().size() == 64);
  CHECK(verdict.at("looks").size() == 26);
  CHECK(verdict.at("p_better").is_null());
  CHECK(verdict.at("design").at("mixture").is_string());
  CHECK(verdict.at("sequential").at("last").at("e").get<double>() >= 20);
  CHECK_THAT(run_retrial(folder, {"compare", "null.db", "--looks"}).out, has_text("continue"));
}

TEST_CASE("an anytime family may be extended and continues where it stopped; every verdict is kept") {
  const Folder folder;
  const Words base{"run",    "null", "--family", "dual_e", "--gamma", "0.75",
                   "--seed", "1",    "--json",   "--jobs", "1",       "--n-max"};
  const auto first = run_retrial(folder, base + Words{"20"});
  CHECK(field(first.out, "verdict") == "INCONCLUSIVE");
  const auto second = run_retrial(folder, base + Words{"60"});
  INFO(second.err);
  REQUIRE(second.code == 0);
  CHECK(field(second.out, "verdict") == "BETTER");
  CHECK(field(second.out, "at_n") == "26");
  CHECK(field(second.out, "finished_before") == field(first.out, "finished"));
}

TEST_CASE("a bounded design may not be extended after a look") {
  const Folder folder;
  const Words base{"run", "null", "--family", "curtailed", "--seed", "1", "--json", "--jobs", "1", "--n-max"};
  REQUIRE(run_retrial(folder, base + Words{"12"}).code == 0);
  const auto second = run_retrial(folder, base + Words{"42"});
  CHECK(second.code == 4);
  CHECK_THAT(second.err, has_text("(extended)"));
  // The refusal left the store as it was.
  const auto verdict = run_retrial(folder, {"compare", "null.db", "--json"});
  CHECK(field(verdict.out, "status") == "INCONCLUSIVE");
  CHECK(field(verdict.out, "reason") == "null");
  // The control: in a store of its own the same design is valid.
  CHECK(run_retrial(folder, base + Words{"42", "--db", "own.db"}).code == 0);
}

TEST_CASE("a fixed design may not grow after a look either, and one that did is INVALID") {
  const Folder folder;
  const Words base{"run", "null", "--seed", "1", "--json", "--pairs"};
  REQUIRE(run_retrial(folder, base + Words{"12"}).code == 0);
  REQUIRE(run_retrial(folder, base + Words{"16"}).code == 0);
  CHECK(field(run_retrial(folder, {"compare", "null.db", "--json"}).out, "reason") == "null");
  REQUIRE(run_retrial(folder, base + Words{"20", "--db", "looked.db"}).code == 0);
  REQUIRE(run_retrial(folder, {"compare", "looked.db"}).code == 0);
  const auto second = run_retrial(folder, base + Words{"24", "--db", "looked.db"});
  CHECK(second.code == 4);
  CHECK_THAT(second.err, has_text("(extended)"));
  CHECK(field(run_retrial(folder, {"compare", "looked.db", "--json"}).out, "reason") == "null");
  // Both had run before anybody looked at the smaller one.
  REQUIRE(run_retrial(folder, base + Words{"20", "--db", "both.db"}).code == 0);
  REQUIRE(run_retrial(folder, base + Words{"24", "--db", "both.db"}).code == 0);
  const auto digest =
      field(run_retrial(folder, {"plan", "null", "--seed", "1", "--pairs", "20", "--json"}).out, "study_digest");
  REQUIRE(run_retrial(folder, {"compare", "both.db", "--study", digest}).code == 0);
  const auto verdict = run_retrial(folder, {"compare", "both.db", "--json"});
  CHECK(field(verdict.out, "status") == "INVALID");
  CHECK(field(verdict.out, "reason") == "extended");
  CHECK(json_of(verdict.out).at("paired_p").is_null());
}

TEST_CASE("a design declared after the trials were judged by another one is refused, and nothing is stored of it") {
  const Folder folder;
  REQUIRE(run_retrial(folder, {"run", "null", "--pairs", "20", "--seed", "1"}).code == 0);
  REQUIRE(run_retrial(folder, {"compare", "null.db"}).code == 0);
  const auto late =
      run_retrial(folder, {"run", "null", "--family", "dual_e", "--gamma", "0.75", "--n-max", "60", "--seed", "1"});
  CHECK(late.code == 4);
  CHECK_THAT(late.err, has_text("design-mismatch"));
  CHECK(field(run_retrial(folder, {"compare", "null.db", "--json"}).out, "reason") == "null");
}

TEST_CASE("a sequential design answers for its own claim alone") {
  const Folder folder;
  REQUIRE(run_retrial(folder, dual).code == 0);
  const auto exchanged = run_retrial(
      folder, {"compare", "null.db", "--candidate", "base", "--baseline", "shifted", "--json", "--no-store"});
  CHECK(field(exchanged.out, "reason") == "design-mismatch");
  const auto tested = run_retrial(folder, {"compare", "null.db", "--test", "wilcoxon"});
  CHECK(tested.code == 4);
  CHECK_THAT(tested.err, has_text("sequential"));
}

TEST_CASE("failed trials lose, are dropped or void the verdict, as the design says") {
  const Folder folder;
  const auto study = [&](const std::string& policy) {
    write_file(
        folder / (policy + ".toml"),
        "schema = 1\nname = \"" + policy +
            "\"\nworkload = \"null\"\nseed = 3\n[variant.base]\n[variant.shifted]\neffect = 3.0\nfailure = "
            "\"throw\"\nfailure_share = 0.3\n[compare]\nfamily = \"dual_e\"\ngamma = 0.75\nn_max = 60\nfailure = \"" +
            policy + "\"\n");
    const auto ran = run_retrial(folder, {"run", policy + ".toml", "--jobs", "1"});
    CHECK(ran.code == 5);
    return json_of(run_retrial(folder, {"compare", policy + ".db", "--json"}).out);
  };
  const auto dropped = study("drop");
  CHECK(dropped.at("status") == "BETTER");
  CHECK(dropped.at("dropped_pairs").get<int>() > 0);
  const auto refused = study("refuse");
  CHECK(refused.at("status") == "INVALID");
  CHECK(refused.at("reason") == "missing");
  CHECK(study("loss").at("losses").get<int>() > 0);
}

TEST_CASE("scores outside the declared range are INVALID, never a number") {
  const Folder folder;
  const auto ran = run_retrial(
      folder, {"run", "null", "--family", "betting", "--range", "0,80", "--n-max", "20", "--seed", "1", "--json"});
  CHECK(field(ran.out, "verdict") == "INVALID");
  const auto verdict = json_of(run_retrial(folder, {"compare", "null.db", "--json"}).out);
  CHECK(verdict.at("reason") == "design-mismatch");
  CHECK(verdict.at("sequential").at("always_valid_p").is_null());
  CHECK(verdict.at("difference").is_null());
}

TEST_CASE("nothing but ties, and scores that diverged, are INVALID where the family cannot take them") {
  const Folder folder;
  const auto reason_of = [&](const std::string& name, const Words& more) {
    const auto ran = run_retrial(folder, Words{"run", "null", "--seed", "1", "--json", "--db", name} + more);
    INFO(ran.err);
    CHECK(field(ran.out, "verdict") == "INVALID");
    return field(run_retrial(folder, {"compare", name, "--json"}).out, "reason");
  };
  CHECK(reason_of("t.db", {"--family", "dual_e", "--gamma", "0.75", "--n-max", "12", "--set", "resolution=1000"}) ==
        "ties");
  CHECK(reason_of("n.db", {"--family", "t_anytime", "--n-max", "12", "--set", "failure=diverge"}) == "missing");
  // A rule on wins takes a diverged trial as a lost pair; where both diverge, the pair is tied.
  CHECK(reason_of("d.db", {"--family", "dual_e", "--gamma", "0.75", "--n-max", "12", "--set", "failure=diverge"}) ==
        "ties");
}

TEST_CASE("plan shows the exact boundaries and figures of a design before anything runs") {
  const Folder folder;
  const auto planned = run_retrial(
      folder, {"plan", "null", "--family", "dual_e", "--gamma", "0.75", "--n-max", "200", "--seed", "1", "--json"});
  REQUIRE(planned.code == 0);
  CHECK(std::filesystem::is_empty(folder.path));
  const auto design = json_of(planned.out).at("design");
  // Reference values T26 to T28: n, NOT MEANINGFUL up to, BETTER from (-1: none).
  const std::vector<std::array<int, 3>> known{{1, -1, -1},  {2, -1, -1},  {3, 0, -1},   {6, 1, -1},   {7, 1, 7},
                                              {8, 2, 8},    {10, 3, 10},  {11, 3, 10},  {12, 4, 11},  {13, 5, 12},
                                              {15, 6, 13},  {20, 9, 16},  {25, 12, 20}, {30, 15, 23}, {35, 18, 26},
                                              {42, 22, 31}, {50, 27, 36}, {75, 44, 51}, {100, 60, 65}};
  for (const auto& [n, against, better] : known) {
    CAPTURE(n);
    const auto& row = design.at("boundaries").at(static_cast<std::size_t>(n - 1));
    CHECK(row.at("pairs") == n);
    CHECK(row.at("against_to") == (against < 0 ? retrial::Json() : retrial::Json(against)));
    CHECK(row.at("better_from") == (better < 0 ? retrial::Json() : retrial::Json(better)));
  }
  // A horizon far away changes the figures little. T24: p = .75: .9678305206, .0321694794, 26.1928458.
  const auto far = json_of(run_retrial(folder, {"plan", "null", "--family", "dual_e", "--gamma", "0.75", "--n-max",
                                                "2000", "--seed", "1", "--json"})
                               .out);
  const auto& at_gamma = far.at("design").at("figures").at(2);
  CHECK(at_gamma.at("p") == 0.75);
  CHECK_THAT(at_gamma.at("better").get<double>(), WithinAbs(0.9678305206, 1e-7));
  CHECK_THAT(at_gamma.at("mean_pairs").get<double>(), WithinAbs(26.1928458, 1e-4));
  // With a horizon of 60: forward sums in Python with the evidence in rational arithmetic.
  const std::vector<std::array<double, 5>> at_60{{0.5, 0.0258108742, 0.9123038457, 0.0618852801, 23.9731142219},
                                                 {0.6, 0.2030984299, 0.4860755599, 0.3108260102, 36.1752642145},
                                                 {0.75, 0.9068762626, 0.0306579216, 0.0624658158, 25.1100245217},
                                                 {0.9, 0.9989537933, 0.0010452525, 9.542e-07, 10.7225556131}};
  const auto near = json_of(run_retrial(folder, {"plan", "null", "--family", "dual_e", "--gamma", "0.75", "--n-max",
                                                 "60", "--seed", "1", "--json"})
                                .out);
  for (std::size_t i = 0; i < at_60.size(); ++i) {
    const auto& figure = near.at("design").at("figures").at(i);
    CHECK(figure.at("p").get<double>() == at_60[i][0]);
    CHECK_THAT(figure.at("better").get<double>(), WithinAbs(at_60[i][1], 1e-9));
    CHECK_THAT(figure.at("not_meaningful").get<double>(), WithinAbs(at_60[i][2], 1e-9));
    CHECK_THAT(figure.at("undecided").get<double>(), WithinAbs(at_60[i][3], 1e-9));
    CHECK_THAT(figure.at("mean_pairs").get<double>(), WithinAbs(at_60[i][4], 1e-6));
  }
  // The same sums: power .8081292559 at 43 pairs, .7854759856 at 42.
  CHECK_THAT(
      run_retrial(folder, {"plan", "null", "--family", "dual_e", "--gamma", "0.75", "--n-max", "20", "--seed", "1"})
          .out,
      has_text("n_max = 43 would give 80.8 %"));
  const auto page =
      run_retrial(folder, {"plan", "null", "--family", "dual_e", "--gamma", "0.75", "--n-max", "60", "--seed", "1"});
  for (const char* text : {"BETTER from all of 7 wins on", "31 of 42", "at most 0 of 3", "Design families", "exact"})
    CHECK_THAT(page.out, has_text(text));
}

}  // namespace retrial::tests::end_to_end_sequential_tests
