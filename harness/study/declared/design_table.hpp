#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/command_line/arguments.hpp"
#include "results/json/json.hpp"
#include "variance/designs/design.hpp"
#include "workloads/interface/declaration.hpp"

/// The fields of a declared design. Each is one row of a table that feeds the reader of study files, the options, the
/// checks of single values, the stored document, the printed study file, the report and the manual.
namespace retrial::harness::inline study::inline declared {

/// The type of a field: text, an integer, a double, two doubles, one or several integers.
enum class FieldKind { text, whole, number, interval, counts };

enum class Written { always, if_declared, never };

struct DesignField {
  std::string name;  ///< key of [compare] and of the document; with '-' for '_' the option
  FieldKind kind = FieldKind::text;
  std::string value_name, meaning;                 ///< for help and manual
  Json (*get)(const variance::Design&) = nullptr;  ///< null: the design has no such value
  void (*set)(const Json&, variance::Design&) = nullptr;
  std::vector<std::string> choices = {};  ///< text only
  workloads::Range range = {};            ///< whole and number only
  std::string label = {};                 ///< in the report; empty: the name
  bool percent = false;                   ///< in the report
  /// Whether the field has a meaning in this design; if not, `belongs` says where it has one.
  bool (*has_meaning)(const variance::Design&) = [](const variance::Design&) { return true; };
  std::string belongs = {};
  Written in_document = Written::if_declared, in_file = Written::if_declared;

  [[nodiscard]] std::string option() const { return option_for(name); }  ///< "tie-limit"
  [[nodiscard]] std::string help() const;                                ///< the meaning with the default
  [[nodiscard]] std::string form() const;                                ///< "0 to 0.5", for the manual
  [[nodiscard]] std::string allowed() const;                             ///< "0 < alpha < 0.5", for messages
  [[nodiscard]] std::string fallback() const;                            ///< the default; empty: none
  [[nodiscard]] bool closed() const { return choices.size() <= 3; }      ///< text with at most three choices
  [[nodiscard]] bool declared(const variance::Design& design) const;     ///< has a value other than the default
};

[[nodiscard]] const std::vector<DesignField>& design_table();
[[nodiscard]] const DesignField& design_field(const std::string& name);

/// Declared values by field; fields left out have their defaults.
using GivenDesign = std::map<std::string, Json>;

/// A value as users write it: "0.05"; "dual_e"; "0.4, 0.6".
[[nodiscard]] std::string field_text(const Json& value);

/// Boundaries of a sequential family are summed over all paths, in time quadratic in the number of pairs.
constexpr std::int64_t max_sequential_pairs = 10'000;

}  // namespace retrial::harness::inline study::inline declared
