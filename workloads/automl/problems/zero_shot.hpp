#pragma once

#include <string>
#include <utility>
#include <vector>

#include "workloads/automl/problems/data_problem.hpp"

namespace retrial::automl::inline problems {

/// What searches have found on the known table of nearest shape with the task of this one, `own` left out, by the scale
/// of FLAML's zero-shot learning: "adult/1" is the best there. Of equal distances the first known table. Learners that
/// this problem lacks are left out. Throws TrialFailure where no other table with this task is known.
[[nodiscard]] std::vector<std::pair<std::string, Evaluation>> tuned_elsewhere(const DataProblem& problem,
                                                                              const std::string& own);

}  // namespace retrial::automl::inline problems
