#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/study/checks/study.hpp"
#include "variance/comparisons/status.hpp"

namespace retrial::harness::inline judge::inline design {

/// Outcomes of a declared design when the candidate wins a pair with probability p.
struct DesignFigure {
  double p = 0.5;
  double better = 0, worse = 0, not_meaningful = 0, undecided = 0, equivalent = 0;
  double pairs = 0;  ///< mean number of pairs run
  std::string how;   ///< "exact", or "simulated: ..."
  /// betting only: standard deviation of the differences, as a share of the declared range.
  std::optional<double> spread = {};
};

/// At p = 1/2, .6, gamma (.75 where none is declared) and .9 (betting: for three spreads); empty where p alone does not
/// determine the outcome (see why_no_figures).
[[nodiscard]] std::vector<DesignFigure> figures_of(const Study& study);
[[nodiscard]] std::string why_no_figures(const Study& study);

/// The design's figures for --json. All designs: family, test, figures, stops; families on wins: boundaries by number
/// of pairs; the exact fixed rule: pairs, wins_needed, size, power, pairs_for_power_80. power_at: the true win rate
/// that power is for; an assumption where gamma is null.
[[nodiscard]] Json design_figures(const Study& study);

/// The table of figures, the boundaries in words, and the design families.
[[nodiscard]] std::string figures_page(const Study& study);

}  // namespace retrial::harness::inline judge::inline design
