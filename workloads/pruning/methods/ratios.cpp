#include "workloads/pruning/methods/ratios.hpp"

#include <algorithm>

namespace retrial::pruning::inline methods {
namespace {

constexpr double min_denominator = 0x1p-23;

/// The part of an activation that has this sign, as a magnitude.
double part(float a, float sign) {
  return std::max(0.0, double{a} * double{sign});
}

bool has_part(const Patches& patches, float sign) {
  return std::any_of(patches.values.begin(), patches.values.end(), [&](float a) { return a * sign > 0; });
}

/// Denominators of one sign of the weights, one per position.
std::vector<double> sums(std::span<const float> row, const Patches& patches, float sign, float weight_sign) {
  std::vector<double> out(static_cast<std::size_t>(patches.positions), 0.0);
  for (std::size_t j = 0; j < row.size(); ++j) {
    const double w = part(row[j], weight_sign);
    if (w == 0) continue;
    const float* a = patches.column(static_cast<std::int64_t>(j));
    for (std::size_t p = 0; p < out.size(); ++p) out[p] += w * part(a[p], sign);
  }
  return out;
}

}  // namespace

void each_share(std::span<const float> row, const Patches& patches, const Take& take) {
  std::vector<double> shares(static_cast<std::size_t>(patches.positions));
  for (const float sign : {1.0F, -1.0F}) {
    if (!has_part(patches, sign)) continue;
    const auto positive = sums(row, patches, sign, 1.0F), negative = sums(row, patches, sign, -1.0F);
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (row[j] == 0) continue;
      const auto& below = row[j] > 0 ? positive : negative;
      const double w = part(row[j], row[j] > 0 ? 1.0F : -1.0F);
      const float* a = patches.column(static_cast<std::int64_t>(j));
      for (std::size_t p = 0; p < shares.size(); ++p)
        shares[p] = below[p] > min_denominator ? w * part(a[p], sign) / below[p] : 0.0;
      take(static_cast<std::int64_t>(j), shares);
    }
  }
}

}  // namespace retrial::pruning::inline methods
