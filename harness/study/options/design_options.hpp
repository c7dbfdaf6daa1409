#pragma once

#include <vector>

#include "harness/command_line/command.hpp"
#include "harness/study/declared/design_table.hpp"

namespace retrial::harness::inline study::inline options {

[[nodiscard]] Option design_option(const DesignField& field);
/// Options that declare the design, for every command that takes a study.
[[nodiscard]] std::vector<Option> design_options();
/// Options override the study file.
void override_design(const Arguments& arguments, GivenDesign& design);

}  // namespace retrial::harness::inline study::inline options
