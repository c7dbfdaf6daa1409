#include "workloads/automl/core/space.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

#include "variance/random/rng.hpp"
#include "workloads/automl/streams/streams.hpp"

namespace retrial::automl::inline core {
namespace {

using Kind = Hyperparameter::Kind;

bool is_whole(const Hyperparameter& p) {
  return p.kind == Kind::integer || p.kind == Kind::log_integer;
}

bool is_log(const Hyperparameter& p) {
  return p.kind == Kind::log || p.kind == Kind::log_integer;
}

/// The last value.
double top(const Hyperparameter& p) {
  return is_whole(p) ? p.high - 1 : p.high;
}

double values(const Hyperparameter& p) {
  if (p.kind == Kind::choice) return static_cast<double>(p.choices.size());
  return top(p) > p.low ? std::numeric_limits<double>::infinity() : 1;
}

std::variant<std::int64_t, double> typed(const Hyperparameter& p, double value) {
  if (p.kind == Kind::choice) return static_cast<std::int64_t>(value);
  const double inside = std::clamp(value, p.low, top(p));
  if (is_whole(p)) return static_cast<std::int64_t>(std::nearbyint(inside));
  return std::clamp(rounded(inside), p.low, top(p));
}

double value_of(const Chosen& chosen, const Hyperparameter& p) {
  const auto found = chosen.find(p.name);
  if (found == chosen.end()) return p.init;
  if (const auto* number = std::get_if<double>(&found->second)) return *number;
  return static_cast<double>(std::get<std::int64_t>(found->second));
}

double coordinate(const Hyperparameter& p, double value) {
  if (p.kind == Kind::choice) return (value + 0.5) / values(p);
  return is_log(p) ? std::log(value / p.low) / std::log(top(p) / p.low) : (value - p.low) / (top(p) - p.low);
}

double value_at(const Hyperparameter& p, double z) {
  return is_log(p) ? p.low * std::pow(top(p) / p.low, z) : p.low + z * (top(p) - p.low);
}

std::int64_t bin_of(const Hyperparameter& p, double z) {
  const auto count = static_cast<std::int64_t>(p.choices.size());
  return std::min(count - 1, static_cast<std::int64_t>(std::floor(z * static_cast<double>(count))));
}

/// A value of a choice: the reference's in its own bin, else one of the others.
std::int64_t choice_at(const Hyperparameter& p, double z, std::int64_t reference, std::uint64_t drawn) {
  const auto count = static_cast<std::int64_t>(p.choices.size());
  if (bin_of(p, z) == reference) return reference;
  const auto other = static_cast<std::int64_t>(variance::bounded(drawn, static_cast<std::uint64_t>(count - 1)));
  return other < reference ? other : other + 1;
}

}  // namespace

double rounded(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::general, 12).ptr;
  double out = value;
  std::from_chars(text, end, out);
  return out;
}

Space::Space(std::vector<Hyperparameter> parameters) : parameters_(std::move(parameters)) {
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    by_name_.push_back({.parameter = i});
    if (!(values(parameters_[i]) > 1)) continue;
    by_name_.back().dimension = tuned_.size();
    tuned_.push_back(i);
  }
  std::ranges::sort(by_name_, {}, [&](const Named& one) { return std::string_view(parameters_[one.parameter].name); });
}

Chosen Space::initial() const {
  Chosen out;
  for (const auto& p : parameters_) out[p.name] = typed(p, p.init);
  return out;
}

Chosen Space::cheapest() const {
  Chosen out;
  for (const auto& p : parameters_) out[p.name] = typed(p, p.cheapest.value_or(p.init));
  return out;
}

Coordinates Space::normalised(const Chosen& chosen) const {
  Coordinates out;
  for (const std::size_t i : tuned_) out.push_back(coordinate(parameters_[i], value_of(chosen, parameters_[i])));
  return out;
}

/// `choose` gives the place of a choice.
template <typename Choose>
Chosen Space::values_at(std::span<const double> point, const Choose& choose) const {
  Chosen out;
  for (const Named& one : by_name_) {
    const Hyperparameter& p = parameters_[one.parameter];
    if (!one.dimension)
      out.emplace_hint(out.end(), p.name, typed(p, p.init));
    else if (p.kind == Kind::choice)
      out.emplace_hint(out.end(), p.name, choose(p, *one.dimension));
    else
      out.emplace_hint(out.end(), p.name, typed(p, value_at(p, point[*one.dimension])));
  }
  return out;
}

Chosen Space::chosen_at(std::span<const double> point) const {
  return values_at(point, [&](const Hyperparameter& p, std::size_t d) { return bin_of(p, point[d]); });
}

Chosen Space::chosen_at(std::span<const double> point, const Chosen& reference, std::uint64_t completion_key) const {
  return values_at(point, [&](const Hyperparameter& p, std::size_t d) {
    return choice_at(p, point[d], static_cast<std::int64_t>(value_of(reference, p)), word(completion_key, d));
  });
}

double Space::min_step(const Chosen& best) const {
  double least = std::numeric_limits<double>::infinity();
  for (const std::size_t i : tuned_) {
    const Hyperparameter& p = parameters_[i];
    if (p.kind == Kind::integer) least = std::min(least, 1 / (p.high - p.low));
    if (p.kind == Kind::log_integer)
      least = std::min(least, std::log(1 + 1 / value_of(best, p)) / std::log(top(p) / p.low));
  }
  return std::isfinite(least) ? least * std::sqrt(static_cast<double>(dimensions())) : 1e-4;
}

Coordinates projected(Coordinates point) {
  for (double& z : point) z = std::clamp(z, 0.0, 1.0);
  return point;
}

Coordinates moved(Coordinates from, std::span<const double> direction, double by) {
  for (std::size_t i = 0; i < from.size(); ++i) from[i] += by * direction[i];
  return projected(std::move(from));
}

}  // namespace retrial::automl::inline core
