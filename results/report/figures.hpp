#pragma once

#include <string>

#include "results/report/report.hpp"

/// Figures as SVG. Each is self-contained (its colors are attributes); classes let a page's style sheet change the
/// colors in dark mode.
namespace retrial::report {

struct Drawing {
  std::string id;   ///< prefix of every id in it
  std::string css;  ///< class of the root
  double width = 720;
  std::string title, description;
};

[[nodiscard]] std::string svg_of(const Plot& plot, const Drawing& drawing);

/// Draws every figure of the report twice, for a desktop and for a phone, and embeds both SVGs: the style sheet of
/// html() shows the one that fits.
void draw_figures(Report& report);

}  // namespace retrial::report
