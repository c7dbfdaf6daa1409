#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <string>
#include <vector>

#include "workloads/data/inputs/keys.hpp"
#include "workloads/pruning/keys/distributions.hpp"
#include "workloads/pruning/network/network.hpp"

namespace retrial::pruning::inline libtorch {

/// Images for the evaluation of networks, with their labels. Corrupted images are kept as bytes and converted on
/// demand: thirteen test sets of 10,000 photographs would take 1.6 GB.
struct TestSet {
  std::string name;
  std::function<at::Tensor()> images;
  at::Tensor labels;

  [[nodiscard]] std::int64_t count() const { return labels.size(0); }
};

/// The rows for data-dependent methods: from the validation part or, without one, from the training part. Undefined
/// tensors if the method needs none.
struct ScoringRows {
  at::Tensor images, labels;
};
[[nodiscard]] ScoringRows scoring_rows(const workloads::Trial& trial, const data::Inputs& inputs,
                                       const Network& network);

/// The test rows under each distribution of the keys, without official arrays of missing files; `seed` is the source
/// seed of `corrupt`.
[[nodiscard]] std::vector<TestSet> test_sets(const Values& values, const data::Inputs& inputs, std::uint64_t seed);

}  // namespace retrial::pruning::inline libtorch
