#pragma once

#include <span>
#include <string>
#include <vector>

/// Configurations that are known before a search: mined from results on other data sets, or those of the most similar
/// data set.
namespace retrial::automl::inline searchers::inline proposals {

/// Regrets of configurations on data sets, at least 0: one row for each configuration.
struct Regrets {
  std::vector<std::string> sets;
  std::vector<std::vector<double>> rows;
};
struct Mined {
  std::vector<std::size_t> configurations;
  std::vector<double> mean_regret;  ///< over the sets, of the best of those so far
};
/// One after the other the configuration that makes the mean of the least regrets smallest, until `most` or until it
/// does not fall. Throws Error if `tested` is one of the sets: its results must not choose what is tested on it.
[[nodiscard]] Mined mine_portfolio(const Regrets& regrets, std::size_t most, const std::string& tested);

/// What is known of a table before anything is trained.
struct TableShape {
  double rows = 0, columns = 0, classes = 0, share_of_numbers = 0;
};
using ScaledShape = std::vector<double>;
/// Scale of FLAML's zero-shot learning: differences to medians in interquartile ranges, of its tables of two classes.
[[nodiscard]] ScaledShape scaled_shape(const TableShape& shape);
/// The place of the nearest by Euclidean distance, of equal ones the first.
[[nodiscard]] std::size_t nearest_shape(const ScaledShape& asked, std::span<const ScaledShape> known);

}  // namespace retrial::automl::inline searchers::inline proposals
