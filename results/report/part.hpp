#pragma once

#include <optional>

#include "results/report/report.hpp"

namespace retrial::report {

/// One result, made once and shown in every form: a section for people, and the same numbers for programs.
struct Part {
  std::optional<Section> section;  ///< absent: this study has nothing to show there
  Json data;                       ///< joins the document that it is part of
};

}  // namespace retrial::report
