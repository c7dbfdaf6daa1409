#include "workloads/automl/searchers/parzen/parzen.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "variance/random/rng.hpp"
#include "workloads/automl/searchers/parzen/squares.hpp"

namespace retrial::automl::inline searchers::inline parzen {
namespace {

constexpr std::size_t flat = 25;         // observations of full weight
constexpr double most_kernels = 100;     // that narrow the least width
constexpr double negligible = 40;        // exp(-40) of the largest term changes no digit of a sum
constexpr std::size_t block_slots = 96;  // of all scales, in the first cache

using Kind = Hyperparameter::Kind;

double normal_below(double z) {
  return .5 * std::erfc(-z / std::numbers::sqrt2);
}

/// P(a < Z < b), exact in both tails.
double mass(double a, double b) {
  return a > 0 ? normal_below(-a) - normal_below(-b) : normal_below(b) - normal_below(a);
}

}  // namespace

KernelScale::KernelScale(const Hyperparameter& p)
    : whole_(p.kind == Kind::integer || p.kind == Kind::log_integer),
      log_(p.kind == Kind::log || p.kind == Kind::log_integer),
      choices_(p.kind == Kind::choice ? p.choices.size() : 0),
      least_(p.low),
      most_(whole_ ? p.high - 1 : p.high) {
  const double half = whole_ ? .5 : 0;
  low_ = log_ ? std::log(least_ - half) : least_ - half;
  high_ = log_ ? std::log(most_ + half) : most_ + half;
}

double KernelScale::from_coordinate(double z) const {
  if (is_choice()) return std::min(static_cast<double>(choices_) - 1, std::floor(z * static_cast<double>(choices_)));
  const double value = log_ ? least_ * std::pow(most_ / least_, z) : least_ + z * (most_ - least_);
  const double settled = whole_ ? std::nearbyint(value) : value;
  return log_ ? std::log(settled) : settled;
}

double KernelScale::to_coordinate(double x) const {
  if (is_choice()) return (x + .5) / static_cast<double>(choices_);
  return log_ ? (x - std::log(least_)) / std::log(most_ / least_) : (x - least_) / (most_ - least_);
}

double KernelScale::settled(double x) const {
  if (!whole_) return std::clamp(x, low_, high_);
  const double value = std::clamp(std::nearbyint(log_ ? std::exp(x) : x), least_, most_);
  return log_ ? std::log(value) : value;
}

std::pair<double, double> KernelScale::cell(double x) const {
  const double value = log_ ? std::nearbyint(std::exp(x)) : x;
  return log_ ? std::pair(std::log(value - .5), std::log(value + .5)) : std::pair(value - .5, value + .5);
}

std::vector<double> age_weights(std::size_t n) {
  std::vector<double> out(n, 1.0);
  if (n < flat) return out;
  const std::size_t ramp = n - flat;
  const double first = 1 / static_cast<double>(n);
  for (std::size_t i = 0; i < ramp; ++i)
    out[i] = ramp == 1 ? first : first + (1 - first) * static_cast<double>(i) / static_cast<double>(ramp - 1);
  return out;
}

Parzen::Parzen(std::vector<KernelScale> scales, Width width, double prior_weight)
    : scales_(std::move(scales)),
      width_(width),
      prior_weight_(prior_weight),
      axes_(scales_.size()),
      weight_{1.0},
      total_{0.0} {
  for (std::size_t i = 0; i < scales_.size(); ++i) {
    const KernelScale& scale = scales_[i];
    (scale.is_choice() || scale.is_whole() ? masses_ : densities_).push_back(i);
    Axis& axis = axes_[i];
    axis.mean = {scale.is_choice() ? 0 : (scale.low() + scale.high()) / 2};
    axis.width = axis.inverse = axis.log_scale = {0.0};
    if (scale.is_choice()) continue;
    set_width(i, 0, scale.range());
    if (width_ == Width::gaps_with_prior) axis.sorted.emplace_back(axis.mean[0], 0);
  }
  add_up(0);
}

double Parzen::floor_width(std::size_t scale) const {
  return scales_[scale].range() / std::min(most_kernels, 2 + static_cast<double>(order_.size()));
}

bool Parzen::all_change() const {
  return width_ == Width::scott || 2 + static_cast<double>(order_.size()) <= most_kernels;
}

/// The larger of the gaps to both neighbors, or to a bound; the outermost two look inward.
double Parzen::width_at(std::size_t scale, std::size_t place) const {
  const KernelScale& domain = scales_[scale];
  const auto& sorted = axes_[scale].sorted;
  double width = 0;
  if (width_ == Width::scott) {
    const auto n = static_cast<double>(std::max<std::size_t>(order_.size(), 1));
    width = .2 * std::pow(n, -1 / (static_cast<double>(scales_.size()) + 4)) * domain.range();
  } else {
    const double here = sorted[place].first;
    const bool first = place == 0, last = place + 1 == sorted.size(), several = sorted.size() > 1;
    const double left = first ? (several ? 0 : here - domain.low()) : here - sorted[place - 1].first;
    const double right = last ? (several ? 0 : domain.high() - here) : sorted[place + 1].first - here;
    width = std::max(left, right);
  }
  return std::clamp(width, floor_width(scale), domain.range());
}

void Parzen::set_width(std::size_t scale, std::size_t slot, double width) {
  Axis& axis = axes_[scale];
  const KernelScale& domain = scales_[scale];
  axis.width[slot] = width;
  axis.inverse[slot] = 1 / (std::numbers::sqrt2 * width);
  const double inside = mass((domain.low() - axis.mean[slot]) / width, (domain.high() - axis.mean[slot]) / width);
  axis.log_scale[slot] = -std::log(domain.is_whole() ? inside : inside * width * std::sqrt(2 * std::numbers::pi));
}

void Parzen::refresh(std::size_t scale, std::size_t place) {
  const std::size_t slot = axes_[scale].sorted[place].second;
  if (slot == 0) return;
  const double width = width_at(scale, place);
  if (width == axes_[scale].width[slot]) return;
  set_width(scale, slot, width);
  add_up(slot);
}

void Parzen::refresh_around(std::size_t scale, std::size_t place) {
  const std::size_t count = axes_[scale].sorted.size();
  const bool all = all_change();
  const std::size_t from = all || place == 0 ? 0 : place - 1, to = all ? count : std::min(count, place + 2);
  for (std::size_t i = from; i < to; ++i) refresh(scale, i);
}

void Parzen::add_up(std::size_t slot) {
  total_[slot] = 0;
  for (const std::size_t scale : densities_) total_[slot] += axes_[scale].log_scale[slot];
}

void Parzen::reweigh() {
  const auto weights = age_weights(order_.size());
  double sum = prior_weight_;
  for (const double weight : weights) sum += weight;
  weight_[0] = prior_weight_ / sum;
  for (std::size_t i = 0; i < order_.size(); ++i) weight_[order_[i].second] = weights[i] / sum;
}

void Parzen::insert(std::int64_t age, std::span<const double> point) {
  std::size_t slot = weight_.size();
  if (free_.empty()) {
    weight_.push_back(0);
    total_.push_back(0);
    for (Axis& axis : axes_)
      for (auto* values : {&axis.mean, &axis.width, &axis.inverse, &axis.log_scale}) values->push_back(0);
  } else {
    slot = free_.back();
    free_.pop_back();
  }
  const std::pair entry(age, slot);
  order_.insert(std::ranges::lower_bound(order_, entry), entry);
  for (std::size_t i = 0; i < scales_.size(); ++i) {
    Axis& axis = axes_[i];
    axis.mean[slot] = point[i];
    axis.width[slot] = 0;
    if (scales_[i].is_choice()) continue;
    const std::pair at(point[i], slot);
    const auto place = axis.sorted.insert(std::ranges::lower_bound(axis.sorted, at), at);
    refresh_around(i, static_cast<std::size_t>(place - axis.sorted.begin()));
  }
  reweigh();
}

void Parzen::remove(std::int64_t age) {
  const auto found = std::ranges::lower_bound(order_, std::pair(age, std::size_t{0}));
  const std::size_t slot = found->second;
  order_.erase(found);
  for (std::size_t i = 0; i < scales_.size(); ++i) {
    if (scales_[i].is_choice()) continue;
    auto& sorted = axes_[i].sorted;
    const auto place = sorted.erase(std::ranges::lower_bound(sorted, std::pair(axes_[i].mean[slot], slot)));
    refresh_around(i, static_cast<std::size_t>(place - sorted.begin()));
  }
  weight_[slot] = 0;
  free_.push_back(slot);
  reweigh();
}

std::vector<double> Parzen::widths(std::size_t scale) const {
  std::vector<double> out;
  for (const auto& [age, slot] : order_) out.push_back(axes_[scale].width[slot]);
  out.push_back(axes_[scale].width[0]);
  return out;
}

/// Of a hit and of a miss of a kernel's own choice.
Parzen::LogChoice Parzen::log_choice(std::size_t scale) const {
  const double share = prior_weight_ / static_cast<double>(order_.size() + 1);
  const double sum = 1 + share * static_cast<double>(scales_[scale].choices());
  return {std::log((1 + share) / sum), std::log(share / sum)};
}

void Parzen::sample(std::span<const double> uniforms, std::span<double> point) const {
  std::size_t slot = 0;
  double sum = 0;
  for (const auto& [age, candidate] : order_)
    if ((sum += weight_[candidate]) > uniforms[0]) {
      slot = candidate;
      break;
    }
  for (std::size_t i = 0; i < scales_.size(); ++i) {
    const double u = uniforms[i + 1];
    const KernelScale& scale = scales_[i];
    const Axis& axis = axes_[i];
    if (scale.is_choice()) {
      const auto [hit, miss] = log_choice(i);
      const std::size_t count = scale.choices();
      double cumulative = 0;
      std::size_t choice = 0;
      for (; choice + 1 < count; ++choice) {
        const bool own = static_cast<double>(choice) == axis.mean[slot];
        cumulative += slot == 0 ? 1 / static_cast<double>(count) : std::exp(own ? hit : miss);
        if (cumulative > u) break;
      }
      point[i] = static_cast<double>(choice);
      continue;
    }
    const double width = axis.width[slot], mean = axis.mean[slot];
    const double a = normal_below((scale.low() - mean) / width), b = normal_below((scale.high() - mean) / width);
    const double p = std::clamp(a + u * (b - a), std::numeric_limits<double>::min(), 1 - 0x1p-53);
    point[i] = scale.settled(mean + width * variance::quantile(p));
  }
}

/// Of whole numbers and choices; at most 0.
double Parzen::log_of_masses(std::size_t slot, const double* point, const std::vector<LogChoice>& choices) const {
  double sum = 0;
  for (const std::size_t i : masses_) {
    const Axis& axis = axes_[i];
    if (scales_[i].is_choice()) {
      const auto [hit, miss] = choices[i];
      sum += slot == 0                     ? -std::log(static_cast<double>(scales_[i].choices()))
             : point[i] == axis.mean[slot] ? hit
                                           : miss;
    } else {
      const auto [from, to] = scales_[i].cell(point[i]);
      sum += std::log(mass((from - axis.mean[slot]) / axis.width[slot], (to - axis.mean[slot]) / axis.width[slot])) +
             axis.log_scale[slot];
    }
  }
  return sum;
}

std::vector<double> Parzen::log_density(std::span<const double> points) const {
  const std::size_t d = scales_.size(), count = points.size() / d, slots = weight_.size();
  std::vector<LogChoice> choices(d);
  for (const std::size_t i : masses_)
    if (scales_[i].is_choice()) choices[i] = log_choice(i);
  std::vector<SquaresAxis> axes(densities_.size());
  std::vector<double> largest(count, -std::numeric_limits<double>::infinity()), sums(count, 0.0);
  std::array<double, block_slots> exponent{};
  std::array<std::uint32_t, block_slots> near{};
  for (std::size_t from = 0; from < slots; from += block_slots) {
    const std::size_t length = std::min(block_slots, slots - from);
    for (std::size_t c = 0; c < count; ++c) {
      const double* point = &points[c * d];
      for (std::size_t k = 0; k < axes.size(); ++k) {
        const Axis& axis = axes_[densities_[k]];
        axes[k] = {axis.mean.data() + from, axis.inverse.data() + from, point[densities_[k]]};
      }
      const std::size_t found =
          less_squares(total_.data() + from, axes, length, largest[c] - negligible, exponent.data(), near.data());
      for (std::size_t i = 0; i < found; ++i) {
        const std::size_t slot = from + near[i];
        double term = exponent[i];
        if (term < largest[c] - negligible || weight_[slot] == 0) continue;
        if (!masses_.empty()) term += log_of_masses(slot, point, choices);
        if (term > largest[c]) {
          sums[c] = sums[c] * std::exp(largest[c] - term) + weight_[slot];
          largest[c] = term;
        } else {
          sums[c] += weight_[slot] * std::exp(term - largest[c]);
        }
      }
    }
  }
  for (std::size_t c = 0; c < count; ++c) sums[c] = largest[c] + std::log(sums[c]);
  return sums;
}

}  // namespace retrial::automl::inline searchers::inline parzen
