#pragma once

#include <string>
#include <vector>

#include "harness/command_line/arguments.hpp"
#include "harness/command_line/command.hpp"
#include "harness/judge/design/comparison.hpp"
#include "harness/scores/compare_table.hpp"
#include "harness/scores/outcomes/score_test.hpp"
#include "harness/scores/outcomes/table_test.hpp"
#include "harness/stored/stored_study.hpp"
#include "results/json/json_fwd.hpp"

namespace retrial::harness::inline scores {

/// Runs one omnibus test; the scores of `rows` are in their own direction. Prints the result and returns ok.
[[nodiscard]] Exit run_omnibus(const Arguments& arguments, TableTest test, const TableStart& start,
                               const std::string& name);
/// Prints the outcome (one JSON document with --json), with its replication, and returns the exit code that --require
/// asks for.
[[nodiscard]] Exit report_test(const Arguments& arguments, const ScoreTest& tested);

/// `retrial compare --scores FILE`: prints the outcome (one JSON document with --json) and returns the exit code that
/// --require asks for. Error{usage} or InvalidInput for input that cannot be tested.
[[nodiscard]] Exit compare_scores(const Arguments& arguments);

/// `retrial compare STORE --test NAME`: the same on the pairs of a stored study, with the failure policy of its design,
/// and with its levels unless options override them.
[[nodiscard]] Exit test_stored(const Arguments& arguments, const StudyView& study, const Comparison& comparison,
                               const RecordLooks& record);

/// The options that make the rule of a test, as they were given.
[[nodiscard]] Json rule_given(const Arguments& arguments);
/// The declared policy. A test of numbers cannot count a failed run as a loss: it then refuses.
[[nodiscard]] variance::FailurePolicy policy_for(const variance::ComparisonTest& test,
                                                 variance::FailurePolicy declared);

/// `retrial compare STORE --adjust HOW`: each other variant of a stored study against the baseline, as one family of
/// claims by --test (default: that of the design), with the levels of the design and the seed of the study unless
/// options override them. Prints the result and returns the exit code for --require.
[[nodiscard]] Exit compare_stored_family(const Arguments& arguments, const results::Store& store,
                                         const StudyView& study, const std::vector<PlannedTrial>& trials,
                                         const RecordLooks& record);

}  // namespace retrial::harness::inline scores
