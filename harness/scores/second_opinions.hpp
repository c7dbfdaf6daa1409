#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/command_line/arguments.hpp"
#include "harness/scores/lines/score_table.hpp"
#include "results/text/error.hpp"

/// Rules that others publish by, beside our own tests: they have no error rate, so they never set the exit code.
namespace retrial::harness::inline scores {

/// "rcp", the reference convergence check of MLPerf, and "pool_score", the score of AlgoPerf.
[[nodiscard]] std::vector<std::string> second_opinion_names();
[[nodiscard]] bool is_second_opinion(std::string_view test);
/// `compare --scores --test rcp` or `pool_score`: prints the page, or one JSON document with --json.
[[nodiscard]] Exit show_second_opinion(const Arguments& arguments, const ScoreTable& table);

}  // namespace retrial::harness::inline scores
