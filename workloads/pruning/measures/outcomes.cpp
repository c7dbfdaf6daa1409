#include "workloads/pruning/measures/outcomes.hpp"

#include <algorithm>

namespace retrial::pruning::inline measures {
namespace {

double percent(std::int64_t wrong, std::int64_t images) {
  return 100 * static_cast<double>(wrong) / static_cast<double>(images);
}

}  // namespace

void Outcomes::add(double prune_ratio, const std::vector<std::int64_t>& wrong) {
  pr.push_back(prune_ratio);
  for (std::size_t d = 0; d < errors.size(); ++d) errors[d].wrong.push_back(wrong[d]);
}

pruning::Potential Outcomes::potential(std::size_t distribution, double delta_pp) const {
  const ErrorCounts& counts = errors[distribution];
  std::vector<pruning::Step> steps;
  for (std::size_t i = 1; i < pr.size(); ++i) steps.push_back({.pr = pr[i], .errors = counts.wrong[i]});
  return pruning::potential(counts.wrong.front(), steps, counts.images, delta_pp);
}

std::vector<double> Outcomes::excess_errors() const {
  std::vector<double> found;
  const auto is_shift = [](const ErrorCounts& counts) { return !counts.noise; };
  const auto shifts = std::count_if(errors.begin() + 1, errors.end(), is_shift);
  const auto shifted = [&](std::size_t network) {
    double sum = 0;
    for (std::size_t d = 1; d < errors.size(); ++d)
      if (is_shift(errors[d])) sum += percent(errors[d].wrong[network], errors[d].images);
    return sum / static_cast<double>(shifts);
  };
  const auto nominal = [&](std::size_t network) { return percent(errors[0].wrong[network], errors[0].images); };
  for (std::size_t i = 1; i < pr.size() && shifts > 0; ++i)
    found.push_back(pruning::excess_error(shifted(i), nominal(i), shifted(0), nominal(0)));
  return found;
}

std::optional<double> Outcomes::excess_slope() const {
  const std::vector<double> excess = excess_errors();
  if (excess.empty()) return std::nullopt;
  std::vector<double> shares;
  std::transform(pr.begin() + 1, pr.end(), std::back_inserter(shares), [](double p) { return p / 100; });
  return pruning::excess_slope(shares, excess);
}

void Outcomes::save(nn::StateWriter& to) const {
  to.number("networks", pr.size());
  for (std::size_t i = 0; i < pr.size(); ++i) {
    to.real("pr", pr[i]);
    for (const ErrorCounts& counts : errors) to.number("wrong", static_cast<std::uint64_t>(counts.wrong[i]));
  }
}

void Outcomes::load(nn::StateReader& from) {
  pr.clear();
  for (ErrorCounts& counts : errors) counts.wrong.clear();
  for (std::uint64_t left = from.number("networks"); left > 0; --left) {
    pr.push_back(from.real("pr"));
    for (ErrorCounts& counts : errors) counts.wrong.push_back(static_cast<std::int64_t>(from.number("wrong")));
  }
}

}  // namespace retrial::pruning::inline measures
