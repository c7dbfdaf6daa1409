#include "workloads/data/formats/table_lines.hpp"

#include <algorithm>

#include "results/text/utf8.hpp"
#include "workloads/data/files/files.hpp"

namespace retrial::data::inline formats {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_line = 1 << 20, max_columns = 10000;

/// Cuts one line, from left to right.
class Cutter {
 public:
  Cutter(const fs::path& file, std::size_t line, std::string_view text, char separator)
      : file_(file), line_(line), text_(text), separator_(separator) {}

  TableLine cut() {
    TableLine fields;
    bool more = true;
    while (more) {
      if (fields.size() == max_columns) refuse("more than 10000 fields");
      column_ = fields.size() + 1;
      fields.push_back(field());
      more = at_separator();
    }
    return fields;
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

  TableField field() {
    blanks();
    const bool quoted = at_ < text_.size() && text_[at_] == '"';
    TableField found = quoted ? TableField{inside_quotes(), true} : TableField{bare(), false};
    blanks();
    if (quoted && at_ < text_.size() && text_[at_] != separator_ && !by_blanks())
      refuse("text follows a closing quote");
    return found;
  }

  std::string bare() {
    const auto end = std::min(text_.find_first_of(by_blanks() ? " \t" : std::string(1, separator_), at_), text_.size());
    std::string_view found = text_.substr(at_, end - at_);
    if (found.find('"') != std::string_view::npos) refuse("a quote inside a field that does not begin with one");
    while (!found.empty() && (found.back() == ' ' || found.back() == '\t')) found.remove_suffix(1);
    at_ = end;
    return std::string(found);
  }

  std::string inside_quotes() {
    std::string found;
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] != '"') {
        found += text_[at_];
      } else if (at_ + 1 < text_.size() && text_[at_ + 1] == '"') {
        found += text_[at_++];
      } else {
        ++at_;
        return found;
      }
    }
    refuse("a quote is not closed on its line");
  }

  const fs::path& file_;
  std::size_t line_;
  std::string_view text_;
  char separator_;
  std::size_t at_ = 0, column_ = 1;
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

std::vector<TableLine> table_lines(const fs::path& file, std::string_view text, char separator) {
  std::vector<TableLine> lines;
  std::size_t number = 0, empty = 0;  // `empty`: the first empty line; only empty lines may follow
  for (text = without_mark(text); !text.empty();) {
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
    lines.push_back(Cutter(file, number, line, separator).cut());
  }
  return lines;
}

}  // namespace retrial::data::inline formats
