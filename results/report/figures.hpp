#pragma once

#include <string>

#include "results/report/report.hpp"

/// Figures as SVG. Each stands alone (its colors are attributes), and classes let the style sheet of a page give it
/// other colors in the dark.
namespace retrial::report {

struct Drawing {
  std::string id;   ///< prefix of every id in it
  std::string css;  ///< class of the root
  double width = 720;
  std::string title, description;
};

[[nodiscard]] std::string svg_of(const Plot& plot, const Drawing& drawing);

/// Draws every figure of the report twice, for a desk and for a phone, and puts both SVGs into it: the style sheet of
/// html() shows the one that fits.
void draw_figures(Report& report);

}  // namespace retrial::report
