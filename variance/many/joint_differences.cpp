#include "variance/many/joint_differences.hpp"

#include "variance/many/multiplicity.hpp"
#include "variance/means/paired.hpp"
#include "variance/numbers/check.hpp"

namespace retrial::variance::inline many {

std::vector<std::optional<JointDifference>> joint_differences(std::span<const std::vector<double>> differences,
                                                              double alpha) {
  require_between("alpha", alpha, 0.0, 1.0);
  std::vector<std::optional<JointDifference>> out;
  std::vector<double> p;
  for (const auto& row : differences) {
    const auto test = paired_t(row, {.alpha = alpha / static_cast<double>(differences.size())});
    out.emplace_back();
    if (test) out.back() = {.mean = test->mean, .p = test->p_two};
    p.push_back(test ? test->p_two : 1.0);
  }
  const auto holm = adjusted(p, Adjustment::holm);
  for (std::size_t i = 0; i < out.size(); ++i)
    if (out[i]) out[i]->p_holm = holm[i];
  return out;
}

}  // namespace retrial::variance::inline many
