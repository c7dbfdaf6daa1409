#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/command_line/command.hpp"
#include "harness/study/study.hpp"

namespace retrial::harness::inline study {

/// Options that declare the design, for every command that takes a study; what they say stands over the file.
[[nodiscard]] std::vector<Option> design_options();
/// "LOW,HIGH" of an option; Error{usage} for what is no list of numbers.
[[nodiscard]] std::optional<std::vector<double>> numbers_given(const Arguments& arguments, const std::string& name);
void override_design(const Arguments& arguments, StudyDraft& draft);

}  // namespace retrial::harness::inline study
