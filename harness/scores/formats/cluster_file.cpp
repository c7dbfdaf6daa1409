#include "harness/scores/formats/cluster_file.hpp"

#include <algorithm>
#include <set>

#include "harness/scores/formats/score_lines.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline scores::inline formats {
namespace {

const std::vector<std::string> known{"variant", "pair", "cluster", "task", "metric", "score"};

std::map<std::string, std::size_t> columns_of(const std::filesystem::path& path, const data::TableLine& header) {
  std::map<std::string, std::size_t> out;
  for (std::size_t i = 0; i < header.size(); ++i) {
    const auto& name = header[i].text;
    if (std::find(known.begin(), known.end(), name) == known.end())
      refuse_score({.path = path,
                    .line = 1,
                    .field = "column " + std::to_string(i + 1),
                    .value = name,
                    .problem = "unknown column",
                    .allowed = results::joined(known)});
    if (!out.emplace(name, i).second)
      refuse_score({.path = path,
                    .line = 1,
                    .field = "column " + std::to_string(i + 1),
                    .value = name,
                    .problem = "named twice"});
  }
  for (const char* name : {"cluster", "score"})
    if (!out.contains(name))
      refuse_score({.path = path,
                    .line = 1,
                    .field = name,
                    .problem = "this column is missing",
                    .allowed = results::joined(known)});
  return out;
}

/// The one value of a column that is looked at.
std::string chosen(const std::filesystem::path& path, const std::vector<data::TableLine>& lines, std::size_t column,
                   const std::string& name, const std::map<std::string, std::string>& wanted) {
  std::vector<std::string> values;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto& text = lines[i].at(column).text;
    if (std::find(values.begin(), values.end(), text) == values.end()) values.push_back(text);
  }
  if (const auto found = wanted.find(name); found != wanted.end()) {
    if (std::find(values.begin(), values.end(), found->second) == values.end())
      refuse_score({.path = path,
                    .field = "--" + name,
                    .value = found->second,
                    .problem = "is not in the file",
                    .allowed = results::joined(values)});
    return found->second;
  }
  if (values.size() > 1)
    refuse_score({.path = path,
                  .field = name,
                  .problem = "the file holds several, so one must be named with --" + name,
                  .allowed = results::joined(values)});
  return values.front();
}

}  // namespace

ClusterFile read_clusters(const std::filesystem::path& path, const std::map<std::string, std::string>& wanted) {
  const auto lines = score_lines(path, score_text(path));
  const auto columns = columns_of(path, lines.front());
  for (std::size_t i = 1; i < lines.size(); ++i)
    if (lines[i].size() != lines.front().size())
      refuse_score({.path = path,
                    .line = i + 1,
                    .problem = std::to_string(lines[i].size()) + " fields, the header has " +
                               std::to_string(lines.front().size())});
  for (const auto& [name, value] : wanted)
    if (!columns.contains(name))
      refuse_score(
          {.path = path, .line = 1, .field = "--" + name, .value = value, .problem = "the file has no such column"});
  std::map<std::string, std::string> only;
  for (const char* name : {"variant", "task", "metric"})
    if (const auto found = columns.find(name); found != columns.end())
      only[name] = chosen(path, lines, found->second, name, wanted);
  ClusterFile out;
  std::map<std::string, std::size_t> places;
  std::set<std::pair<std::string, std::string>> pairs;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto& fields = lines[i];
    const auto mine = [&](const auto& each) { return fields[columns.at(each.first)].text == each.second; };
    if (!std::all_of(only.begin(), only.end(), mine)) continue;
    const auto& cluster = fields[columns.at("cluster")].text;
    const auto& score = fields[columns.at("score")].text;
    if (cluster.empty())
      refuse_score({.path = path, .line = i + 1, .field = "cluster", .problem = "the name is missing"});
    if (columns.contains("pair") && !pairs.emplace(cluster, fields[columns.at("pair")].text).second)
      refuse_score({.path = path,
                    .line = i + 1,
                    .field = "pair",
                    .value = fields[columns.at("pair")].text,
                    .problem = "this run stands in the file already"});
    if (score.empty()) {
      ++out.missing;
      continue;
    }
    const double value = score_from({.path = path, .line = i + 1, .field = "score"}, score);
    const auto [place, fresh] = places.emplace(cluster, out.names.size());
    if (fresh) {
      out.names.push_back(cluster);
      out.scores.emplace_back();
    }
    out.scores[place->second].push_back(value);
  }
  require_judgeable(path, "scores", out.scores);
  if (out.scores.empty()) refuse_score({.path = path, .field = "score", .problem = "no score is left"});
  return out;
}

}  // namespace retrial::harness::inline scores::inline formats
