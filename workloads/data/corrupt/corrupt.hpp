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
#include "workloads/data/corrupt/operators.hpp"
#include "workloads/data/corrupt/textures.hpp"

/// Nineteen corruptions with the constants of CIFAR-10-C, written anew so that their bytes are the same everywhere. The
/// published arrays cannot be made again (their generator was not seeded); what is made here is called "C-like v1" and
/// never CIFAR-10-C.
namespace retrial::corrupt {

inline constexpr const char* table_name = "C-like v1";

/// portable: + - x / and square roots in double, nothing else. own: the same, by definitions of ours where the original
/// calls an image library. library: the bytes depend on a library, whose version is kept with them.
enum class Made { portable, own, library };

struct Corruption {
  std::string name;           ///< also what its draws are keyed by
  std::string official_file;  ///< in CIFAR-10-C, without .npy
  std::string summary;
  Made made = Made::portable;
  Operator op = nullptr;  ///< nothing: not available in this program
  std::array<Constants, 5> constants{};
  std::string missing = {};  ///< why it is not available
  std::string folder = {};   ///< key of place of the photographs that it is made with; empty: it needs none

  [[nodiscard]] bool needs_folder() const { return !folder.empty(); }
};

/// The fifteen, then the four extra ones, in the order of the publication.
[[nodiscard]] const std::vector<Corruption>& table();
/// Error{usage} with the nearest name and all names for an unknown one.
[[nodiscard]] const Corruption& find(std::string_view name);
/// Names of those that this program can make by itself.
[[nodiscard]] std::vector<std::string> available();
/// Of the same that are bit-equal on every machine.
[[nodiscard]] std::vector<std::string> portable();

/// A folder that a user must have for a corruption: its key of place, and what is expected in it.
struct ExtraFolder {
  std::string key, meaning;
};
[[nodiscard]] std::vector<ExtraFolder> extra_folders();

/// InvalidInput unless 1 .. 5.
void require_severity(int severity);
/// What a user should know before: saturate leaves grey images as they are. Empty: nothing.
[[nodiscard]] std::string note_on(const Corruption& corruption, const data::Shape& shape);
/// Error{incomparable} when the corruption is not available; with photographs in this folder those that need them are.
void require_available(const Corruption& corruption, const std::filesystem::path& folder = {});
/// What is wrong with images of this size: frost takes sides of at most 63. Empty: nothing.
[[nodiscard]] std::string problem_with(const Corruption& corruption, const data::Shape& shape);

/// One image: `out` takes as many bytes, value = byte / 255 whatever the scale of the input.
/// `textures`: of a corruption that needs them.
void apply(const Corruption& corruption, int severity, const ImageView& in, std::span<std::uint8_t> out,
           variance::Stream draws, const Textures* textures = nullptr);

/// The key of one corruption at one severity; image i draws from Stream(key, i). `seed`: source seed of `corrupt`.
[[nodiscard]] std::uint64_t key_of(std::uint64_t seed, std::string_view name, int severity);

/// Which images of a set, under which draws. The index of an image is its row in the set: it can be made alone, in any
/// order, on any number of threads.
struct Request {
  std::string name;
  int severity = 3;
  std::uint64_t seed = 0;  ///< source seed of `corrupt`
  std::size_t threads = 1;
  std::shared_ptr<const Textures> textures = {};  ///< where the corruption needs them
};
/// The images of these rows with their labels, as a set of its own: scale 255, all of it a test part.
[[nodiscard]] data::ImageSet corrupted(const data::ImageSet& set, std::span<const std::uint32_t> rows,
                                       const Request& request);
/// Mean of |corrupted - original| over all values, in grey levels of 255; of the sets made by `corrupted`.
[[nodiscard]] double mean_change(const data::ImageSet& set, std::span<const std::uint32_t> rows,
                                 const data::ImageSet& changed);

}  // namespace retrial::corrupt
