#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "results/store/store.hpp"

namespace retrial::harness::inline system {

/// Nanoseconds since 1970 by the system clock: for dates of events, never part of a result.
[[nodiscard]] std::int64_t now_ns();
/// The clock that now_ns() reads; a test can replace it with one that jumps.
[[nodiscard]] std::function<std::int64_t()>& wall_clock();
/// Nanoseconds of a clock that never jumps, the same for all processes of a machine: leases expire by it.
[[nodiscard]] std::int64_t monotonic_ns();

/// CPUs this process may run on.
[[nodiscard]] int usable_cpus();
/// Mean number of programs that ran or waited for a CPU in the last minute; 0 if unknown.
[[nodiscard]] double load_now();
/// MemAvailable of the kernel, in bytes; 0 if unknown.
[[nodiscard]] std::int64_t available_memory();

/// `label`, or 16 hex digits of SHA-256(salt + host name): tells the hosts of one store apart without naming them.
[[nodiscard]] std::string host_name(const results::Id16& salt, const std::optional<std::string>& label);
/// The same for the boot id.
[[nodiscard]] results::Id16 boot_name(const results::Id16& salt);
/// The store's salt; drawn and stored when it has none.
[[nodiscard]] results::Id16 store_salt(results::Store& store);

/// $XDG_CACHE_HOME/retrial or ~/.cache/retrial; empty without a home, because in a folder of everybody's a network
/// could come from anybody.
[[nodiscard]] std::filesystem::path default_cache();

/// $TMPDIR, else /tmp. Throws Error{usage} where that is no folder.
[[nodiscard]] std::filesystem::path temporary_folder();

/// A temporary folder, removed with everything in it by the destructor; in `parent` if that is given.
class ScratchFolder {
 public:
  explicit ScratchFolder(const std::filesystem::path& parent = {});
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace retrial::harness::inline system
