#pragma once

#include <functional>
#include <string>
#include <vector>

#include "workloads/interface/trial.hpp"

namespace retrial::workloads::inline interface {

/// A question that a workload can ask about the inside of a run, where scores show nothing: does a loss term reach the
/// student, does a mask hold. Declared so that the front end can list it.
struct ProbeDef {
  std::string name;  ///< "dead-term"
  std::string asks;  ///< what must hold: "every loss term pulls at the student"
};

/// An answer that should not have been given.
struct Finding {
  std::string kind;      ///< the name of a declared probe
  std::string subject;   ///< which part: "loss term attention", "layer conv1", "teacher"
  std::string compared;  ///< what was compared, with both sides in numbers
};

/// What a workload found when it looked at itself, and at which parts it looked.
struct ProbeReport {
  std::vector<Finding> findings;
  std::vector<std::string> looked_at;
};

/// Builds the parts of the trial, looks at a batch or a few steps of them, and throws them away.
using Probe = std::function<ProbeReport(const Trial&, const Place&)>;

}  // namespace retrial::workloads::inline interface
