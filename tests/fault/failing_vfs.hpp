// A shim between SQLite and its own VFS that fails one chosen call, in the way of SQLite's own test suite. Only this
// test program registers it; while it is not armed everything passes through.
#pragma once

#include <cstdint>

namespace retrial::tests {

enum class Call { none, write, sync, open, truncate };

/// Registers the shim as the default VFS, once. While an object lives, the `nth` call of this kind (from 1) returns
/// `code`, and with `for_good` every later one of it too, as a disk that is full or gone does.
class FailingDisk {
 public:
  FailingDisk(Call call, std::int64_t nth, int code, bool for_good);
  ~FailingDisk();
  FailingDisk(const FailingDisk&) = delete;
  FailingDisk& operator=(const FailingDisk&) = delete;
  /// False when the scenario was over before the nth call came.
  [[nodiscard]] bool failed() const;
};

}  // namespace retrial::tests
