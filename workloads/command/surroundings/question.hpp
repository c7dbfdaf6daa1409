#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace retrial::workloads::command::inline surroundings {

/// Answer of another program about itself.
struct Answer {
  bool given = false;  ///< it ended with 0 in time
  std::string text;    ///< its output; if it was not given, the reason in one line
};

/// Asks a program in our environment with `further` variables ("NAME=value"), for at most 20 seconds.
[[nodiscard]] Answer ask(const std::vector<std::string>& argv, const std::filesystem::path& folder,
                         const std::vector<std::string>& further = {});

}  // namespace retrial::workloads::command::inline surroundings
