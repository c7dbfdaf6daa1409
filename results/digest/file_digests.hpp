#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "results/digest/sha256.hpp"

namespace retrial::results::inline digest {

/// SHA-256 of files that are asked for again and again: a file is read only when its device, inode, size, time of
/// modification or time of change is another than at the last reading.
class FileDigests {
 public:
  /// Nothing where there is no regular file that can be read.
  [[nodiscard]] std::optional<Digest> of(const std::filesystem::path& file);
  /// The number of times that a file was read.
  [[nodiscard]] std::int64_t readings() const { return readings_; }

 private:
  struct Stamp {
    dev_t device;
    ino_t inode;
    off_t size;
    std::int64_t modified_ns, changed_ns;
    bool operator==(const Stamp&) const = default;
  };
  struct Known {
    Stamp stamp;
    Digest digest;
  };
  [[nodiscard]] static std::optional<Stamp> stamp_of(const std::filesystem::path& file);

  std::map<std::string, Known> known_;
  std::int64_t readings_ = 0;
};

}  // namespace retrial::results::inline digest
