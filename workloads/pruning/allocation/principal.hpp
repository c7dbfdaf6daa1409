#pragma once

#include <vector>

namespace retrial::pruning::inline allocation {

/// Principal components of the outputs of one layer on the scoring set, where each position of a map counts as one
/// output. Around the mean if the layer has a bias, which can hold it; around 0 if not.
struct Principal {
  std::vector<double> values;      ///< square roots of the eigenvalues, descending
  std::vector<double> components;  ///< (outputs, outputs), row-major; column i belongs to value i
  std::vector<double> mean;        ///< mean of the outputs; zeros where the layer has no bias
};

}  // namespace retrial::pruning::inline allocation
