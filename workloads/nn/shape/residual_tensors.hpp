#pragma once

#include "workloads/nn/shape/closed_form.hpp"

namespace retrial::nn::inline shape {

/// tensors_of and closed_form for the residual families; `input` and errors as there.
[[nodiscard]] std::vector<TensorSpec> residual_tensors(const Architecture& architecture, const data::Shape& input,
                                                       int classes);
[[nodiscard]] Identity residual_identity(const Architecture& architecture, const data::Shape& input, int classes);

/// Number of inputs of the classifier: the last map, averaged whole or in windows.
[[nodiscard]] std::int64_t residual_features(const Architecture& architecture, const data::Shape& input);

}  // namespace retrial::nn::inline shape
