#pragma once

#include <memory>

#include "workloads/automl/models/model.hpp"

namespace retrial::automl::inline models {

/// Answers the shares of the classes, or the mean, of the training rows.
[[nodiscard]] std::unique_ptr<Model> fit_constant(const Training& training);

}  // namespace retrial::automl::inline models
