#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/scores/score_table.hpp"

/// Results of other programs as scores in the long form.
namespace retrial::harness {

/// A file and the variant it holds, "new=run-3.json"; without a name the format finds one.
struct ScoreInput {
  std::filesystem::path path;
  std::optional<std::string> variant;
  std::size_t number = 0;  ///< place among the files given: scores of one process must be told from the next one's
};

/// One row a format: what it is, how it is recognised, how it is read. Readers throw Error{usage} naming file, place
/// and value for what they cannot read, and append rows, facts and notes to the table.
struct ScoreFormat {
  std::string_view name, what;
  bool (*fits)(const std::filesystem::path& path, std::string_view head) = nullptr;  ///< head: first 64 KiB
  void (*read)(const ScoreInput& input, ScoreTable& table) = nullptr;
};
[[nodiscard]] std::span<const ScoreFormat> all_score_formats();
[[nodiscard]] std::vector<std::string> score_format_names();

/// "FILE" or "VARIANT=FILE"; a file that has the whole text for its name comes first.
[[nodiscard]] ScoreInput score_input(const std::string& text, std::size_t number);

/// All files as one table, by the format named, or each by the one that fits. Error{incomparable} for a file that
/// cannot be read, Error{usage} for one of no known format and for one run given twice.
[[nodiscard]] ScoreTable read_score_table(std::span<const std::string> inputs,
                                          const std::optional<std::string>& format = {});

/// A CSV whose first line names the column `variant`.
[[nodiscard]] bool is_long_csv(std::string_view head);
/// First bytes of a file; Error{incomparable} when it cannot be read.
[[nodiscard]] std::string head_of(const std::filesystem::path& path);

// One each: the readers.
void read_long_csv(const ScoreInput& input, ScoreTable& table);
void read_wide_csv(const ScoreInput& input, ScoreTable& table);
void read_npy_matrix(const ScoreInput& input, ScoreTable& table);
void read_google_benchmark(const ScoreInput& input, ScoreTable& table);
void read_hyperfine(const ScoreInput& input, ScoreTable& table);
void read_mllog(const ScoreInput& input, ScoreTable& table);

}  // namespace retrial::harness
