// Claims that a study registers before its first run: which claims are allowed, and how scores judge them.
#include "harness/judge/claims/claims_page.hpp"
#include "harness/judge/claims/judged_claims.hpp"
#include "harness/study/checks/study.hpp"
#include "tests/catch.hpp"
#include "tests/harness/study/checks/study_text.hpp"
#include "variance/designs/power.hpp"

namespace retrial::tests::claims_tests {

using namespace retrial;
using namespace retrial::harness;
using tests::error_of;
using tests::load;

namespace {

const std::string head =
    "schema = 1\nworkload = \"pruning\"\nseed = 1\n[set]\ncorruptions = \"fog\"\n"
    "[variant.rand_global]\n[variant.wt]\n";

std::string claimed(const std::string& keys) {
  return head + "[claim.c]\n" + keys;
}

}  // namespace

TEST_CASE("a claim is about two variants, two readings of a trial, or a number", "[claims]") {
  const auto sentence = [](const std::string& keys) { return load(claimed(keys)).claims.claims.at(0).sentence(); };
  const std::string wt = "candidate = \"wt\"\n";
  CHECK(sentence(wt + "metric = \"excess_slope\"\nvalue = 0\nexpect = \"higher\"\n") ==
        "excess_slope of wt is higher than 0 pp");
  CHECK(sentence(wt +
                 "metric = \"potential_nominal_max\"\nbaseline = \"rand_global\"\nexpect = \"higher\"\nmargin = 5\n") ==
        "potential_nominal_max of wt is higher by more than 5 pp than that of rand_global");
  CHECK(sentence(wt + "metric = \"potential_fog_max\"\nagainst = \"potential_nominal_max\"\nexpect = \"lower\"\n") ==
        "potential_fog_max of wt is lower than potential_nominal_max of the same trial");
  CHECK(sentence(wt + "metric = [\"accuracy[1]\", \"accuracy[2]\"]\nagainst = \"accuracy[0]\"\nexpect = \"equal\"\n"
                      "margin = 0.5\n") ==
        "the mean of accuracy[1] and accuracy[2] of wt differs by no more than 0.5 pp from accuracy[0] of the same "
        "trial");
  CHECK(sentence(wt + "metric = \"excess_slope\"\nvalue = 0\nexpect = \"not-higher\"\nmargin = 0.5\n") ==
        "excess_slope of wt is at most 0.5 pp higher than 0 pp");
  CHECK(sentence(wt + "metric = \"excess_slope\"\nbaseline = \"rand_global\"\nexpect = \"not-lower\"\nmargin = 2\n") ==
        "excess_slope of wt is at most 2 pp lower than that of rand_global");
}

TEST_CASE("a contrast names its variants with weights, and its value is 0 unless it is given", "[claims]") {
  const std::string keys = "metric = \"excess_slope\"\nexpect = \"higher\"\n";
  const auto text = [&](const std::string& more) {
    return head + "[variant.ft]\n[claim.c]\n" + keys + "contrast = { wt = 1, ft = -0.5, rand_global = -0.5 }\n" + more;
  };
  const Study study = load(text(""));
  const RegisteredClaim claim = study.claims.claims.at(0);
  CHECK(claim.contrast == Contrast{{"wt", 1}, {"ft", -0.5}, {"rand_global", -0.5}});
  CHECK(claim.value == 0);
  CHECK(claim.sentence() == "the contrast of excess_slope (1 wt, -0.5 ft, -0.5 rand_global) is higher than 0 pp");
  CHECK(study_document(load(text("value = 0\n"))) == study_document(study));
  CHECK(document_of(registered_claims_of(study_document(study).at("claims"))) == study_document(study).at("claims"));
  CHECK(load(text("value = 2\n")).claims.claims.at(0).value == 2);
  CHECK(planned_claims_json(study).at("claims")[0].at("contrast")[1] == Json{{"variant", "ft"}, {"weight", -0.5}});
  CHECK_THAT(planned_claims_page(study), has_text("-0.5 rand_global"));
  // Weights that no sum of doubles brings to 0 exactly: S - 8.4 for S = 2, 4, 8, 12, 16.
  CHECK(is_balanced({{"a", -6.4}, {"b", -4.4}, {"c", -0.4}, {"d", 3.6}, {"e", 7.6}}));
  CHECK_FALSE(is_balanced({{"a", 1}, {"b", -1.000001}}));
}

TEST_CASE("a claim of several candidates is a claim of each, all of one family", "[claims]") {
  const auto names = [](const std::string& candidate) {
    std::vector<std::string> out;
    for (const auto& claim : load(head + "[variant.ft]\n[claim.c]\n" + candidate +
                                  "metric = \"excess_slope\"\nbaseline = \"wt\"\nexpect = \"higher\"\n")
                                 .claims.claims)
      out.push_back(claim.name + " of " + claim.candidate);
    return out;
  };
  using Names = std::vector<std::string>;
  CHECK(names("candidate = \"*\"\n") == Names{"c/rand_global of rand_global", "c/ft of ft"});
  CHECK(names("candidate = [\"ft\", \"rand_global\"]\n") == Names{"c/ft of ft", "c/rand_global of rand_global"});
  CHECK(names("candidate = \"ft\"\n") == Names{"c of ft"});
}

TEST_CASE("a plan gives the largest spread of pairs at which a claim of no difference can be shown", "[claims]") {
  const std::string rest = "candidate = \"wt\"\nvalue = 0\nmetric = \"excess_slope\"\n";
  const Study study =
      load("pairs = 40\n" + claimed(rest + "margin = 0.5\nexpect = \"not-higher\"\n") + "[claim.e]\n" + rest +
           "margin = 0.5\nexpect = \"equal\"\n[claim.h]\n" + rest + "margin = 0.5\nexpect = \"higher\"\n");
  const Json claims = planned_claims_json(study).at("claims");
  const auto power = [](const Json& claim) {
    return variance::t_power(40, 0.5 / claim.at("largest_sd").get<double>(), {.alpha = 0.05 / 3});
  };
  CHECK_THAT(power(claims[0]), WithinAbs(0.8, 1e-6));
  CHECK_THAT(power(claims[1]), WithinAbs(0.9, 1e-6));  // both ends of the margin: 1 - 2 * 0.1
  CHECK(claims[2].at("largest_sd").is_null());
  CHECK_THAT(planned_claims_page(study), has_text("max sd"));
}

TEST_CASE("a claim without a statement or a subject is one error with the allowed values", "[claims]") {
  const std::string wt = "candidate = \"wt\"\n", metric = "metric = \"excess_slope\"\n", up = "expect = \"higher\"\n";
  const std::vector<std::pair<std::string, std::string>> table{
      {metric + up + "value = 0\n", "claim.c.candidate: missing"},
      {wt + up, "claim.c.metric: missing"},
      {wt + metric + "value = 0\n",
       "claim.c.expect: missing: a claim needs a direction (allowed: higher, lower, not-higher, not-lower, equal)"},
      {wt + metric + "value = 0\nexpect = \"more\"\n", "higher, lower, not-higher, not-lower, equal"},
      {wt + "metric = \"excess_slop\"\nvalue = 0\n" + up, "did you mean \"excess_slope\"?"},
      {wt + "metric = \"potential_snow_max\"\nvalue = 0\n" + up, "unknown metric"},
      {wt + "metric = []\nvalue = 0\n" + up, "a list of texts"},
      {wt + "metric = \"accuracy\"\nvalue = 0\n" + up, "for example accuracy[1]"},
      {wt + "metric = \"accuracy[-1]\"\nvalue = 0\n" + up, "a step from 0"},
      {wt + "metric = \"excess_slope[1]\"\nvalue = 0\n" + up, "is not a series"},
      {"candidate = \"wt2\"\n" + metric + up, "unknown variant"},
      {wt + "baseline = \"rand_globl\"\n" + metric + up, "did you mean \"rand_global\"?"},
      {wt + metric + up, "with itself"},
      {wt + metric + up + "value = 0\nbaseline = \"rand_global\"\n", "contradicts baseline"},
      {wt + metric + up + "value = 0\nmargin = -1\n", "0 and more"},
      {wt + metric + "value = 0\nexpect = \"equal\"\n", "claim.c.margin: missing"},
      {wt + metric + "value = 0\nexpect = \"not-higher\"\n", "claim.c.margin: missing"},
      {"candidate = [\"wt\", \"wt\"]\nvalue = 0\n" + metric + up, "named twice"},
      {"candidate = [\"wt\", \"tw\"]\nvalue = 0\n" + metric + up, "unknown variant"},
      {wt + metric + "value = 0\nexpect = \"equal\"\nmargin = 1\ntest = \"sign\"\n", "two one-sided t tests"},
      {wt + metric + up + "value = 0\ntest = \"wilcoxn\"\n", "did you mean \"wilcoxon\"?"},
      {wt + metric + up + "against = \"accuracy[0]\"\n", "differs in unit from excess_slope"},
      {wt + metric + up + "value = 0\nalpha = 0.1\n", "unknown key"},
  };
  for (const auto& [keys, expected] : table) {
    INFO(keys);
    CHECK_THAT(error_of(claimed(keys)), has_text(expected));
  }
  const std::vector<std::pair<std::string, std::string>> contrasts{
      {"{ wt = 1, rand_globl = -1 }\n", "claim.c.contrast = rand_globl: unknown variant (allowed: rand_global, wt)"},
      {"{ wt = 1 }\n", "1 named (allowed: two or more variants)"},
      {"{}\n", "0 named"},
      {"{ wt = 1, rand_global = 0 }\n", "claim.c.contrast.rand_global = 0.0: not a weight"},
      {"{ wt = 1, rand_global = nan }\n", "claim.c.contrast.rand_global = NaN: not a finite number"},
      {"{ wt = 1, rand_global = \"x\" }\n", "claim.c.contrast.rand_global: wrong type (allowed: a number)"},
      {"[1, -1]\n", "claim.c.contrast: wrong type (allowed: a table { VARIANT = weight, ... })"},
      {"{ wt = 1, rand_global = -0.5 }\n", "the weights sum to 0.5, not to 0"},
      {"{ wt = 1, rand_global = -1 }\ncandidate = \"wt\"\n", "claim.c.candidate: contradicts contrast"},
      {"{ wt = 1, rand_global = -1 }\nbaseline = \"wt\"\n", "claim.c.baseline: contradicts contrast"},
      {"{ wt = 1, rand_global = -1 }\nagainst = \"excess_slope\"\n", "claim.c.against: contradicts contrast"},
      {"{ wt = 1, rand_global = -1 }\nmargin = -1\n", "0 and more"},
  };
  for (const auto& [weights, expected] : contrasts) {
    INFO(weights);
    CHECK_THAT(error_of(claimed(metric + up + "contrast = " + weights)), has_text(expected));
  }
  const std::string sequential = "[compare]\nfamily = \"dual_e\"\ngamma = 0.75\nn_max = 40\n";
  CHECK_THAT(error_of(claimed(wt + metric + up + "value = 0\n") + sequential), has_text("fixed beforehand"));
  CHECK_THAT(error_of("schema = 1\nworkload = \"null\"\nseed = 1\n[variance]\n[claim.c]\n"),
             has_text("study of variance"));
}

TEST_CASE("a claim whose test takes resamples of one data set as independent is refused with the test that fits",
          "[claims]") {
  const std::string digits = "schema = 1\nworkload = \"distillation\"\nseed = 1\n";
  const std::string keys = "[set]\ndataset = \"digits\"\nsplit = \"oob\"\n[variant.scratch]\n[variant.kd]\n";
  const std::string up =
      "[claim.c]\nmetric = \"accuracy\"\ncandidate = \"kd\"\nbaseline = \"scratch\"\nexpect = \"higher\"\n";
  const std::string alike =
      "[claim.c]\nmetric = \"accuracy\"\ncandidate = \"kd\"\nbaseline = \"scratch\"\nexpect = \"equal\"\nmargin = 1\n";
  for (const char* test : {"paired_t", "wilcoxon", "sign", "paired_permutation"})
    CHECK_THAT(error_of(digits + keys + up + "test = \"" + test + "\"\n"),
               has_text("claim.c.test = " + std::string(test) + ": takes pairs as independent") &&
                   has_text("overlap 0.797") && has_text("allowed: corrected_t") &&
                   has_text("claims_about = \"resamples\""));
  CHECK_THAT(error_of(digits + keys + up), has_text("claim.c.test = paired_permutation"));
  CHECK_THAT(error_of(digits + keys + alike), has_text("claim.c.test = tost"));
  // The digits are divided into 1,000 and 797 rows.
  const auto claim = load(digits + keys + up + "test = \"corrected_t\"\n").claims.claims.at(0);
  CHECK(claim.overlap == 797.0 / 1000);
  CHECK(test_text(claim) == "corrected_t, overlap 0.797");
  CHECK(load(digits + keys + alike + "test = \"corrected_t\"\n").claims.claims.at(0).overlap == 797.0 / 1000);
  const auto documented = document_of(RegisteredClaims{.claims = {claim}});
  CHECK(registered_claims_of(documented).claims.at(0).overlap == claim.overlap);
  const Study resamples = load(digits + "claims_about = \"resamples\"\n" + keys + up + "test = \"paired_t\"\n");
  CHECK_FALSE(resamples.claims.claims.at(0).overlap);
  CHECK_FALSE(study_document(resamples).contains("claims_about"));  // says nothing that the keys do not
  CHECK_THAT(error_of(digits + "claims_about = \"all\"\n" + keys + up), has_text("claims_about = all: not a word"));
  // Held, the division is the same in every pair; published, it is never drawn.
  CHECK(error_of(digits + "hold = [\"data-split\"]\n" + keys + up + "test = \"paired_t\"\n") == "no error");
  CHECK_THAT(error_of(claimed("candidate = \"wt\"\nmetric = \"excess_slope\"\nvalue = 0\nexpect = \"higher\"\n"
                              "test = \"corrected_t\"\n")),
             has_text("is for pairs that share rows") && has_text("paired_permutation, wilcoxon, sign, paired_t"));
}

TEST_CASE("claims are part of the study's document, and no study without them changes", "[claims]") {
  const auto document =
      study_document(load(claimed("candidate = \"wt\"\nmetric = \"excess_slope\"\nvalue = 0.1\n"
                                  "expect = \"higher\"\n")));
  const auto read = registered_claims_of(document.at("claims"));
  REQUIRE(read.claims.size() == 1);
  CHECK(read.claims[0].value == 0.1);
  CHECK(document_of(read) == document.at("claims"));
  CHECK_FALSE(study_document(load(head)).contains("claims"));
}

}  // namespace retrial::tests::claims_tests
