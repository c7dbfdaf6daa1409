#pragma once

#include <functional>
#include <string>
#include <vector>

#include "workloads/interface/trial/trial.hpp"

namespace retrial::workloads::inline interface::inline trial {

/// A check of the inside of a run, for defects that scores do not show: does a loss term reach the student, does a mask
/// hold. Declared so that the front end can list it.
struct ProbeDef {
  std::string name;  ///< "dead-term"
  std::string asks;  ///< the condition: "every loss term has a gradient for the student"
};

/// A failed check.
struct Finding {
  std::string kind;      ///< the name of a declared probe
  std::string subject;   ///< which part: "loss term attention", "layer conv1", "teacher"
  std::string compared;  ///< the comparison, with both sides in numbers
};

/// The findings of a workload's probe, and the parts that it checked.
struct ProbeReport {
  std::vector<Finding> findings;
  std::vector<std::string> looked_at;
};

/// Builds the parts of the trial, checks them on a batch or a few steps, and discards them.
using Probe = std::function<ProbeReport(const Trial&, const Place&)>;

}  // namespace retrial::workloads::inline interface::inline trial
