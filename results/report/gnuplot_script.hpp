#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "results/report/plot.hpp"

namespace retrial::report {

/// What gnuplot is told, and what its output says in place of the labels. gnuplot executes back-quoted text, reads a
/// new line in a label as a new command and a label of tics as a printf format; so no label ever reaches it: the
/// script holds tokens ("RT0001xxx", as wide as the label), and clean_svg() puts the labels in afterwards.
struct GnuplotScript {
  std::string text;
  std::map<std::string, std::string> labels;  ///< token -> label, not escaped
};

/// One output "fig-0001.svg", "fig-0002.svg", ... for each plot, each with "fig0001", ... as its terminal's name.
/// At most 9,999 labels in all (Error{usage} beyond).
[[nodiscard]] GnuplotScript gnuplot_script(std::span<const Plot> plots);

/// "fig-0001.svg" of the first plot (number 1).
[[nodiscard]] std::string figure_file(std::size_t number);

}  // namespace retrial::report
