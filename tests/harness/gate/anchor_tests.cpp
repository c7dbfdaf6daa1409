#include "harness/gate/gate_document.hpp"
#include "harness/gate/gate_page.hpp"
#include "results/json/json.hpp"
#include "tests/catch.hpp"

namespace retrial::tests::anchor_tests {

using namespace retrial::harness;

namespace {
/// Ten interleaved processes of each side, the candidate `share` slower.
GateSuite suite_of(const std::string& baseline, double share) {
  GateSuite out{.baseline = baseline, .candidate = "head", .claims = {}, .differences = {}, .notes = {}};
  GateClaim claim{.workload = "sort", .metric = "time", .unit = "s"};
  for (std::int64_t pair = 0; pair < 10; ++pair) {
    const double noise = 0.001 * static_cast<double>(pair * 7 % 10);
    const std::int64_t first = 4 * pair, second = 4 * pair + 1;
    claim.trials[base].push_back({.values = {10.0 + noise}, .started = pair % 2 == 0 ? first : second});
    claim.trials[head].push_back(
        {.values = {(10.0 + noise) * (1.0 + share)}, .started = pair % 2 == 0 ? second : first});
  }
  out.claims.push_back(claim);
  return out;
}
}  // namespace

TEST_CASE("a drift of small steps shows against the anchor and not against the commit before", "[gate]") {
  GateSuite suite = suite_of("parent", 0.005);    // half a percent more than its parent
  add_anchor(suite, suite_of("v1.0", 0.05), {});  // and 5 % more than the release
  const GateResult result = judge_suite(suite, {});
  REQUIRE(result.claims.size() == 2);
  CHECK(result.claims[0].against.empty());
  CHECK(result.claims[0].verdict == "equivalent");
  CHECK(result.claims[1].against == "v1.0");
  CHECK(result.claims[1].verdict == "regressed");
  CHECK(result.exit == 1);
  CHECK(claim_sentence(result.claims[1], result, {}).starts_with("head is WORSE than v1.0: +5.00 %"));
  // Both share one error rate: the p of Holm over two claims, 2 / C(20, 10).
  CHECK_THAT(*result.claims[1].p_worse_adjusted, WithinAbs(2.0 / 184756, 1e-12));
  CHECK(gate_document(result, {}).at("claims").at(1).at("against") == "v1.0");
}

TEST_CASE("an anchor of another machine is no side of a claim, and the baseline is judged all the same", "[gate]") {
  GateSuite suite = suite_of("parent", 0.0), anchored = suite_of("v1.0", 0.05);
  anchored.differences = {{"cpu_model", "old", "new"}};
  GateSuite allowed = suite;
  add_anchor(suite, anchored, {});
  const GateResult result = judge_suite(suite, {});
  CHECK(result.claims[0].verdict == "equivalent");
  CHECK(result.claims[1].verdict == "incomparable");
  CHECK(result.exit == 4);
  add_anchor(allowed, anchored, {"cpu_model"});
  CHECK(judge_suite(allowed, {}).exit == 1);
}

}  // namespace retrial::tests::anchor_tests
