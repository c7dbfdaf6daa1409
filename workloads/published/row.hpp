#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// Published results as rows: the numbers of one training, and their source.
namespace retrial::published {

/// Epoch of the published score.
enum class EpochRule { last, best_test, unknown };
[[nodiscard]] std::string name_of(EpochRule rule);

/// A key of the workload with its value as typed after --set.
struct Setting {
  std::string key, value;
};
using Settings = std::vector<Setting>;

/// One cell of a published table.
struct Row {
  std::string id;               ///< unique in its table: "ruffy2019.table3.kd"
  std::string source;           ///< the publication
  std::string table;            ///< where in it
  std::string origin;           ///< where the number was read
  std::string dataset, method;  ///< names of this program where it has them
  /// Further coordinates of the cell, by the names of `Table::columns`: networks, for example; "none" if absent.
  std::vector<std::pair<std::string, std::string>> cell;
  std::string label;  ///< the method's name in print
  std::string metric = "top-1", unit = "%";
  double value = 0.0;
  std::optional<double> sd;
  std::optional<std::int64_t> runs;  ///< absent: not reported
  EpochRule epoch_rule = EpochRule::unknown;
  bool seeds_published = false;
  double reading = 0.0;  ///< read from a plot: half the width of the reading error, in the unit
  bool verified = true;  ///< false: only quoted in other papers, never judged
  Settings subject;      ///< keys that a variant must have to match this row; empty: no workload runs it
  Settings protocol;     ///< keys it must have to be comparable
  std::string our_metric = "accuracy";
  std::optional<double> base, printed_change;  ///< base of the change, and the change as printed next to the value
};

/// The part of the row's cell with this name; "none" where it has no such part.
[[nodiscard]] std::string part_of(const Row& row, const std::string& name);
/// "kd, resnet26s to resnet8s, cifar10": the parts that are not "none" in the order of the cell.
[[nodiscard]] std::string cell_text(const Row& row);

}  // namespace retrial::published
