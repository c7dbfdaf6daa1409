#include "workloads/command/reading/printed_value.hpp"

#include <algorithm>
#include <array>

#include "workloads/command/reading/number.hpp"
#include "workloads/interface/trial/split.hpp"

namespace retrial::workloads::command::inline reading {

namespace {

using Kind = PrintedValue::Kind;

constexpr std::string_view blanks = " \t";
/// Programs print no deeper lists of one number; a line of opening brackets must not use up the stack.
constexpr int deepest = 4;

bool is_one_of(char c, std::string_view set) {
  return set.find(c) != set.npos;
}

std::string_view after_blanks(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(blanks), text.size()));
}

/// A digit, perhaps after a sign or a decimal point.
bool begins_like_number(std::string_view text) {
  if (!text.empty() && is_one_of(text[0], "+-")) text.remove_prefix(1);
  if (!text.empty() && text[0] == '.') text.remove_prefix(1);
  return !text.empty() && is_one_of(text[0], "0123456789");
}

/// The place of the bracket that closes the one at `open`; the end of the text if it is missing.
std::size_t closing(std::string_view text, std::size_t open) {
  int depth = 0;
  for (auto i = open; i < text.size(); ++i) {
    depth += is_one_of(text[i], "([") ? 1 : is_one_of(text[i], ")]") ? -1 : 0;
    if (depth == 0) return i;
  }
  return text.size();
}

/// Length of "tensor(", "np.float64(" at the beginning; 0 for any other text.
std::size_t call_length(std::string_view text) {
  constexpr std::array<std::string_view, 8> types{"tensor",  "Tensor",  "array",   "Array",
                                                  "float16", "float32", "float64", "float"};
  const auto end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.0123456789");
  if (end == text.npos || text[end] != '(') return 0;
  const auto dot = text.rfind('.', end);
  const auto name = dot == text.npos ? 0 : dot + 1;
  return std::ranges::find(types, text.substr(name, end - name)) == types.end() ? 0 : end + 1;
}

PrintedValue value_within(std::string_view text, int depth);

/// The one number between brackets whose opening one is at `open`. Settings of a library may follow it in a call.
PrintedValue bracketed(std::string_view text, std::size_t open, int depth) {
  const auto close = closing(text, open);
  const auto inside = after_blanks(text.substr(open + 1, close - open - 1));
  auto inner = value_within(inside, depth + 1);
  const bool half = inner.kind == Kind::unclear && inside.find(',') == inside.npos;  // [3/10] is a place in a loop
  if (inner.kind == Kind::words || half) return {};
  const auto rest = after_blanks(inside.substr(std::min(inner.length, inside.size())));
  const auto next = after_blanks(rest.substr(!rest.empty() && is_one_of(rest[0], ",;") ? 1 : 0));
  const bool settings = text[open] == '(' && rest.starts_with(',') && !next.empty() && is_letter(next[0]);
  const bool alone = close < text.size() && (next.empty() || settings);
  const bool list =
      close == text.size() || begins_like_number(next) || next.starts_with("...") || next.starts_with('[');
  inner.length = std::min(close + 1, text.size());
  if (!alone) inner = {.kind = list ? Kind::unclear : Kind::words, .length = inner.length};
  return inner;
}

PrintedValue value_within(std::string_view text, int depth) {
  if (const auto number = number_at(text)) return {Kind::number, number->value, number->length};
  if (out_of_range_at(text)) return {.kind = Kind::out_of_range, .length = text.size()};
  if (begins_like_number(text)) return {.kind = Kind::unclear, .length = text.size()};
  if (depth > deepest) return {};
  if (text.starts_with('[')) return bracketed(text, 0, depth);
  const auto call = call_length(text);
  return call == 0 ? PrintedValue{} : bracketed(text, call - 1, depth);
}

/// Blanks and three digits after one to three others: 1 234.
bool goes_on_in_thousands(std::string_view number, std::string_view rest) {
  if (is_one_of(number[0], "+-")) number.remove_prefix(1);
  const auto digits = [](std::string_view text) { return text.find_first_not_of("0123456789") == text.npos; };
  return number.size() <= 3 && digits(number) && rest.size() >= 4 && rest[0] == ' ' && digits(rest.substr(1, 3)) &&
         (rest.size() == 4 || !is_one_of(rest[4], "0123456789"));
}

/// True if the text after the number makes it part of something: 0.8 -> 0.9, 3 of 5, 3 / 5.
bool continues_after(std::string_view rest) {
  constexpr std::array<std::string_view, 5> joints{"->", "=>", "\xe2\x86\x92", "of ", "/"};
  rest = after_blanks(rest);
  const auto joint = std::ranges::find_if(joints, [&](auto each) { return rest.starts_with(each); });
  return joint != joints.end() && begins_like_number(after_blanks(rest.substr(joint->size())));
}

}  // namespace

PrintedValue value_at(std::string_view text) {
  text = text.substr(0, text.find('\n'));
  auto value = value_within(text, 0);
  if (value.kind != Kind::number) return value;
  const auto rest = text.substr(value.length);
  if (goes_on_in_thousands(text.substr(0, value.length), rest) || continues_after(rest)) value.kind = Kind::unclear;
  return value;
}

PrintedValue whole_value(std::string_view text) {
  text = workloads::trimmed(text, " \t\r\n");
  const auto value = value_at(text);
  return value.kind != Kind::number || value.length == text.size() ? value : PrintedValue{};
}

}  // namespace retrial::workloads::command::inline reading
