#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "workloads/profiler/overlap/table.hpp"

namespace retrial::profiler::inline overhead {

/// Costs in integer ns an event, for windows.
struct EventCosts {
  std::int64_t annotation = 0, api_callback = 0;
  std::map<Category, std::int64_t> hooks;
  std::map<std::string, std::int64_t> calls;  ///< inflation inside CUPTI, by name of the call
};

/// Where the cost of profiling is in time: after the begin of an operation, before the begin of a layer, after the
/// begin of a call (CUPTI) and after its end (the callback). None leaves the operation in which it begins.
[[nodiscard]] std::vector<Span> overhead_windows(const Timeline& timeline, const std::vector<ThreadTime>& threads,
                                                 const EventCosts& costs);

/// A table without the cost of profiling. A cell of a profiling category is discarded; under work of a GPU its time
/// stays, as time of the GPU alone.
struct Subtracted {
  Table table;
  std::uint64_t charged = 0, discarded = 0, moved = 0;
  std::map<Categories, std::uint64_t> by_overhead;  ///< what was charged, by set of profiling categories
  std::map<std::string, std::uint64_t> charged_by_operation, moved_by_operation;
};
[[nodiscard]] Subtracted without_overhead(const Table& table);

/// What a count of events charges one operation in cells of one layer.
struct OperationCharge {
  std::string operation;
  Category layer = Category::app;
  double ns = 0;         ///< events times cost
  double under_gpu = 0;  ///< share of it that falls under work of a GPU, 0 to 1
};
struct CorrectedTable {
  std::map<CellKey, double> cells;
  double charged = 0, discarded = 0, moved = 0;
  double unplaced = 0;  ///< charged to a cell that held less
};
[[nodiscard]] CorrectedTable corrected_by_count(const Table& table, const std::vector<OperationCharge>& charges);

}  // namespace retrial::profiler::inline overhead
