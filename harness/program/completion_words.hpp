#pragma once

#include <string>
#include <vector>

#include "harness/command_line/command.hpp"
#include "harness/program/completion.hpp"

namespace retrial::harness::inline program {

/// The incomplete line, as the sources of words get it.
struct HalfLine {
  const Command& command;
  std::vector<std::string> positional;  ///< finished arguments before the cursor
  std::string word;                     ///< the part already typed at the cursor
};

/// Words for the value of an option: by its choices, else by its name ("metric"), else by its value's name ("FILE").
[[nodiscard]] std::vector<Candidate> words_for_option(const Option& option, const HalfLine& line);

/// Words for an argument by its name in the usage: "STORE", "TRIAL", "STUDY.toml|WORKLOAD", "DIR".
[[nodiscard]] std::vector<Candidate> words_for_argument(const std::string& name, const HalfLine& line);

}  // namespace retrial::harness::inline program
