#pragma once

#include "harness/command_line/arguments.hpp"
#include "harness/command_line/command.hpp"
#include "harness/scores/formats/formats.hpp"
#include "results/report/report.hpp"

/// `retrial report --scores FILE...`: the figures of Agarwal et al. 2021 (rliable) and the estimation plot, from scores
/// of any program.
namespace retrial::harness::inline scores_report {

/// Options that a report of scores reads.
[[nodiscard]] std::vector<Option> scores_report_options();

/// The whole report; figures are described, not yet drawn. The numbers are those that `compare --scores --aggregate`
/// prints with the same options and seed. Error{usage} as there.
[[nodiscard]] report::Report gather_scores_report(const Arguments& arguments, std::vector<ScoreInput> files);

}  // namespace retrial::harness::inline scores_report
