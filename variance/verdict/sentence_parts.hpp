#pragma once

#include <string>

#include "variance/verdict/verdict.hpp"

/// Parts of the sentences of a verdict.
namespace retrial::variance::inline verdict {

/// "kd is BETTER than scratch", for every status.
[[nodiscard]] std::string claim_text(const Design& design, Status status);
/// "kd beat scratch in 31 of 40 untied pairs (2 more tied)".
[[nodiscard]] std::string beat_text(const std::string& winner, const std::string& loser, std::int64_t won,
                                    const PairedWin& counts);
/// The same for the wins of the candidate.
[[nodiscard]] std::string candidate_wins(const Verdict& verdict);
[[nodiscard]] std::string sequential_sentence(const Verdict& verdict);  ///< for a sequential design
[[nodiscard]] std::string test_sentence(const Verdict& verdict);        ///< for a fixed design with a test of its own

}  // namespace retrial::variance::inline verdict
