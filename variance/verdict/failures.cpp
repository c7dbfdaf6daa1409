#include "variance/verdict/failures.hpp"

#include "variance/numbers/distributions.hpp"
#include "variance/numbers/number_text.hpp"
#include "variance/verdict/verdict.hpp"

namespace retrial::variance::inline verdict {
namespace {

bool fails_more(double p, const Verdict& v) {
  return p <= v.design.alpha;
}

}  // namespace

FailedPairs failed_pairs(const PairedScores& scores, std::int64_t judged_pairs) {
  FailedPairs out;
  for (std::size_t i = 0; i < static_cast<std::size_t>(judged_pairs); ++i) {
    out.candidate += !scores.candidate[i] && scores.baseline[i] ? 1 : 0;
    out.baseline += scores.candidate[i] && !scores.baseline[i] ? 1 : 0;
  }
  const std::int64_t uneven = out.candidate + out.baseline;
  out.p_candidate = binomial_at_least(out.candidate, uneven, 0.5);
  out.p_baseline = binomial_at_least(out.baseline, uneven, 0.5);
  return out;
}

std::string informative_failures(const Verdict& v) {
  if (v.design.failure != FailurePolicy::drop) return "";
  const bool candidate = fails_more(v.failures.p_candidate, v), baseline = fails_more(v.failures.p_baseline, v);
  const bool both_ways = v.status == Status::equivalent || v.status == Status::not_meaningful;
  if (candidate && (v.status == Status::better || both_ways)) return unequal_failures(v);
  if (baseline && (v.status == Status::worse || both_ways)) return unequal_failures(v);
  return "";
}

std::string unequal_failures(const Verdict& v) {
  const bool candidate = fails_more(v.failures.p_candidate, v), baseline = fails_more(v.failures.p_baseline, v);
  if (!candidate && !baseline) return "";
  const std::string& more = candidate ? v.design.candidate : v.design.baseline;
  const std::string& less = candidate ? v.design.baseline : v.design.candidate;
  return more + " fails more often than " + less + ": alone in " +
         counted_text(candidate ? v.failures.candidate : v.failures.baseline, "pair") + ", against " +
         std::to_string(candidate ? v.failures.baseline : v.failures.candidate) +
         " (exact McNemar test, one-sided p = " +
         significant(candidate ? v.failures.p_candidate : v.failures.p_baseline, 3) + ")" +
         (v.design.failure == FailurePolicy::drop
              ? "; pairs that are left out may be its worst runs, which says nothing for " + more
              : "");
}

}  // namespace retrial::variance::inline verdict
