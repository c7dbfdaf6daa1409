#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "results/digest/sha256.hpp"
#include "results/text/error.hpp"

namespace retrial::data::inline sets {

/// official: the published bytes. unofficial: usable, but other bytes. corrupt: not usable. missing: not there.
enum class Verdict { official, unofficial, corrupt, missing };
[[nodiscard]] std::string_view name_of(Verdict verdict);

struct FileCheck {
  std::string set, name;
  Verdict verdict = Verdict::missing;
  bool required = false;  ///< a missing file counts only then
  std::optional<std::uint64_t> bytes;
  std::optional<results::Digest> sha256;
  std::string md5;   ///< where the authors publish one of this file
  std::string note;  ///< what is wrong, or why it is not official
};

/// Checks a folder (or the folder of the archive inside it) against the published files of CIFAR-10, CIFAR-100, MNIST
/// and Fashion-MNIST; the files of CIFAR-10.1, of which no digest is published, are read whole. A set takes part when
/// one of its files is there; MNIST and Fashion-MNIST, which share file names, are told apart by digest. Throws
/// Error{incomparable} when the folder holds no known file.
[[nodiscard]] std::vector<FileCheck> verify(const std::filesystem::path& folder);

/// ok: all required files are official; different: usable, but some are not; incomparable: one is missing; integrity:
/// one is corrupt (the worst decides).
[[nodiscard]] Exit exit_of(const std::vector<FileCheck>& checks);

}  // namespace retrial::data::inline sets
