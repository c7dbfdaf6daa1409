#pragma once

#include <string>

namespace retrial::harness::inline worker {

/// The worker: sets and reads back its kernel mode, says hello, then runs one ordered trial after the other until
/// its commands end. `mode` is a mode document as text. Returns the exit code of the process.
int worker_loop(const std::string& mode);

}  // namespace retrial::harness::inline worker
