#pragma once

#include "harness/gate/gate.hpp"
#include "results/report/report.hpp"

namespace retrial::harness::inline gate {

/// At most `rows` claims, the worst first.
[[nodiscard]] report::Section gate_section(const GateResult& result, const GateSettings& settings, std::size_t rows);

/// "sort time": how a line of text names a claim.
[[nodiscard]] std::string claim_name(const GateVerdict& claim);
/// "head is WORSE than base: +7.33 %, 95 % interval [6.64, 7.95] %, adjusted p 2.2e-05"
[[nodiscard]] std::string claim_sentence(const GateVerdict& claim, const GateResult& result,
                                         const GateSettings& settings);
/// Whether every claim is judged by ratios: changes are percent then.
[[nodiscard]] bool all_ratios(const GateResult& result);
[[nodiscard]] std::string word_of(Statistic statistic);
/// "1f2e3d4c5b6a" of a full name; other names as they are, in one line.
[[nodiscard]] std::string short_commit(const std::string& name);

}  // namespace retrial::harness::inline gate
