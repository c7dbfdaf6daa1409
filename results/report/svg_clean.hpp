#pragma once

#include <map>
#include <string>
#include <string_view>

#include "results/report/svg_tree.hpp"

namespace retrial::report {

struct SvgIdentity {
  std::string prefix;  ///< "fig0001-": stands before every id, so that figures of one page do not meet
  std::string title, description;
};

/// gnuplot's drawing made fit for a page: labels put in for their tokens, ids prefixed, its title, its description and
/// what is not used removed, our title and description as what the drawing is labelled by, and scanned by
/// check_svg(). A text that is neither a number nor a token is refused like everything the scan refuses.
[[nodiscard]] std::string clean_svg(std::string_view raw, const std::map<std::string, std::string>& labels,
                                    const SvgIdentity& identity);

/// Passes elements and attributes of an allow-list with harmless values; for anything else Error{code figure.svg}
/// names it. Nothing in a drawing that passes loads, links, runs or styles anything outside itself.
void check_svg(const SvgNode& root);

}  // namespace retrial::report
