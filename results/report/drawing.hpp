#pragma once

#include <string>

#include "results/report/plot.hpp"

/// A figure as one SVG. It stands alone (its colors are attributes), and classes let the style sheet of a page give it
/// other colors in the dark.
namespace retrial::report {

struct Drawing {
  std::string id;   ///< prefix of every id in it
  std::string css;  ///< class of the root
  double width = 720;
  std::string title, description;
};

[[nodiscard]] std::string svg_of(const Plot& plot, const Drawing& drawing);

}  // namespace retrial::report
