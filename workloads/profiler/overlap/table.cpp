#include "workloads/profiler/overlap/table.hpp"

#include "results/text/text.hpp"
#include "workloads/profiler/overlap/sweep.hpp"

namespace retrial::profiler::inline overlap {
namespace {

/// The keys of one sweep: the regions, then operations, then categories.
class Keys {
 public:
  void add_region(const Interval& interval) { keys_.at(0).intervals.push_back(interval); }
  void add_operation(const std::string& name, const Interval& interval) {
    const auto [place, fresh] = operations_.try_emplace(name, static_cast<std::uint32_t>(keys_.size()));
    if (fresh) keys_.push_back({.name = name});
    keys_[place->second].intervals.push_back(interval);
  }
  void add_category(Category category, const Interval& interval) {
    const Categories bit = bit_of(category);
    const auto [place, fresh] = categories_.try_emplace(bit, static_cast<std::uint32_t>(keys_.size()));
    if (fresh) keys_.push_back({.name = std::string(name_of(category))});
    keys_[place->second].intervals.push_back(interval);
  }

  [[nodiscard]] Table swept() const {
    std::vector<Categories> bit(keys_.size());
    for (const auto& [b, key] : categories_) bit[key] = b;
    Table table;
    for (const auto& [set, time] : sweep(keys_).sets) {
      CellKey cell;
      for (const std::uint32_t key : set) {
        if (bit[key] != 0)
          cell.categories |= bit[key];
        else if (key != 0)
          cell.operations.push_back(keys_[key].name);
      }
      std::ranges::sort(cell.operations);
      table[std::move(cell)] += time.total;
    }
    return table;
  }

 private:
  std::vector<SweepKey> keys_{{.name = "region"}};
  std::map<std::string, std::uint32_t> operations_;
  std::map<Categories, std::uint32_t> categories_;
};

void add_thread(Keys& keys, const Timeline& timeline, const ThreadTime& thread,
                const std::vector<OperationSegment>& operations) {
  for (const OperationSegment& s : operations) keys.add_operation(timeline.name(s.operation), s);
  for (const LayerSegment& s : thread.layers) keys.add_category(s.layer, s);
}

void add_spans(Keys& keys, const std::vector<Span>& spans, const std::vector<Region>& regions) {
  for (const Span& s : inside_regions(spans, regions)) keys.add_category(s.category, s);
}

}  // namespace

std::string text_of_categories(Categories set) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < category_names.size(); ++i)
    if ((set & (1U << i)) != 0)
      names.emplace_back(Categories(1U << i) == gpu_bit ? std::string_view("GPU") : category_names.at(i));
  return names.empty() ? "(idle)" : results::joined(names, " + ");
}

std::string CellKey::operation_text() const {
  return operations.empty() ? "(none)" : results::joined(operations, " + ");
}

Table table_of(const Timeline& timeline, const std::vector<ThreadTime>& threads, const std::vector<Span>& windows) {
  Keys keys;
  for (const Region& r : timeline.regions) keys.add_region(r);
  for (const ThreadTime& thread : threads) add_thread(keys, timeline, thread, thread.operations);
  for (const auto* spans : {&timeline.gpu, &timeline.overhead, &windows}) add_spans(keys, *spans, timeline.regions);
  return keys.swept();
}

Table table_of_thread(const Timeline& timeline, const ThreadTime& thread) {
  Keys keys;
  for (const LayerSegment& s : thread.layers) keys.add_region(s);
  add_thread(keys, timeline, thread, thread.works_for);
  const Launches launches(timeline);
  std::vector<Span> gpu;
  for (const Span& s : timeline.gpu)
    if (const Span* call = launches.call_of(s); call != nullptr && call->lane == thread.lane) gpu.push_back(s);
  add_spans(keys, gpu, timeline.regions);
  return keys.swept();
}

std::uint64_t total(const Table& table) {
  std::uint64_t sum = 0;
  for (const auto& [cell, ns] : table) sum += ns;
  return sum;
}

namespace {

void add_to(Resources& r, Categories set, std::uint64_t ns) {
  (has_cpu(set) ? (has_gpu(set) ? r.both : r.cpu_only) : (has_gpu(set) ? r.gpu_only : r.idle)) += ns;
}

}  // namespace

Resources resources_of(const Table& table) {
  Resources out;
  for (const auto& [cell, ns] : table) add_to(out, cell.categories, ns);
  return out;
}

std::map<std::string, Resources> resources_by_operation(const Table& table) {
  std::map<std::string, Resources> out;
  for (const auto& [cell, ns] : table) add_to(out[cell.operation_text()], cell.categories, ns);
  return out;
}

std::map<Category, std::uint64_t> category_totals(const Table& table) {
  std::map<Category, std::uint64_t> out;
  for (const auto& [cell, ns] : table)
    for (std::size_t i = 0; i < category_names.size(); ++i)
      if ((cell.categories & (1U << i)) != 0) out[static_cast<Category>(i)] += ns;
  return out;
}

}  // namespace retrial::profiler::inline overlap
