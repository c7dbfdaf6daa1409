#include "harness/judge/looks/sequence.hpp"

#include <algorithm>
#include <limits>

namespace retrial::harness::inline judge::inline looks {
namespace {

/// A look with a place in the store is not preceded by later ones; a new one is preceded by all.
template <typename Same>
std::int64_t number_among(const std::vector<Look>& looks, const Same& same) {
  const auto found = std::ranges::find_if(looks, same);
  return found == looks.end() ? std::numeric_limits<std::int64_t>::max() : found->number;
}

bool shares_rate(const Look& earlier, const Look& own) {
  if (earlier.same_as(own)) return false;
  const bool own_study = earlier.study == own.study;
  // Other inputs by the same rule: trials were run again after a look.
  const bool again = earlier.declared && earlier.same_rule(own);
  if (own.declared) return own.asks_what(earlier) && (again || !own_study);
  return own.asks_what(earlier) || own_study;
}

}  // namespace

Sequence sequence_of(const std::vector<Look>& looks, const Look& own) {
  const auto number = number_among(looks, [&](const Look& look) { return look.same_as(own); });
  Sequence out{.before = {}, .rate = own.rate};
  for (const auto& look : looks) {
    // Looks of two commands at the same time have one number, unlike a family's: neither came first, so both count.
    const bool family = look.study == own.study && look.rule == own.rule;
    if (look.number > number || (look.number == number && family) || !shares_rate(look, own)) continue;
    if (!out.before.empty() && out.before.back().number == look.number) continue;
    out.before.push_back(look);
    out.rate += look.rate;
  }
  out.rate = std::min(out.rate, 1.0);
  return out;
}

std::optional<SpoiledBy> spoiled_by(const std::vector<Look>& looks, const Look& own) {
  const auto number =
      number_among(looks, [&](const Look& look) { return own.on_trials_of(look) && look.same_rule(own); });
  for (const auto& look : looks) {
    if (look.number >= number || !own.on_trials_of(look) || look.same_rule(own) || !shares_rate(look, own)) continue;
    const bool extended = look.rule == own.rule && look.pairs < own.pairs;
    const auto reason = extended ? variance::InvalidReason::extended : variance::InvalidReason::design_mismatch;
    return SpoiledBy{.look = look, .reason = reason};
  }
  return {};
}

}  // namespace retrial::harness::inline judge::inline looks
