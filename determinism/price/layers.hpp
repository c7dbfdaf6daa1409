#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace retrial::determinism::inline price {

/// A layer, or a network that no workload trains, whose steps are timed: forward pass and all gradients.
struct PricedLayer {
  std::string name, meaning;
  std::int64_t batch = 32;
  std::int64_t kernel = 0;  ///< side of its convolution; 0: it has none of its own
};

[[nodiscard]] const std::vector<PricedLayer>& priced_layers();
/// Throws Error{usage} with the nearest name for an unknown one.
[[nodiscard]] const PricedLayer& priced_layer(const std::string& name, const std::string& where);

}  // namespace retrial::determinism::inline price
