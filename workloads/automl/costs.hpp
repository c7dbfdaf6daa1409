#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "workloads/automl/problems/data_problem.hpp"
#include "workloads/interface/trial/run.hpp"

namespace retrial::automl {

/// How well cost units follow CPU time, over trainings of random configurations.
struct CostFit {
  double spearman = 0;  ///< rank correlation
  double log_r2 = 0;    ///< of ln(time), explained by ln(units) and one free scale
  double factor = 1;    ///< median of max(t / p, p / t), p the time that units and scale predict
  double scale = 1;     ///< microseconds for each unit
};
/// At least two positive pairs, whose times differ.
[[nodiscard]] CostFit cost_fit(std::span<const double> units, std::span<const double> microseconds);

/// The known tables on which a learner is measured: those of six small ones whose task it fits.
[[nodiscard]] std::vector<std::string> tables_of_costs(const Learner& learner);
[[nodiscard]] std::vector<std::shared_ptr<DataProblem>> problems_of_costs(const workloads::Trial& trial,
                                                                          const workloads::Place& place);
/// problem = costs:LEARNER
[[nodiscard]] std::unique_ptr<workloads::Run> measure_costs(const workloads::Trial& trial,
                                                            const workloads::Place& place);

}  // namespace retrial::automl
