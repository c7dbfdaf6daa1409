#include "workloads/pruning/trial/probe_checks.hpp"

#include <cmath>

#include "workloads/interface/trial/probe_checks.hpp"
#include "workloads/pruning/measures/metrics.hpp"

namespace retrial::pruning::inline trial {
namespace {

std::string right_of(std::int64_t wrong, std::int64_t images) {
  return workloads::share_text(static_cast<std::size_t>(images - wrong), static_cast<std::size_t>(images));
}

}  // namespace

std::optional<workloads::Finding> check_chance(const std::string& what, std::int64_t parent_wrong,
                                               std::int64_t pruned_wrong, std::int64_t images, int classes) {
  if (pruning::at_chance(parent_wrong, images, classes) || !pruning::at_chance(pruned_wrong, images, classes))
    return std::nullopt;
  return workloads::Finding{"chance-collapse", what,
                            right_of(pruned_wrong, images) + " correct answers, the parent gave " +
                                right_of(parent_wrong, images) + "; chance is 1 in " + std::to_string(classes)};
}

std::optional<workloads::Finding> check_rewound(const std::string& what, const std::string& rewound,
                                                const std::string& wanted) {
  if (rewound == wanted) return std::nullopt;
  return workloads::Finding{"rewind-ignored", what, rewound.substr(0, 12) + ", expected " + wanted.substr(0, 12)};
}

std::optional<workloads::Finding> check_masked(const std::string& layer, std::span<const float> weights,
                                               std::span<const std::uint8_t> mask) {
  workloads::require_equal_sizes(weights.size(), mask.size());
  std::size_t alive = 0, masked = 0;
  for (std::size_t i = 0; i < mask.size(); ++i) {
    if (mask[i] != 0) continue;
    ++masked;
    alive += weights[i] != 0 ? 1 : 0;
  }
  if (alive == 0) return std::nullopt;
  return workloads::Finding{"mask-not-applied", "layer " + layer,
                            workloads::share_text(alive, masked) + " masked weights are not 0 after an optimizer step"};
}

std::optional<workloads::Finding> check_never_revived(const std::string& layer, std::span<const std::uint8_t> before,
                                                      std::span<const std::uint8_t> after) {
  workloads::require_equal_sizes(before.size(), after.size());
  std::size_t revived = 0;
  for (std::size_t i = 0; i < before.size(); ++i) revived += before[i] == 0 && after[i] != 0 ? 1 : 0;
  if (revived == 0) return std::nullopt;
  return workloads::Finding{"mask-revived", "layer " + layer,
                            std::to_string(revived) + " weights that were masked at one step are kept at the next"};
}

std::optional<workloads::Finding> check_ratio(double requested, std::int64_t kept, std::int64_t prunable) {
  const double reached = static_cast<double>(kept) / static_cast<double>(prunable);
  // A difference of more than one weight is a miss; the last bit of the quotient is not.
  if (std::fabs(reached - requested) * static_cast<double>(prunable) <= 1.0 + 1e-9) return std::nullopt;
  return workloads::Finding{
      "ratio-missed", "share kept",
      "requested " + workloads::short_number(requested) + ", reached " + workloads::short_number(reached) + " (" +
          workloads::share_text(static_cast<std::size_t>(kept), static_cast<std::size_t>(prunable)) + ")"};
}

}  // namespace retrial::pruning::inline trial
