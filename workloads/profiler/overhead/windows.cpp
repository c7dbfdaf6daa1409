#include "workloads/profiler/overhead/windows.hpp"

#include <algorithm>

namespace retrial::profiler::inline overhead {
namespace {

class WindowsOfThread {
 public:
  WindowsOfThread(const ThreadTime& thread, std::vector<Span>& to) : thread_(thread), to_(to) {}

  void after(std::int64_t at, std::int64_t ns, Category category) {
    add({at, at + ns}, segment_at(thread_.works_for, at), category);
  }
  void before(std::int64_t at, std::int64_t ns, Category category) {
    add({at - ns, at}, segment_at(thread_.works_for, at - 1), category);
  }

 private:
  void add(Interval window, const OperationSegment* within, Category category) {
    if (within != nullptr) window = {std::max(window.start, within->start), std::min(window.end, within->end)};
    if (window.length() > 0) to_.push_back({window, no_name, thread_.lane, category});
  }

  const ThreadTime& thread_;
  std::vector<Span>& to_;
};

template <typename Map, typename Key>
std::int64_t cost_in(const Map& costs, const Key& key) {
  const auto found = costs.find(key);
  return found == costs.end() ? 0 : found->second;
}

bool in_region(const Timeline& timeline, const Span& span) {
  return std::ranges::any_of(timeline.regions,
                             [&](const Region& r) { return r.start <= span.start && span.start < r.end; });
}

}  // namespace

std::vector<Span> overhead_windows(const Timeline& timeline, const std::vector<ThreadTime>& threads,
                                   const EventCosts& costs) {
  std::vector<Span> out;
  for (const ThreadTime& thread : threads) {
    WindowsOfThread windows(thread, out);
    const auto ours = [&](const Span& s) { return s.lane == thread.lane && in_region(timeline, s); };
    for (const Span& s : timeline.operations)
      if (ours(s) && !s.adopted) windows.after(s.start, costs.annotation, Category::prof_annotation);
    for (const Span& s : timeline.layers)
      if (ours(s)) windows.before(s.start, cost_in(costs.hooks, s.category), Category::prof_hook);
    for (const Span& s : timeline.calls)
      if (ours(s)) {
        windows.after(s.start, cost_in(costs.calls, timeline.name(s.name)), Category::prof_cupti);
        windows.after(s.end, costs.api_callback, Category::prof_api);
      }
  }
  return out;
}

Subtracted without_overhead(const Table& table) {
  Subtracted out;
  for (const auto& [cell, ns] : table) {
    const auto profiling = static_cast<Categories>(cell.categories & profiling_bits);
    if (profiling == 0) {
      out.table[cell] += ns;
      continue;
    }
    out.charged += ns;
    out.by_overhead[profiling] += ns;
    out.charged_by_operation[cell.operation_text()] += ns;
    if (!has_gpu(cell.categories)) {
      out.discarded += ns;
      continue;
    }
    out.moved += ns;
    out.moved_by_operation[cell.operation_text()] += ns;
    out.table[{cell.operations, gpu_bit}] += ns;
  }
  return out;
}

namespace {

/// Takes up to `ns` from the cells of this operation and layer; returns what they did not hold.
double take(CorrectedTable& from, const OperationCharge& charge, bool under_gpu, double ns) {
  for (auto& [cell, held] : from.cells) {
    if (ns <= 0) break;
    if ((cell.categories & bit_of(charge.layer)) == 0 || has_gpu(cell.categories) != under_gpu ||
        cell.operation_text() != charge.operation)
      continue;
    const double taken = std::min(held, ns);
    held -= taken;
    ns -= taken;
  }
  return std::max(0.0, ns);
}

}  // namespace

CorrectedTable corrected_by_count(const Table& table, const std::vector<OperationCharge>& charges) {
  CorrectedTable out;
  for (const auto& [cell, ns] : table) out.cells[cell] = static_cast<double>(ns);
  std::map<CellKey, double> gpu_only;
  for (const OperationCharge& charge : charges) {
    const double moved = charge.ns * charge.under_gpu, discarded = charge.ns - moved;
    const double moved_left = take(out, charge, true, moved), discarded_left = take(out, charge, false, discarded);
    out.charged += charge.ns;
    out.moved += moved - moved_left;
    out.discarded += discarded - discarded_left;
    out.unplaced += moved_left + discarded_left;
    for (const auto& [cell, ns] : table)
      if (cell.operation_text() == charge.operation && moved > moved_left) {
        gpu_only[{cell.operations, gpu_bit}] += moved - moved_left;
        break;
      }
  }
  for (const auto& [cell, ns] : gpu_only) out.cells[cell] += ns;
  return out;
}

}  // namespace retrial::profiler::inline overhead
