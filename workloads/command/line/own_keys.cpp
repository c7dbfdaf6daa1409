#include "workloads/command/line/own_keys.hpp"

#include <algorithm>
#include <string_view>

#include "results/text/text.hpp"
#include "results/text/utf8.hpp"
#include "workloads/command/line/placeholders.hpp"

namespace retrial::workloads::command::inline line {

namespace {

using Own = std::map<std::string, std::string>;

enum class Quotes { none, single, twice };

/// The quotes that each character is in, as a POSIX shell reads the text.
std::vector<Quotes> quotes_of(const std::string& text) {
  std::vector<Quotes> all(text.size(), Quotes::none);
  Quotes now = Quotes::none;
  for (std::size_t i = 0; i < text.size(); ++i) {
    all[i] = now;
    const char c = text[i];
    if (c == '\\' && now != Quotes::single && i + 1 < text.size())
      all[++i] = now;
    else if (c == '\'' && now != Quotes::twice)
      now = now == Quotes::none ? Quotes::single : Quotes::none;
    else if (c == '"' && now != Quotes::single)
      now = now == Quotes::none ? Quotes::twice : Quotes::none;
  }
  return all;
}

bool begins_key(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_key(const std::string& name) {
  return !name.empty() && begins_key(name.front()) && std::all_of(name.begin(), name.end(), [](char c) {
    return begins_key(c) || (c >= '0' && c <= '9') || c == '-';
  });
}

/// A name that resembles a placeholder is refused as a misspelled one, with or without a value.
std::vector<Braces> keys_in(const std::string& text) {
  auto found = other_braces_in(text);
  std::erase_if(
      found, [](const Braces& braces) { return !is_key(braces.name) || placeholder_meant(braces.name).has_value(); });
  return found;
}

std::vector<OwnKey> keys_used(const Values& values) {
  std::vector<OwnKey> all;
  const auto& command = text_in(values, "command");
  const auto quotes = quotes_of(command);
  for (const auto& braces : keys_in(command))
    all.push_back({.name = braces.name, .of = "command", .may_be_text = quotes[braces.begin] == Quotes::single});
  for (const char* file : result_file_keys)
    for (const auto& braces : keys_in(text_in(values, file)))
      all.push_back({.name = braces.name, .of = file, .may_be_text = false});
  return all;
}

std::string problem_of_key(const std::string& name, const std::string& text) {
  if (!is_key(name)) return "not a name: letters, digits, '_' and '-', beginning with a letter";
  if (placeholders_in("{" + name + "}").size() == 1) return "{" + name + "} is filled in by retrial in every trial";
  if (const auto meant = placeholder_meant(name)) return "too much like the placeholder {" + *meant + "}";
  if (results::invalid_utf8(text) != text.npos || text.find('\0') != text.npos) return "not UTF-8 text";
  if (text.find('\n') != text.npos) return "a list, or text of several lines: a key has one value in each variant";
  if (!placeholders_in(text).empty() || !other_braces_in(text).empty())
    return "has a name in braces, which would be filled in again: write it into the command";
  return "";
}

bool needs_no_quotes(char c) {
  return begins_key(c) || (c >= '0' && c <= '9') || std::string_view("-+.,:/@%=").find(c) != std::string_view::npos;
}

std::string escaped(const std::string& text, std::string_view special, const std::string& before,
                    const std::string& after) {
  std::string made;
  for (const char c : text) made += special.find(c) == special.npos ? std::string(1, c) : before + c + after;
  return made;
}

/// The text as a shell reads it back at a place with these quotes.
std::string quoted_for(Quotes quotes, const std::string& text) {
  switch (quotes) {
    case Quotes::twice:
      return escaped(text, "\\\"$`", "\\", "");
    case Quotes::single:
      return escaped(text, "'", "'\\", "'");
    case Quotes::none:
      break;
  }
  if (!text.empty() && std::all_of(text.begin(), text.end(), needs_no_quotes)) return text;
  return "'" + quoted_for(Quotes::single, text) + "'";
}

template <typename Write>
std::string with_keys(const std::string& text, const Own& own, const Write& write) {
  std::string made;
  std::size_t from = 0;
  for (const auto& braces : keys_in(text)) {
    const auto value = own.find(braces.name);
    if (value == own.end()) continue;
    made += text.substr(from, braces.begin - from) + write(braces.begin, value->second);
    from = braces.begin + braces.length;
  }
  return made + text.substr(from);
}

Values filled_with(Values values, const Own& own) {
  const auto command = text_in(values, "command");
  const auto quotes = quotes_of(command);
  values["command"] =
      with_keys(command, own, [&](std::size_t at, const std::string& text) { return quoted_for(quotes[at], text); });
  for (const char* file : result_file_keys)
    values[file] = with_keys(text_in(values, file), own, [](std::size_t, const std::string& text) { return text; });
  return values;
}

}  // namespace

OwnKeys own_keys() {
  return {.used = keys_used, .problem = problem_of_key, .filled = filled_with};
}

}  // namespace retrial::workloads::command::inline line
