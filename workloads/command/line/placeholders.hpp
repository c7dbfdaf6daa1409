#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "workloads/interface/trial/trial.hpp"

namespace retrial::workloads::command::inline line {

/// Keys that name a file of results, with placeholders.
inline constexpr std::array result_file_keys{"read_json", "read_file", "read_google_benchmark"};

/// A placeholder in a text: {seed} {seed64} {seed:SOURCE} {pair} {out}. Other braces are left alone here (awk, JSON,
/// Python; own_keys.hpp), and so is ${...}, which belongs to the shell.
struct Placeholder {
  std::size_t begin = 0, length = 0;
  enum class Kind { seed, seed64, pair, out } kind = Kind::seed;
  std::string source = "seed";  ///< source of seed and seed64
};
[[nodiscard]] std::vector<Placeholder> placeholders_in(const std::string& text);

/// Sentences about braces that look like placeholders and are not ({seeds}, {seed:Data Order}), with the nearest name.
[[nodiscard]] std::vector<std::string> misspelled_placeholders(const std::string& text);

/// Other names in braces, such as {lr}, without those after '$'.
struct Braces {
  std::size_t begin = 0, length = 0;
  std::string name;  ///< letters, digits, '_', '-' and ':'
};
[[nodiscard]] std::vector<Braces> other_braces_in(const std::string& text);

/// The placeholder that a name was probably meant to be: "seed" for "seeds"; nothing for a name of its own.
[[nodiscard]] std::optional<std::string> placeholder_meant(const std::string& name);

/// Names of the sources that placeholders of the text use, each once, in order of appearance.
[[nodiscard]] std::vector<std::string> sources_in(const std::string& text);

/// A source seed in the form that most programs accept: 31 bits (randomness spec 2: shifted right by 33), decimal.
[[nodiscard]] std::string short_seed(std::uint64_t source_seed);

/// The text with every placeholder replaced. A seed that the trial does not have throws std::out_of_range.
[[nodiscard]] std::string filled(const std::string& text, const Trial& trial, const std::filesystem::path& out);

}  // namespace retrial::workloads::command::inline line
