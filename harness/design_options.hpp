#pragma once

#include <vector>

#include "harness/command.hpp"
#include "harness/study.hpp"

namespace retrial::harness {

/// Options that declare the design, for every command that takes a study; what they say stands over the file.
[[nodiscard]] std::vector<Option> design_options();
void override_design(const Arguments& arguments, StudyDraft& draft);

}  // namespace retrial::harness
