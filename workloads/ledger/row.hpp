#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Published results as rows: what a publication says of one training, and where that was read.
namespace retrial::ledger {

/// Which epoch's score was published.
enum class EpochRule { last, best_test, unknown };
[[nodiscard]] std::string name_of(EpochRule rule);

/// A key of the workload with its value as one types it behind --set.
struct Setting {
  std::string key, value;
};
using Settings = std::vector<Setting>;

/// One cell of a published table.
struct Row {
  std::string id;                                 ///< unique in its ledger: "ruffy2019.table3.kd"
  std::string source;                             ///< the publication
  std::string table;                              ///< where in it
  std::string origin;                             ///< where the number itself was read
  std::string dataset, teacher, student, method;  ///< names of this program where it has them; teacher "none"
  std::string label;                              ///< the method's name in print
  std::string metric = "top-1", unit = "%";
  double value = 0.0;
  std::optional<double> sd;
  std::optional<std::int64_t> runs;  ///< absent: not said
  EpochRule epoch_rule = EpochRule::unknown;
  bool seeds_published = false;
  double reading = 0.0;  ///< read from a plot: half the width of the reading error, in the unit
  bool verified = true;  ///< false: seen in other papers only, never judged
  Settings subject;      ///< keys a variant must have to be about this row; empty: no workload runs it
  Settings protocol;     ///< keys it must have to be comparable
  std::string our_metric = "accuracy";
  std::optional<double> base, printed_change;  ///< what the change is from, and the change as printed beside the value
};

/// "kd, resnet26s to resnet8s, cifar10"; without a teacher "ce, resnet8s, cifar10".
[[nodiscard]] std::string cell_text(const Row& row);

}  // namespace retrial::ledger
