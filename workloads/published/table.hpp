#pragma once

#include <functional>
#include <string>
#include <vector>

#include "results/text/value.hpp"
#include "workloads/published/row.hpp"

namespace retrial::published {

/// Relation that a conclusion claims for a difference. none: no claim that the runs of a study could test.
enum class Relation { none, above, below, within, about };

/// A difference between two rows that a publication draws a conclusion from.
struct Gap {
  std::string what;                    ///< "kd - scratch, 200 epochs"
  std::string row, baseline;           ///< ids; the gap is value(row) - value(baseline)
  Relation relation = Relation::none;  ///< above or below 0, within `margin` of it, or `about` a number
  double margin = 0.0;                 ///< margin of `within` and `about`
  double about = 0.0;                  ///< the number that the conclusion names
};

/// A conclusion of a publication, in our words.
struct Conclusion {
  std::string name, text;
  std::vector<Gap> gaps;
};

/// Published rows of one field, and the conclusions drawn from them. A workload contributes it.
struct Table {
  struct Column {
    std::string part, title;  ///< as in Row::cell
  };
  std::string name, title;
  std::vector<Column> columns;
  std::vector<Row> rows = {};
  std::vector<Conclusion> conclusions = {};
  double sd = 0.0;      ///< between seeds, in the unit of the rows, to plan the number of runs
  std::string sd_from;  ///< source of `sd`
  /// Whether the values have the row's method, with any data and networks, so that they can test its conclusions. Empty
  /// function: only values that match the row can.
  std::function<bool(const Row&, const Values&)> same_method = {};
  std::string workload = {};  ///< the contributor; set by all_tables()
};

/// The tables of all workloads, by the workload's name. Made at the first call.
[[nodiscard]] const std::vector<Table>& all_tables();
[[nodiscard]] const Table* find_table(const std::string& name);
/// Throws std::logic_error for an id that no row has.
[[nodiscard]] const Row& find_row(const Table& table, const std::string& id);
[[nodiscard]] double value_of(const Table& table, const Gap& gap);

/// An inconsistency between published rows.
struct Oddity {
  std::string kind;              ///< conflict, rerun, duplicate
  std::vector<std::string> ids;  ///< the rows it is about
  std::string text;
};

/// conflict: two origins in one source give one cell (data set, its parts, method, metric, number of epochs)
/// values that differ by more than their reading errors; or a printed change is not the difference of the printed
/// values beyond rounding. rerun: the same between two sources, which is what running again gives. duplicate: one value
/// under two pairs of networks, same source, data set, method and metric.
[[nodiscard]] std::vector<Oddity> oddities(const std::vector<Row>& rows);

}  // namespace retrial::published
