#include "workloads/distillation/trial/probe_checks.hpp"

#include <bit>
#include <cstdint>

#include "workloads/interface/trial/probe_checks.hpp"

namespace retrial::distillation::inline trial {
namespace {

std::size_t different_bits(std::span<const float> a, std::span<const float> b) {
  workloads::require_equal_sizes(a.size(), b.size());
  std::size_t out = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    out += std::bit_cast<std::uint32_t>(a[i]) != std::bit_cast<std::uint32_t>(b[i]) ? 1 : 0;
  return out;
}

}  // namespace

std::optional<workloads::Finding> check_frozen(const std::string& what, const std::string& before,
                                               const std::string& after) {
  if (before == after) return std::nullopt;
  return workloads::Finding{"teacher-mutated", what,
                            "parameters and running statistics before a student step " + before.substr(0, 12) +
                                ", after it " + after.substr(0, 12)};
}

std::optional<workloads::Finding> check_paths(const std::string& what, std::span<const float> plain,
                                              std::span<const float> with_features) {
  const std::size_t different = different_bits(plain, with_features);
  if (different == 0) return std::nullopt;
  return workloads::Finding{
      "teacher-path-differs", what,
      workloads::share_text(different, plain.size()) +
          " outputs of the pass that returns features differ from the plain pass, by up to " +
          workloads::short_number(static_cast<double>(workloads::largest_difference(plain, with_features)))};
}

}  // namespace retrial::distillation::inline trial
