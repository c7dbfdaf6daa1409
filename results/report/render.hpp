#pragma once

#include <string>

#include "results/report/report.hpp"

/// One renderer per format: a finished report in, the bytes of the file out. Renderers compute nothing and escape
/// everything.
namespace retrial::report {

/// A self-contained file: inline styles, figures as SVG (draw_figures() first), no script, and a policy that forbids
/// loading anything. The data are embedded as JSON.
[[nodiscard]] std::string html(const Report& report);
[[nodiscard]] std::string markdown(const Report& report);
[[nodiscard]] std::string markdown(const Section& section);

/// The style sheet of html().
[[nodiscard]] const std::string& html_style();

}  // namespace retrial::report
