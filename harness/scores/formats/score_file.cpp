#include "harness/scores/formats/score_file.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "harness/scores/formats/score_lines.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline scores::inline formats {
namespace {

using Fields = std::vector<std::string>;

struct Line {
  std::size_t number = 0;
  Fields fields = {};
};

std::vector<Line> lines_of(const std::filesystem::path& path, const std::string& text) {
  std::vector<Line> lines;
  for (const auto& cut : score_lines(path, text)) {
    lines.push_back({.number = lines.size() + 1});
    for (const auto& field : cut) lines.back().fields.push_back(field.text);
  }
  return lines;
}

double score_of(const std::filesystem::path& path, std::size_t line, const std::string& name, const std::string& text) {
  if (text.empty()) refuse_score({.path = path, .line = line, .field = name, .problem = "the score is missing"});
  return score_from({.path = path, .line = line, .field = name}, text);
}

std::size_t place_of(std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) names.push_back(name);
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

void read_groups(const std::vector<Line>& lines, ScoreFile& file) {
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const Line& line = lines[i];
    if (line.fields.size() != 2)
      refuse_score({.path = file.path, .line = line.number, .problem = "needs two fields: a group and a score"});
    if (line.fields[0].empty())
      refuse_score({.path = file.path, .line = line.number, .field = "group", .problem = "the name is missing"});
    const std::size_t place = place_of(file.names, line.fields[0]);
    file.scores.resize(file.names.size());
    file.scores[place].push_back(score_of(file.path, line.number, line.fields[0], line.fields[1]));
  }
}

std::string lowered(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

/// What somebody may have meant as a score: a digit, a sign or a point in front, or a word for "not a number".
bool meant_as_score(const std::string& text) {
  static const std::set<std::string> words{"", "nan", "inf", "infinity", "na", "n/a", "none", "null", "-"};
  return words.contains(lowered(text)) || std::string("+-.0123456789").find(text[0]) != std::string::npos;
}

/// Columns by these names number the lines, even where every field is a number.
bool is_label(const std::string& name) {
  static const std::set<std::string> names{"dataset", "data set", "data_set", "ds",   "task", "seed",
                                           "run",     "run_id",   "id",       "fold", "pair", "index"};
  return names.contains(lowered(name));
}

/// The first column names the lines when its name says so, or when it has words and nothing that could be a score.
bool has_labels(const std::vector<Line>& lines) {
  if (lines[0].fields.size() < 3) return false;
  return is_label(lines[0].fields[0]) ||
         std::none_of(lines.begin() + 1, lines.end(), [](const Line& line) { return meant_as_score(line.fields[0]); });
}

void read_columns(const std::vector<Line>& lines, ScoreFile& file) {
  const std::size_t first = has_labels(lines) ? 1 : 0;
  const Fields& header = lines[0].fields;
  file.names.assign(header.begin() + static_cast<std::ptrdiff_t>(first), header.end());
  file.scores.resize(file.names.size());
  std::vector<std::size_t> ended(file.names.size());  // line at which a column has its first empty cell
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const Line& line = lines[i];
    if (line.fields.size() != header.size())
      refuse_score(
          {.path = file.path,
           .line = line.number,
           .problem = std::to_string(line.fields.size()) + " fields, the header has " + std::to_string(header.size())});
    for (std::size_t c = 0; c < file.names.size(); ++c) {
      const std::string& text = line.fields[c + first];
      if (text.empty()) {
        if (ended[c] == 0) ended[c] = line.number;
        continue;
      }
      if (ended[c] != 0)
        refuse_score({.path = file.path, .line = ended[c], .field = file.names[c], .problem = "the score is missing"});
      file.scores[c].push_back(score_of(file.path, line.number, file.names[c], text));
    }
  }
}

}  // namespace

ScoreFile read_scores(const std::filesystem::path& path, const std::string& text) {
  const auto lines = lines_of(path, text);
  ScoreFile file{.path = path};
  file.grouped = lines[0].fields == Fields{"group", "score"};
  file.grouped ? read_groups(lines, file) : read_columns(lines, file);
  for (std::size_t i = 0; i < file.names.size(); ++i) {
    require_plain_name({.path = path, .field = "column " + std::to_string(i + 1)}, file.names[i]);
    if (file.names[i].empty()) refuse_score({.path = path, .line = lines[0].number, .problem = "a column has no name"});
    if (std::count(file.names.begin(), file.names.end(), file.names[i]) > 1)
      refuse_score(
          {.path = path, .line = lines[0].number, .field = file.names[i], .problem = "two columns have this name"});
    if (results::parse_double(file.names[i]))
      refuse_score({.path = path,
                    .line = lines[0].number,
                    .value = file.names[i],
                    .problem = "a number where a name should stand",
                    .help = "the first line names the columns: baseline,candidate"});
  }
  require_judgeable(path, "scores", file.scores);
  if (file.names.size() < 2)
    refuse_score({.path = path,
                  .problem = "holds one variant, so there is nothing to compare it with",
                  .help = "two columns (baseline,candidate), or lines group,score"});
  return file;
}

}  // namespace retrial::harness::inline scores::inline formats
