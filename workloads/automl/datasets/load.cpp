#include "workloads/automl/datasets/load.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "results/text/text.hpp"
#include "workloads/automl/datasets/refusal.hpp"
#include "workloads/automl/datasets/target.hpp"
#include "workloads/data/files/fetched.hpp"
#include "workloads/data/files/files.hpp"
#include "workloads/data/formats/arff.hpp"
#include "workloads/data/formats/embedded.hpp"
#include "workloads/data/formats/table_lines.hpp"
#include "workloads/data/sets/tables.hpp"

namespace retrial::automl::inline datasets {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t largest_file = std::uint64_t{256} << 20;
constexpr std::size_t most_names = 12;  // of columns or classes, in a message

std::string some_of(const std::vector<std::string>& names) {
  const std::vector<std::string> shown(names.begin(),
                                       names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), most_names)));
  return results::joined(shown) + (shown.size() < names.size() ? ", ..." : "");
}

/// The text of a file, unpacked.
std::string text_of_file(const fs::path& file) {
  std::vector<std::uint8_t> bytes(data::file_bytes(file, largest_file));
  data::read_into(file, bytes);
  bytes = data::opened(std::move(bytes), file, largest_file);
  return {bytes.begin(), bytes.end()};
}

char separator_of(const std::string& text) {
  const std::string first = text.substr(0, text.find('\n'));
  for (const char separator : {',', ';', '\t'})
    if (first.find(separator) != std::string::npos) return separator;
  return ',';
}

bool is_number(const data::TableField& field) {
  return !field.quoted && results::parse_double(field.text).has_value();
}
bool is_unknown(const data::TableField& field) {
  return !field.quoted && (field.text.empty() || field.text == "?");
}

bool numeric_below(const data::TableLines& lines, std::size_t column) {
  bool found = false;
  for (std::size_t line = 1; line < lines.size(); ++line) {
    if (column >= lines[line].size()) return false;  // ragged: refused when the table is read
    const data::TableField field = lines[line][column];
    if (is_unknown(field)) continue;
    if (!is_number(field)) return false;
    found = true;
  }
  return found;
}

bool comes_again(const data::TableLines& lines, std::size_t column) {
  return std::any_of(lines.begin() + 1, lines.end(), [&](const data::TableLine& line) {
    return column < line.size() && line[column].text == lines.front()[column].text;
  });
}

bool begins_with_names(const data::TableLines& lines) {
  if (lines.size() < 2) return false;
  std::set<std::string> different;
  bool any_numeric = false, any_again = false;
  for (std::size_t column = 0; column < lines.front().size(); ++column) {
    const data::TableField field = lines.front()[column];
    if (is_unknown(field) || is_number(field) || !different.emplace(field.text).second) return false;
    any_numeric = any_numeric || numeric_below(lines, column);
    any_again = any_again || comes_again(lines, column);
  }
  return any_numeric || !any_again;
}

/// The place of a column, by name, else by number from 1.
std::size_t column_place(const std::vector<std::string>& names, const std::string& key, const std::string& asked) {
  const auto count = std::count(names.begin(), names.end(), asked);
  if (count == 1) return static_cast<std::size_t>(std::find(names.begin(), names.end(), asked) - names.begin());
  const auto number = results::parse_int(asked);
  const auto columns = static_cast<std::int64_t>(names.size());
  if (count == 0 && number && *number >= 1 && *number <= columns) return static_cast<std::size_t>(*number - 1);
  const auto near = results::nearest(asked, names);
  refuse_key("automl.column", key, asked,
             count > 1 ? "several columns have this name: give the number of one" : "no such column",
             some_of(names) + "; 1 to " + std::to_string(columns), near ? "did you mean " + *near + "?" : "");
}

std::vector<std::string> comma_list(const std::string& text) {
  std::vector<std::string> items;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find(',', at), text.size());
    std::string item = text.substr(at, end - at);
    item.erase(0, item.find_first_not_of(' '));
    item.erase(item.find_last_not_of(' ') + 1);
    if (!item.empty()) items.push_back(item);
    at = end + 1;
  }
  return items;
}

DataSet digits_table(const data::KnownTable& known) {
  const data::ImageSet& images = data::digits();
  DataSet data{.name = known.name, .task = Task::multiclass};
  for (std::size_t pixel = 0; pixel < images.shape.pixels(); ++pixel)
    data.features.push_back({std::to_string(pixel + 1)});
  for (int k = 0; k < images.classes; ++k) data.classes.push_back(std::to_string(k));
  data.cells.assign(images.pixels.begin(), images.pixels.end());
  data.target.assign(images.labels.begin(), images.labels.end());
  data.content = content_digest(data);
  return data;
}

fs::path file_of(const data::KnownTable& known, const fs::path& folder) {
  if (!folder.empty() && fs::exists(folder / known.file)) return folder / known.file;
  if (const auto fetched = data::found_by_setup(known.file)) return *fetched;
  data::refuse_missing(folder.empty() ? fs::path(known.file) : folder / known.file, known.how_to_get);
}

}  // namespace

namespace {

/// The names and types of an ARFF file are its own.
DataSet load_arff_file(const fs::path& file, const TableChoice& choice) {
  for (const auto& [key, value, usual] :
       {std::tuple{"header", choice.header, "auto"}, std::tuple{"categorical", choice.categorical, ""}})
    if (value != usual)
      refuse_key("automl.table", key, value, "an ARFF file names and types its columns itself", "leave it out");
  const data::Table table = data::load_arff(file);
  std::vector<std::string> names;
  for (const auto& column : table.columns) names.push_back(column.name);
  const std::size_t target = choice.target.empty() ? names.size() - 1 : column_place(names, "target", choice.target);
  return with_target(table, target, choice.task);
}

}  // namespace

DataSet load_table_file(const fs::path& file, const TableChoice& choice) {
  const auto name = file.filename().string();
  if (name.ends_with(".arff") || name.ends_with(".arff.gz")) return load_arff_file(file, choice);
  const std::string text = text_of_file(file);
  data::TableFormat format{.separator = separator_of(text)};
  const auto lines = data::table_lines(file, text, format.separator);
  if (choice.header == "names" || (choice.header == "auto" && begins_with_names(lines)))
    format.header = data::TableHeader::names;
  std::vector<std::string> names;
  if (!lines.empty())
    for (std::size_t place = 0; place < lines.front().size(); ++place)
      names.push_back(format.header == data::TableHeader::names ? std::string(lines.front()[place].text)
                                                                : std::to_string(place + 1));
  for (const std::string& column : comma_list(choice.categorical))
    format.categorical.push_back(column_place(names, "categorical", column));
  const data::Table table = data::load_table(file, format);
  const std::size_t target =
      choice.target.empty() ? table.columns.size() - 1 : column_place(names, "target", choice.target);
  return with_target(table, target, choice.task);
}

DataSet load_known_set(const std::string& name, const fs::path& folder) {
  const data::KnownTable* known = data::find_known_table(name);
  if (known == nullptr) {
    std::vector<std::string> names;
    for (const auto& table : data::known_tables()) names.push_back(table.name);
    const auto near = results::nearest(name, names);
    refuse_key("automl.data", "problem", "data:" + name, "unknown data set",
               "data: and one of " + results::joined(names), near ? "did you mean data:" + *near + "?" : "");
  }
  if (known->file.empty()) return digits_table(*known);
  const data::Table table = data::load_table(file_of(*known, folder), known->format);
  DataSet data = with_target(table, table.columns.size() - 1, known->task);
  const bool official = table.file.sha256 && results::hex(*table.file.sha256) == known->sha256;
  data.name = known->name + (official ? "" : "-unofficial");
  return data;
}

std::string description(const DataSet& data) {
  const auto categories = std::count_if(data.features.begin(), data.features.end(),
                                        [](const Feature& feature) { return !feature.categories.empty(); });
  std::string text = std::to_string(data.rows()) + " rows, " + std::to_string(data.columns()) + " columns";
  if (categories > 0) text += " (" + std::to_string(categories) + " of categories)";
  text += ", " + name_of(data.task);
  if (!data.classes.empty()) {
    std::vector<std::size_t> counts(data.classes.size());
    for (const double label : data.target) ++counts[static_cast<std::size_t>(label)];
    std::vector<std::string> parts;
    for (std::size_t k = 0; k < counts.size(); ++k) parts.push_back(data.classes[k] + " " + std::to_string(counts[k]));
    text += ": " + some_of(parts);
  }
  if (data.left_out > 0) text += "; " + std::to_string(data.left_out) + " rows without a target left out";
  return text;
}

}  // namespace retrial::automl::inline datasets
