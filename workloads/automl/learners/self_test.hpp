#pragma once

#include <string>

#include "workloads/automl/learners/learner.hpp"

namespace retrial::automl::inline learners {

/// Whether a learner gives the same bits again, and on several threads.
struct SelfTest {
  bool bitwise = true;
  std::string difference = {};  ///< the first one, in words
};

/// Trains under three configurations on 512 generated rows of 8 columns: twice on 1 thread, on 2 and on `threads`.
/// Compares the digests of models and predictions.
[[nodiscard]] SelfTest self_test(const Learner& learner, Task task, std::size_t threads);

}  // namespace retrial::automl::inline learners
