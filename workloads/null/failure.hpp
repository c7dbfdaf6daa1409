#pragma once

#include "workloads/interface/trial/trial.hpp"

namespace retrial::workloads::null {

/// Whether this trial is among the `failure_share` that fail, drawn from the source `failure`; false for failure none.
[[nodiscard]] bool is_chosen(const Trial& trial);

/// Fails as `failure` says; most kinds do not return. `diverge` is handled by the run and does nothing here.
///   throw     TrialFailure("null.thrown")          exit   ends the process with code 3
///   crash     SIGSEGV, without a core file         kill   SIGKILL
///   hang      sleeps until a signal ends it        memory allocates failure_mib, then holds it until stopped
/// nonsense garbage to the protocol's descriptor noise 100 KiB to stdout and to stderr, then returns
void fail(const Trial& trial);

}  // namespace retrial::workloads::null
