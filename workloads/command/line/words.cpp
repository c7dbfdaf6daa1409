#include "workloads/command/line/words.hpp"

#include <string_view>

namespace retrial::workloads::command::inline line {

namespace {

constexpr std::string_view blanks = " \t\n";

bool is_name_start(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}
bool is_name(char c) {
  return is_name_start(c) || (c >= '0' && c <= '9');
}

/// Reads the text once; each read_... consumes one construct and appends to the current word.
class Splitter {
 public:
  explicit Splitter(const std::string& text) : text_(text) {}

  Words split() {
    while (place_ < text_.size() && found_.problem.empty()) step();
    end_word();
    return std::move(found_);
  }

 private:
  void step() {
    const char c = text_[place_];
    if (blanks.find(c) != blanks.npos) return end_word(), void(++place_);
    if (c == '\'') return read_single();
    if (c == '"') return read_double();
    if (c == '\\') return read_escape();
    note_expansion();
    append(text_[place_++]);
  }

  void read_single() {
    const auto end = text_.find('\'', place_ + 1);
    if (end == std::string::npos) return not_closed('\'');
    begin_quoted();
    word_.text += text_.substr(place_ + 1, end - place_ - 1);
    place_ = end + 1;
  }

  void read_double() {
    begin_quoted();
    for (auto i = place_ + 1; i < text_.size(); ++i) {
      if (text_[i] == '"') return void(place_ = i + 1);
      i = read_inside_double(i);
    }
    not_closed('"');
  }

  /// Position of the last consumed character.
  std::size_t read_inside_double(std::size_t i) {
    constexpr std::string_view escapable = "$`\"\\\n";
    if (text_[i] == '\\' && i + 1 < text_.size() && escapable.find(text_[i + 1]) != escapable.npos) {
      if (text_[i + 1] != '\n') word_.text += text_[i + 1];
      return i + 1;
    }
    note_expansion(i);
    word_.text += text_[i];
    return i;
  }

  void read_escape() {
    if (place_ + 1 == text_.size()) {
      found_.problem = "it ends in a backslash, which escapes nothing";
      return;
    }
    if (text_[place_ + 1] != '\n') {
      begin_quoted();
      word_.text += text_[place_ + 1];
    }
    place_ += 2;
  }

  void append(char c) {
    in_word_ = true;
    word_.text += c;
  }

  void begin_quoted() { in_word_ = word_.quoted = true; }

  void end_word() {
    if (in_word_) found_.words.push_back(std::move(word_));
    word_ = {};
    in_word_ = false;
  }

  void not_closed(char quote) {
    found_.problem =
        "the opening " + std::string(1, quote) + " at character " + std::to_string(place_ + 1) + " is not closed";
  }

  void note_expansion() { note_expansion(place_); }

  /// $NAME, ${...}, $(...) and `...` would be expanded by a shell, also within double quotes.
  void note_expansion(std::size_t i) {
    if (!word_.shell_needs.empty()) return;
    if (text_[i] == '`') word_.shell_needs.assign(1, '`');
    if (text_[i] != '$' || i + 1 == text_.size()) return;
    const char next = text_[i + 1];
    if (next == '{' || next == '(') word_.shell_needs = std::string("$") + next;
    if (!is_name_start(next)) return;
    auto end = i + 1;
    while (end < text_.size() && is_name(text_[end])) ++end;
    word_.shell_needs = text_.substr(i, end - i);
  }

  const std::string& text_;
  std::size_t place_ = 0;
  Words found_;
  Word word_;
  bool in_word_ = false;
};

bool is_operator(const Word& word) {
  constexpr std::string_view operators[] = {"|", "||", "&&", "&", ";", ">", ">>", "<", "<<", "2>", "2>&1", "&>", ">&2"};
  if (word.quoted) return false;
  for (const auto& each : operators)
    if (word.text == each) return true;
  return word.text.starts_with(">") || word.text.starts_with("2>") ||
         (word.text.size() > 1 && word.text.ends_with(";"));
}

/// NAME=value in front of a command sets a variable for it.
bool is_assignment(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || !is_name_start(text[0])) return false;
  for (std::size_t i = 0; i < equals; ++i)
    if (!is_name(text[i])) return false;
  return true;
}

}  // namespace

Words split_words(const std::string& text) {
  return Splitter(text).split();
}

std::vector<std::string> texts_of(const Words& words) {
  std::vector<std::string> texts;
  for (const auto& word : words.words) texts.push_back(word.text);
  return texts;
}

std::string shell_only(const Words& words) {
  const std::string advice = " needs a shell: quote it if it is meant literally, or use --shell";
  if (words.words.empty()) return "";
  const auto& first = words.words.front().text;
  if (is_assignment(first)) return "\"" + first + "\" sets a variable only in a shell: write \"env " + first + " ...\"";
  for (const auto& word : words.words) {
    if (is_operator(word)) return "\"" + word.text + "\"" + advice;
    if (word.shell_needs == "$seed" || word.shell_needs == "$SEED")
      return "\"" + word.shell_needs + "\" is a variable of a shell; did you mean {seed}?";
    if (!word.shell_needs.empty()) return "\"" + word.shell_needs + "\"" + advice;
    if (!word.quoted && word.text.starts_with("~/")) return "\"" + word.text + "\"" + advice;
  }
  return "";
}

}  // namespace retrial::workloads::command::inline line
