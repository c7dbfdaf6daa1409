#pragma once

#include <map>
#include <string>
#include <vector>

#include "results/json/json.hpp"

namespace retrial::harness::inline study::inline declared {

enum class GateKeyKind { number, whole, flag, text, texts };

/// One key of the table [gate], which is also an option of `retrial gate`.
struct GateKey {
  std::string name;
  GateKeyKind kind;
  std::string form, meaning;
  std::vector<std::string> choices = {};  ///< of a text

  [[nodiscard]] std::string option() const;
};
[[nodiscard]] const std::vector<GateKey>& gate_keys();

/// The table [gate] as a file has it: values of the right kind by name, and the place of each. Ranges are checked
/// later.
struct GateTable {
  Json values = Json::object();
  std::map<std::string, std::string> places;  ///< "suite.toml:12:1"
};

}  // namespace retrial::harness::inline study::inline declared
