#pragma once

#include <sys/types.h>

#include <set>

namespace retrial::harness::inline system {

/// From now on orphans among all that this process starts become its children, as they would become those of init: a
/// daemon (setsid) remains in sight. Nothing changes where the kernel refuses, such as below an emulator, and where
/// this process has children already: they and theirs belong to others.
void adopt_orphans() noexcept;

/// Kills every child of this process and, as orphans are adopted, all that they started. Returns once they have ended,
/// after 2 s at the latest: a process that waits for a device cannot be ended. Async-signal-safe. The process must have
/// no child that it still needs.
void end_children() noexcept;

/// The same for the children that this process has adopted: all but `ours`. Does nothing before adopt_orphans().
void end_adopted(const std::set<pid_t>& ours);

/// Ends the children when it goes out of scope.
class ChildrenEnd {
 public:
  ChildrenEnd() = default;
  ~ChildrenEnd() { end_children(); }
  ChildrenEnd(const ChildrenEnd&) = delete;
  ChildrenEnd& operator=(const ChildrenEnd&) = delete;
};

}  // namespace retrial::harness::inline system
