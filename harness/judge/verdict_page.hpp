#pragma once

#include <string>

#include "harness/judge/verdict_document.hpp"

namespace retrial::harness::inline judge {

/// The page of `retrial compare`: verdict, evidence, variants, design and what was varied. Computes nothing.
[[nodiscard]] std::string verdict_page(const Judged& judged);

}  // namespace retrial::harness::inline judge
