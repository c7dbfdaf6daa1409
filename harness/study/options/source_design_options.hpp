#pragma once

#include <vector>

#include "harness/command_line/command.hpp"
#include "harness/study/checks/study.hpp"

namespace retrial::harness::inline study::inline options {

/// Options that declare a study of variance by source, and a search for keys.
[[nodiscard]] std::vector<Option> variance_options();
/// They override the study file.
void override_variance(const Arguments& arguments, StudyDraft& draft);

}  // namespace retrial::harness::inline study::inline options
