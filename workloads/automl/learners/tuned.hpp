#pragma once

#include <string>
#include <variant>
#include <vector>

#include "workloads/automl/datasets/dataset.hpp"
#include "workloads/automl/models/parameters.hpp"

namespace retrial::automl::inline learners {

/// A configuration that a search has found: numbers by name, and choices by their text.
struct TunedConfiguration {
  std::string learner;
  std::vector<std::pair<std::string, std::variant<double, std::string>>> values;
};

/// What searches have found on a known table, the best first: for zero-shot learning, which trains the configurations
/// of the table of nearest shape and searches nothing (Wang et al. 2023).
struct TunedTable {
  std::string name;  ///< of data::known_tables()
  Task task = Task::binary;
  double rows = 0, columns = 0, classes = 0, share_of_numbers = 0;
  std::vector<TunedConfiguration> ranking;
};

/// Found by `flaml` in the 30 divisions of studies/automl-quality.toml at 8,000,000 units each:
/// tests/measure/tuned_configurations.py prints them from its store.
[[nodiscard]] const std::vector<TunedTable>& tuned_tables();

/// The values within the ranges of this space, which may be narrower than where they were found; parameters that it
/// lacks are left out.
[[nodiscard]] Chosen fitted_to(const std::vector<Hyperparameter>& space, const TunedConfiguration& configuration);

}  // namespace retrial::automl::inline learners
