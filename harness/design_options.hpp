#pragma once

#include <vector>

#include "harness/command.hpp"
#include "harness/design_table.hpp"

namespace retrial::harness {

[[nodiscard]] Option design_option(const DesignField& field);
/// Options that declare the design, for every command that takes a study.
[[nodiscard]] std::vector<Option> design_options();
/// What these options say stands over the file.
void override_design(const Arguments& arguments, GivenDesign& design);

}  // namespace retrial::harness
