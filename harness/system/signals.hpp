#pragma once

namespace retrial::harness::inline system {

/// While it exists, SIGINT, SIGTERM and SIGHUP are counted instead of ending the process. SIGHUP, the end of the
/// terminal, counts twice.
class SignalWatch {
 public:
  SignalWatch();
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;
  /// The number of signals that arrived, and the first of them.
  [[nodiscard]] static int count();
  [[nodiscard]] static int first();
};

}  // namespace retrial::harness::inline system
