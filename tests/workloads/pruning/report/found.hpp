#pragma once

#include <cstdlib>
#include <string>
#include <vector>

#include "results/json/json.hpp"

/// Trials of a pruning study whose numbers are written by hand.
namespace retrial::pruning::fixture {

using Steps = std::vector<double>;

/// The results of one trial, at prune ratios 0, 40 and 80 %.
struct Found {
  Steps accuracy{96, 97, 90}, fog{90, 91, 80};
  double max = 80, first = 40;
  bool at_end = false;  ///< the last round of the grid qualifies
  bool untrained = false;
  bool too_large = false;  ///< the table of potentials was not kept; 200 images at every step
};
inline const Steps ratios{0, 40, 80};

inline Json potential_document(const Found& found) {
  Json rows = Json::array();
  for (const char* distribution : {"nominal", "fog", "noise_0.0"})
    for (const double delta : {0.0, .5})
      rows.push_back({{"distribution", distribution},
                      {"delta", delta},
                      {"max", delta == 0 ? found.first : found.max},
                      {"first_failure", found.first},
                      {"grid_below", 0},
                      {"grid_above", nullptr}});
  return {{"pr", ratios}, {"parent_untrained", found.untrained}, {"potential", rows}};
}

/// Every network gives 0.9 to its own pixels, 0.1 less for every network between.
inline Json backselect_document() {
  Json networks = Json::array(), matrix = Json::array();
  for (int chooser = 0; chooser < 3; ++chooser) {
    networks.push_back(
        {{"name", "step " + std::to_string(chooser)}, {"pr", ratios[static_cast<std::size_t>(chooser)]}});
    Json row = Json::array();
    for (int judge = 0; judge < 3; ++judge) row.push_back(.9 - .1 * std::abs(chooser - judge));
    matrix.push_back(row);
  }
  return {{"images", 5}, {"share", .1}, {"block", 1}, {"networks", networks}, {"matrix", matrix}};
}

}  // namespace retrial::pruning::fixture
