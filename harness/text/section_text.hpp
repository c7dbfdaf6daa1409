#pragma once

#include <string>
#include <vector>

#include "results/report/report.hpp"

/// The plain-text form of sections: every page of the terminal and `report --format txt`.
namespace retrial::harness::inline text {

struct TextForm {
  std::size_t width = 100;
  bool emphasis = false;  ///< bold titles and toned words, where colour_on_output()
};
/// As wide as the terminal, with emphasis.
[[nodiscard]] TextForm terminal_form();

/// Headline with its subject, sentence with its meaning, facts.
[[nodiscard]] std::string banner_text(const report::Banner& banner, const TextForm& form = terminal_form());

/// Blocks with an empty line between them. Every text is cleaned() and ends in LF. Of a figure the numbers where it is
/// `open`, else its title and description.
[[nodiscard]] std::string blocks_text(const std::vector<report::Block>& blocks, const TextForm& form = terminal_form());

/// The line of the title, where there is one, and the blocks below it.
[[nodiscard]] std::string section_text(const report::Section& section, const TextForm& form = terminal_form());

/// Sections with an empty line between them.
[[nodiscard]] std::string sections_text(const std::vector<report::Section>& sections,
                                        const TextForm& form = terminal_form());

}  // namespace retrial::harness::inline text
