#pragma once

#include <stdexcept>
#include <string>

namespace retrial {

/// Exit codes of the program; documented in docs/exit-codes.md.
enum class Exit {
  ok = 0,
  different = 1,
  usage = 2,
  inconclusive = 3,
  incomparable = 4,
  measurement = 5,
  integrity = 6,
  interrupted = 130,
  terminated = 143,
};

/// The parts of an error line: "retrial: error: <where>: <field> = <value>: <problem> (allowed: <allowed>)"
/// followed by a line "help: <help>". Empty parts are omitted.
struct ErrorText {
  Exit exit = Exit::usage;
  std::string code;     ///< stable token for programs: "study.unknown_key"
  std::string where;    ///< "study.toml:12:7", "--alpha", a path
  std::string field;    ///< "compare.alpha"
  std::string value;    ///< as the user gave it
  std::string problem;  ///< "out of range", "unknown key", ...
  std::string allowed;  ///< set or range
  std::string help;     ///< suggestion, e.g. the option to use instead
};

/// A mistake of the user, or a failure with its own exit code. Thrown anywhere, caught in main.
class Error : public std::runtime_error {
 public:
  explicit Error(ErrorText parts) : std::runtime_error(line(parts)), text(std::move(parts)) {}
  ErrorText text;

  /// One line without the program's name, built from the parts.
  [[nodiscard]] static std::string line(const ErrorText& parts);
};

}  // namespace retrial
