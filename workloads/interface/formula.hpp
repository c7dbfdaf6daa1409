#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "results/json/json.hpp"
#include "workloads/interface/parameter.hpp"

/// Pure functions that a folder of workloads/ offers on the command line: `retrial list formulas`, and
/// `retrial show --formula NAME KEY=VALUE ...`, which needs no store.
namespace retrial::workloads::inline interface {

/// One value; a list "4,2,1"; rows of lists "1,0;0,1".
enum class Shape { one, list, rows };

/// An argument of a formula. The allowed values are those of each element. The parameter's `fallback` gives the type,
/// and the value where an optional argument is left out; an optional list is then empty.
struct Argument {
  Parameter value;
  Shape shape = Shape::one;
  bool optional = false;
};

/// The arguments of one call, checked: each is there, in its type and range.
class FormulaArguments {
 public:
  using Rows = std::vector<std::vector<Value>>;
  explicit FormulaArguments(std::map<std::string, Rows> values) : values_(std::move(values)) {}

  [[nodiscard]] const Value& value(const std::string& name) const { return values_.at(name).front().at(0); }
  [[nodiscard]] double number(const std::string& name) const;
  [[nodiscard]] std::int64_t integer(const std::string& name) const;
  [[nodiscard]] std::string text(const std::string& name) const;
  [[nodiscard]] bool flag(const std::string& name) const;
  [[nodiscard]] std::vector<double> numbers(const std::string& name) const;
  [[nodiscard]] std::vector<std::int64_t> integers(const std::string& name) const;
  [[nodiscard]] std::vector<std::vector<double>> rows(const std::string& name) const;

 private:
  template <typename T>
  [[nodiscard]] std::vector<T> list(const std::string& name) const;

  std::map<std::string, Rows> values_;
};

/// A file that `-o FILE` writes in place of the answer, chosen by the ending of its name.
struct FormulaFile {
  std::string ending, meaning;  ///< ".svg", "the timeline as a drawing"
  std::function<std::string(const FormulaArguments&)> bytes;
};

/// A pure function of C++ with the same name and the same order of arguments; the command line adds nothing to it.
struct Formula {
  std::string name;
  std::vector<Argument> arguments;
  std::string meaning;
  std::string example;  ///< its arguments as they are typed: "m=0.9 D=4"
  /// A JSON object of finite numbers, null where one does not exist. Throws InvalidInput for arguments that do not
  /// agree with each other.
  std::function<Json(const FormulaArguments&)> function;
  std::vector<FormulaFile> files = {};
};

/// Registers itself when constructed at namespace scope, as Register does.
struct RegisterFormula {
  explicit RegisterFormula(Formula formula);
};

/// Sorted by name. Formulas that contradict themselves, among them those whose example is not accepted, are thrown all
/// at once, as std::logic_error.
[[nodiscard]] const std::vector<Formula>& all_formulas();
/// Problems of these formulas, one sentence each.
[[nodiscard]] std::vector<std::string> contradictions(const std::vector<Formula>& formulas);
/// Throws Error{usage} with the nearest name.
[[nodiscard]] const Formula& find_formula(const std::string& name);
/// The arguments "KEY=VALUE" of a call; throws Error{usage} with key, value, allowed values and the nearest name.
[[nodiscard]] FormulaArguments arguments_of(const Formula& formula, const std::vector<std::string>& words);
/// "m D [alpha]".
[[nodiscard]] std::string usage_of(const Formula& formula);

}  // namespace retrial::workloads::inline interface
