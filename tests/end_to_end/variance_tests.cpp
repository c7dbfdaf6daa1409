// Studies of variance from the command line to the page: planted shares come back, searches survive a kill, and what
// was not measured is not claimed.
#include <cmath>
#include <csignal>
#include <fstream>

#include "tests/catch.hpp"
#include "tests/harness/program/program.hpp"

namespace retrial::tests::variance_tests {

namespace {

std::string number(const Folder& folder, const std::string& store, const std::string& path,
                   const std::vector<std::string>& more = {}) {
  std::vector<std::string> line{"variance", store, "--json"};
  line.insert(line.end(), more.begin(), more.end());
  const auto ran = run_retrial(folder, line);
  INFO(ran.err);
  REQUIRE(ran.code == 0);
  return field(ran.out, path);
}

double value(const Folder& folder, const std::string& store, const std::string& path) {
  return std::stod(number(folder, store, path));
}

void run(const Folder& folder, const std::string& store, std::vector<std::string> more) {
  more.insert(more.begin(), {"run", "null", "--db", store, "--seed", "7", "--jobs", "2"});
  const auto ran = run_retrial(folder, more);
  INFO(ran.err);
  REQUIRE(ran.code == 0);
}

const std::string searching =
    "schema = 1\nname = \"s\"\nworkload = \"null\"\nseed = 9\n[variant.base]\n[set]\ncurvature = 4.0\n"
    "validation = true\n[search]\ntrials = 6\nmetric = \"validation\"\n[search.keys]\n"
    "lr = { low = 0.1, high = 10, log = true }\n[variance]\n";

}  // namespace

TEST_CASE("planted shares of the sources come back, and a source that does nothing covers 0") {
  // sd_init .6, sd_split .8, sd_order 0 of sd 1: shares .36, .64, 0. Of 400 runs a variance is off by 4 sqrt(2/399) =
  // 28 % once in 16,000 studies.
  const Folder folder;
  const std::vector<std::string> keys{"--set", "sd_init=0.6", "--set", "sd_split=0.8", "--set", "sd_order=0"};
  auto oat = keys;
  oat.insert(oat.end(), {"--design", "oat", "--runs", "400"});
  run(folder, "oat.db", oat);
  CHECK_THAT(value(folder, "oat.db", "variants.0.shares.sources.0.variance.point"), WithinRel(.36, .28));
  CHECK_THAT(value(folder, "oat.db", "variants.0.shares.sources.1.variance.point"), WithinRel(.64, .28));
  CHECK(value(folder, "oat.db", "variants.0.shares.sources.2.share.point") == 0);
  CHECK(number(folder, "oat.db", "variants.0.numerical_noise.bit_identical") == "true");
  auto seeds = keys;
  seeds.insert(seeds.end(), {"--design", "saltelli", "--runs", "100"});
  run(folder, "saltelli.db", seeds);
  for (const auto& [place, share] : {std::pair{"0", .36}, {"1", .64}, {"2", 0.0}}) {
    const std::string at = std::string("variants.0.shares.sources.") + place + ".share.";
    CHECK(value(folder, "saltelli.db", at + "low") <= share);
    CHECK(value(folder, "saltelli.db", at + "high") >= share);
  }
}

TEST_CASE("a crossed design separates a planted interaction from its sources") {
  const Folder folder;
  run(folder, "c.db",
      {"--design", "crossed", "--sources", "init,data-split", "--runs", "30", "--set", "interaction=0.5"});
  // Variances .36, .4096 (sd_split .64) and .25; 29 levels, and 841 degrees of freedom of the interaction.
  CHECK_THAT(value(folder, "c.db", "variants.0.shares.interaction.variance.point"), WithinRel(.25, .7));
  run(folder, "none.db", {"--design", "crossed", "--sources", "init,data-split", "--runs", "5"});
  CHECK(value(folder, "none.db", "variants.0.shares.interaction.variance.point") == 0);
}

TEST_CASE("replicates with every seed frozen find an unseeded draw") {
  const Folder folder;
  run(folder, "n.db", {"--design", "oat", "--sources", "init", "--runs", "4", "--set", "defect=unseeded"});
  CHECK(number(folder, "n.db", "variants.0.numerical_noise.bit_identical") == "false");
  CHECK(value(folder, "n.db", "variants.0.shares.noise.variance.point") > 0);
  const auto page = run_retrial(folder, {"variance", "n.db"});
  CHECK_THAT(page.out, has_text("5 runs with every seed frozen differ"));
}

TEST_CASE("the spread that searches cause is the one of the closed form") {
  // The best of T = 6 points even in the logarithm around the optimum is off by D decades of 1, D ~ Beta(1, 6):
  // E D^2 = 2/(7 8), E D^4 = 24/(7 8 9 10). The score loses 4 D^2: sd 4 sqrt(E D^4 - (E D^2)^2) = .2334.
  const Folder folder;
  write_file(folder / "s.toml", searching + "sources = [\"hopt\"]\nruns = 150\nreplicates = 0\n");
  const auto ran = run_retrial(folder, {"run", "s.toml", "--jobs", "2"});
  REQUIRE(ran.code == 0);
  const double sd = std::sqrt(value(folder, "s.db", "variants.0.shares.sources.0.variance.point"));
  CHECK_THAT(sd, WithinRel(.2334, .4));  // heavy tail: its own sd over studies of 150 is 13 %
}

TEST_CASE("a killed study with searches continues, with any number of jobs, to the same outcome and page") {
  const std::string text = searching + "design = \"fix_hopt\"\nsources = \"all\"\nruns = 4\ngroups = 4\n";
  const Folder whole, killed;
  write_file(whole / "s.toml", text);
  write_file(killed / "s.toml", text);
  const auto once = run_retrial(whole, {"run", "s.toml", "--jobs", "1", "--json"});
  REQUIRE(once.code == 0);
  for (const int number : {SIGKILL, SIGINT}) {
    Program program(killed, {"run", "s.toml", "--jobs", "2", "--json", "--set", "epoch_ms=0"});
    static_cast<void>(program.until_stderr("to run"));
    program.signal(number);
    static_cast<void>(program.wait());
  }
  const auto last = run_retrial(killed, {"run", "s.toml", "--jobs", "3", "--json"});
  INFO(last.err);
  REQUIRE(last.code == 0);
  CHECK(field(last.out, "outcome_digest") == field(once.out, "outcome_digest"));
  CHECK(run_retrial(killed, {"variance", "s.db"}).out == run_retrial(whole, {"variance", "s.db"}).out);
  CHECK(run_retrial(killed, {"verify", "s.db", "--full"}).code == 0);
  const auto replayed = run_retrial(killed, {"replay", "s.db", "base/7", "--json"});
  CHECK(replayed.code == 0);
  CHECK(field(replayed.out, "same_bits") == "true");
  const auto shown = run_retrial(killed, {"show", "s.db", "base/7"});
  CHECK_THAT(shown.out, has_text("lr "));  // what the search chose, not the default
}

TEST_CASE("two front ends share the searches of one store, and no run starts before its search has ended") {
  const std::string text = searching + "design = \"ideal\"\nruns = 6\nreplicates = 0\n";
  const Folder alone, together;
  write_file(alone / "s.toml", text);
  write_file(together / "s.toml", text);
  const auto once = run_retrial(alone, {"run", "s.toml", "--json"});
  REQUIRE(once.code == 0);
  Program other(together, {"run", "s.toml", "--json", "--jobs", "1"});
  REQUIRE(other.until_stderr("to run"));
  const auto ran = run_retrial(together, {"run", "s.toml", "--json", "--jobs", "1"});
  const auto first = other.wait();
  INFO(ran.err << first.err);
  CHECK(ran.code == 0);
  CHECK(first.code == 0);
  CHECK(field(ran.out, "outcome_digest") == field(once.out, "outcome_digest"));
  CHECK(run_retrial(together, {"verify", "s.db", "--full"}).code == 0);
}

TEST_CASE("an unfinished study has no shares yet") {
  const Folder folder;
  Program program(folder, {"run", "null", "--design", "oat", "--runs", "50", "--seed", "1", "--jobs", "1", "--db",
                           "n.db", "--set", "epoch_ms=50"});
  REQUIRE(program.until_stderr("to run"));
  program.signal(SIGINT);
  CHECK(program.wait().code == 130);
  const auto ran = run_retrial(folder, {"variance", "n.db"});
  CHECK(ran.code == 4);
  CHECK_THAT(ran.err, has_text("of the plan have not run yet"));
}

TEST_CASE("with one search nothing is claimed of the pipeline") {
  const Folder folder;
  write_file(folder / "s.toml", searching + "design = \"fix_hopt\"\nsources = \"all\"\nruns = 6\n");
  REQUIRE(run_retrial(folder, {"run", "s.toml"}).code == 0);
  const auto page = run_retrial(folder, {"variance", "s.db"});
  CHECK_THAT(page.out, has_text("pipeline: INVALID (one-cluster)"));
  CHECK_THAT(page.out, has_text("lambda: mean"));
  CHECK(number(folder, "s.db", "variants.0.claims.0.mean") == "null");
  const auto budget = run_retrial(folder, {"variance", "s.db", "--budget", "100"});
  CHECK(budget.code == 4);
  const auto compared = run_retrial(folder, {"compare", "s.db"});
  CHECK(compared.code == 4);
  CHECK_THAT(compared.err, has_text("retrial variance"));
}

TEST_CASE("a verdict states whether it is about the pipeline or about one choice of keys") {
  const Folder folder;
  const std::string head =
      "schema = 1\nname = \"s\"\nworkload = \"null\"\nseed = 9\npairs = 6\n[variant.base]\n[variant.shifted]\neffect = "
      "3.0\n[set]\ncurvature = 4.0\nvalidation = true\n";
  const std::string search =
      "[search]\ntrials = 4\nmetric = \"validation\"\n[search.keys]\nlr = { low = 0.1, high = 10, log = true }\n";
  const std::string top = "schema = 1\n";
  write_file(folder / "own.toml", head + search);
  write_file(folder / "one.toml", top + "hold = [\"hopt\"]\n" + (head + search).substr(top.size()));
  write_file(folder / "none.toml", head);
  const auto verdict = [&](const std::string& study, const std::vector<std::string>& more) {
    std::vector<std::string> line{"compare", study + ".db", "--json", "--no-store"};
    line.insert(line.end(), more.begin(), more.end());
    return run_retrial(folder, line);
  };
  for (const std::string study : {"own", "one", "none"}) {
    const auto ran = run_retrial(folder, {"run", study + ".toml", "--db", study + ".db"});
    INFO(ran.err);
    REQUIRE(ran.code == 0);
    const bool pipeline = study == "own";
    CHECK(field(verdict(study, {}).out, "scope") == (pipeline ? "pipeline" : "lambda"));
    const auto asked = verdict(study, {"--scope", "pipeline", "--require", "better"});
    CHECK(field(asked.out, "status") == (pipeline ? "BETTER" : "INVALID"));
    CHECK(asked.code == (pipeline ? 0 : 4));
    if (!pipeline) CHECK(field(asked.out, "reason") == "one-cluster");
    CHECK(verdict(study, {"--scope", "lambda"}).code == (pipeline ? 4 : 0));
  }
  CHECK(verdict("own", {"--scope", "lambda", "--test", "welch"}).code == 2);
}

TEST_CASE("a search without a usable trial fails its runs") {
  const Folder folder;
  write_file(folder / "s.toml", searching + "design = \"ideal\"\nruns = 3\nreplicates = 0\n");
  const std::vector<std::string> line{"run", "s.toml", "--set", "failure=diverge"};
  const auto ran = run_retrial(folder, line);
  CHECK(ran.code == 5);
  const auto shown = run_retrial(folder, {"show", "s.db"});
  CHECK_THAT(shown.out, has_text("search.no_result"));
  CHECK(run_retrial(folder, {"variance", "s.db"}).code == 4);
}

TEST_CASE("the report shows shares, intervals and runs in every format") {
  const Folder folder;
  run(folder, "n.db", {"--design", "oat", "--runs", "6"});
  for (const std::string format : {"html", "md", "txt"}) {
    const auto ran = run_retrial(folder, {"report", "n.db", "--format", format});
    INFO(ran.err);
    CHECK(ran.code == 0);
    CHECK_THAT(ran.out, has_text("Sources of the variance of score"));
    CHECK_THAT(ran.out, has_text("bit-identical"));
  }
  const auto json = run_retrial(folder, {"report", "n.db", "--format", "json"});
  const auto page = run_retrial(folder, {"variance", "n.db", "--json"});
  const std::string at = "variants.0.shares.sources.0.share.low";
  CHECK(field(json.out, "sources." + at) == field(page.out, at));
  const auto html = run_retrial(folder, {"report", "n.db", "--format", "html"});
  CHECK_THAT(html.out, has_text("<svg"));
  // An ordinary study has no such section.
  REQUIRE(run_retrial(folder, {"run", "null", "--pairs", "3", "--seed", "1", "--db", "p.db"}).code == 0);
  CHECK(run_retrial(folder, {"report", "p.db", "--format", "md"}).out.find("variance of score") == std::string::npos);
}

TEST_CASE("a crossed study with lost runs is still solved, with a note") {
  const Folder folder;
  const auto ran =
      run_retrial(folder, {"run", "null", "--db", "c.db", "--seed", "3", "--design", "crossed", "--sources",
                           "failure,init", "--runs", "8", "--set", "failure=throw", "--set", "failure_share=0.3"});
  CHECK(ran.code == 5);
  const auto page = run_retrial(folder, {"variance", "c.db", "--variant", "base"});
  CHECK(page.code == 0);
  CHECK_THAT(page.out, has_text("cells have no score"));
  CHECK_THAT(page.out, has_text("restricted maximum"));
}

TEST_CASE("a crossed study that lost a run in eight has the numbers of the whole one where a source does nothing") {
  // The score follows from init alone: the variance of its five effects, which the table without failures has in closed
  // form, and exactly 0 for the source of the failures and for the interaction.
  const Folder folder;
  int lost = 0;
  for (const std::string seed : {"1", "2", "3", "4", "5", "6", "7", "8"}) {
    const auto table = [&](const std::string& store, const std::string& share) {
      return run_retrial(folder, {"run", "null", "--db", store, "--seed", seed, "--design", "crossed", "--sources",
                                  "failure,init", "--runs", "5", "--set", "failure=throw", "--set",
                                  "failure_share=" + share, "--jobs", "2", "--keep-going"});
    };
    const auto ran = table(seed + ".db", "0.125");
    if (ran.code == 0) continue;  // no run of this seed failed
    REQUIRE(ran.code == 5);
    ++lost;
    REQUIRE(table(seed + "whole.db", "0").code == 0);
    const std::string of = "variants.0.shares.";
    CHECK_THAT(value(folder, seed + ".db", of + "sources.1.variance.point"),
               WithinRel(value(folder, seed + "whole.db", of + "sources.1.variance.point"), 1e-9));
    CHECK(value(folder, seed + ".db", of + "sources.0.variance.point") == 0.0);
    CHECK(value(folder, seed + ".db", of + "interaction.variance.point") == 0.0);
  }
  CHECK(lost > 2);
}

TEST_CASE("a crossed study that lost runs has the numbers of the whole one where both sources matter") {
  // The score is a sum of what its two seeds give, so the table without failures has both variances in closed form.
  const Folder folder;
  const std::string score = "echo score = $(($1 % 1000 + $2 % 700))\n";
  write_file(folder / "whole.sh", score);
  write_file(folder / "lossy.sh", "[ $((($1 / 7 + $2 / 3) % 8)) -eq 0 ] && exit 1\n" + score);
  int lost = 0;
  for (const std::string seed : {"1", "2", "3"}) {
    for (const std::string name : {"whole", "lossy"}) {
      const auto ran =
          run_retrial(folder, {"run", "--command", "a=sh " + name + ".sh {seed:init} {seed:order}", "--read", "score",
                               "--higher", "--design", "crossed", "--sources", "init,order", "--runs", "5", "--seed",
                               seed, "--db", name + seed + ".db", "--jobs", "2", "--keep-going"});
      INFO(ran.err);
      if (name == "whole") REQUIRE(ran.code == 0);
      lost += ran.code == 5 ? 1 : 0;
    }
    for (const std::string place : {"0", "1"}) {
      const std::string at = "variants.0.shares.sources." + place + ".variance.point";
      CHECK_THAT(value(folder, "lossy" + seed + ".db", at), WithinRel(value(folder, "whole" + seed + ".db", at), 1e-9));
    }
    CHECK(value(folder, "lossy" + seed + ".db", "variants.0.shares.interaction.variance.point") == 0.0);
    const auto page = run_retrial(folder, {"variance", "lossy" + seed + ".db", "--ci", "pivotal"});
    CHECK(page.code == 2);
    CHECK_THAT(page.err, has_text("--ci = pivotal: needs mean squares"));
  }
  CHECK(lost == 3);
}

TEST_CASE("claims about a difference count searches, not runs") {
  const Folder folder;
  write_file(folder / "s.toml",
             searching + "design = \"fix_hopt\"\nsources = \"all\"\nruns = 3\ngroups = 5\n[variant.shifted]\n");
  REQUIRE(run_retrial(folder, {"run", "s.toml"}).code == 0);
  CHECK(number(folder, "s.db", "difference.clusters") == "5");
  CHECK(number(folder, "s.db", "difference.runs") == "15");
  CHECK(value(folder, "s.db", "difference.p_not_better") >= 1.0 / 32);
  CHECK(value(folder, "s.db", "difference.cluster_sign.p_not_better") >= 1.0 / 32);
  CHECK(value(folder, "s.db", "difference.cluster_sign.wins") + value(folder, "s.db", "difference.cluster_sign.ties") +
            value(folder, "s.db", "difference.cluster_sign.losses") ==
        5);
}

TEST_CASE("runs of another program in clusters are analysed from a CSV file") {
  // Table T of the specification of the variance layer.
  const Folder folder;
  write_file(folder / "t.csv",
             "cluster,score\na,.912\na,.918\na,.915\na,.909\nb,.921\nb,.926\nb,.919\nb,.924\nc,.905\nc,.911\nc,.908\n"
             "c,.902\n");
  const auto ran = run_retrial(folder, {"variance", "--scores", "t.csv", "--seed", "1", "--json"});
  INFO(ran.err);
  REQUIRE(ran.code == 0);
  const auto of = [&](const std::string& path) { return std::stod(field(ran.out, path)); };
  CHECK_THAT(of("msb"), WithinRel(2.573333333e-4, 1e-9));
  CHECK_THAT(of("msw"), WithinRel(1.322222222e-5, 1e-9));
  CHECK_THAT(of("between.variance.point"), WithinRel(6.102777778e-5, 1e-9));
  CHECK_THAT(of("icc"), WithinAbs(.8219229330, 1e-9));
  CHECK_THAT(of("rho_moment"), WithinRel(5.4332399627, 1e-9));
  CHECK_THAT(of("mean.low"), WithinRel(.8942418793, 1e-9));
  CHECK_THAT(of("sd_of_cluster_means"), WithinRel(.0080208063, 1e-8));
  CHECK_THAT(of("between.df"), WithinRel(1.7986981188, 1e-9));
  write_file(folder / "u.csv", "cluster,score\na,.70\na,.72\na,.71\nb,.75\nb,.74\nc,.69\nc,.73\nc,.70\nc,.71\nd,.78\n");
  const auto unbalanced = run_retrial(folder, {"variance", "--scores", "u.csv", "--seed", "1", "--json"});
  CHECK_THAT(std::stod(field(unbalanced.out, "k0")), WithinRel(2.3333333333, 1e-9));
  CHECK_THAT(std::stod(field(unbalanced.out, "between.raw")), WithinRel(7.317857143e-4, 1e-9));
  CHECK_THAT(std::stod(field(unbalanced.out, "within.raw")), WithinRel(1.875e-4, 1e-9));
}

TEST_CASE("mistakes in a file of clusters are reported with their line") {
  const Folder folder;
  const auto error = [&](const std::string& text, const std::vector<std::string>& more = {}) {
    write_file(folder / "x.csv", text);
    std::vector<std::string> line{"variance", "--scores", "x.csv", "--seed", "1"};
    line.insert(line.end(), more.begin(), more.end());
    const auto ran = run_retrial(folder, line);
    CHECK(ran.code == 2);
    return ran.err;
  };
  CHECK_THAT(error("cluster,scroe\na,1\n"), has_text("unknown column"));
  CHECK_THAT(error("cluster,pair\na,1\n"), has_text("x.csv:1: column = score: is missing"));
  CHECK_THAT(error("cluster,score\na,1\nb,x\n"), has_text("x.csv:3"));
  CHECK_THAT(error("cluster,pair,score\na,1,1\na,1,2\n"), has_text("x.csv:3: pair = 1: duplicate run"));
  CHECK_THAT(error("variant,cluster,score\nkd,a,1\nx,a,2\n"), has_text("--variant"));
  CHECK_THAT(error("variant,cluster,score\nkd,a,1\nx,a,2\n", {"--variant", "y"}), has_text("is not in the file"));
  CHECK(run_retrial(folder, {"variance", "--scores", "absent.csv"}).code == 4);
}

}  // namespace retrial::tests::variance_tests
