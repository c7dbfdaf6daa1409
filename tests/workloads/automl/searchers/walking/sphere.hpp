// The sphere in a box from -5 to 5, where walks start at 4 on each axis.
#pragma once

#include "workloads/automl/core/space.hpp"

namespace retrial::automl {

inline Space sphere_space(int dimensions) {
  std::vector<Hyperparameter> out;
  for (int i = 0; i < dimensions; ++i)
    out.push_back({.name = "x" + std::to_string(i), .low = -5, .high = 5, .init = 4});
  return Space(out);
}

inline double sphere(const Chosen& at) {
  double sum = 0;
  for (const auto& [name, value] : at) sum += std::get<double>(value) * std::get<double>(value);
  return sum;
}

}  // namespace retrial::automl
