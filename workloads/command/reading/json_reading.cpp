#include "workloads/command/reading/json_reading.hpp"

#include "results/text/error.hpp"
#include "workloads/command/reading/lists.hpp"
#include "workloads/command/reading/number.hpp"

namespace retrial::workloads::command::inline reading {

namespace {

constexpr std::string_view non_finite_words[] = {"NaN", "-Infinity", "Infinity"};

/// Length of the non-finite literal at `at`; 0 if another text is there.
std::size_t literal_at(std::string_view text, std::size_t at) {
  for (const auto& literal : non_finite_words)
    if (text.substr(at).starts_with(literal)) return literal.size();
  return 0;
}

/// End of the string literal that opens at `at`, or the end of the text.
std::size_t string_end(std::string_view text, std::size_t at) {
  for (auto i = at + 1; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == '"')
      return i + 1;
  }
  return text.size();
}

/// End of the characters of a JSON number that begins at `at`; `at` itself if none does.
std::size_t number_end(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of("+-.0123456789eE", at), text.size());
}

/// Turns non-finite literals outside of strings into strings, which `number_of` reads back.
std::string with_quoted_literals(std::string_view text) {
  std::string made;
  for (std::size_t i = 0; i < text.size();) {
    const auto literal = literal_at(text, i);
    const auto end = text[i] == '"' ? string_end(text, i) : i + std::max<std::size_t>(literal, 1);
    const std::string piece(text.substr(i, end - i));
    made += literal ? "\"" + piece + "\"" : piece;
    i = end;
  }
  return made;
}

}  // namespace

std::optional<Json> json_object(std::string_view text) {
  if (text.find('{') == text.npos) return std::nullopt;
  try {
    auto json = results::parse_json(with_quoted_literals(text), "JSON");
    if (json.is_object()) return json;
  } catch (const Error&) {
    // Not JSON: the caller tries the next line or reports it.
  }
  return std::nullopt;
}

const Json* member_named(const Json& object, const std::string& name) {
  if (!object.is_object()) return nullptr;
  if (const auto member = object.find(name); member != object.end()) return &*member;
  for (auto dot = name.find('.'); dot != std::string::npos; dot = name.find('.', dot + 1)) {
    const auto outer = object.find(name.substr(0, dot));
    if (outer == object.end()) continue;
    if (const auto* inner = member_named(*outer, name.substr(dot + 1))) return inner;
  }
  return nullptr;
}

std::optional<double> number_of(const Json& member) {
  if (member.is_number()) return member.get<double>();
  if (!member.is_string()) return std::nullopt;
  const auto& text = member.get_ref<const std::string&>();
  for (const auto& literal : non_finite_words)
    if (text == literal) return whole_number(text);
  return std::nullopt;
}

std::optional<std::string> number_out_of_range(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto end = text[i] == '"' ? string_end(text, i) : std::max(i + 1, number_end(text, i));
    if (text[i] != '"' && out_of_range_at(text.substr(i, end - i))) return std::string(text.substr(i, end - i));
    i = end;
  }
  return std::nullopt;
}

}  // namespace retrial::workloads::command::inline reading
