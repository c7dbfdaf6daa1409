#pragma once

#include <optional>
#include <span>
#include <vector>

#include "harness/judge/looks/look.hpp"
#include "harness/judge/looks/question.hpp"

namespace retrial::harness::inline judge::inline design {

/// Whether all pairs that both sides have agree, three at least: up to a thousandth of the standard deviation of the
/// first, since a key that only moves the rounding of a score has no effect. Index i is the same pair; without a score
/// where its trial failed.
[[nodiscard]] bool same_scores(std::span<const std::optional<double>> ours,
                               std::span<const std::optional<double>> theirs);

/// The questions of other studies that were looked at and whose trials have the scores of these two sides, pair by
/// pair: they differ in a key, a word of a command or a name without an effect. Only studies under the same root seed
/// can have them. Studies that were looked at by `question` alone, the digest of what is asked, are not read.
[[nodiscard]] std::vector<Twin> twins_of(const results::Store& store, const StudyView& study, const Question& asked,
                                         const results::Digest& question, const std::vector<Look>& looks);

}  // namespace retrial::harness::inline judge::inline design
