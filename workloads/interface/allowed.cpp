#include <algorithm>
#include <cmath>

#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "results/text/utf8.hpp"
#include "workloads/interface/declaration.hpp"

namespace retrial::workloads::inline interface {

namespace {

using Choices = std::vector<std::string>;

/// A user's mistake with one key, as an error message.
struct Mistake {
  std::string key, value, where;
};

[[noreturn]] void refuse(const Declaration& declaration, const Mistake& mistake, const std::string& problem,
                         const std::string& help = "") {
  throw Error({.code = "workload.value",
               .where = mistake.where,
               .field = declaration.name + "." + mistake.key,
               .value = mistake.value,
               .problem = problem,
               .allowed = allowed_text(*find_parameter(declaration, mistake.key)),
               .help = help});
}

void refuse_ambiguous(const Declaration& declaration, const std::string& key, const std::string& where) {
  for (const auto& refused : declaration.refused)
    if (refused.name == key)
      throw Error({.code = "workload.ambiguous_key",
                   .where = where,
                   .problem = declaration.name + "." + key + " is ambiguous; " + refused.hint});
}

const Parameter& known(const Declaration& declaration, const std::string& key, const std::string& where) {
  if (const auto* found = find_parameter(declaration, key)) return *found;
  refuse_ambiguous(declaration, key, where);
  Choices names;
  for (const auto& parameter : declaration.parameters) names.push_back(parameter.name);
  const auto near = results::nearest(key, names);
  throw Error({.code = "workload.unknown_key",
               .where = where,
               .field = declaration.name + "." + key,
               .problem = "unknown key",
               .allowed = results::joined(names),
               .help = near ? "did you mean \"" + *near + "\"?" : "retrial list " + declaration.name});
}

/// Bounds are easier to read without the ".0" that marks doubles elsewhere.
std::string bound_text(double value) {
  auto text = results::text_of(value);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

std::string range_text(const Range& range) {
  const bool below = std::isfinite(range.low), above = std::isfinite(range.high);
  if (!below && !above) return "any finite number";
  std::string text(1, range.low_open || !below ? '(' : '[');
  text += bound_text(range.low) + ", " + bound_text(range.high);
  return text += range.high_open || !above ? ')' : ']';
}

bool inside(const Range& range, double value) {
  const bool above = range.low_open ? value > range.low : value >= range.low;
  return above && (range.high_open ? value < range.high : value <= range.high);
}

std::string type_text(const Value& fallback) {
  constexpr const char* texts[] = {"true, false", "a whole number", "a finite number", "text"};
  return texts[fallback.index()];
}

/// "4" and 4 look alike in an error, so both types are named.
std::string type_problem(const Value& fallback, const Value& given) {
  constexpr const char* names[] = {"true or false", "a whole number", "a number", "text"};
  if (std::holds_alternative<double>(fallback) && std::holds_alternative<std::int64_t>(given))
    return "wrong type: a whole number that a double cannot hold";
  return std::string("wrong type: ") + names[given.index()] + ", not " + names[fallback.index()];
}

/// A whole number given for a key of type double, where a double can hold it exactly.
std::optional<double> as_double(const Value& given) {
  constexpr std::int64_t exact = std::int64_t{1} << 53;
  if (const auto* number = std::get_if<double>(&given)) return *number;
  const auto* whole = std::get_if<std::int64_t>(&given);
  if (!whole || *whole > exact || *whole < -exact) return std::nullopt;
  return static_cast<double>(*whole);
}

/// The value in the key's own type; nothing if it has another type.
std::optional<Value> converted(const Value& fallback, const Value& given) {
  if (std::holds_alternative<double>(fallback)) {
    const auto number = as_double(given);
    if (!number) return std::nullopt;
    return Value{*number + 0.0};  // -0.0 becomes 0.0: it does not mean another trial
  }
  if (fallback.index() != given.index()) return std::nullopt;
  return given;
}

void check_number(const Declaration& declaration, const Parameter& parameter, double value, const Mistake& mistake) {
  if (!std::isfinite(value)) refuse(declaration, mistake, "not a finite number");
  const auto* range = std::get_if<Range>(&parameter.allowed);
  if (range && !inside(*range, value)) refuse(declaration, mistake, "out of range");
}

void check_text(const Declaration& declaration, const Parameter& parameter, const std::string& value,
                const Mistake& mistake) {
  if (value.find('\0') != std::string::npos || results::invalid_utf8(value) != value.npos)
    refuse(declaration, mistake, "not UTF-8 text");
  const auto* choices = std::get_if<Choices>(&parameter.allowed);
  if (!choices || std::find(choices->begin(), choices->end(), value) != choices->end()) return;
  const auto near = results::nearest(value, *choices);
  refuse(declaration, mistake, "unknown choice", near ? "did you mean \"" + *near + "\"?" : "");
}

}  // namespace

Value checked(const Declaration& declaration, const std::string& key, const Value& given, const std::string& where) {
  const auto& parameter = known(declaration, key, where);
  const Mistake mistake{key, results::text_of(given), where};
  const auto value = converted(parameter.fallback, given);
  if (!value) refuse(declaration, mistake, type_problem(parameter.fallback, given));
  if (const auto* text = std::get_if<std::string>(&*value)) check_text(declaration, parameter, *text, mistake);
  if (const auto* whole = std::get_if<std::int64_t>(&*value))
    check_number(declaration, parameter, static_cast<double>(*whole), mistake);
  if (const auto* number = std::get_if<double>(&*value)) check_number(declaration, parameter, *number, mistake);
  return *value;
}

Value parsed(const Declaration& declaration, const std::string& key, const std::string& text,
             const std::string& where) {
  const auto& parameter = known(declaration, key, where);
  const Mistake mistake{key, text, where};
  if (std::holds_alternative<bool>(parameter.fallback)) {
    if (text != "true" && text != "false") refuse(declaration, mistake, "neither true nor false");
    return text == "true";
  }
  if (std::holds_alternative<std::int64_t>(parameter.fallback)) {
    const auto whole = results::parse_int(text);
    if (!whole) refuse(declaration, mistake, "not a whole number");
    return checked(declaration, key, *whole, where);
  }
  if (std::holds_alternative<double>(parameter.fallback)) {
    const auto number = results::parse_double(text);
    if (!number) refuse(declaration, mistake, "not a finite number");
    return checked(declaration, key, *number, where);
  }
  return checked(declaration, key, text, where);
}

std::string allowed_text(const Parameter& parameter) {
  if (const auto* choices = std::get_if<Choices>(&parameter.allowed)) return results::joined(*choices);
  if (const auto* range = std::get_if<Range>(&parameter.allowed)) return range_text(*range);
  return type_text(parameter.fallback);
}

}  // namespace retrial::workloads::inline interface
