#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "variance/random/rng.hpp"
#include "workloads/data/operators/operators.hpp"
#include "workloads/data/operators/textures.hpp"

/// Nineteen corruptions with the constants of CIFAR-10-C, written from scratch so that their bytes are the same
/// everywhere. The published arrays cannot be regenerated (their generator was not seeded); images made here are called
/// "C-like v1" and never CIFAR-10-C.
namespace retrial::corrupt {

inline constexpr const char* table_name = "C-like v1";

/// portable: + - x / and square roots in double, nothing else. own: the same, with our own definitions in place of the
/// original's calls to an image library. library: the bytes depend on a library, whose version is stored with them.
enum class Made { portable, own, library };

struct Corruption {
  std::string name;           ///< also the key of its draws
  std::string official_file;  ///< in CIFAR-10-C, without .npy
  std::string summary;
  Made made = Made::portable;
  Operator op = nullptr;  ///< null: not available in this program
  std::array<Constants, 5> constants{};
  std::string missing = {};  ///< why it is not available
  std::string folder = {};   ///< key that names the folder of the photographs it needs; empty: none

  [[nodiscard]] bool needs_folder() const { return !folder.empty(); }
};

/// The fifteen standard ones, then the four extra ones, in the order of the publication.
[[nodiscard]] const std::vector<Corruption>& table();
/// Error{usage} with the nearest name and all names for an unknown one.
[[nodiscard]] const Corruption& find(std::string_view name);
/// That error, for "corruption" or "distribution".
[[noreturn]] void refuse_unknown(const std::string& what, std::string_view name, std::vector<std::string> names);
/// Names of the corruptions that need no files.
[[nodiscard]] std::vector<std::string> available();
/// Names of those that are bit-equal on every machine, too.
[[nodiscard]] std::vector<std::string> portable();

/// A folder that a user must have for a corruption: the key that names it, and the expected content.
struct ExtraFolder {
  std::string key, meaning;
};
[[nodiscard]] std::vector<ExtraFolder> extra_folders();

/// InvalidInput unless 1 .. 5.
void require_severity(int severity);
/// A warning for the user: saturate does not change gray images. Empty: none.
[[nodiscard]] std::string note_on(const Corruption& corruption, const data::Shape& shape);
/// Error{incomparable} if the corruption is not available; `folder` holds the photographs for those that need them.
void require_available(const Corruption& corruption, const std::filesystem::path& folder = {});
/// The problem with images of this size: frost takes sides of at most 63. Empty: none.
[[nodiscard]] std::string problem_with(const Corruption& corruption, const data::Shape& shape);

/// One image: `out` takes as many bytes, value = byte / 255 whatever the scale of the input.
/// `textures`: for a corruption that needs them.
void apply(const Corruption& corruption, int severity, const ImageView& in, std::span<std::uint8_t> out,
           variance::Stream draws, const Textures* textures = nullptr);

/// The key of one corruption at one severity; image i draws from Stream(key, i). `seed`: source seed of `corrupt`.
[[nodiscard]] std::uint64_t key_of(std::uint64_t seed, std::string_view name, int severity);

/// Selected images of a set, and their draws. The index of an image is its row in the set: images can be made in any
/// order, on any number of threads.
struct Request {
  std::string name;
  int severity = 3;
  std::uint64_t seed = 0;  ///< source seed of `corrupt`
  std::size_t threads = 1;
  std::shared_ptr<const Textures> textures = {};  ///< if the corruption needs them
};
/// The images of these rows with their labels, as a new set: scale 255, all test images.
[[nodiscard]] data::ImageSet corrupted(const data::ImageSet& set, std::span<const std::uint32_t> rows,
                                       const Request& request);
/// Mean of |corrupted - original| over all values, in gray levels of 255, for sets made by `corrupted`.
[[nodiscard]] double mean_change(const data::ImageSet& set, std::span<const std::uint32_t> rows,
                                 const data::ImageSet& changed);

}  // namespace retrial::corrupt
