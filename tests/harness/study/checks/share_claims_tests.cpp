// Claims about a share of sets: what a study file may say.
#include "harness/judge/claims/claims_page.hpp"
#include "harness/study/checks/study.hpp"
#include "tests/catch.hpp"
#include "tests/harness/study/checks/study_text.hpp"

namespace retrial::tests::share_claims_tests {

using namespace retrial;
using namespace retrial::harness;
using tests::error_of;
using tests::load;

namespace {

const std::string head =
    "schema = 1\nworkload = \"pruning\"\nseed = 1\npairs = 20\n[set]\ncorruptions = \"fog\"\n"
    "[variant.rand_global]\n[variant.wt]\n[variant.ft]\n[claim.c]\nexpect = \"higher\"\n";
const std::string two_metrics =
    "metric = [\"potential_nominal_max\", \"excess_slope\"]\ncandidate = \"wt\"\nbaseline = \"ft\"\n";
const std::string two_variants =
    "metric = \"excess_slope\"\ncandidate = [\"wt\", \"ft\"]\nbaseline = [\"rand_global\", \"wt\"]\n";

RegisteredClaim claim_of(const std::string& keys) {
  return load(head + keys).claims.claims.at(0);
}

}  // namespace

TEST_CASE("a share is of several metrics, or of variants side by side", "[claims]") {
  const auto metrics = claim_of(two_metrics + "share = 0.6\n");
  CHECK(metrics.cells ==
        std::vector<ShareCell>{{"wt", "ft", {"potential_nominal_max", {}}}, {"wt", "ft", {"excess_slope", {}}}});
  CHECK(metrics.test == "paired_permutation");
  CHECK(metrics.value == 0.6);
  CHECK(metrics.sentence() ==
        "the share of 2 sets (potential_nominal_max, excess_slope) in which wt is ahead of ft in a pair is higher than "
        "0.6");
  const auto variants = claim_of(two_variants + "share = 0.6\n");
  CHECK(variants.cells ==
        std::vector<ShareCell>{{"wt", "rand_global", {"excess_slope", {}}}, {"ft", "wt", {"excess_slope", {}}}});
  CHECK(variants.variants() == std::vector<std::string>{"wt", "rand_global", "ft"});
}

TEST_CASE("a share survives its document, and the plan names sets and pairs", "[claims]") {
  const Study study = load(head + two_metrics + "share = 0.6\ntest = \"binomial\"\n");
  const auto document = study_document(study).at("claims");
  CHECK(document_of(registered_claims_of(document)) == document);
  CHECK(registered_claims_of(document).claims.at(0).cells == study.claims.claims.at(0).cells);
  CHECK_THAT(planned_claims_page(study), has_text("c: 2 sets in each of 20 pairs"));
  CHECK(planned_claims_json(study).at("claims")[0].at("cells")[1] ==
        Json{{"candidate", "wt"}, {"baseline", "ft"}, {"metric", "excess_slope"}});
  // 0.6^5 = 0.078 and 0.6^6 = 0.047: six pairs at least, if all are won.
  CHECK(planned_claims_json(study).at("least_pairs") == 6);
}

TEST_CASE("what contradicts a share is refused by its field", "[claims]") {
  const auto refused = [](const std::string& keys, const std::string& text) {
    const std::string message = error_of(head + keys);
    INFO(message);
    CHECK(message.find(text) != std::string::npos);
  };
  refused(two_metrics + "share = 1\n", "claim.c.share = 1.0: out of range (allowed: above 0 and below 1)");
  refused(two_metrics + "share = 0.5\nvalue = 1\n", "claim.c.value: contradicts share");
  refused(two_metrics + "share = 0.5\nmargin = 1\n", "claim.c.margin: contradicts share");
  refused("metric = \"excess_slope\"\ncandidate = \"wt\"\nbaseline = \"ft\"\nshare = 0.5\n", "one set");
  refused("metric = \"excess_slope\"\ncandidate = [\"wt\", \"ft\"]\nbaseline = \"rand_global\"\nshare = 0.5\n",
          "as many as candidates");
  refused("metric = \"excess_slope\"\ncandidate = [\"wt\", \"ft\"]\nbaseline = [\"ft\", \"ft\"]\nshare = 0.5\n",
          "is compared with itself");
  refused("metric = [\"excess_slope\", \"excess_slope\"]\ncandidate = \"wt\"\nbaseline = \"ft\"\nshare = 0.5\n",
          "claim.c.metric = excess_slope: named twice");
  refused(
      "metric = [\"excess_slope\", \"potential_nominal_max\"]\ncandidate = [\"wt\", \"ft\"]\n"
      "baseline = [\"rand_global\", \"wt\"]\nshare = 0.5\n",
      "a list beside lists of variants");
  refused(two_metrics + "share = 0.5\ntest = \"tost\"\n", "binomial");
  refused("metric = \"excess_slope\"\ncandidate = \"wt\"\nbaseline = [\"ft\", \"rand_global\"]\n",
          "several names (allowed: one variant)");
  refused("metric = \"excess_slope\"\ncandidate = \"wt\"\nvalue = 0\ntest = \"binomial\"\n", "unknown test");
}

TEST_CASE("a share is higher or lower", "[claims]") {
  auto equal = head;
  equal.replace(equal.find("\"higher\""), 8, "\"equal\"");
  CHECK(error_of(equal + two_metrics + "share = 0.5\n").find("not for a share (allowed: higher, lower)") !=
        std::string::npos);
}

}  // namespace retrial::tests::share_claims_tests
