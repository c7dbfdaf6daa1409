#include "harness/text/table.hpp"

#include <algorithm>

#include "harness/text/colour.hpp"
#include "results/report/column_text.hpp"
#include "results/text/cleaned.hpp"

namespace retrial::harness::inline text {
namespace {

constexpr std::size_t gap = 2;
constexpr std::size_t min_column = 16;  // no column is made narrower: three words per line are not a table
constexpr std::size_t min_broken = 10;  // no word is broken into shorter pieces

struct Point {
  std::uint32_t code;
  std::size_t bytes;
};

/// One code point; a byte that begins none counts as itself, so that broken text still has a width.
Point point_at(std::string_view text, std::size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  const std::size_t length = first < 0x80         ? 1
                             : (first >> 5) == 6  ? 2
                             : (first >> 4) == 14 ? 3
                             : (first >> 3) == 30 ? 4
                                                  : 1;
  if (length == 1 || at + length > text.size()) return {first, 1};
  std::uint32_t code = first & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) code = (code << 6) | (static_cast<unsigned char>(text[at + i]) & 0x3Fu);
  return {code, length};
}

/// Unicode 15: blocks of combining marks, and the wide blocks of East Asian width (UAX 11).
std::size_t cells_of(std::uint32_t code) {
  const auto in = [code](std::uint32_t low, std::uint32_t high) { return code >= low && code <= high; };
  if (in(0x300, 0x36F) || in(0x1AB0, 0x1AFF) || in(0x20D0, 0x20FF) || in(0x200B, 0x200F) || in(0xFE00, 0xFE0F))
    return 0;
  if (in(0x1100, 0x115F) || in(0x2E80, 0xA4CF) || in(0xAC00, 0xD7A3) || in(0xF900, 0xFAFF) || in(0xFE30, 0xFE6F) ||
      in(0xFF00, 0xFF60) || in(0xFFE0, 0xFFE6) || in(0x1F300, 0x1FAFF) || in(0x20000, 0x3FFFD))
    return 2;
  return 1;
}

/// The length of the color code that begins at `at`, as painted() writes it; 0: none.
std::size_t color_code(std::string_view text, std::size_t at) {
  if (!text.substr(at).starts_with("\x1b[")) return 0;
  const auto end = text.find_first_not_of("0123456789;", at + 2);
  return end != text.npos && text[end] == 'm' ? end + 1 - at : 0;
}

std::string without_controls(std::string_view cell) {
  if (!colour_on_output()) return results::cleaned(cell, cell.size(), results::Lines::kept);
  std::string out;
  for (std::size_t at = 0; at < cell.size();) {
    const auto code = color_code(cell, at);
    const auto next = std::min(cell.find('\x1b', at + 1), cell.size());
    const auto plain = cell.substr(at + code, next - at - code);
    out += std::string(cell.substr(at, code)) + results::cleaned(plain, plain.size(), results::Lines::kept);
    at = next;
  }
  return out;
}

std::string padded(const std::string& cell, std::size_t width, Align align) {
  const std::size_t used = display_width(cell);
  const std::string blanks(width > used ? width - used : 0, ' ');
  return align == Align::left ? cell + blanks : blanks + cell;
}

std::size_t widest(const std::vector<std::string>& lines) {
  std::size_t width = 0;
  for (const std::string& line : lines) width = std::max(width, display_width(line));
  return width;
}

std::size_t longest_word(const std::string& cell) {
  return widest(wrapped(cell, 0));
}

/// A colored word, whose color would run into the next column, and a digest, which is copied, stay whole.
bool stays_whole(const std::string& word) {
  constexpr std::size_t digest = 32;
  return word.find('\x1b') != std::string::npos ||
         (word.size() >= digest && word.find_first_not_of("0123456789abcdef") == std::string::npos);
}

/// Pieces of a word of at most `width` cells: behind a separator where one is near the end of the line.
void break_into(std::vector<std::string>& out, const std::string& word, std::size_t width) {
  if (stays_whole(word)) return out.push_back(word);
  std::string rest = word;
  while (display_width(rest) > width) {
    std::size_t end = 0, cells = 0, separator = 0;
    while (true) {
      const Point point = point_at(rest, end);
      if (cells + cells_of(point.code) > width) break;
      cells += cells_of(point.code), end += point.bytes;
      const bool separates = point.code < 0x80 && std::string_view("/_-:.,<>()").find(static_cast<char>(point.code)) !=
                                                      std::string_view::npos;
      if (separates && 2 * cells > width) separator = end;
    }
    if (separator > 0) end = separator;
    if (end == 0) break;  // not even one character fits
    out.push_back(rest.substr(0, end));
    rest.erase(0, end);
  }
  out.push_back(rest);
}

/// The lines of a cell; words that are too long are broken where the column breaks.
std::vector<std::string> cell_lines(const std::string& cell, std::size_t width, bool breaks) {
  if (display_width(cell) <= width) return {cell};
  return breaks ? broken(cell, width) : wrapped(cell, width);
}

void trim_end(std::string& line) {
  line.erase(line.find_last_not_of(' ') + 1);
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '\x1b' && at + 1 < text.size() && text[at + 1] == '[') {
      const std::size_t end = text.find('m', at);
      if (end != std::string_view::npos) {
        at = end + 1;
        continue;
      }
    }
    const Point point = point_at(text, at);
    width += cells_of(point.code);
    at += point.bytes;
  }
  return width;
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines(1);
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
    const std::string word(text.substr(at, end - at));
    std::string& line = lines.back();
    if (!line.empty() && !word.empty() && display_width(line) + 1 + display_width(word) > width) {
      lines.push_back(word);
    } else {
      line += (line.empty() || word.empty() ? "" : " ") + word;
    }
    if (end < text.size() && text[end] == '\n') lines.emplace_back();
    at = end + 1;
  }
  return lines;
}

std::vector<std::string> broken(std::string_view text, std::size_t width) {
  std::vector<std::string> out;
  for (const auto& line : wrapped(text, width)) break_into(out, line, width);
  return out;
}

void TextTable::add(std::vector<std::string> cells) {
  for (auto& cell : cells) cell = without_controls(cell);
  rows_.push_back(std::move(cells));
}

TextTable::Rows TextTable::aligned_rows() const {
  Rows rows = rows_;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i].align != Align::right) continue;
    std::vector<std::string> cells;
    for (const auto& row : rows) cells.push_back(i < row.size() ? row[i] : "");
    const auto behind = report::behind_numbers(cells);
    for (std::size_t k = 0; k < rows.size(); ++k)
      if (i < rows[k].size()) rows[k][i].append(behind[k].digits + (behind[k].point ? 1 : 0), ' ');
  }
  return rows;
}

std::vector<std::size_t> TextTable::natural_widths(const Rows& rows) const {
  std::vector<std::size_t> out;
  for (const Column& column : columns_) out.push_back(display_width(column.title));
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size() && i < out.size(); ++i) out[i] = std::max(out[i], display_width(row[i]));
  return out;
}

std::vector<std::size_t> TextTable::unbroken_widths(const Rows& rows) const {
  std::vector<std::size_t> out;
  for (const Column& column : columns_) out.push_back(longest_word(column.title));
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size() && i < out.size(); ++i)
      out[i] = std::max(out[i], columns_[i].align == Align::right ? display_width(row[i]) : longest_word(row[i]));
  return out;
}

std::vector<std::size_t> TextTable::broken_widths(const Rows& rows) const {
  std::vector<std::size_t> out = unbroken_widths(rows);
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (!columns_[i].breaks) continue;
    std::size_t whole = 0;
    for (const auto& row : rows) {
      if (i >= row.size()) continue;
      if (columns_[i].align == Align::right) whole = std::max(whole, display_width(row[i]));
      for (const auto& word : wrapped(row[i], 0))
        if (stays_whole(word)) whole = std::max(whole, display_width(word));
    }
    out[i] = std::min(out[i], std::max(whole, min_broken));
  }
  return out;
}

std::vector<std::size_t> TextTable::fitted_widths(const Rows& rows, std::size_t room) const {
  std::vector<std::size_t> out = natural_widths(rows);
  const std::vector<std::size_t> unbroken = unbroken_widths(rows);
  std::size_t total = gap * (out.empty() ? 0 : out.size() - 1);
  for (const std::size_t width : out) total += width;
  const auto narrow = [&](const std::vector<std::size_t>& min_widths) {
    while (total > room) {
      std::size_t next = out.size();
      for (std::size_t i = 0; i < out.size(); ++i)
        if (out[i] > min_widths[i] && (next == out.size() || out[i] >= out[next])) next = i;
      if (next == out.size()) return;
      --out[next];
      --total;
    }
  };
  std::vector<std::size_t> whole_titles = unbroken, broken_titles = unbroken;
  for (std::size_t i = 0; i < out.size(); ++i) {
    whole_titles[i] = std::max({unbroken[i], display_width(columns_[i].title), min_column});
    if (columns_[i].align == Align::left) broken_titles[i] = whole_titles[i];
  }
  narrow(whole_titles);
  narrow(broken_titles);  // a broken title costs the page less than a broken row
  auto broken_words = broken_widths(rows);
  for (std::size_t i = 0; i < out.size(); ++i)
    broken_words[i] = columns_[i].breaks ? std::min(broken_words[i], broken_titles[i]) : broken_titles[i];
  narrow(broken_words);                         // last: the terminal would break the whole row
  for (std::size_t i = 0; i < out.size(); ++i)  // no wider than the title and the cells need once they are broken
    if (out[i] < display_width(columns_[i].title))
      out[i] =
          std::max(std::min(out[i], unbroken[i]), widest(cell_lines(columns_[i].title, out[i], columns_[i].breaks)));
  return out;
}

std::string TextTable::lines_of(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths,
                                std::size_t indent) const {
  std::vector<std::vector<std::string>> pieces;
  std::size_t height = 1;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const std::string cell = i < cells.size() ? cells[i] : "";
    pieces.push_back(cell_lines(cell, widths[i], columns_[i].breaks));
    height = std::max(height, pieces.back().size());
  }
  std::string out;
  for (std::size_t k = 0; k < height; ++k) {
    std::string line(indent, ' ');
    for (std::size_t i = 0; i < columns_.size(); ++i)
      line += padded(k < pieces[i].size() ? pieces[i][k] : "", widths[i], columns_[i].align) +
              std::string(i + 1 < columns_.size() ? gap : 0, ' ');
    trim_end(line);
    out += line + "\n";
  }
  return out;
}

std::string TextTable::text(std::size_t indent, std::size_t width) const {
  const Rows rows = aligned_rows();
  const auto widths = width == 0 ? natural_widths(rows) : fitted_widths(rows, width > indent ? width - indent : 0);
  std::vector<std::string> titles;
  for (const Column& column : columns_) titles.push_back(column.title);
  const bool titled = std::any_of(titles.begin(), titles.end(), [](const std::string& t) { return !t.empty(); });
  std::string out = titled ? lines_of(titles, widths, indent) : "";
  for (const auto& row : rows) out += lines_of(row, widths, indent);
  return out;
}

}  // namespace retrial::harness::inline text
