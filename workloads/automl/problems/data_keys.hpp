#pragma once

#include <memory>
#include <vector>

#include "workloads/automl/problems/data_problem.hpp"
#include "workloads/interface/parameter.hpp"
#include "workloads/interface/trial/trial.hpp"

namespace retrial::automl::inline problems {

/// Keys of a search on data: where the table is, what it means, how it is divided and scored, and the learners.
[[nodiscard]] std::vector<workloads::Parameter> data_parameters();

/// Whether `problem` is data:NAME or table.
[[nodiscard]] bool is_data_problem(const std::string& problem);

/// The table of `problem` (one of a suite), from the keys of place `data_dir` and `table`, which a worker gets as
/// folders. The last one is kept and used again while its file is unchanged. Throws Error naming the key.
[[nodiscard]] std::shared_ptr<const DataSet> data_set_of(const std::string& problem, const Values& values,
                                                         const workloads::Folders& folders = {});

/// `budget_hours`: of the budget in cost units, if there is one.
[[nodiscard]] DataSettings data_settings(const Values& values);

}  // namespace retrial::automl::inline problems
