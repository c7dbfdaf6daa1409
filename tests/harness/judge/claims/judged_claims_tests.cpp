// Registered claims judged by ten pairs of a scripted store. With k of ten pairs on the claimed side
// the sign test has p = P(Bin(10, 1/2) >= k): 1/1024, 11/1024, 56/1024 for 10, 9, 8.
#include "harness/judge/claims/claims_page.hpp"
#include "harness/judge/claims/judged_claims.hpp"
#include "results/record/score_bounds.hpp"
#include "tests/catch.hpp"
#include "tests/harness/judge/claims/scripted_claims.hpp"

namespace retrial::tests::judged_claims_tests {

using namespace scripted_claims;
using fixture::Folder;

TEST_CASE("a planted effect holds, its opposite is refuted, and without an effect nothing is claimed", "[claims]") {
  const Json found = judged({.claims = {claim("up", Expect::higher), claim("down", Expect::lower)}});
  CHECK(words(found) == Words{"HOLDS", "REFUTED"});
  CHECK(found[0].at("p_for") == 1.0 / 1024);  // of 2^10 ways to draw the signs this one has the largest sum
  CHECK(found[0].at("adjusted_for") == 2.0 / 1024);
  const std::vector<double> none{1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 0.25, -0.25, 1.5, -1.5};
  CHECK(words(judged({.gains = none, .claims = {claim("up", Expect::higher), claim("down", Expect::lower)}})) ==
        Words{"INCONCLUSIVE", "INCONCLUSIVE"});
}

TEST_CASE("Holm's correction is over all claims of the study", "[claims]") {
  // Nine of ten above 90.5, all above 90.
  CHECK(words(judged({.gains = {1, 2, 3, 4, 5, 6, 7, 8, 9, 0.25}, .claims = {above("nine", 90.5)}})) == Words{"HOLDS"});
  Script six{.gains = {1, 2, 3, 4, 5, 6, 7, 8, 9, 0.25}};
  for (const char* name : {"a", "b", "c", "d", "e"}) six.claims.push_back(above(name, 90.5));
  six.claims.push_back(above("all", 90.0));
  const Json claims = judged(six);
  CHECK(claims[5].at("adjusted_for") == 6.0 / 1024);
  CHECK_THAT(claims[0].at("adjusted_for").get<double>(), WithinAbs(5 * 11.0 / 1024, 1e-10));  // 0.0537 > 0.05
  CHECK(words(claims) ==
        Words{"INCONCLUSIVE", "INCONCLUSIVE", "INCONCLUSIVE", "INCONCLUSIVE", "INCONCLUSIVE", "HOLDS"});
}

TEST_CASE("one pair gives no verdict", "[claims]") {
  const Json claims = judged({.gains = {3.0}, .claims = {claim("up", Expect::higher)}});
  CHECK(words(claims) == Words{"NO VERDICT"});
  CHECK(claims[0].at("difference").is_null());
  CHECK(claims[0].at("p_for").is_null());
}

TEST_CASE("a claim that four pairs cannot support comes with the number of pairs needed", "[claims]") {
  // Mean 2, sd 2/sqrt(3): the t test needs 4 pairs (G*Power: n = 4 has power .87), the signs 5, for 2^-5 < .05 < 2^-4.
  const Json claims = judged({.gains = {1, 3, 1, 3}, .claims = {claim("up", Expect::higher)}});
  CHECK(words(claims) == Words{"INCONCLUSIVE"});
  CHECK(claims[0].at("p_for") == 1.0 / 16);
  CHECK(claims[0].at("pairs_needed") == 5);
  const Json wrong = judged({.gains = {1, 3, 1, 3}, .claims = {claim("down", Expect::lower)}});
  CHECK(wrong[0].at("pairs_needed").is_null());
  CHECK(wrong[0].at("reason") == "the observed mean is not on the claimed side");
}

TEST_CASE("a margin is part of the claim, both ways", "[claims]") {
  auto by = claim("by", Expect::higher), beyond = claim("beyond", Expect::higher);
  by.margin = 0.2;
  beyond.margin = 3;
  CHECK(words(judged({.claims = {by, beyond}})) == Words{"HOLDS", "REFUTED"});
}

// Ten differences at the margin but for their signs: k of them below it with chance C(10, k) / 2^10.
TEST_CASE("a candidate that is better by exactly the margin is called not better in 11 of 1024 families", "[claims]") {
  double held = 0, refuted = 0, ways = 1;
  for (int below = 0; below <= 10; ++below, ways = ways * (11 - below) / below) {
    std::vector<double> gains;
    for (int i = 0; i < 10; ++i) gains.push_back(0.5 + (i < below ? -1.0 : 1.0) * (1 + i));
    auto none = claim("none", Expect::not_higher, "sign");
    none.margin = 0.5;
    const auto word = words(judged({.gains = gains, .claims = {none}})).front();
    if (word == "HOLDS") held += ways;
    if (word == "REFUTED") refuted += ways;
  }
  CHECK(held == 11);  // 10 or 9 of them below: p = 1/1024, 11/1024
  CHECK(refuted == 11);
}

TEST_CASE("not higher and not lower are shown within the margin, refuted beyond it", "[claims]") {
  auto above = claim("above", Expect::not_higher, "paired_t"), below = claim("below", Expect::not_lower, "paired_t");
  above.margin = below.margin = 3;
  CHECK(words(judged({.claims = {above, below}})) == Words{"HOLDS", "HOLDS"});
  above.margin = below.margin = 0.2;  // gains of 0.25 to 2.5
  const Json close = judged({.claims = {above, below}});
  CHECK(words(close) == Words{"REFUTED", "HOLDS"});
  above.margin = 0.9;  // the mean is 1.24
  CHECK(judged({.gains = {1, 3, 1, 3}, .claims = {above}})[0].at("reason") == "the observed mean is beyond the margin");
  above.margin = 3;
  // SciPy 1.17.1: ttest_1samp([-2, -.1, -1.8, -.2], 0, alternative="less").
  CHECK(judged({.gains = {1, 2.9, 1.2, 2.8}, .claims = {above, below}})[0].at("p_for").get<double>() ==
        Approx(0.0682791).epsilon(1e-5));
  // Distances of -2, 0, -2, 0 repeat: no less than the two signs allow.
  CHECK(judged({.gains = {1, 3, 1, 3}, .claims = {above, below}})[0].at("p_for").get<double>() == 0.25);
}

TEST_CASE("claims of several candidates are counted together", "[claims]") {
  const Folder here;
  auto up = claim("better/new", Expect::higher), down = claim("better/plain", Expect::higher);
  std::swap(down.candidate, down.baseline);
  write({.claims = {up, down, claim("alone", Expect::higher)}});
  const Answer page = compared();
  CHECK_THAT(page.out, has_text("better: 1 of 2 hold; REFUTED: plain"));
  CHECK_THAT(page.out, !has_text("alone: 1 of"));
  CHECK_THAT(fixture::retrial({"report", "c.db", "--format", "md"}).out, has_text("better: 1 of 2 hold"));
}

TEST_CASE("equality holds within its margin, is refuted beyond it, and needs differences that vary", "[claims]") {
  auto near = claim("near", Expect::equal, "tost"), far = claim("far", Expect::equal, "tost");
  near.margin = 3;
  far.margin = 0.3;
  CHECK(words(judged({.claims = {near, far}})) == Words{"HOLDS", "REFUTED"});
  CHECK(words(judged({.gains = {4, -4, 4, -4, 3, -3}, .claims = {near}})) == Words{"INCONCLUSIVE"});
  const Json beyond = judged({.gains = {9, -4, 9, -4, 9, 9}, .claims = {near}});
  CHECK(beyond[0].at("reason") == "the observed mean is beyond the margin");
  const Json same = judged({.gains = {1, 1, 1, 1, 1, 1}, .claims = {near}});
  CHECK(words(same) == Words{"INCONCLUSIVE"});
  CHECK_THAT(same[0].at("reason").get<std::string>(), has_text("all differences are identical"));
}

TEST_CASE("steps of a series are read within the trial, several as their mean", "[claims]") {
  auto rises = claim("rises", Expect::higher);  // curve[0] is half of curve[1] in every trial of the fixture
  rises.baseline = "new";
  rises.metric = {{"curve", 1}};
  rises.against = {{"curve", 0}};
  auto mean = rises;
  mean.name = "mean";
  mean.metric = {{"curve", 0}, {"curve", 1}};
  const Json claims = judged({.gains = {2, 4, 6, 8, 10}, .claims = {rises, mean}});
  CHECK(claims[0].at("difference").at("point") == 48.0);  // scores 92 to 100, mean 96
  CHECK(claims[1].at("difference").at("point") == 24.0);
  const Folder here;
  rises.metric = {{"curve", 7}};
  write({.claims = {rises}});
  const Answer answer = compared();
  CHECK(answer.exit == 4);
  CHECK_THAT(answer.err, has_text("curve[7]"));
}

TEST_CASE("a failed trial voids the claim, or drops its pair where the design asks for it", "[claims]") {
  const Script lost{.claims = {claim("up", Expect::higher)}, .change = fixture::one_failed_one_diverged};
  const Json refused = judged(lost);
  CHECK(words(refused) == Words{"INVALID"});
  CHECK_THAT(refused[0].at("reason").get<std::string>(), has_text("missing: trial new/1"));
  Script dropped = lost;
  dropped.failure = "drop";
  const Json kept = judged(dropped);
  CHECK(words(kept) == Words{"HOLDS"});
  CHECK(kept[0].at("pairs") == 8);
  CHECK(kept[0].at("left_out") == 2);
}

TEST_CASE("claims that came after the trials are INVALID, whatever the scores", "[claims]") {
  const Folder here;
  const Script script{.claims = {claim("up", Expect::higher)}};
  put(spec_of(script), fixture::study_document(spec_of(script)));  // the same trials, nothing claimed
  write(script);
  const Answer answer = compared({"--study", "quick", "--json"});
  INFO(answer.err);
  results::Store store("c.db", results::Store::Access::read);
  const auto late = results::hex(store.studies().back().digest);
  const Json claims = Json::parse(compared({"--study", late, "--json"}).out).at("claims");
  CHECK(words(claims) == Words{"INVALID"});
  CHECK_THAT(claims[0].at("reason").get<std::string>(), has_text("declared other claims"));
  CHECK(compared({"--study", late, "--require", "hold"}).exit == 4);
}

TEST_CASE("the exit code tells whether all claims were shown, on request", "[claims]") {
  const auto exit_of = [](const Script& script) {
    const Folder here;
    write(script);
    CHECK(compared().exit == 0);
    return compared({"--require", "hold"}).exit;
  };
  CHECK(exit_of({.claims = {claim("up", Expect::higher)}}) == 0);
  CHECK(exit_of({.claims = {claim("up", Expect::higher), claim("down", Expect::lower)}}) == 1);
  CHECK(exit_of({.gains = {1, 3, 1, 3}, .claims = {claim("up", Expect::higher)}}) == 3);
  CHECK(exit_of({.claims = {claim("up", Expect::higher)}, .change = fixture::one_failed_one_diverged}) == 5);
}

TEST_CASE("claims are judged together, for a study that has claims and has run", "[claims]") {
  const Folder here;
  write({});
  CHECK_THAT(compared().err, has_text("has no registered claims"));
  CHECK(compared().exit == 4);
  CHECK(compared({"--metric", "accuracy"}).exit == 2);
  CHECK(compared({"--require", "better"}).exit == 2);
  CHECK(fixture::retrial({"compare", "c.db", "--require", "hold"}).exit == 2);
}

TEST_CASE("no claim is judged before all trials have run", "[claims]") {
  const Folder here;
  write(
      {.claims = {claim("up", Expect::higher)}, .change = [](const auto& entry, auto&) { return entry.ordinal < 5; }});
  const Answer answer = compared();
  CHECK(answer.exit == 4);
  CHECK_THAT(answer.err, has_text("15 trials of the plan have not run yet"));
}

TEST_CASE("corrected_t widens a claim by the rows that its pairs share", "[claims]") {
  auto resampled = claim("up", Expect::higher, "corrected_t");
  resampled.overlap = .797;
  const Json judged = scripted_claims::judged({.claims = {resampled}})[0];
  // t = 1.24 / sqrt(.49267 (1 / 10 + .797)) with 9 degrees of freedom: mpmath 1.3, regularized incomplete beta
  // function.
  CHECK_THAT(judged.at("p_for").get<double>(), WithinRel(0.0475038074682074, 1e-9));
  CHECK_THAT(judged.at("difference").at("high").get<double>(), WithinRel(1.24 + 1.50381906132812, 1e-9));
  CHECK(judged.at("verdict") == "HOLDS");
  CHECK(judged.at("overlap") == .797);
  const Json alone = scripted_claims::judged({.claims = {claim("up", Expect::higher, "paired_t")}})[0];
  CHECK_THAT(alone.at("p_for").get<double>(), WithinRel(0.000170037176039945, 1e-9));
  CHECK(alone.at("overlap").is_null());
}

TEST_CASE("a claim takes scores that are bounds at one value, and refuses bounds whose differences are unknown",
          "[claims][bounds]") {
  // Scores of new at or above the end are bounds: at the end, or where they are if it is 0.
  const auto ends_at = [](double end) {
    return [end](const results::PlanEntry& entry, results::TrialRecord& record) {
      for (auto& value : record.metrics)
        if (value.name == "accuracy" && value.step == -1 && entry.variant == "new" && value.value >= end) {
          value.value = end == 0 ? value.value : end;
          record.defs.push_back(results::bound_of("accuracy"));
          record.metrics.push_back({results::bound_name("accuracy"), -1, 1});
          break;
        }
      return true;
    };
  };
  const auto up = claim("up", Expect::higher, "paired_t");
  const Json same = scripted_claims::judged({.claims = {up}, .change = ends_at(91)})[0];
  CHECK(same.at("verdict") == "HOLDS");
  // Six of the ten gains are 1 or more: 1.5, 2, 1.25, 1, 1.75 and 2.5.
  CHECK_THAT(same.at("bounds").get<std::string>(), has_text("6 scores are bounds (at least 91)"));
  CHECK_THAT(same.at("difference").at("point").get<double>(), WithinRel((6 + .75 + .5 + .25 + .9) / 10, 1e-9));
  const Folder here;
  write({.claims = {up}, .change = ends_at(0)});
  const Answer refused = compared({"--json"});
  CHECK_THAT(refused.out, has_text("INVALID") && has_text("bounds at different values have no difference"));
}

TEST_CASE("verdicts of claims are kept, shown by the page and part of the report", "[claims][report]") {
  const Folder here;
  write({.claims = {claim("up", Expect::higher), claim("down", Expect::lower)}});
  const Answer page = compared();
  CHECK_THAT(page.out, has_text("Registered claims of study quick"));
  CHECK_THAT(page.out, has_text("accuracy of new is higher than that of plain"));
  CHECK_THAT(fixture::retrial({"compare", "c.db"}).out, has_text("2 registered claims: retrial compare c.db --claims"));
  {
    const results::Store store("c.db", results::Store::Access::read);
    CHECK(store.documents("verdict").size() >= 2);
    CHECK(store.verify(true).empty());
  }
  const Answer report = fixture::retrial({"report", "c.db", "--format", "md"});
  CHECK_THAT(report.out, has_text("Registered claims"));
  CHECK_THAT(report.out, has_text("REFUTED"));
  const Answer json = fixture::retrial({"report", "c.db", "--format", "json"});
  CHECK(Json::parse(json.out).at("registered_claims").at("claims").size() == 2);
}

}  // namespace retrial::tests::judged_claims_tests
