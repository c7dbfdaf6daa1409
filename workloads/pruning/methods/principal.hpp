#pragma once

#include <vector>

namespace retrial::pruning::inline methods {

/// Principal components of what one layer gives on the scoring set, all positions of a map counting as one output
/// each. About the mean where the layer has a bias, which can take it up; about 0 where it has none.
struct Principal {
  std::vector<double> values;      ///< square roots of the eigenvalues, descending
  std::vector<double> components;  ///< (outputs, outputs), row-major; column i belongs to value i
  std::vector<double> mean;        ///< of the outputs; zeros where the layer has no bias
};

}  // namespace retrial::pruning::inline methods
