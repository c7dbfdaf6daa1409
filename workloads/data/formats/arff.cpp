#include "workloads/data/formats/arff.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "results/text/text.hpp"
#include "results/text/utf8.hpp"
#include "workloads/data/files/files.hpp"
#include "workloads/data/formats/table_lines.hpp"

namespace retrial::data::inline formats {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t largest_arff = std::uint64_t{256} << 20;

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

struct Word {
  std::string text;
  bool quoted = false;
};

/// One line, taken apart from left to right.
class Cursor {
 public:
  Cursor(const fs::path& file, std::size_t number, std::string_view text) : file_(file), number_(number), rest_(text) {}

  void skip_blanks() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t' || rest_.front() == '\r')) step();
  }
  [[nodiscard]] bool at_end() const { return rest_.empty(); }
  [[nodiscard]] bool next_is(char c) const { return !rest_.empty() && rest_.front() == c; }
  bool take(char c) {
    skip_blanks();
    if (!next_is(c)) return false;
    step();
    return true;
  }
  /// A quoted text, or one up to a blank or one of `ends`.
  Word word(std::string_view ends) {
    skip_blanks();
    if (next_is('\'') || next_is('"')) return quoted();
    Word out;
    while (!rest_.empty() && ends.find(rest_.front()) == ends.npos) out.text += step();
    while (!out.text.empty() && (out.text.back() == ' ' || out.text.back() == '\t' || out.text.back() == '\r'))
      out.text.pop_back();
    return out;
  }
  [[noreturn]] void refuse(const std::string& problem) const { refuse_field(file_, number_, column_, problem); }

 private:
  char step() {
    const char c = rest_.front();
    rest_.remove_prefix(1);
    ++column_;
    return c;
  }
  Word quoted() {
    const char mark = step();
    Word out{.text = "", .quoted = true};
    while (!next_is(mark)) {
      if (rest_.empty()) refuse("a quote that does not end");
      const char c = step();
      out.text += c == '\\' && !rest_.empty() ? step() : c;
    }
    step();
    return out;
  }

  const fs::path& file_;
  std::size_t number_, column_ = 1;
  std::string_view rest_;
};

struct Attribute {
  std::string name;
  bool numeric = false;
  std::set<std::string> allowed;  ///< nominal; empty: any text
};

Attribute attribute_of(Cursor& line) {
  Attribute out{.name = line.word(" \t").text};
  if (line.take('{')) {
    do out.allowed.insert(line.word(",}").text);
    while (line.take(','));
    if (!line.take('}')) line.refuse("a list of values that does not end");
    return out;
  }
  const auto kind = lower(line.word(" \t").text);
  out.numeric = kind == "numeric" || kind == "real" || kind == "integer";
  if (!out.numeric && kind != "string")
    line.refuse("attribute " + out.name + " is of the kind " + (kind.empty() ? "nothing" : kind) +
                " (allowed: numeric, real, integer, string, {VALUE, ...})");
  return out;
}

std::vector<Word> fields_of(Cursor& line) {
  if (line.take('{')) line.refuse("sparse rows are not read: write every value");
  std::vector<Word> out;
  do out.push_back(line.word(","));
  while (line.take(','));
  if (!line.at_end()) line.refuse("something follows a quoted value");
  return out;
}

struct Arff {
  std::vector<Attribute> attributes;
  std::vector<std::vector<Word>> rows;
  std::vector<std::size_t> lines;  ///< of the rows, from 1
};

Arff parts_of(const fs::path& file, std::string_view text) {
  Arff out;
  bool data = false;
  std::size_t number = 0;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    Cursor line(file, ++number, text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    line.skip_blanks();
    if (line.at_end() || line.next_is('%')) continue;
    if (data) {
      out.rows.push_back(fields_of(line));
      out.lines.push_back(number);
      continue;
    }
    const auto keyword = lower(line.word(" \t").text);
    if (keyword == "@attribute") out.attributes.push_back(attribute_of(line));
    data = keyword == "@data";
    if (keyword != "@attribute" && keyword != "@relation" && !data)
      line.refuse("expected @relation, @attribute or @data");
  }
  return out;
}

TableColumn column_of(const fs::path& file, const Arff& arff, std::size_t place) {
  const Attribute& attribute = arff.attributes[place];
  TableColumn out{.name = attribute.name, .numeric = attribute.numeric};
  const auto unknown = [](const Word& field) { return !field.quoted && field.text == "?"; };
  std::set<std::string> seen;
  for (const auto& row : arff.rows)
    if (!unknown(row[place])) seen.insert(row[place].text);
  if (!out.numeric) out.categories.assign(seen.begin(), seen.end());
  for (std::size_t i = 0; i < arff.rows.size(); ++i) {
    const Word& field = arff.rows[i][place];
    const bool missing = unknown(field);
    out.missing += missing ? 1 : 0;
    const auto number = out.numeric && !missing ? results::parse_double(field.text) : std::nullopt;
    if (out.numeric && !missing && !number)
      refuse_field(file, arff.lines[i], place + 1, "no number, and attribute " + out.name + " is numeric");
    if (!missing && !attribute.allowed.empty() && !attribute.allowed.contains(field.text))
      refuse_field(file, arff.lines[i], place + 1, "no value that attribute " + out.name + " lists");
    if (out.numeric)
      out.values.push_back(number.value_or(std::nan("")));
    else
      out.codes.push_back(missing ? TableColumn::missing_code
                                  : static_cast<std::uint32_t>(std::distance(
                                        out.categories.begin(), std::ranges::lower_bound(out.categories, field.text))));
  }
  return out;
}

}  // namespace

Table load_arff(const fs::path& file) {
  Table table;
  std::vector<std::uint8_t> bytes(file_bytes(file, largest_arff));
  read_into(file, bytes);
  table.file = {file.filename().string(), bytes.size(), results::sha256(std::span<const std::uint8_t>(bytes))};
  bytes = opened(std::move(bytes), file, largest_arff);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.find('\0') != text.npos || results::invalid_utf8(text) != text.npos)
    refuse_content(file, "is no UTF-8 text");
  table.content = results::sha256(text);
  const Arff arff = parts_of(file, text);
  if (arff.attributes.empty()) refuse_content(file, "names no @attribute");
  if (arff.rows.empty()) refuse_content(file, "holds no row");
  for (std::size_t i = 0; i < arff.rows.size(); ++i)
    if (arff.rows[i].size() != arff.attributes.size())
      refuse_field(file, arff.lines[i], std::min(arff.rows[i].size(), arff.attributes.size()) + 1,
                   std::to_string(arff.rows[i].size()) + " fields, expected " + std::to_string(arff.attributes.size()));
  table.rows = static_cast<std::uint32_t>(arff.rows.size());
  for (std::size_t place = 0; place < arff.attributes.size(); ++place)
    table.columns.push_back(column_of(file, arff, place));
  return table;
}

}  // namespace retrial::data::inline formats
