#pragma once

#include <string>
#include <vector>

namespace retrial::harness::inline show {

/// `retrial show --formula NAME KEY=VALUE ...`: the answer as one JSON object on one line of standard output, or in
/// `file` (empty: none) what the formula writes for the ending of its name. Throws Error{usage}.
void show_formula(const std::string& name, const std::vector<std::string>& arguments, const std::string& file);

}  // namespace retrial::harness::inline show
