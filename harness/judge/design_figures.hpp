#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/study/study.hpp"
#include "variance/comparisons/status.hpp"

namespace retrial::harness::inline judge {

/// How a declared design ends when the candidate wins a pair with probability p.
struct DesignFigure {
  double p = 0.5;
  double better = 0, worse = 0, not_meaningful = 0, undecided = 0, equivalent = 0;
  double pairs = 0;  ///< mean number that is run
  std::string how;   ///< "exact", or "simulated: ..."
  /// Of betting: standard deviation of the differences, as a share of the width of the declared range.
  std::optional<double> spread = {};
};

/// At p = 1/2, .6, gamma and .9, of betting for three spreads; empty where no p tells (see why_no_figures).
[[nodiscard]] std::vector<DesignFigure> figures_of(const Study& study);
[[nodiscard]] std::string why_no_figures(const Study& study);

/// The design's figures for --json. Of a design by the exact fixed rule: pairs, wins_needed, size, power,
/// pairs_for_power_80; of all: family, test, figures, stops and, of families on wins, boundaries by number of pairs.
[[nodiscard]] Json design_figures(const Study& study);

/// The table of figures, the boundaries in words, and which family to choose.
[[nodiscard]] std::string figures_page(const Study& study);

}  // namespace retrial::harness::inline judge
