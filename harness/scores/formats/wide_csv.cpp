#include "harness/scores/formats/formats.hpp"
#include "harness/scores/formats/score_file.hpp"

namespace retrial::harness::inline scores::inline formats {

/// Lines of columns are pairs, numbered from 0; a column that ends early has fewer runs. Lines of groups are
/// independent runs.
void read_wide_csv(const ScoreInput& input, ScoreTable& table) {
  const ScoreFile file = read_scores(input.path, input.text);
  for (std::size_t v = 0; v < file.names.size(); ++v)
    for (std::size_t i = 0; i < file.scores[v].size(); ++i)
      table.rows.push_back({.variant = input.variant ? *input.variant + "/" + file.names[v] : file.names[v],
                            .pair = file.grouped ? std::nullopt : std::optional(static_cast<std::int64_t>(i)),
                            .score = file.scores[v][i]});
  table.metrics[""];
}

}  // namespace retrial::harness::inline scores::inline formats
