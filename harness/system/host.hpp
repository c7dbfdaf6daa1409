#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "results/store/store.hpp"

namespace retrial::harness::inline system {

/// Nanoseconds since 1970 by the system clock: dates of events, never part of a result.
[[nodiscard]] std::int64_t now_ns();
/// What now_ns() asks; a test puts one that jumps in its place.
[[nodiscard]] std::function<std::int64_t()>& wall_clock();
/// Nanoseconds of the clock that never jumps, the same for all processes of a machine: leases run out by it.
[[nodiscard]] std::int64_t monotonic_ns();

/// CPUs this process may run on.
[[nodiscard]] int usable_cpus();
/// MemAvailable of the kernel, in bytes; 0 when it is not told.
[[nodiscard]] std::int64_t available_memory();

/// `label`, or 16 hex digits of SHA-256(salt + host name): hosts of one store can be told apart and not be named.
[[nodiscard]] std::string host_name(const results::Id16& salt, const std::optional<std::string>& label);
/// The same of the boot id.
[[nodiscard]] results::Id16 boot_name(const results::Id16& salt);
/// The store's salt; drawn and stored when it has none.
[[nodiscard]] results::Id16 store_salt(results::Store& store);

/// $XDG_CACHE_HOME/retrial or ~/.cache/retrial.
[[nodiscard]] std::filesystem::path default_cache();

/// A folder that is removed with everything in it when this goes.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace retrial::harness::inline system
