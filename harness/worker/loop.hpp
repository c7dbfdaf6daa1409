#pragma once

#include <string>

namespace retrial::harness::inline worker {

/// The worker: sets and reads back its kernel mode, sends hello, then runs the ordered trials one by one until its
/// commands end. `mode` is a mode document as text. Returns the exit code of the process.
int worker_loop(const std::string& mode);

}  // namespace retrial::harness::inline worker
