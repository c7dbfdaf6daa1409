#include "workloads/automl/searchers/parzen/squares.hpp"

#include <cstring>

namespace retrial::automl::inline searchers::inline parzen {
namespace {

// Compiled once more for wider vectors, which are chosen at the start of the program. Each lane does the operations of
// the narrow code in their order (no fused multiply-add), so the bits are equal.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define RETRIAL_WIDER __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#else
#define RETRIAL_WIDER
#endif

constexpr std::size_t lanes = 8;
using Lanes __attribute__((vector_size(lanes * sizeof(double)))) = double;

}  // namespace

RETRIAL_WIDER
std::size_t less_squares(const double* from, std::span<const SquaresAxis> axes, std::size_t count, double least,
                         double* values, std::uint32_t* places) {
  const SquaresAxis* const first = axes.data();
  const std::size_t many = axes.size();
  std::size_t found = 0, i = 0;
  for (; i + lanes <= count; i += lanes) {
    Lanes sums, mean, inverse;
    std::memcpy(&sums, from + i, sizeof sums);
    for (std::size_t a = 0; a < many; ++a) {
      std::memcpy(&mean, first[a].mean + i, sizeof mean);
      std::memcpy(&inverse, first[a].inverse + i, sizeof inverse);
      const Lanes z = (first[a].at - mean) * inverse;
      sums -= z * z;
    }
    double all[lanes];
    std::memcpy(all, &sums, sizeof all);
    for (std::size_t k = 0; k < lanes; ++k) {
      values[found] = all[k];
      places[found] = static_cast<std::uint32_t>(i + k);
      found += all[k] >= least ? 1 : 0;
    }
  }
  for (; i < count; ++i) {
    double sum = from[i];
    for (std::size_t a = 0; a < many; ++a) {
      const double z = (first[a].at - first[a].mean[i]) * first[a].inverse[i];
      sum -= z * z;
    }
    values[found] = sum;
    places[found] = static_cast<std::uint32_t>(i);
    found += sum >= least ? 1 : 0;
  }
  return found;
}

}  // namespace retrial::automl::inline searchers::inline parzen
