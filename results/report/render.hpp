#pragma once

#include <string>

#include "results/report/report.hpp"

/// One renderer a format, each in a file of its own: a finished report in, the bytes of the file out. They compute
/// nothing and escape everything.
namespace retrial::report {

/// One file that needs nothing else: styles inline, figures as SVG (draw_figures() first), no script, and a policy that
/// lets nothing be loaded. The data stand in it as JSON.
[[nodiscard]] std::string html(const Report& report);
[[nodiscard]] std::string markdown(const Report& report);
/// Schema retrial.report/1.
[[nodiscard]] std::string json(const Report& report);

/// The style sheet of html().
[[nodiscard]] const std::string& html_style();

}  // namespace retrial::report
