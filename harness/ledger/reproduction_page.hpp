#pragma once

#include <string>

#include "results/json/json_fwd.hpp"
#include "variance/reproduce/reproduce.hpp"

namespace retrial::harness::inline ledger {

/// One document, schema retrial.reproduce/1.
[[nodiscard]] Json reproduction_document(const variance::Reproduction& which, const variance::Reproduced& table);

/// Our numbers beside the reference, line by line, then what was corrected, then whether all of it agrees.
[[nodiscard]] std::string reproduction_page(const variance::Reproduction& which, const variance::Reproduced& table);

}  // namespace retrial::harness::inline ledger
