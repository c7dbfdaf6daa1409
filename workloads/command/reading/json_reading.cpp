#include "workloads/command/reading/json_reading.hpp"

#include "results/text/error.hpp"
#include "workloads/command/reading/lists.hpp"
#include "workloads/command/reading/number.hpp"

namespace retrial::workloads::command::inline reading {

namespace {

constexpr std::string_view non_finite_words[] = {"NaN", "-Infinity", "Infinity"};

/// Length of the non-finite literal at `at`; 0 if there is none.
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

/// Turns non-finite literals outside of strings into strings, which `value_of` reads back.
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

std::optional<double> value_of(const Json& member) {
  if (member.is_number()) return member.get<double>();
  if (!member.is_string()) return std::nullopt;
  const auto& text = member.get_ref<const std::string&>();
  for (const auto& literal : non_finite_words)
    if (text == literal) return whole_number(text);
  return std::nullopt;
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

std::optional<Json> last_json_line(std::string_view output) {
  for (auto end = output.size();;) {
    const auto line_break = end == 0 ? output.npos : output.rfind('\n', end - 1);
    const auto begin = line_break == output.npos ? 0 : line_break + 1;
    const auto line = trimmed(std::string(output.substr(begin, end - begin)));
    if (line.starts_with('{') && line.ends_with('}'))
      if (auto found = json_object(line)) return found;
    if (begin == 0) return std::nullopt;
    end = line_break;
  }
}

std::optional<double> number_named(const Json& object, const std::string& name) {
  if (!object.is_object()) return std::nullopt;
  if (const auto member = object.find(name); member != object.end()) return value_of(*member);
  for (auto dot = name.find('.'); dot != std::string::npos; dot = name.find('.', dot + 1)) {
    const auto outer = object.find(name.substr(0, dot));
    if (outer == object.end()) continue;
    if (const auto inner = number_named(*outer, name.substr(dot + 1))) return inner;
  }
  return std::nullopt;
}

}  // namespace retrial::workloads::command::inline reading
