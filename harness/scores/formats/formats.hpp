#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/scores/formats/columns.hpp"
#include "harness/scores/lines/score_table.hpp"

/// Results of other programs as scores in the long form.
namespace retrial::harness::inline scores::inline formats {

/// A file and its variant, "new=run-3.json"; without a variant name the reader of the format chooses one.
struct ScoreInput {
  std::filesystem::path path;
  std::optional<std::string> variant = {};
  std::string text = {};   ///< full contents, read once because the file may be a pipe
  ColumnRoles roles = {};  ///< --columns; empty: the format names the columns
  std::size_t number = 0;  ///< place among the given files, to tell the processes of two files apart
};

/// One row per format: description, detection, reader. Readers append rows, facts and notes to the table; for input
/// that they cannot read they throw Error{usage} with file, place and value.
struct ScoreFormat {
  std::string_view name, what;
  bool (*fits)(std::string_view head) = nullptr;  ///< head: first 64 KiB
  void (*read)(const ScoreInput& input, ScoreTable& table) = nullptr;
};
[[nodiscard]] std::vector<std::string> score_format_names();

/// Each text is "FILE" or "VARIANT=FILE"; a file whose name is the whole text takes precedence. Error{incomparable} for
/// a file that cannot be read.
[[nodiscard]] std::vector<ScoreInput> score_inputs(std::span<const std::string> texts, const ColumnRoles& roles = {});

/// The named format, or the first one that fits. Error{usage} when none does.
[[nodiscard]] const ScoreFormat& score_format_of(const ScoreInput& input, const std::optional<std::string>& name = {});

/// All files as one table. Error{usage} for a run given twice, and for scores that are too large or too small to be
/// judged.
[[nodiscard]] ScoreTable read_score_table(std::span<const ScoreInput> inputs,
                                          const std::optional<std::string>& format = {});

// The readers, one per format.
void read_long_csv(const ScoreInput& input, ScoreTable& table);
void read_wide_csv(const ScoreInput& input, ScoreTable& table);
void read_npy_matrix(const ScoreInput& input, ScoreTable& table);
void read_google_benchmark(const ScoreInput& input, ScoreTable& table);
void read_pytest_benchmark(const ScoreInput& input, ScoreTable& table);
void read_criterion(const ScoreInput& input, ScoreTable& table);
void read_asv(const ScoreInput& input, ScoreTable& table);
void read_hyperfine(const ScoreInput& input, ScoreTable& table);
void read_mllog(const ScoreInput& input, ScoreTable& table);

}  // namespace retrial::harness::inline scores::inline formats
