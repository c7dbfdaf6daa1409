#pragma once

namespace retrial::harness::inline system {

/// While it exists, SIGINT and SIGTERM are counted instead of ending the process.
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
