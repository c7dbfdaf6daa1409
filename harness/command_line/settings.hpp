#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace retrial::harness::inline command_line {

/// A user setting and the origin of its value.
struct Setting {
  std::string name, value, source, meaning;
};

/// The settings that environment variables and the terminal decide, with their current values.
[[nodiscard]] std::vector<Setting> settings_in_force();

/// RETRIAL_* variables, each the default of an option; nothing where one is unset or empty. Error{usage} for a value
/// that the option would not accept.
[[nodiscard]] std::optional<std::filesystem::path> store_setting();
[[nodiscard]] std::optional<std::uint64_t> seed_setting();
[[nodiscard]] std::optional<int> jobs_setting();

}  // namespace retrial::harness::inline command_line
