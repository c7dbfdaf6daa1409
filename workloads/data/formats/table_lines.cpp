#include "workloads/data/formats/table_lines.hpp"

#include <algorithm>
#include <functional>

#include "results/text/utf8.hpp"
#include "workloads/data/files/files.hpp"

namespace retrial::data::inline formats {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_line = 1 << 20, max_columns = 10000;

/// Cuts one line, from left to right.
class Cutter {
 public:
  Cutter(const fs::path& file, std::size_t line, std::string_view text, char separator, TableLines& lines)
      : file_(file), line_(line), text_(text), separator_(separator), lines_(lines) {}

  void cut() {
    bool more = true;
    while (more) {
      column_ = lines_.fields_in_last_line() + 1;
      if (column_ > max_columns) refuse("more than 10000 fields");
      field();
      more = at_separator();
    }
    lines_.end_line();
  }

 private:
  [[noreturn]] void refuse(const std::string& problem) const { refuse_field(file_, line_, column_, problem); }
  [[nodiscard]] bool by_blanks() const { return separator_ == ' '; }

  void blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || (text_[at_] == '\t' && separator_ != '\t'))) ++at_;
  }

  /// Skips the separator; false at the end of the line.
  bool at_separator() {
    if (at_ == text_.size()) return false;
    if (!by_blanks()) ++at_;
    return true;
  }

  void field() {
    blanks();
    const bool quoted = at_ < text_.size() && text_[at_] == '"';
    if (quoted)
      inside_quotes();
    else
      bare();
    blanks();
    if (quoted && at_ < text_.size() && text_[at_] != separator_ && !by_blanks())
      refuse("text follows a closing quote");
  }

  void bare() {
    const auto found_end = by_blanks() ? text_.find_first_of(" \t", at_) : text_.find(separator_, at_);
    const auto end = std::min(found_end, text_.size());
    std::string_view found = text_.substr(at_, end - at_);
    if (found.find('"') != std::string_view::npos) refuse("a quote inside a field that does not begin with one");
    while (!found.empty() && (found.back() == ' ' || found.back() == '\t')) found.remove_suffix(1);
    at_ = end;
    lines_.add_field(found, false);
  }

  void inside_quotes() {
    const std::size_t from = ++at_;
    bool doubled = false;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] != '"') continue;
      if (at_ + 1 == text_.size() || text_[at_ + 1] != '"') {
        const auto found = text_.substr(from, at_++ - from);
        lines_.add_field(doubled ? single_quotes(found) : found, true);
        return;
      }
      ++at_;
      doubled = true;
    }
    refuse("a quote is not closed on its line");
  }

  /// The text with one quote for two; it stays until the next call.
  std::string_view single_quotes(std::string_view found) {
    scratch_.clear();
    for (std::size_t i = 0; i < found.size(); ++i) {
      scratch_ += found[i];
      if (found[i] == '"') ++i;
    }
    return scratch_;
  }

  const fs::path& file_;
  std::size_t line_;
  std::string_view text_;
  char separator_;
  TableLines& lines_;
  std::size_t at_ = 0, column_ = 1;
  std::string scratch_;
};

void check_text(const fs::path& file, std::size_t number, std::string_view line) {
  if (line.size() > longest_line) refuse_field(file, number, 1, "a line of more than 1 MiB");
  if (number == 1 && (line.starts_with("\xff\xfe") || line.starts_with("\xfe\xff")))
    refuse_field(file, number, 1, "the file is UTF-16: save it as UTF-8");
  if (line.find('\0') != std::string_view::npos) refuse_field(file, number, 1, "a NUL byte");
  if (line.find('\r') != std::string_view::npos)
    refuse_field(file, number, 1, "a CR without an LF after it: save it with line ends LF or CRLF");
  if (const auto at = results::invalid_utf8(line); at != std::string_view::npos)
    refuse_field(file, number, 1, "byte " + std::to_string(at + 1) + " of the line is not UTF-8: save it as UTF-8");
}

std::string_view without_mark(std::string_view text) {
  return text.starts_with("\xef\xbb\xbf") ? text.substr(3) : text;
}

}  // namespace

void refuse_field(const fs::path& file, std::size_t line, std::size_t column, const std::string& problem) {
  refuse_content(file.string() + ":" + std::to_string(line) + ":" + std::to_string(column), problem);
}

std::size_t TableLine::size() const {
  return lines_->starts_[line_ + 1] - lines_->starts_[line_];
}

TableField TableLine::operator[](std::size_t place) const {
  return lines_->field(lines_->fields_[lines_->starts_[line_] + place]);
}

void TableLines::reserve(std::size_t lines, std::size_t fields) {
  starts_.reserve(lines + 1);
  fields_.reserve(fields);
}

TableLines::Piece TableLines::piece(std::string_view text, bool quoted) {
  const std::less<> before;
  const bool inside = !before(text.data(), text_.data()) && !before(text_.data() + text_.size(), text.data());
  const std::size_t at = inside ? static_cast<std::size_t>(text.data() - text_.data()) : text_.size() + own_.size();
  if (!inside) own_ += text;
  // The 31 bits of a size hold any field, since a line has at most 1 MiB.
  return {.at = static_cast<std::uint32_t>(at),
          .size = static_cast<std::uint32_t>(text.size()) & 0x7fffffffU,
          .quoted = quoted ? 1U : 0U};
}

TableField TableLines::field(const Piece& piece) const {
  const bool inside = piece.at + std::size_t{piece.size} <= text_.size();
  const std::string_view from = inside ? text_ : std::string_view(own_);
  return {from.substr(inside ? piece.at : piece.at - text_.size(), piece.size), piece.quoted != 0};
}

void TableLines::add_field(std::string_view text, bool quoted) {
  fields_.push_back(piece(text, quoted));
}

void TableLines::replace(std::size_t line, std::size_t place, std::string_view text) {
  Piece& old = fields_[starts_[line] + place];
  old = piece(std::string(text), old.quoted != 0);
}

void TableLines::drop_last_column() {
  const std::size_t lines = size(), fields = (*this)[0].size() - 1;
  for (std::size_t line = 0; line < lines; ++line)
    std::copy_n(fields_.begin() + static_cast<std::ptrdiff_t>(line * (fields + 1)), fields,
                fields_.begin() + static_cast<std::ptrdiff_t>(line * fields));
  fields_.resize(lines * fields);
  for (std::size_t line = 0; line <= lines; ++line) starts_[line] = static_cast<std::uint32_t>(line * fields);
}

TableLines table_lines(const fs::path& file, std::string_view text, char separator, std::size_t max_fields) {
  text = without_mark(text);
  TableLines lines(text);
  const auto count = [&](char c) { return static_cast<std::size_t>(std::ranges::count(text, c)); };
  const std::size_t ends = count('\n') + 1,
                    fields = ends + (separator == ' ' ? count(' ') + count('\t') : count(separator));
  if (fields > max_fields) refuse_content(file, "a table of more than " + std::to_string(max_fields) + " fields");
  lines.reserve(ends, fields);
  std::size_t number = 0, empty = 0;  // `empty`: the first empty line; only empty lines may follow
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    check_text(file, number, line);
    if (line.find_first_not_of(" \t") == std::string_view::npos) {
      if (empty == 0) empty = number;
      continue;
    }
    if (empty != 0) refuse_field(file, empty, 1, "an empty line before the end of the table");
    Cutter(file, number, line, separator, lines).cut();
  }
  return lines;
}

}  // namespace retrial::data::inline formats
