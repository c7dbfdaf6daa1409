#include "harness/gate/bencher.hpp"

#include "results/json/json.hpp"
#include "tests/catch.hpp"

namespace retrial::tests::bencher_tests {

using namespace retrial::harness;

namespace {
GateClaim claim_of(const std::string& name, std::vector<double> values) {
  GateClaim out{.workload = name, .metric = "real_time", .unit = "ns"};
  for (const double v : values) out.trials[head].push_back({.values = {v}});
  return out;
}
}  // namespace

TEST_CASE("Bencher gets the median and its exact interval", "[gate]") {
  GateSuite suite{.baseline = "base", .candidate = "head", .claims = {}, .differences = {}, .notes = {}};
  suite.claims.push_back(claim_of("sort", {10, 9, 8, 7, 6, 5, 4, 3, 2, 1}));
  suite.claims.push_back(claim_of("few", {1, 2, 3, 4, 5}));
  suite.claims.push_back(claim_of("gone", {}));
  suite.claims.back().trials[base].push_back({.values = {1.0}});
  GateClaim failed = claim_of("failed", {});
  failed.trials[head].push_back({.failed = true});
  suite.claims.push_back(failed);
  // Of 10 values the 2nd and the 9th: P(B(10, 1/2) <= 1) = 11/1024 <= 0.025 < 56/1024 (tables of the binomial law).
  CHECK(bencher_document(suite, {}) ==
        Json::parse(R"({"sort":{"real_time":{"value":5.5,"lower_value":2.0,"upper_value":9.0}},
                        "few":{"real_time":{"value":3.0}}})"));
}

}  // namespace retrial::tests::bencher_tests
