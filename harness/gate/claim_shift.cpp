#include <cmath>
#include <utility>

#include "harness/gate/claim_evidence.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::harness::inline gate {

void take_shift(ClaimTest& out, const ClaimShift& shift) {
  const auto shown = [&](variance::Estimate e) {
    e.point = shown_effect(e.point, out.verdict.absolute);
    for (auto* bound : {&e.low, &e.high})
      if (*bound) *bound = shown_effect(**bound, out.verdict.absolute);
    return e;
  };
  out.verdict.effect = shown_effect(shift.at95.point, out.verdict.absolute);
  out.verdict.ci95 = shown(shift.at95);
  out.verdict.ci90 = shown(shift.at90);
  const bool lower = out.verdict.direction == variance::Direction::lower;
  out.worse = lower ? shift.at95.point : -shift.at95.point;
  out.low = shift.at90.low, out.high = shift.at90.high;
  if (lower) return;
  std::swap(out.low, out.high);
  for (auto* bound : {&out.low, &out.high})
    if (*bound) *bound = -**bound;
}

double robust_spread(const std::vector<double>& values) {
  if (values.size() < 2) return 0.0;
  const double middle = *variance::median(values);
  std::vector<double> off;
  for (const double v : values) off.push_back(std::fabs(v - middle));
  const double mad = 1.4826 * *variance::median(off);
  return mad > 0.0 ? mad : *variance::sd(values);
}

}  // namespace retrial::harness::inline gate
