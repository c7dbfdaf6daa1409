#pragma once

#include <sys/types.h>
#include <set>
#include <string>

#include "workloads/command/process/descriptor.hpp"

/// Programs that a program and its descendants start. The kernel asks us at every execve below the child (seccomp user
/// notification, Linux 5.5), so that none is missed, whatever starts it; reading /proc again and again would miss the
/// short ones. The child gets no new privileges: setuid programs keep the user's.
namespace retrial::workloads::command::inline process {

/// In the child, after the fork and before exec: asks for the notices and hands them to the other end of `socket`.
/// Starting `own`, the very pointer that is given to execve, is not noticed: its parent waits for it. Only
/// async-signal-safe calls. Without notices, the other end receives nothing.
void announce_starts(int socket, const char* own) noexcept;

/// In the parent: the notices of one child.
class Starts {
 public:
  /// `socket` is the end that the child does not have; the child has become its program.
  explicit Starts(const Descriptor& socket);

  /// False where the kernel gives no notices (or a container forbids them): nothing is known then.
  [[nodiscard]] bool known() const { return notices_.number() >= 0; }
  [[nodiscard]] int descriptor() const { return notices_.number(); }
  /// Takes one notice, which must be there, and lets the start continue.
  void take();
  /// Paths of the programs started so far, as they were named, without those that do not exist.
  [[nodiscard]] const std::set<std::string>& programs() const { return programs_; }

 private:
  Descriptor notices_;
  std::set<std::string> programs_;
};

}  // namespace retrial::workloads::command::inline process
