#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "harness/plan/trial_body.hpp"
#include "results/digest/sha256.hpp"

namespace retrial::harness::inline run::inline program {

/// Name of a file: relative to `base` where it is below.
[[nodiscard]] std::string name_of_source(const std::filesystem::path& source, const std::filesystem::path& base);

/// "train.py changed (sha256 1a2b3c4d5e6f -> 60718293a4b5)"; nothing now: "train.py is gone (sha256 ...)".
[[nodiscard]] std::string file_change(const std::string& name, const results::Digest& before,
                                      const std::optional<results::Digest>& now);

/// In words, how the program of a trial differs from the one it was planned with. Files of a user's program have names
/// where both have as many.
[[nodiscard]] std::string program_change(const TrialBody& body, const Json& before, const Json& now);

}  // namespace retrial::harness::inline run::inline program
