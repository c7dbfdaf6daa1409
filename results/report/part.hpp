#pragma once

#include <optional>

#include "results/report/report.hpp"

namespace retrial::report {

/// One result, made once and shown in every form: a section for people, and the same numbers for programs.
struct Part {
  std::optional<Section> section;  ///< absent: nothing to show for this study
  Json data;                       ///< merged into the document around it
};

}  // namespace retrial::report
