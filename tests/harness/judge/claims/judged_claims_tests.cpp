// Registered claims judged by ten pairs of a scripted store. With k of ten pairs on the claimed side
// the sign test has p = P(Bin(10, 1/2) >= k): 1/1024, 11/1024, 56/1024 for 10, 9, 8.
#include "harness/judge/claims/claims_page.hpp"
#include "harness/judge/claims/judged_claims.hpp"
#include "tests/catch.hpp"
#include "tests/harness/program/cli_fixture.hpp"

namespace retrial::tests::judged_claims_tests {

using namespace retrial;
using namespace retrial::harness;
using fixture::Answer;
using fixture::Folder;
using fixture::StudySpec;

namespace {

/// Claims about the accuracy of variant new, against that of plain unless a value is given.
RegisteredClaim claim(const std::string& name, Expect expect, const std::string& test = "paired_permutation") {
  return {.name = name,
          .candidate = "new",
          .baseline = "plain",
          .metric = {{"accuracy", {}}},
          .against = {{"accuracy", {}}},
          .value = {},
          .expect = expect,
          .test = test,
          .unit = "%"};
}

RegisteredClaim above(const std::string& name, double value) {
  auto out = claim(name, Expect::higher, "sign");
  out.baseline = out.candidate;
  out.value = value;
  return out;
}

void put(const StudySpec& spec, const Json& document) {
  results::Store store("c.db", results::Store::Access::write);
  std::vector<std::pair<std::string, Json>> documents{{"design", fixture::design_document(spec)}};
  store.put_study(document.at("name"), document, fixture::plan_of(spec), documents);
}

RegisteredClaim contrast(const std::string& name, Contrast weights, Expect expect = Expect::higher,
                         const std::string& test = "paired_permutation") {
  auto out = claim(name, expect, test);
  out.candidate = out.baseline = "";
  out.value = 0;
  out.contrast = std::move(weights);
  return out;
}

struct Script {
  std::vector<double> gains{1.5, 0.75, 2.0, 1.25, 0.5, 1.0, 1.75, 0.25, 2.5, 0.9};
  std::vector<double> third_gains = {};
  std::vector<RegisteredClaim> claims = {};
  std::string failure = "loss";
  fixture::Change change = {};
};

StudySpec spec_of(const Script& script) {
  return {.baseline = std::vector<double>(script.gains.size(), 90.0),
          .gains = script.gains,
          .third_gains = script.third_gains};
}

void write(const Script& script) {
  const StudySpec spec = spec_of(script);
  Json document = fixture::study_document(spec);
  if (!script.claims.empty()) document["claims"] = document_of({.claims = script.claims, .failure = script.failure});
  put(spec, document);
  results::Store store("c.db", results::Store::Access::write);
  for (const auto& entry : fixture::plan_of(spec)) {
    auto record = fixture::record_of(entry, fixture::score_of(spec, entry));
    if (!script.change || script.change(entry, record)) store.append(record);
  }
}

Answer compared(const std::vector<std::string>& more = {}) {
  std::vector<std::string> words{"compare", "c.db", "--claims"};
  words.insert(words.end(), more.begin(), more.end());
  return fixture::retrial(words);
}

/// The claims of the document, in the order of the study.
Json judged(const Script& script) {
  const Folder here;
  write(script);
  const Answer answer = compared({"--json"});
  INFO(answer.err);
  REQUIRE(answer.exit == 0);
  return Json::parse(answer.out).at("claims");
}

/// The question of each claim, as its look has it.
std::vector<results::Digest> questions(const Script& script) {
  const Folder here;
  write(script);
  const results::Store store("c.db", results::Store::Access::read);
  const auto study = read_study(store, store.studies().back());
  std::vector<results::Digest> out;
  for (const auto& look : judge_claims(store, study, plan_state(store, study.plan)).looks) out.push_back(look.question);
  return out;
}

std::vector<std::string> words(const Json& claims) {
  std::vector<std::string> out;
  for (const Json& claim : claims) out.push_back(claim.at("verdict"));
  return out;
}

using Words = std::vector<std::string>;

}  // namespace

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
  CHECK(judged({.gains = {1, 3, 1, 3}, .claims = {above}})[0].at("reason") ==
        "the observed mean lies beyond the margin");
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
  CHECK(beyond[0].at("reason") == "the observed mean lies beyond the margin");
  const Json same = judged({.gains = {1, 1, 1, 1, 1, 1}, .claims = {near}});
  CHECK(words(same) == Words{"INCONCLUSIVE"});
  CHECK_THAT(same[0].at("reason").get<std::string>(), has_text("do not vary"));
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

TEST_CASE("a contrast with the weights 1 and -1 is the plain claim: the same p, interval and question", "[claims]") {
  const Contrast difference{{"new", 1}, {"plain", -1}}, other_order{{"plain", -1}, {"new", 1}};
  std::vector<double> gains{1.5, 0.75, 2.0, -1.25, 0.5, 1.0, 1.75, -0.25, 2.5, 0.9};
  while (gains.size() < 24) gains.push_back(gains[gains.size() - 10] * 1.5 - 0.75);  // beyond the exact permutations
  for (const std::size_t pairs : {10, 24})
    for (const auto expect : all_expectations()) {
      auto tests = claim_tests();
      if (expect == Expect::equal) tests = {"tost"};
      for (const auto& test : tests) {
        CAPTURE(pairs, name_of(expect), test);
        auto plain = claim("c", expect, test);
        plain.margin = tolerates(expect) ? 0.5 : 0;
        for (const auto& weights : {difference, other_order}) {
          auto weighted = contrast("c", weights, expect, test);
          weighted.margin = plain.margin;
          const std::vector<double> some(gains.begin(), gains.begin() + static_cast<std::ptrdiff_t>(pairs));
          const Json a = judged({.gains = some, .claims = {plain}})[0];
          const Json b = judged({.gains = some, .claims = {weighted}})[0];
          for (const char* key : {"p_for", "p_against", "difference", "verdict", "pairs_needed", "pairs"})
            CHECK(a.at(key) == b.at(key));
        }
      }
    }
  const auto asked = questions(
      {.claims = {claim("c", Expect::higher), contrast("d", difference), contrast("e", {{"plain", 2}, {"new", -2}})}});
  CHECK(asked[1] == asked[0]);
  CHECK(asked[2] == asked[0]);
}

// The weighted sums by hand: plain is 90 in every pair, so a sum with balanced weights is that of the gains.
TEST_CASE("a contrast is the weighted sum within each pair, compared with its value", "[claims]") {
  const Script three{.gains = {2, 4, 6, 8, 10},
                     .third_gains = {1, 1, 2, 2, 4},
                     .claims = {contrast("interaction", {{"new", 1}, {"plain", -2}, {"third", 1}}),
                                contrast("less", {{"new", -0.5}, {"plain", 1}, {"third", -0.5}}, Expect::lower)}};
  auto sum = three;
  sum.claims = {contrast("total", {{"new", 1}, {"third", 1}})};
  sum.claims[0].value = 180;
  const Json claims = judged(three), total = judged(sum);
  CHECK(claims[0].at("difference").at("point") == 8.0);  // 3, 5, 8, 10, 14
  CHECK(claims[1].at("difference").at("point") == -4.0);
  CHECK(claims[0].at("p_for") == 1.0 / 32);
  CHECK(claims[1].at("p_for") == 1.0 / 32);
  CHECK(claims[0].at("contrast") == Json{{{"variant", "new"}, {"weight", 1}},
                                         {{"variant", "plain"}, {"weight", -2}},
                                         {{"variant", "third"}, {"weight", 1}}});
  CHECK(claims[0].at("candidate").is_null());
  CHECK(claims[0].at("baseline").is_null());
  CHECK(total[0].at("difference").at("point") == 8.0);
  CHECK(total[0].at("sentence") == "the contrast of accuracy (1 new, 1 third) is higher than 180 %");
}

TEST_CASE("the looks of a contrast: a factor and the order make no other question, other weights do", "[claims]") {
  const std::vector<double> third{1, 1, 2, 2, 4, 5, 6, 7, 8, 9};
  auto by_half = contrast("half", {{"new", 1}, {"plain", -2}, {"third", 1}}), by_one = by_half, doubled = by_half;
  by_half.value = 0.5;
  by_one.value = 1;
  doubled.contrast = {{"plain", 4}, {"third", -2}, {"new", -2}};
  doubled.value = -1;
  const auto asked =
      questions({.third_gains = third,
                 .claims = {contrast("a", {{"new", 1}, {"plain", -2}, {"third", 1}}),
                            contrast("b", {{"third", -3}, {"plain", 6}, {"new", -3}}),
                            contrast("c", {{"new", 1}, {"plain", -1.5}, {"third", 0.5}}), by_half, by_one, doubled}});
  CHECK(asked[0] == asked[1]);
  CHECK(asked[0] != asked[2]);
  CHECK(asked[0] != asked[3]);
  CHECK(asked[3] != asked[4]);
  CHECK(asked[3] == asked[5]);
}

TEST_CASE("a pair in which one trial of a contrast failed is lost as a whole", "[claims]") {
  Script script{.third_gains = {1, 1, 2, 2, 4, 5, 6, 7, 8, 9},
                .claims = {contrast("c", {{"third", 1}, {"plain", -1}}),
                           contrast("d", {{"third", 2}, {"plain", -1}, {"new", -1}})},
                .change = fixture::one_failed_one_diverged};  // new/1 and plain/2
  const Json refused = judged(script);
  CHECK(words(refused) == Words{"INVALID", "INVALID"});
  CHECK_THAT(refused[0].at("reason").get<std::string>(), has_text("missing: trial plain/2"));
  CHECK_THAT(refused[1].at("reason").get<std::string>(), has_text("missing: trial new/1"));
  script.failure = "drop";
  const Json kept = judged(script);
  CHECK(kept[0].at("left_out") == 1);
  CHECK(kept[1].at("left_out") == 2);
  CHECK(kept[1].at("pairs") == 8);
}

TEST_CASE("the sides of a claim: the candidate or weights above 0 raise it, all others lower it", "[claims]") {
  const auto weighted = contrast("c", {{"plain", -0.5}, {"new", 2}, {"third", -1.5}});
  CHECK(weighted.side(true) == "new");
  CHECK(weighted.side(false) == "plain, third");
  CHECK(contrast("c", {{"new", -1}, {"third", -1}}).side(true).empty());
  CHECK(claim("c", Expect::higher).side(true) == "new");
  CHECK(claim("c", Expect::higher).side(false) == "plain");
  CHECK(above("c", 90).side(true) == "new");
  CHECK(above("c", 90).side(false).empty());
}

TEST_CASE("a contrast is void where the side that it favors fails more often, whichever sign that side has",
          "[claims]") {
  const auto new_fails = [](const results::PlanEntry& entry, results::TrialRecord& record) {
    if (entry.variant != "new" || entry.pair_index >= 5) return true;
    record.status = results::Status::failed;
    record.exit_code = 3;
    record.message = "command.no_metric: accuracy not found in the output";
    record.metrics.clear();
    return true;
  };
  // new - plain is above 0 and plain - new below it: new is favored by both.
  Script script{.gains = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12},
                .claims = {contrast("up", {{"new", 1}, {"plain", -1}}, Expect::higher, "sign"),
                           contrast("down", {{"new", -1}, {"plain", 1}}, Expect::lower, "sign")},
                .failure = "drop",
                .change = new_fails};
  for (const Json& each : judged(script)) {
    CHECK(each.at("verdict") == "INVALID");
    CHECK_THAT(each.at("reason").get<std::string>(), has_text("missing: new alone failed in 5 pairs, the other in 0"));
  }
}

}  // namespace retrial::tests::judged_claims_tests
