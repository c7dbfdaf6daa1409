#include "workloads/interface/formula.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/interface/declaration.hpp"

namespace retrial::workloads::inline interface {
namespace {

std::vector<Formula>& registered_formulas() {
  static std::vector<Formula> all;
  return all;
}

std::vector<Formula> sorted_formulas() {
  auto all = registered_formulas();
  if (const auto wrong = contradictions(all); !wrong.empty())
    throw std::logic_error("contradictory formulas:\n  " + results::joined(wrong, "\n  "));
  std::ranges::sort(all, {}, &Formula::name);
  return all;
}

std::vector<std::string> split_at(const std::string& text, char separator) {
  std::vector<std::string> out{""};
  for (const char c : text) {
    if (c == separator)
      out.emplace_back();
    else
      out.back() += c;
  }
  return out;
}

/// The arguments as keys, so that they are checked as keys of a workload are.
Declaration keys_of(const Formula& formula) {
  Declaration out;
  out.name = formula.name;
  for (const auto& argument : formula.arguments) out.parameters.push_back(argument.value);
  return out;
}

FormulaArguments::Rows values_in(const Declaration& keys, const Argument& argument, const std::string& text) {
  FormulaArguments::Rows out;
  const auto& name = argument.value.name;
  const auto lines = argument.shape == Shape::rows ? split_at(text, ';') : std::vector{text};
  for (const auto& line : lines) {
    auto& row = out.emplace_back();
    for (const auto& item : argument.shape == Shape::one ? std::vector{line} : split_at(line, ','))
      row.push_back(parsed(keys, name, item, "--formula"));
  }
  return out;
}

FormulaArguments::Rows value_if_left_out(const Argument& argument) {
  if (argument.shape == Shape::one) return {{argument.value.fallback}};
  return {{}};
}

[[noreturn]] void refuse_argument(const Formula& formula, const std::string& field, const std::string& problem,
                                  const std::string& allowed) {
  throw Error({.code = "formula.argument",
               .where = "--formula",
               .field = field,
               .problem = problem,
               .allowed = allowed,
               .help = "for example: retrial show --formula " + formula.name + " " + formula.example});
}

bool accepts_example(const Formula& formula) {
  try {
    static_cast<void>(
        arguments_of(formula, formula.example.empty() ? std::vector<std::string>{} : split_at(formula.example, ' ')));
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

template <typename T>
std::vector<T> FormulaArguments::list(const std::string& name) const {
  std::vector<T> out;
  for (const Value& value : values_.at(name).front()) out.push_back(std::get<T>(value));
  return out;
}

double FormulaArguments::number(const std::string& name) const {
  return list<double>(name).at(0);
}
std::int64_t FormulaArguments::integer(const std::string& name) const {
  return list<std::int64_t>(name).at(0);
}
std::string FormulaArguments::text(const std::string& name) const {
  return list<std::string>(name).at(0);
}
bool FormulaArguments::flag(const std::string& name) const {
  return std::get<bool>(values_.at(name).front().at(0));
}
std::vector<double> FormulaArguments::numbers(const std::string& name) const {
  return list<double>(name);
}
std::vector<std::int64_t> FormulaArguments::integers(const std::string& name) const {
  return list<std::int64_t>(name);
}
std::vector<std::vector<double>> FormulaArguments::rows(const std::string& name) const {
  std::vector<std::vector<double>> out;
  for (const auto& row : values_.at(name)) {
    auto& numbers = out.emplace_back();
    for (const Value& value : row) numbers.push_back(std::get<double>(value));
  }
  return out;
}

RegisterFormula::RegisterFormula(Formula formula) {
  registered_formulas().push_back(std::move(formula));
}

const std::vector<Formula>& all_formulas() {
  static const auto all = sorted_formulas();
  return all;
}

std::vector<std::string> contradictions(const std::vector<Formula>& formulas) {
  std::vector<std::string> out;
  std::set<std::string> names;
  for (const auto& formula : formulas) {
    if (!names.insert(formula.name).second) out.push_back(formula.name + ": two formulas have this name");
    if (!formula.function) out.push_back(formula.name + ": has no function");
    if (formula.meaning.empty()) out.push_back(formula.name + ": says nothing of its meaning");
    std::set<std::string> keys;
    for (const auto& argument : formula.arguments)
      if (!keys.insert(argument.value.name).second)
        out.push_back(formula.name + ": two arguments are named " + argument.value.name);
    if (!accepts_example(formula)) out.push_back(formula.name + ": does not accept its example");
  }
  return out;
}

const Formula& find_formula(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& formula : all_formulas()) {
    if (formula.name == name) return formula;
    names.push_back(formula.name);
  }
  const auto near = results::nearest(name, names);
  throw Error({.code = "formula.unknown",
               .field = "--formula",
               .value = results::one_line(name, 100),
               .problem = "unknown formula",
               .allowed = results::joined(names),
               .help = near ? "did you mean \"" + *near + "\"?" : "retrial list formulas"});
}

FormulaArguments arguments_of(const Formula& formula, const std::vector<std::string>& words) {
  const Declaration keys = keys_of(formula);
  std::map<std::string, FormulaArguments::Rows> values;
  for (const auto& word : words) {
    const auto equals = word.find('=');
    if (equals == std::string::npos)
      refuse_argument(formula, results::one_line(word, 100), "not KEY=VALUE", usage_of(formula));
    const std::string key = word.substr(0, equals);
    const auto argument =
        std::ranges::find(formula.arguments, key, [](const Argument& each) { return each.value.name; });
    // parsed() names the nearest key.
    if (argument == formula.arguments.end()) static_cast<void>(parsed(keys, key, "", "--formula"));
    if (values.contains(key)) refuse_argument(formula, formula.name + "." + key, "given twice", "once");
    values[key] = values_in(keys, *argument, word.substr(equals + 1));
  }
  for (const auto& argument : formula.arguments) {
    const auto& name = argument.value.name;
    if (values.contains(name)) continue;
    if (!argument.optional)
      refuse_argument(formula, formula.name + "." + name, "missing", allowed_text(argument.value));
    values[name] = value_if_left_out(argument);
  }
  return FormulaArguments(std::move(values));
}

std::string usage_of(const Formula& formula) {
  std::vector<std::string> out;
  for (const auto& argument : formula.arguments)
    out.push_back(argument.optional ? "[" + argument.value.name + "]" : argument.value.name);
  return results::joined(out, " ");
}

}  // namespace retrial::workloads::inline interface
