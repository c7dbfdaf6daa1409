#pragma once

#include <string>

namespace retrial::harness::inline text {

/// A field of a CSV file, quoted where it has to be (RFC 4180).
[[nodiscard]] std::string csv_field(const std::string& text);
/// The same for text that a spreadsheet would read as a formula: such a field begins with an apostrophe.
[[nodiscard]] std::string csv_text_field(const std::string& text);

}  // namespace retrial::harness::inline text
