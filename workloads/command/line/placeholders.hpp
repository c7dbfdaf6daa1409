#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "workloads/interface/trial.hpp"

namespace retrial::workloads::command::inline line {

/// A placeholder in a text: {seed} {seed64} {seed:SOURCE} {pair} {out}. Other braces are left alone (awk, JSON,
/// Python), and so is ${...}, which belongs to the shell.
struct Placeholder {
  std::size_t begin = 0, length = 0;
  enum class Kind { seed, seed64, pair, out } kind = Kind::seed;
  std::string source = "seed";  ///< of seed and seed64
};
[[nodiscard]] std::vector<Placeholder> placeholders_in(const std::string& text);

/// Sentences about braces that look like placeholders and are not ({seeds}, {seed:Data Order}), with the nearest name.
[[nodiscard]] std::vector<std::string> misspelled_placeholders(const std::string& text);

/// Names of the sources that placeholders of the text use, each once, in order of appearance.
[[nodiscard]] std::vector<std::string> sources_in(const std::string& text);

/// A source seed in the form that most programs accept: 31 bits (randomness spec 2: shifted right by 33), decimal.
[[nodiscard]] std::string short_seed(std::uint64_t source_seed);

/// The text with every placeholder replaced. A seed that the trial does not have throws std::out_of_range.
[[nodiscard]] std::string filled(const std::string& text, const Trial& trial, const std::filesystem::path& out);

}  // namespace retrial::workloads::command::inline line
