#pragma once

#include "results/report/report.hpp"
#include "variance/reproduce/reproduce.hpp"

namespace retrial::harness::inline ledger {

/// Our numbers next to the reference, line by line, with the corrections and the number of lines that agree. The data:
/// schema retrial.reproduce/1.
[[nodiscard]] report::Part reproduction_part(const variance::Reproduction& which, const variance::Reproduced& table);

}  // namespace retrial::harness::inline ledger
