#include "results/digest/file_digests.hpp"

#include <sys/stat.h>

#include "results/text/error.hpp"

namespace retrial::results::inline digest {

std::optional<FileDigests::Stamp> FileDigests::stamp_of(const std::filesystem::path& file) {
  struct stat facts {};
  if (::stat(file.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) return std::nullopt;
  const auto ns = [](const timespec& time) { return time.tv_sec * 1'000'000'000LL + time.tv_nsec; };
  return Stamp{.device = facts.st_dev,
               .inode = facts.st_ino,
               .size = facts.st_size,
               .modified_ns = ns(facts.st_mtim),
               .changed_ns = ns(facts.st_ctim)};
}

std::optional<Digest> FileDigests::of(const std::filesystem::path& file) try {
  const auto stamp = stamp_of(file);
  if (!stamp) return std::nullopt;
  if (const auto known = known_.find(file.native()); known != known_.end() && known->second.stamp == *stamp)
    return known->second.digest;
  ++readings_;
  const auto digest = sha256_file(file);
  // A file that is written to while it is read is read again the next time.
  if (stamp_of(file) == stamp) known_[file.native()] = {*stamp, digest};
  return digest;
} catch (const Error&) {
  return std::nullopt;
}

}  // namespace retrial::results::inline digest
