#pragma once

#include <optional>
#include <string>
#include <vector>

namespace retrial::harness {

/// A setting of the user and where its value comes from.
struct Setting {
  std::string name, value, source, meaning;
};

/// What RETRIAL_* variables and the terminal's own decide, with the value in force here and now.
[[nodiscard]] std::vector<Setting> settings_in_force();

}  // namespace retrial::harness
