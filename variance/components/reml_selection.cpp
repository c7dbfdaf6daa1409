#include "variance/components/reml_selection.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace retrial::variance::inline components::reml_parts {
namespace {

/// A mean square of the noise, for scores of variance 1, that is large enough for factors in any order.
constexpr double ample = 1e-6;

/// Mean square of the contrasts that hold noise alone.
double rest_of(const Selection& selection) {
  return selection.scores.rest / static_cast<double>(selection.contrasts.rest());
}

bool reproduces(const Selection& selection, double rounding) {
  return selection.contrasts.rest() > 0 && rest_of(selection) <= rounding * rounding;
}

Selection selected(std::vector<std::size_t> factors, std::span<const double> y, const Contrasts& all) {
  std::vector<Effect> effects;
  for (const auto place : factors) effects.push_back(all.factors[place]);
  Selection out{.factors = std::move(factors), .contrasts = contrasts_of(std::move(effects), y.size()), .scores = {}};
  out.scores = contrasted(out.contrasts, y);
  return out;
}

/// Less rest is better; of selections that reproduce the scores, fewer contrasts.
bool better(const Selection& one, const Selection& other, double rounding) {
  const bool exact = reproduces(one, rounding);
  if (exact != reproduces(other, rounding)) return exact;
  return exact ? one.contrasts.size() < other.contrasts.size() : rest_of(one) < rest_of(other);
}

/// The place in `from.factors` of the factor that the scores miss least.
std::size_t least_missed(const Selection& from, std::span<const double> y, const Contrasts& all, double rounding) {
  std::optional<Selection> best;
  std::size_t out = 0;
  for (std::size_t i = 0; i < from.factors.size(); ++i) {
    auto factors = from.factors;
    factors.erase(factors.begin() + static_cast<std::ptrdiff_t>(i));
    auto fewer = selected(std::move(factors), y, all);
    if (best && !better(fewer, *best, rounding)) continue;
    best = std::move(fewer);
    out = i;
  }
  return out;
}

}  // namespace

Selection selection_for(std::span<const double> y, const Contrasts& all, double rounding) {
  Selection whole{.contrasts = all, .scores = contrasted(all, y)};
  for (std::size_t s = 0; s < all.factors.size(); ++s) whole.factors.push_back(s);
  if (all.rest() > 0 && rest_of(whole) > ample) return whole;
  bool exact = reproduces(whole, rounding);
  std::size_t needed = whole.factors.size();
  std::vector<std::size_t> order;  // the first one left out comes last
  for (Selection left = whole; !left.factors.empty();) {
    const auto place = static_cast<std::ptrdiff_t>(least_missed(left, y, all, rounding));
    order.insert(order.begin(), left.factors[static_cast<std::size_t>(place)]);
    left.factors.erase(left.factors.begin() + place);
    left = selected(std::move(left.factors), y, all);
    if (!reproduces(left, rounding)) continue;
    exact = true;
    needed = left.factors.size();
  }
  order.resize(needed);
  Selection out = selected(std::move(order), y, all);
  out.exact = exact;
  return out;
}

}  // namespace retrial::variance::inline components::reml_parts
