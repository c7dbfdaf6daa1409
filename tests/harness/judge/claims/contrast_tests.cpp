// Claims about weighted sums of several variants, judged as the plain claims of judged_claims_tests.cpp are.
#include "tests/catch.hpp"
#include "tests/harness/judge/claims/scripted_claims.hpp"

namespace retrial::tests::contrast_tests {

using namespace scripted_claims;

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

}  // namespace retrial::tests::contrast_tests
