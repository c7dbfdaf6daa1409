#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "workloads/profiler/overlap/gpu.hpp"
#include "workloads/profiler/overlap/threads.hpp"

/// Where the time went: one cell for each set of operations and of categories that was active at once.
namespace retrial::profiler::inline overlap {

/// A set of categories: bit i is category i; the three kinds of work of a GPU are one.
using Categories = std::uint16_t;
[[nodiscard]] constexpr Categories bit_of(Category c) {
  return static_cast<Categories>(1U << static_cast<unsigned>(is_gpu(c) ? Category::gpu_kernel : c));
}
inline constexpr Categories gpu_bit = bit_of(Category::gpu_kernel);
inline constexpr Categories cpu_bits = 0xF, profiling_bits = 0xF80;
[[nodiscard]] constexpr bool has_gpu(Categories set) {
  return (set & gpu_bit) != 0;
}
[[nodiscard]] constexpr bool has_cpu(Categories set) {
  return (set & (cpu_bits | profiling_bits)) != 0;
}
/// "Backend + GPU"; "(idle)" for none.
[[nodiscard]] std::string text_of_categories(Categories set);

struct CellKey {
  std::vector<std::string> operations;  ///< in alphabetical order; empty: none was open
  Categories categories = 0;

  auto operator<=>(const CellKey&) const = default;
  [[nodiscard]] std::string operation_text() const;  ///< "(none)" for none
};
using Table = std::map<CellKey, std::uint64_t>;  ///< ns

/// All threads of a process in one sweep. The cells add up to the time of the regions: nothing is left out. `windows`:
/// intervals of profiling categories (overhead/windows.hpp), beside those that a collector recorded.
[[nodiscard]] Table table_of(const Timeline& timeline, const std::vector<ThreadTime>& threads,
                             const std::vector<Span>& windows = {});
/// One thread, with the work of a GPU that its calls launched.
[[nodiscard]] Table table_of_thread(const Timeline& timeline, const ThreadTime& thread);

[[nodiscard]] std::uint64_t total(const Table& table);

/// Disjoint times of the two resources.
struct Resources {
  std::uint64_t cpu_only = 0, gpu_only = 0, both = 0, idle = 0;

  bool operator==(const Resources&) const = default;
  [[nodiscard]] std::uint64_t cpu() const { return cpu_only + both; }
  [[nodiscard]] std::uint64_t gpu() const { return gpu_only + both; }
  [[nodiscard]] std::uint64_t busy() const { return cpu_only + gpu_only + both; }
};
[[nodiscard]] Resources resources_of(const Table& table);
/// The same for each set of operations.
[[nodiscard]] std::map<std::string, Resources> resources_by_operation(const Table& table);
/// Time in which a category was active, alone or not.
[[nodiscard]] std::map<Category, std::uint64_t> category_totals(const Table& table);

}  // namespace retrial::profiler::inline overlap
