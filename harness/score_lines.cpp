#include "harness/score_lines.hpp"

#include <fstream>
#include <iterator>

#include "results/error.hpp"
#include "results/text.hpp"

namespace retrial::harness {

std::vector<data::TableLine> score_lines(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in || std::filesystem::is_directory(path))
    throw Error({.exit = Exit::incomparable,
                 .code = "scores.missing",
                 .where = path.string(),
                 .problem = "no such file, or it cannot be read"});
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  auto lines = data::table_lines(path, text, ',');
  if (lines.size() < 2)
    throw Error({.code = "scores.syntax",
                 .where = path.string(),
                 .problem = "a header and at least one line of scores are needed"});
  return lines;
}

void refuse_score(const ScoreMistake& mistake) {
  throw Error({.code = "scores.syntax",
               .where = mistake.path.string() + (mistake.line > 0 ? ":" + std::to_string(mistake.line) : ""),
               .field = mistake.field,
               .value = results::one_line(mistake.value, 100),
               .problem = mistake.problem,
               .allowed = mistake.allowed,
               .help = mistake.help});
}

}  // namespace retrial::harness
