// Claims about the share of sets in which a candidate is ahead, by ten pairs of a scripted store. The expected p are
// counts of sign patterns and of the binomial law.
#include "harness/judge/claims/judged_claims.hpp"
#include "tests/catch.hpp"
#include "tests/harness/judge/claims/scripted_claims.hpp"

namespace retrial::tests::share_tests {

using namespace scripted_claims;
using fixture::Folder;

namespace {

/// Two sets: new against plain, and third against plain.
RegisteredClaim share(const std::string& name, Expect expect, double value,
                      const std::string& test = "paired_permutation") {
  auto out = claim(name, expect, test);
  out.candidate = "new, third";
  out.value = value;
  out.unit = "";
  out.cells = {{"new", "plain", {"accuracy", {}}}, {"third", "plain", {"accuracy", {}}}};
  return out;
}

/// New is ahead in all pairs, third in five of ten.
Script script(std::vector<RegisteredClaim> claims) {
  return {.third_gains = {1, -1, 1, -1, 1, -1, 1, -1, 1, -1}, .claims = std::move(claims)};
}

}  // namespace

TEST_CASE("a share is counted pair by pair and held against the claimed one", "[claims]") {
  const Json found = judged(script({share("up", Expect::higher, 0.5), share("down", Expect::lower, 0.5)}));
  // Five pairs at 1 and five at 0.5: of the 2^5 sign patterns of the five that differ, one has the largest sum.
  CHECK(found[0].at("p_for") == 1.0 / 32);
  CHECK(found[0].at("share") == 0.75);
  CHECK(found[0].at("difference").at("point") == 0.25);
  CHECK(found[1].at("p_against") == 1.0 / 32);
  CHECK(found[0].at("cells").size() == 2);
  CHECK(words(judged(script({share("up", Expect::higher, 0.5)}))) == Words{"HOLDS"});
  CHECK(words(judged(script({share("up", Expect::higher, 0.74)}))) == Words{"INCONCLUSIVE"});
}

TEST_CASE("the binomial test counts whole pairs, rounded away from the claim", "[claims]") {
  const Json found =
      judged(script({share("up", Expect::higher, 0.5, "binomial"), share("down", Expect::lower, 0.9, "binomial")}));
  // The shares add up to 7.5 of 10: P(Bin(10, 1/2) >= 7) = 176/1024.
  CHECK_THAT(found[0].at("p_for").get<double>(), WithinAbs(176.0 / 1024, 1e-10));
  // 2.5 lost: P(Bin(10, 0.1) >= 2) = 1 - 0.9^10 - 0.9^9 = 0.2639010709.
  CHECK_THAT(found[1].at("p_for").get<double>(), WithinAbs(0.2639010709, 1e-10));
}

TEST_CASE("ties count half, and a set without a score counts against the claim", "[claims]") {
  auto tied = script({share("up", Expect::higher, 0.5)});
  tied.gains = std::vector<double>(10, 0.0);
  CHECK(judged(tied)[0].at("share") == 0.5);  // half of the first set, every second of the other
  auto lost = script({share("up", Expect::higher, 0.5), share("down", Expect::lower, 0.99)});
  lost.change = [](const auto& entry, auto& record) {
    if (entry.variant == "new" && entry.pair_index == 0) {
      record.status = results::Status::failed;
      record.metrics.clear();
      record.defs.clear();
    }
    return true;
  };
  const Json found = judged(lost);
  CHECK(found[0].at("share") == 0.7);
  CHECK(found[1].at("share") == 0.75);
  CHECK(found[0].at("pairs") == 10);
}

TEST_CASE("a lower score is ahead where the metric says so", "[claims]") {
  auto lower = script({share("up", Expect::higher, 0.5)});
  lower.change = [](const auto&, auto& record) {
    for (auto& def : record.defs)
      if (def.name == "accuracy") def.direction = results::Direction::lower;
    return true;
  };
  CHECK(judged(lower)[0].at("share") == 0.25);
}

TEST_CASE("the order of the sets asks the same question, another share another", "[claims]") {
  auto first = share("a", Expect::higher, 0.5), turned = share("b", Expect::higher, 0.5),
       other = share("c", Expect::higher, 0.6);
  std::swap(turned.cells[0], turned.cells[1]);
  const auto asked = questions(script({first, turned, other, claim("one", Expect::higher)}));
  CHECK(asked[0] == asked[1]);
  CHECK(asked[0] != asked[2]);
  CHECK(asked[0] != asked[3]);
}

TEST_CASE("the page names the mean share", "[claims]") {
  const Folder here;
  write(script({share("up", Expect::higher, 0.5)}));
  CHECK_THAT(compared().out, has_text("mean share 0.75"));
}

}  // namespace retrial::tests::share_tests
