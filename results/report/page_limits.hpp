#pragma once

#include <cstddef>
#include <string>

#include "results/report/report.hpp"

/// Limits of an HTML page, so that it opens fast and can be mailed; the form for programs has the rest.
namespace retrial::report {

struct PageLimits {
  std::size_t figure_rows = 200;     ///< rows of a figure's table; with more, every k-th row and the last
  std::size_t table_bytes = 50'000;  ///< text of one table; with more, its first rows
  std::size_t open_bytes = 50'000;   ///< the same, of numbers that are shown with their figure
  std::size_t data_bytes = 150'000;  ///< embedded JSON; with more, its largest members are left out
};

/// Each table that was shortened says so in its caption; the member `left_out` of the data names what is missing.
void limit_page(Report& report, const PageLimits& limits = {});

/// The page with these limits, those of what is read last halved until it is below 480 kB, three times at most: many
/// figures and tables of medium size make a large page, too.
[[nodiscard]] std::string limited_html(const Report& report);

}  // namespace retrial::report
