#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace retrial::harness::inline command_line {

/// A setting of the user and where its value comes from.
struct Setting {
  std::string name, value, source, meaning;
};

/// What RETRIAL_* variables and the terminal's own decide, with the value in force here and now.
[[nodiscard]] std::vector<Setting> settings_in_force();

/// RETRIAL_* variables, each for an option that was left out; nothing where one is unset or empty. Error{usage} for a
/// value that the option would not take.
[[nodiscard]] std::optional<std::filesystem::path> store_setting();
[[nodiscard]] std::optional<std::uint64_t> seed_setting();
[[nodiscard]] std::optional<int> jobs_setting();

}  // namespace retrial::harness::inline command_line
