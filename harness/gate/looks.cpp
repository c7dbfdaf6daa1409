#include "harness/gate/looks.hpp"

namespace retrial::harness::inline gate {

LookedSuite::LookedSuite(GateSettings settings, std::size_t looks)
    : settings_(std::move(settings)), looks_(static_cast<double>(looks)) {}

bool LookedSuite::look(const GateSuite& suite) {
  GateSettings share = settings_;
  share.alpha /= looks_, share.equiv_alpha /= looks_;
  last_ = judge_suite(suite, share);
  bool open = false;
  for (const GateVerdict& claim : last_.claims) {
    if (decided_.contains({claim.workload, claim.metric})) continue;
    if (claim.verdict == "inconclusive")
      open = true;
    else
      decided_[{claim.workload, claim.metric}] = claim;
  }
  return !open;
}

GateResult LookedSuite::result() const {
  GateResult out = last_;
  for (GateVerdict& claim : out.claims) {
    const auto found = decided_.find({claim.workload, claim.metric});
    if (found != decided_.end())
      claim = found->second;
    else if (claim.reason == "noise")
      claim.reason = "undecided_at_max_pairs";
  }
  conclude(out, settings_);
  return out;
}

}  // namespace retrial::harness::inline gate
