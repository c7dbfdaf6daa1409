#pragma once

#include <memory>

#include "workloads/interface/trial/probe.hpp"
#include "workloads/interface/trial/run.hpp"

namespace retrial::rl {

/// Starts the training of an algorithm.
using StartTraining = std::unique_ptr<workloads::Run> (*)(const workloads::Trial&, const workloads::Place&);

/// Looks inside one.
using ExamineTraining = workloads::ProbeReport (*)(const workloads::Trial&, const workloads::Place&);

/// Registers itself when constructed at namespace scope: the part of the workload that needs LibTorch does, where it is
/// built.
struct RegisterTraining {
  RegisterTraining(StartTraining start, ExamineTraining examine);
};

}  // namespace retrial::rl
