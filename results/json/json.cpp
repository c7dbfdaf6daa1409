#include "results/json/json.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "results/text/utf8.hpp"

namespace retrial::results::inline json {
namespace {

constexpr int max_depth = 64;

[[noreturn]] void refuse_json(const std::string& problem, const std::string& value = "") {
  throw Error({.code = "json.not_canonical",
               .field = value.empty() ? "" : "value",
               .value = value,
               .problem = "this document cannot be written as canonical JSON: " + problem});
}

template <typename N>
void write_integer(std::string& out, N value) {
  char buffer[24];
  out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

/// ASCII that stands for itself, as nearly every string does: eight bytes are looked at together.
bool is_plain(std::string_view text) {
  constexpr std::uint64_t ones = 0x0101010101010101, high = 0x8080808080808080;
  const auto has_zero = [](std::uint64_t eight) { return (eight - ones) & ~eight & high; };
  std::uint64_t found = 0;
  for (std::size_t at = 0; at < text.size(); at += sizeof found) {
    std::uint64_t eight = ones * ' ';
    std::memcpy(&eight, text.data() + at, std::min(sizeof eight, text.size() - at));
    found |= (eight & high) | has_zero(eight & (ones * 0xe0)) | has_zero(eight ^ (ones * '"')) |
             has_zero(eight ^ (ones * '\\'));
  }
  return found == 0;
}

bool escaped(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\';
}

void write_escaped(std::string& out, char c) {
  const auto byte = static_cast<unsigned char>(c);
  out += '\\';
  if (byte >= 0x20)
    out += c;
  else
    out += "u00", out += "0123456789abcdef"[byte >> 4], out += "0123456789abcdef"[byte & 15];
}

}  // namespace

void append_integer(std::string& out, std::int64_t value) {
  write_integer(out, value);
}
void append_integer(std::string& out, std::uint64_t value) {
  write_integer(out, value);
}

void append_string(std::string& out, std::string_view text) {
  out += '"';
  if (is_plain(text)) {
    out += text;
    out += '"';
    return;
  }
  if (invalid_utf8(text) != std::string::npos) refuse_json("a string is not valid UTF-8", one_line(text, 60));
  while (!text.empty()) {
    const auto end = static_cast<std::size_t>(std::find_if(text.begin(), text.end(), escaped) - text.begin());
    out += text.substr(0, end);
    if (end < text.size()) write_escaped(out, text[end]);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  out += '"';
}

namespace {

enum class Doubles { refused, shortest };

void write_double(std::string& out, double value, Doubles doubles) {
  if (doubles == Doubles::refused) refuse_json("a floating-point number; write its bits as text", text_of(value));
  out += std::isfinite(value) ? text_of(value) : "null";
}

void write(std::string& out, const Json& node, Doubles doubles, int depth);

void write_object(std::string& out, const Json::object_t& object, Doubles doubles, int depth) {
  char before = '{';
  for (const auto& [key, value] : object) {
    out += before;
    append_string(out, key);
    out += ':';
    write(out, value, doubles, depth);
    before = ',';
  }
  out += object.empty() ? "{}" : "}";
}

void write_array(std::string& out, const Json::array_t& array, Doubles doubles, int depth) {
  char before = '[';
  for (const Json& value : array) {
    out += before;
    write(out, value, doubles, depth);
    before = ',';
  }
  out += array.empty() ? "[]" : "]";
}

void write(std::string& out, const Json& node, Doubles doubles, int depth) {
  if (node.is_structured() && ++depth > max_depth) refuse_json("it is nested deeper than 64 levels");
  switch (node.type()) {
    case Json::value_t::null:
      out += "null";
      return;
    case Json::value_t::boolean:
      out += node.get_ref<const bool&>() ? "true" : "false";
      return;
    case Json::value_t::number_integer:
      write_integer(out, node.get_ref<const std::int64_t&>());
      return;
    case Json::value_t::number_unsigned:
      write_integer(out, node.get_ref<const std::uint64_t&>());
      return;
    case Json::value_t::number_float:
      write_double(out, node.get_ref<const double&>(), doubles);
      return;
    case Json::value_t::string:
      append_string(out, node.get_ref<const std::string&>());
      return;
    case Json::value_t::object:
      write_object(out, node.get_ref<const Json::object_t&>(), doubles, depth);
      return;
    case Json::value_t::array:
      write_array(out, node.get_ref<const Json::array_t&>(), doubles, depth);
      return;
    case Json::value_t::binary:
    case Json::value_t::discarded:
      refuse_json("it has a value that JSON cannot represent");
  }
}

}  // namespace

std::string canonical(const Json& document) {
  std::string out;
  write(out, document, Doubles::refused, 0);
  return out;
}

std::string printed(const Json& document) {
  std::string out;
  write(out, document, Doubles::shortest, 0);
  return out += '\n';
}

Json canonical_value(const Value& value) {
  if (const auto* number = std::get_if<double>(&value)) return hex_of_bits(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* flag = std::get_if<bool>(&value)) return *flag;
  return std::get<std::int64_t>(value);
}

namespace {

[[noreturn]] void misfit(const Json& json, const std::string& field, const std::string& allowed) {
  // Canonical values are written by retrial, never by hand.
  throw Error({.exit = Exit::integrity,
               .code = "json.type",
               .field = field,
               .value = one_line(printed(json), 100),
               .problem = "has the wrong type",
               .allowed = allowed,
               .help = "the file is damaged; retrial verify STORE lists the changed rows"});
}

std::optional<std::int64_t> to_integer(const Json& json) {
  if (json.is_number_unsigned() && json.get<std::uint64_t>() > std::uint64_t{INT64_MAX}) return std::nullopt;
  return json.is_number_integer() ? std::optional(json.get<std::int64_t>()) : std::nullopt;
}

}  // namespace

Value value_from_canonical(const Json& json, const Value& like, const std::string& field) {
  if (std::holds_alternative<bool>(like)) {
    if (!json.is_boolean()) misfit(json, field, "true, false");
    return json.get<bool>();
  }
  if (std::holds_alternative<std::int64_t>(like)) {
    const auto number = to_integer(json);
    if (!number) misfit(json, field, "a 64-bit integer");
    return *number;
  }
  if (!json.is_string()) misfit(json, field, "a string");
  const auto& text = json.get_ref<const std::string&>();
  if (std::holds_alternative<std::string>(like)) return text;
  const auto number = double_from_hex(text);
  if (!number) misfit(json, field, "the 16 hex digits of a double");
  return *number;
}

Json stored_form(const Json& document) {
  if (document.is_number_float()) return hex_of_bits(document.get<double>());
  if (!document.is_structured()) return document;
  Json out = document;
  for (Json& part : out) part = stored_form(part);
  return out;
}

}  // namespace retrial::results::inline json
