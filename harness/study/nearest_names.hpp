#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace retrial::harness::inline study {

/// What keeps a text from being a name of 1 to `longest` characters that can be shown, typed and used as a file's
/// name: not UTF-8, empty, too long, a control character, one of `forbidden`, a start that reads as an option ('-').
/// Empty when nothing does.
[[nodiscard]] std::string name_problem(std::string_view name, std::size_t longest, std::string_view forbidden);

}  // namespace retrial::harness::inline study
