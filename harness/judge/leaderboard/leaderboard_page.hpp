#pragma once

#include "harness/judge/leaderboard/grid_effects.hpp"
#include "results/report/report.hpp"

namespace retrial::harness::inline judge::inline leaderboard {

/// The word of a member in the tone of its news.
[[nodiscard]] report::Cell word_cell(const Member& member);
/// Methods of the intervals, p values and words of a leaderboard.
[[nodiscard]] std::string leaderboard_rule(const Leaderboard& board);
/// Every variant with the reference among them, best mean first.
[[nodiscard]] report::Table leaderboard_table(const Leaderboard& board);
/// Variants that take no part, each with the reason.
[[nodiscard]] report::Table left_out_table(const Leaderboard& board);
/// The main effects of a grid and how to read them.
[[nodiscard]] report::Table effects_table(const GridEffects& effects, const Leaderboard& board);
[[nodiscard]] std::string effects_rule(const GridEffects& effects, const Leaderboard& board);

/// The pages below a verdict: the leaderboard, and the effects of a grid.
/// Reason that the variants beyond the declared pair are not ranked, and the remedy; empty where they are.
[[nodiscard]] std::string not_ranked_text(const StudyView& study);
[[nodiscard]] std::vector<report::Section> leaderboard_sections(const Leaderboard& board);
/// The field `leaderboard` of a verdict's document.
[[nodiscard]] Json leaderboard_document(const Leaderboard& board);

}  // namespace retrial::harness::inline judge::inline leaderboard
