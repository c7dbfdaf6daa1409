// SQLite's allocator with a counter in front of it. It is put in place before main, because SQLite takes another
// allocator only before it is initialised.
#pragma once

#include <cstdint>

namespace retrial::tests {

/// While an object lives, the `nth` allocation of SQLite (from 1) fails, and with `for_good` every later one too.
class FailingMemory {
 public:
  FailingMemory(std::int64_t nth, bool for_good);
  ~FailingMemory();
  FailingMemory(const FailingMemory&) = delete;
  FailingMemory& operator=(const FailingMemory&) = delete;
  [[nodiscard]] bool failed() const;
  /// SQLite has accepted the allocator.
  [[nodiscard]] static bool installed();
};

}  // namespace retrial::tests
