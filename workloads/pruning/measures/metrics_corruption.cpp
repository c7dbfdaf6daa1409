#include "variance/numbers/error.hpp"
#include "variance/samples/summary.hpp"
#include "workloads/pruning/measures/metrics.hpp"

namespace retrial::pruning::inline measures {

std::optional<double> relative_corruption_error(std::span<const double> e, std::span<const double> ref,
                                                const CleanErrors& clean) {
  if (e.size() != ref.size())
    throw InvalidInput("ref", std::to_string(ref.size()) + " values", std::to_string(e.size()));
  double network = 0, reference = 0;
  for (std::size_t s = 0; s < e.size(); ++s) {
    network += e[s] - clean.network;
    reference += ref[s] - clean.reference;
  }
  return reference > 0 ? std::optional(network / reference) : std::nullopt;
}

std::optional<double> corruption_error(std::span<const double> e, std::span<const double> ref) {
  return relative_corruption_error(e, ref, {});
}

std::optional<double> mean_corruption_error(std::span<const std::optional<double>> errors) {
  std::vector<double> values;
  for (const auto& error : errors) {
    if (!error) return std::nullopt;
    values.push_back(*error);
  }
  return variance::mean(values);
}

}  // namespace retrial::pruning::inline measures
