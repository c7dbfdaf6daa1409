#pragma once

// Suites of two sides as values, their verdicts, and scores with known ones.
#include "harness/gate/gate.hpp"
#include "tests/catch.hpp"

namespace retrial::tests::judged_suites {

using namespace retrial::harness;
using Scores = std::vector<double>;

inline GateClaim claim_of(const std::string& name, const Scores& a, const Scores& b) {
  GateClaim out{.workload = name, .metric = "time", .unit = "ms"};
  for (const double v : a) out.trials[base].push_back({.values = {v}});
  for (const double v : b) out.trials[head].push_back({.values = {v}});
  return out;
}

inline GateSuite suite_of(std::vector<GateClaim> claims) {
  return {.baseline = "base", .candidate = "head", .claims = std::move(claims), .differences = {}, .notes = {}};
}

inline GateSettings any_order() {
  GateSettings out;
  out.allow_sequential = true;
  return out;
}

inline const GateVerdict& of(const GateResult& result, const std::string& name) {
  for (const GateVerdict& claim : result.claims)
    if (claim.workload == name) return claim;
  FAIL("no claim " << name);
  return result.claims.front();
}

inline const Scores chase_a{40.645, 40.027, 47.404, 40.561, 49.646, 43.822, 43.134, 41.502, 41.764, 41.936},
    chase_b{43.689, 42.726, 43.716, 50.848, 41.538, 42.622, 41.631, 50.699, 42.647, 42.063},
    gemm_a{12.201, 12.044, 12.234, 12.212, 12.029, 12.117, 12.087, 12.038, 12.061, 12.084},
    gemm_b{12.978, 13.002, 12.955, 12.907, 12.968, 13.172, 13.122, 12.922, 13.048, 12.922},
    sort_a{7.013, 7.161, 7.102, 7.062, 7.031, 7.044, 7.032, 7.017, 7.016, 7.03},
    sort_b{6.688, 6.626, 6.623, 6.623, 6.628, 6.649, 6.607, 6.613, 6.672, 6.634},
    stream_a{3.516, 3.507, 3.535, 3.507, 3.523, 3.539, 3.533, 3.522, 3.524, 3.535},
    stream_b{3.509, 3.539, 3.52, 3.521, 3.519, 3.506, 3.506, 3.558, 3.506, 3.506};

inline GateSuite first_suite() {
  return suite_of({claim_of("chase", chase_a, chase_b), claim_of("gemm", gemm_a, gemm_b),
                   claim_of("sort", sort_a, sort_b), claim_of("stream", stream_a, stream_b)});
}

inline void check_interval(const std::optional<variance::Estimate>& found, double low, double high) {
  CHECK_THAT(found.value().low.value(), WithinAbs(low, 1e-9));
  CHECK_THAT(found.value().high.value(), WithinAbs(high, 1e-9));
}

}  // namespace retrial::tests::judged_suites
