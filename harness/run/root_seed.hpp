#pragma once

#include <cstdint>
#include <filesystem>

#include "harness/command_line/arguments.hpp"
#include "harness/study/checks/study.hpp"

namespace retrial::harness::inline run {

/// Origin of the root seed of a study.
enum class SeedFrom { study, store, chance };

/// Gives a study without a seed that of the newest study in the store `path` that differs from it in nothing else,
/// unfinished ones first; else a drawn one, as with --again. Error{usage} for --again of a study that has a seed.
[[nodiscard]] SeedFrom set_seed(Study& study, const std::filesystem::path& path, const Arguments& arguments);

/// A note on a seed that the study does not give. For after it is stored, so that an error that stores nothing has
/// none.
void print_seed_note(SeedFrom from, std::uint64_t seed, bool finished);

}  // namespace retrial::harness::inline run
