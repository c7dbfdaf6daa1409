#include "variance/many/claim_evidence.hpp"

#include "tests/catch.hpp"

namespace retrial::tests::claim_evidence_tests {

using namespace retrial::variance;

TEST_CASE("a claim of a direction is the one-sided test against the shifted baseline") {
  const std::vector<double> candidate{3, 4, 5, 6, 7}, baseline{1, 2, 2, 3, 5};
  // Five of five above: 2^-5; shifted by 10, five of five below.
  const auto higher = claim_of_side(candidate, baseline, {Direction::higher, 0.0}, "sign", .05, 1);
  CHECK_THAT(*higher.p_for, WithinAbs(1.0 / 32, 1e-15));
  CHECK(*higher.p_against == 1.0);
  const auto by_ten = claim_of_side(candidate, baseline, {Direction::higher, 10.0}, "sign", .05, 1);
  CHECK(*by_ten.p_for == 1.0);
  CHECK_THAT(*by_ten.p_against, WithinAbs(1.0 / 32, 1e-15));
}

TEST_CASE("differences that do not vary are no evidence for a t test") {
  const std::vector<double> candidate{3, 4, 5}, baseline{2, 3, 4};
  CHECK(claim_of_side(candidate, baseline, {Direction::higher, 0.0}, "paired_t", .05, 1).constant);
  const auto equality = claim_of_equality(candidate, baseline, 2.0, .05);
  CHECK(equality.constant);
  CHECK_FALSE(equality.p_for.has_value());
  CHECK_FALSE(claim_of_side(candidate, baseline, {Direction::higher, 0.0}, "sign", .05, 1).constant);
}

TEST_CASE("equality: the larger of two one-sided p values") {
  // scipy 1.17.1: d = [1, -1, 2, 0, .5]; ttest_1samp(d, -3, alternative='greater').pvalue 1.0960649e-3,
  // ttest_1samp(d, 3, alternative='less').pvalue 3.7452169e-3.
  const std::vector<double> candidate{1, -1, 2, 0, .5}, baseline{0, 0, 0, 0, 0};
  CHECK_THAT(*claim_of_equality(candidate, baseline, 3.0, .05).p_for, WithinRel(0.0037452169406372625, 1e-12));
}

TEST_CASE("a share: as many pairs as the shares add up to, by the binomial law") {
  // P(Bin(5, 0.6) >= 4) = 5 0.6^4 0.4 + 0.6^5 = 0.33696; 0.7 of a pair lost is none: P(Bin(5, 0.4) >= 0) = 1.
  const std::vector<double> shares{1, 1, 1, 1, 0.3};
  const auto higher = claim_of_share(shares, Direction::higher, 0.6);
  CHECK_THAT(*higher.p_for, WithinAbs(0.33696, 1e-12));
  CHECK(*higher.p_against == 1.0);
  CHECK(*claim_of_share(shares, Direction::lower, 0.6).p_for == 1.0);
  const std::vector<double> thirds{2.0 / 3, 2.0 / 3, 2.0 / 3};  // 2 of 3, although the sum of doubles may be below
  CHECK_THAT(*claim_of_share(thirds, Direction::higher, 0.5).p_for, WithinAbs(0.5, 1e-12));
}

TEST_CASE("a claim without a p still counts in the family") {
  const std::vector<std::optional<double>> p{.01, std::nullopt, .02};
  const auto corrected = holm_over(p);
  CHECK_THAT(*corrected[0], WithinAbs(.03, 1e-15));
  CHECK_FALSE(corrected[1].has_value());
  CHECK_THAT(*corrected[2], WithinAbs(.04, 1e-15));
}

}  // namespace retrial::tests::claim_evidence_tests
