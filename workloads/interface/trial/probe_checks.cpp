#include "workloads/interface/trial/probe_checks.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>

namespace retrial::workloads::inline interface::inline trial {
namespace {

/// Gradients are float32 sums in another order: a term is accounted for up to this share of the largest of them.
constexpr double accounted = 1e-5;
/// In evaluation mode, another batch may change the order of sums, nothing else.
constexpr float same_logit = 1e-4F, same_share = 2e-5F;

double norm(std::span<const double> values) {
  double sum = 0;
  for (const double v : values) sum += v * v;
  return std::sqrt(sum);
}

std::vector<double> residual_of(std::span<const TermShare> declared, std::span<const double> total) {
  std::vector<double> out(total.begin(), total.end());
  for (const auto& term : declared) {
    require_equal_sizes(term.gradient.size(), out.size());
    for (std::size_t i = 0; i < out.size(); ++i) out[i] -= term.gradient[i];
  }
  return out;
}

double largest_norm(std::span<const TermShare> declared, std::span<const double> total) {
  double out = norm(total);
  for (const auto& term : declared) out = std::max(out, norm(term.gradient));
  return out;
}

/// The only term without which the others sum to the total.
const TermShare* left_out(std::span<const TermShare> declared, const std::vector<double>& residual, double tolerance) {
  const TermShare* found = nullptr;
  for (const auto& term : declared) {
    double sum = 0;
    for (std::size_t i = 0; i < residual.size(); ++i) {
      const double rest = residual[i] + term.gradient[i];
      sum += rest * rest;
    }
    if (std::sqrt(sum) > tolerance || norm(term.gradient) == 0) continue;
    if (found != nullptr) return nullptr;
    found = &term;
  }
  return found;
}

Finding unaccounted(std::span<const TermShare> declared, std::span<const double> total,
                    const std::vector<double>& residual, double tolerance) {
  const std::string sides = "|gradient of the total| " + short_number(norm(total)) +
                            ", |total - sum of the declared terms| " + short_number(norm(residual));
  if (const auto* term = left_out(declared, residual, tolerance))
    return {"unaccounted-term", "loss term " + term->name,
            "is computed and never added (weight " + short_number(term->weight) + ", |weighted gradient| " +
                short_number(norm(term->gradient)) + "): " + sides};
  return {"unaccounted-term", "the objective", "contains a part that no declared term explains: " + sides};
}

}  // namespace

std::string short_number(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 4);
  return {text.data(), end.ptr};
}

std::string share_text(std::size_t some, std::size_t all) {
  return std::to_string(some) + " of " + std::to_string(all);
}

void require_equal_sizes(std::size_t a, std::size_t b) {
  if (a != b) throw std::logic_error("a probe compares " + std::to_string(a) + " values with " + std::to_string(b));
}

float largest_difference(std::span<const float> a, std::span<const float> b) {
  require_equal_sizes(a.size(), b.size());
  float out = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const float apart = std::fabs(a[i] - b[i]);
    out = std::isfinite(apart) ? std::max(out, apart)
                               : std::max(out, std::isfinite(a[i]) == std::isfinite(b[i]) ? 0.0F : INFINITY);
  }
  return out;
}

std::vector<Finding> check_terms(std::span<const TermShare> declared, std::span<const double> total) {
  std::vector<Finding> out;
  for (const auto& term : declared)
    if (term.weight != 0 && norm(term.gradient) == 0)
      out.push_back({"dead-term", "loss term " + term.name,
                     "has weight " + short_number(term.weight) + " and a gradient of 0 on the first batch"});
  const auto residual = residual_of(declared, total);
  const double tolerance = accounted * largest_norm(declared, total);
  // Written so that NaN is a finding.
  if (!(norm(residual) <= tolerance)) out.push_back(unaccounted(declared, total, residual, tolerance));
  return out;
}

std::optional<Finding> check_batches(const std::string& what, std::span<const float> one_by_one,
                                     std::span<const float> together) {
  const float apart = largest_difference(one_by_one, together);
  float largest = 0;
  for (const float output : together)
    if (std::isfinite(output)) largest = std::max(largest, std::fabs(output));
  if (apart <= std::max(same_logit, same_share * largest)) return std::nullopt;
  return Finding{"train-mode-in-eval", what,
                 "outputs of single rows and of rows in a batch differ by up to " +
                     short_number(static_cast<double>(apart)) + ": they depend on their neighbors"};
}

std::optional<Finding> check_differs(const std::string& kind, const std::string& what, const std::string& a,
                                     const std::string& b) {
  if (a != b) return std::nullopt;
  return Finding{kind, what, "both are " + a.substr(0, 12)};
}

}  // namespace retrial::workloads::inline interface::inline trial
