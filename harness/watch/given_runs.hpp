#pragma once

#include <string>

#include "harness/command_line/command.hpp"
#include "harness/watch/evidence.hpp"
#include "harness/watch/watch_page.hpp"

/// The runs of one commit: read from files of scores or from stores, or made now.
namespace retrial::harness::inline watch {

struct GivenRuns {
  WatchInputs inputs;
  WatchNames names;
  Statistic statistic = Statistic::automatic;  ///< how repetitions in one process become one value
  int signal = 0;                              ///< the signal that stopped the runs; there is no evidence then
};

/// --scores: files of other programs, the sides by their names. Error{usage} without the control of `paired_sign`.
[[nodiscard]] GivenRuns runs_of_scores(const Arguments& arguments, variance::DetectorEvidence evidence);

/// --baseline STORE --candidate STORE: trials of a gate. The control is the variant --control of the candidate's store
/// (default "control"), or the baseline of the store that --control names.
[[nodiscard]] GivenRuns runs_of_stores(const Arguments& arguments, variance::DetectorEvidence evidence);

/// --command and suite files: runs what their store lacks, in each block a process of both sides and, for
/// `paired_sign`, one more of the baseline.
[[nodiscard]] GivenRuns runs_made(const Arguments& arguments, variance::DetectorEvidence evidence,
                                  const std::string& commit);
/// --dry-run: what runs_made() would start.
void print_runs(const Arguments& arguments, variance::DetectorEvidence evidence);

/// --reference: stores of a gate or files of scores, with the runs of one baseline. Nothing without the option.
[[nodiscard]] std::optional<GateSuite> reference_given(const Arguments& arguments,
                                                       const std::vector<std::string>& metrics);

/// Error{incomparable} for a fact of the machine in which the sides differ, unless --allow-diff accepts it.
void require_one_machine(const GateSuite& suite, const Arguments& arguments);

}  // namespace retrial::harness::inline watch
