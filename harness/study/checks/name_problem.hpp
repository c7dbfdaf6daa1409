#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace retrial::harness::inline study::inline checks {

/// The reason why a text cannot be a name of 1 to `longest` characters to show, type and use as a file name: not UTF-8,
/// empty, too long, a control character, a character of `forbidden`, a start that reads as an option ('-'). Empty for a
/// valid name.
[[nodiscard]] std::string name_problem(std::string_view name, std::size_t longest, std::string_view forbidden);

}  // namespace retrial::harness::inline study::inline checks
