// compare --scores with the long form: pairs, clusters, failed runs, several claims.
#include <cmath>

#include "harness/scores/formats/formats.hpp"
#include "harness/scores/selection/slice.hpp"
#include "results/json/json.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "tests/catch.hpp"
#include "tests/harness/program/cli_fixture.hpp"
#include "tests/harness/program/program.hpp"
#include "tests/harness/scores/compare_scores.hpp"
#include "variance/random/rng.hpp"

namespace retrial::tests::compare_table_tests {

using namespace retrial;
using namespace retrial::harness;
using fixture::Folder;

using retrial::tests::compare;
using retrial::tests::json_of;
using retrial::tests::tasks_text;
using retrial::tests::write_file;

namespace {

Slice slice_of_file(const std::string& text) {
  write_file("s.csv", text);
  const std::vector<std::string> inputs{"s.csv"};
  const auto table = read_score_table(score_inputs(inputs));
  return slice_of(table, "", "");
}

}  // namespace

TEST_CASE("pairs are matched by number, whatever the order of the lines", "[cli][scores]") {
  const Folder here;
  const Slice slice = slice_of_file("variant,pair,score\na,1,10\nb,0,2\na,0,1\nb,1,20\n");
  CHECK(slice.paired);
  CHECK(slice.scores[0] == std::vector<std::optional<double>>{1, 10});
  CHECK(slice.scores[1] == std::vector<std::optional<double>>{2, 20});
}

TEST_CASE("runs without numbers are independent", "[cli][scores]") {
  const Folder here;
  const Slice slice = slice_of_file("variant,score\na,1\nb,2\na,3\n");
  CHECK_FALSE(slice.paired);
  CHECK(slice.scores[0].size() == 2);
  CHECK(slice.scores[1].size() == 1);
}

TEST_CASE("a pair of which one variant has no line is an error, not a loss", "[cli][scores]") {
  const Folder here;
  write_file("s.csv", "variant,pair,score\na,0,1\nb,0,2\na,1,1\n");
  const auto answer = compare({"--higher"});
  CHECK(answer.exit == 2);
  CHECK_THAT(answer.err, has_text("pair = 1: variant b has no line"));
  write_file("s.csv", "variant,pair,score\na,0,1\nb,0,2\nb,1,1\n");
  CHECK_THAT(compare({"--higher"}).err, has_text("variant b has more pairs than a"));
  write_file("s.csv", "variant,pair,score\na,0,1\nb,,2\n");
  CHECK_THAT(compare({"--higher"}).err, has_text("some variants have pair numbers and some do not"));
}

TEST_CASE("a failed run loses its pair by default", "[cli][scores]") {
  const Folder here;
  write_file("s.csv", "variant,pair,score\na,0,1\nb,0,2\na,1,1\nb,1,\na,2,1\nb,2,2\na,3,\nb,3,\n");
  const Json lost = json_of({"--higher"});
  // b wins two pairs, loses the one it failed in, and ties where both failed.
  CHECK(lost.at("details").at("wins") == 2);
  CHECK(lost.at("details").at("losses") == 1);
  CHECK(lost.at("details").at("ties") == 1);
  CHECK(lost.at("details").at("missing_candidate") == 2);
  const Json dropped = json_of({"--higher", "--failure", "drop"});
  CHECK(dropped.at("n") == 2);
  const Json refused = json_of({"--higher", "--failure", "refuse"});
  CHECK(refused.at("verdict") == "INVALID");
  CHECK(refused.at("reason") == "missing");
  CHECK(refused.at("estimate").is_null());
  CHECK(refused.at("p").is_null());
  CHECK(compare({"--higher", "--failure", "refuse", "--require", "better"}).exit == 5);
}

TEST_CASE("a failed run loses also where lower is better", "[cli][scores]") {
  const Folder here;
  write_file("s.csv", "variant,pair,score\na,0,1\nb,0,2\na,1,1\nb,1,\n");
  CHECK(json_of({"--lower"}).at("details").at("losses") == 2);
}

TEST_CASE("a test of means needs a policy for failed runs", "[cli][scores]") {
  const Folder here;
  write_file("s.csv", "variant,pair,score\na,0,1\nb,0,2\na,1,1\nb,1,\na,2,3\nb,2,5\n");
  const auto answer = compare({"--higher", "--test", "paired_t"});
  CHECK(answer.exit == 2);
  CHECK_THAT(answer.err, has_text("paired_t cannot count a failed run as a loss (allowed: drop, refuse)"));
  CHECK(json_of({"--higher", "--test", "paired_t", "--failure", "drop"}).at("n") == 2);
}

TEST_CASE("scores of one cluster are one observation", "[cli][scores]") {
  const Folder here;
  write_file("s.csv", "variant,cluster,score\na,p1,1\na,p1,3\na,p2,5\na,p2,5\nb,q1,1\nb,q1,1\nb,q2,2\nb,q2,2\n");
  const Json found = json_of({"--higher", "--test", "welch"});
  CHECK(found.at("n_candidate") == 2);
  CHECK(found.at("n_baseline") == 2);
  CHECK(found.at("estimate") == 1.5 - 3.5);
  CHECK_THAT(found.at("notes").dump(), has_text("8 scores of 4 clusters"));
  // Negative control: the same numbers without clusters are eight observations.
  write_file("s.csv", "variant,score\na,1\na,3\na,5\na,5\nb,1\nb,1\nb,2\nb,2\n");
  CHECK(json_of({"--higher", "--test", "welch"}).at("n_candidate") == 4);
}

TEST_CASE("tasks with one score each are the pairs", "[cli][scores]") {
  const Folder here;
  write_file("s.csv", "variant,task,score\na,x,1\nb,x,2\na,y,3\nb,y,5\na,z,2\nb,z,3\n");
  const Json found = json_of({"--higher", "--test", "sign"});
  CHECK(found.at("n") == 3);
  CHECK_THAT(found.at("notes").dump(), has_text("the pairs are the tasks"));
}

TEST_CASE("several tasks are several claims, corrected by Holm", "[cli][scores]") {
  const Folder here;
  write_file("s.csv", tasks_text(3, 1.0));
  const Json found = json_of({"--higher", "--test", "sign"});
  CHECK(found.at("schema") == "retrial.claims/1");
  CHECK(found.at("adjust") == "holm");
  REQUIRE(found.at("claims").size() == 3);
  for (const Json& claim : found.at("claims")) {
    // Five wins of five: 1/32 one-sided, 3/32 by Holm for the first of three, which is above .05.
    CHECK(claim.at("p_better") == 0.03125);
    CHECK(claim.at("p_better_adjusted") == 0.09375);
    CHECK(claim.at("verdict_alone") == "BETTER");
    CHECK(claim.at("verdict") == "INCONCLUSIVE");
  }
  const Json alone = json_of({"--higher", "--test", "sign", "--adjust", "none"});
  CHECK(alone.at("claims")[0].at("verdict") == "BETTER");
  CHECK(json_of({"--higher", "--test", "sign", "--task", "t1"}).at("schema") == "retrial.test/1");
}

TEST_CASE("a stricter correction never gives a weaker p", "[cli][scores]") {
  const Folder here;
  write_file("s.csv", tasks_text(4, 0.1));
  const auto largest = [](const std::string& how) {
    return json_of({"--higher", "--test", "paired_t", "--adjust", how}).at("claims")[0].at("p_adjusted").get<double>();
  };
  CHECK(largest("none") <= largest("bh"));
  CHECK(largest("bh") <= largest("by"));
  CHECK(largest("holm") <= largest("bonferroni"));
  CHECK(largest("sidak") <= largest("bonferroni"));
  CHECK(largest("hommel") <= largest("hochberg"));
}

TEST_CASE("several candidates against one baseline, and all pairs by Shaffer", "[cli][scores]") {
  const Folder here;
  write_file("s.csv", "a,b,c\n1,2,3\n2,3,5\n3,4,4\n4,5,6\n5,6,9\n6,7,8\n");
  const Json many = json_of({"--higher", "--test", "wilcoxon", "--adjust", "holm"});
  REQUIRE(many.at("claims").size() == 2);
  CHECK(many.at("claims")[1].at("candidate") == "c");
  CHECK(many.at("claims")[1].at("baseline") == "a");
  CHECK(json_of({"--higher", "--test", "wilcoxon", "--adjust", "shaffer"}).at("claims").size() == 3);
  CHECK(compare({"--higher", "--test", "bayes_t", "--adjust", "holm"}).exit == 2);
  // Bounds have no p: each of two claims takes half of alpha.
  const Json bounds = json_of({"--higher", "--aso", "--adjust", "bonferroni", "--seed", "1"});
  CHECK(bounds.at("claims")[0].at("alpha") == 0.025);
  CHECK(compare({"--higher", "--aso", "--adjust", "holm"}).exit == 2);
}

TEST_CASE("words for Bayesian tests and for dominance", "[cli][scores]") {
  const Folder here;
  write_file("s.csv", "a,b\n1,2\n2,3.5\n3,4.2\n4,5.1\n");
  CHECK(json_of({"--higher", "--bayes", "correlated_t", "--rope", "0.1"}).at("test") == "bayes_t");
  CHECK(json_of({"--higher", "--bayes", "sign"}).at("test") == "bayes_sign");
  CHECK(json_of({"--higher", "--bayes", "signed_rank", "--seed", "1"}).at("test") == "bayes_signed_rank");
  CHECK(json_of({"--higher", "--aso", "--seed", "1"}).at("test") == "paired_aso");
  write_file("s.csv", "group,score\na,1\nb,2\na,2\nb,4\n");
  CHECK(json_of({"--higher", "--aso", "--seed", "1"}).at("test") == "aso");
  CHECK(compare({"--higher", "--aso", "--test", "welch"}).exit == 2);
}

TEST_CASE("intervals of the share of pairs won by name", "[cli][scores]") {
  const Folder here;
  write_file("s.csv", "a,b\n1,2\n1,2\n1,2\n1,2\n1,2\n1,2\n1,2\n1,0\n1,0\n1,0\n");
  // Reference values for 7 of 10: Clopper-Pearson and mid-p by beta quantiles, Wilson in closed form.
  const auto low = [](const std::string& how) {
    return json_of({"--higher", "--interval", how}).at("interval")[0].get<double>();
  };
  CHECK_THAT(low("mid_p"), WithinAbs(0.3800814341, 1e-10));
  CHECK_THAT(low("wilson"), WithinAbs(0.3967781475, 1e-10));
  CHECK(low("clopper_pearson") < low("mid_p"));
  CHECK(compare({"--higher", "--interval", "wilson", "--test", "paired_t"}).exit == 2);
}

TEST_CASE("the hierarchical model reads tasks of pairs and reports chains that did not mix", "[cli][scores]") {
  const Folder here;
  std::string text = "variant,pair,task,score\n";
  const double gains[] = {1.3, 0.8, 1.1, 1.6, 0.9, 1.2, 1.0, 0.7}, wiggle[] = {0.3, -0.2, 0.1, -0.4, 0.25, -0.05};
  for (std::size_t t = 0; t < 8; ++t)
    for (std::size_t i = 0; i < 6; ++i) {
      const std::string run = "," + std::to_string(i) + ",t" + std::to_string(t) + ",";
      const double gain = gains[t] + wiggle[(i + t) % 6] * (1.0 + 0.1 * static_cast<double>(t));
      text += "old" + run + "10\nnew" + run + std::to_string(10.0 + gain) + "\n";
    }
  write_file("s.csv", text);
  const Json found = json_of({"--higher", "--bayes", "hierarchical", "--rope", "0.1", "--seed", "7"});
  CHECK(found.at("n") == 8);
  CHECK(found.at("verdict") == "BETTER");
  CHECK(found.at("posterior").at("better").get<double>() > 0.95);
  const Json lower = json_of({"--lower", "--bayes", "hierarchical", "--rope", "0.1", "--seed", "7"});
  CHECK(lower.at("verdict") == "WORSE");
  CHECK(lower.at("estimate") == found.at("estimate"));
  // Tasks whose means are all the same leave their spread at zero, where the sampler sticks: no number then.
  write_file("s.csv", tasks_text(6, 1.0));
  const Json stuck = json_of({"--higher", "--bayes", "hierarchical", "--seed", "7"});
  CHECK(stuck.at("reason") == "sampler");
  CHECK(stuck.at("posterior").is_null());
  CHECK(stuck.at("estimate").is_null());
}

TEST_CASE("no difference is 0 in either direction", "[cli][scores]") {
  const Folder here;
  write_file("s.csv", "group,score\na,1\nb,1\na,2\nb,2\n");
  const auto answer = compare({"--lower", "--test", "welch", "--json"});
  CHECK_THAT(answer.out, has_text("\"estimate\":0.0"));
  CHECK_THAT(answer.out, !has_text("-0.0,"));
}

TEST_CASE("the order of the lines changes no byte of a report", "[cli][scores]") {
  const Folder here;
  // Twelve tasks, so that t10 must come after t2; four clusters of two scores in another metric.
  std::string text = "variant,pair,cluster,task,metric,score\n";
  for (int t = 0; t < 12; ++t)
    for (int i = 0; i < 4; ++i)
      for (const int v : {0, 1}) {
        const double score = t + 0.37 * ((i * 5 + t * 3 + v * 2) % 7) + 0.2 * v;
        text += std::string(v == 0 ? "old" : "new") + "," + std::to_string(i) + ",,t" + std::to_string(t) + ",gain," +
                std::to_string(score) + "\n";
        text += std::string(v == 0 ? "old" : "new") + ",," + (v == 0 ? "p" : "q") + std::to_string(i / 2) + ",t" +
                std::to_string(t) + ",time," + std::to_string(score * 1.01) + "\n";
      }
  std::vector<std::string> lines;
  for (std::size_t from = 0; from < text.size();) {
    const auto end = text.find('\n', from) + 1;
    lines.push_back(text.substr(from, end - from));
    from = end;
  }
  // Header and first line stay, since the first variant is the baseline.
  std::string shuffled = lines[0] + lines[1];
  for (const auto place : variance::permutation(9, static_cast<std::uint32_t>(lines.size() - 2)))
    shuffled += lines[2 + place];
  REQUIRE(shuffled != text);
  const std::vector<std::vector<std::string>> commands{
      {"--metric", "gain", "--test", "wilcoxon"},
      {"--metric", "gain", "--bayes", "signed_rank", "--reps", "1000"},
      {"--metric", "gain", "--test", "quade"},
      {"--metric", "gain", "--aggregate", "iqm", "--reps", "1000"},
      {"--metric", "gain", "--aggregate", "poi", "--reps", "1000", "--task-bootstrap"},
      {"--metric", "gain", "--bayes", "hierarchical"},
      {"--metric", "time", "--test", "welch"},
      {"--metric", "time", "--aso", "--task", "t3", "--reps", "1000"},
      {"--metric", "time", "--aggregate", "median", "--reps", "1000"}};
  for (auto words : commands) {
    CAPTURE(words);
    words.insert(words.end(), {"--higher", "--seed", "7", "--json"});
    write_file("s.csv", text);
    const auto one = compare(words);
    write_file("s.csv", shuffled);
    const auto other = compare(words);
    CHECK(one.exit == 0);
    CHECK(one.out == other.out);
  }
}

TEST_CASE("a sequential design judges scores as it judges a study, in order of pair number", "[cli][scores]") {
  const Folder here;
  variance::Stream draws(12);
  variance::PairedScores scores{.direction = variance::Direction::lower};
  std::vector<std::string> lines;
  for (int i = 0; i < 30; ++i) {
    const double old = std::round(variance::normal(draws.next()) * 100) / 100, fresh = old - 0.5 + 0.25 * (i % 4);
    scores.baseline.emplace_back(old);
    scores.candidate.emplace_back(fresh);
    lines.push_back("new," + std::to_string(i) + "," + results::text_of(fresh) + "\n");
    lines.push_back("old," + std::to_string(i) + "," + results::text_of(old) + "\n");
  }
  std::string text = "variant,pair,score\nold,30,1\nnew,30,0.5\n";
  scores.baseline.emplace_back(1), scores.candidate.emplace_back(0.5);
  for (const auto place : variance::permutation(3, static_cast<std::uint32_t>(lines.size()))) text += lines[place];
  write_file("s.csv", text);
  for (const std::string family : {"dual_e", "t_anytime", "group_permutation"}) {
    variance::Design design{.candidate = "new", .baseline = "old", .metric = "score", .gamma = .75, .pairs = 40};
    design.family = family;
    design.key = variance::derive(7, "comparison:new|old");
    if (family == "group_permutation") design.looks = {8, 16, 24, 32, 40};
    const auto expected = variance::judge(scores, design);
    const Json found =
        json_of({"--family", family, "--gamma", "0.75", "--n-max", "40", "--lower", "--seed", "7", "--looks"});
    INFO(family);
    CHECK(found.at("status") == variance::name_of(expected.status));
    CHECK(found.at("sequential").at("at_n") == expected.sequential->at_n);
    CHECK(found.at("wins") == expected.counts.wins);
    CHECK(found.at("looks").size() == expected.sequential->looks.size());
  }
}

TEST_CASE("the order of the lines changes no byte of the analysis of clusters", "[cli][scores]") {
  const Folder here;
  const std::vector<std::string> lines{"p,1.25", "p,1.5", "q,2.1", "q,1.9", "q,2.35", "r,0.7", "r,1.1", "s,1.05"};
  std::string text = "cluster,score\n", shuffled = text;
  for (const auto& line : lines) text += line + "\n";
  for (const auto place : variance::permutation(4, static_cast<std::uint32_t>(lines.size())))
    shuffled += lines[place] + "\n";
  REQUIRE(shuffled != text);
  for (const std::string ci : {"satterthwaite", "bootstrap"}) {
    const auto of = [&](const std::string& rows) {
      write_file("c.csv", rows);
      return fixture::retrial({"variance", "--scores", "c.csv", "--ci", ci, "--seed", "7", "--json"});
    };
    const auto one = of(text);
    INFO(one.err);
    CHECK(one.exit == 0);
    CHECK(one.out == of(shuffled).out);
  }
}

}  // namespace retrial::tests::compare_table_tests
