#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "results/digest/sha256.hpp"
#include "results/text/error.hpp"

namespace retrial::data::inline sets {

/// official: the published bytes. unofficial: usable, but other bytes. corrupt: not usable. missing: no such file.
enum class Verdict { official, unofficial, corrupt, missing };
[[nodiscard]] std::string_view name_of(Verdict verdict);

struct FileCheck {
  std::string set, name;
  Verdict verdict = Verdict::missing;
  bool required = false;  ///< whether a missing file matters
  std::optional<std::uint64_t> bytes;
  std::optional<results::Digest> sha256;
  std::string md5;   ///< if the authors publish one for this file
  std::string note;  ///< the problem, or why it is not official
};

/// Checks a folder (or the folder of the archive inside it) against the published files of CIFAR-10, CIFAR-100, MNIST
/// and Fashion-MNIST; the files of CIFAR-10.1, which have no published digest, are read completely. A set is checked if
/// one of its files exists; MNIST and Fashion-MNIST, which share file names, are distinguished by digest. Throws
/// Error{incomparable} if the folder has no known file.
[[nodiscard]] std::vector<FileCheck> verify(const std::filesystem::path& folder);

/// ok: all required files are official; different: usable, but some are not; incomparable: one is missing; integrity:
/// one is corrupt (the worst decides).
[[nodiscard]] Exit exit_of(const std::vector<FileCheck>& checks);

}  // namespace retrial::data::inline sets
