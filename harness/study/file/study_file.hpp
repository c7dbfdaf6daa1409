#pragma once

#include <string>

#include "harness/study/checks/study.hpp"

namespace retrial::harness::inline study::inline file {

/// Reads a TOML file. Every error of form names file:line:column, field and allowed values.
[[nodiscard]] StudyDraft read_study_file(const std::string& path);

}  // namespace retrial::harness::inline study::inline file
