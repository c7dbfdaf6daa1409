#include "workloads/profiler/recording/names.hpp"

#include <deque>
#include <mutex>
#include <unordered_map>

namespace retrial::profiler::inline recording {
namespace {

/// The names of the process, in the order of their first use.
struct NameTable {
  std::mutex mutex;
  std::deque<std::string> names;
  std::unordered_map<std::string_view, NameId> numbers;
};
NameTable& table() {
  static NameTable all;
  return all;
}

}  // namespace

NameId intern(std::string_view name) {
  NameTable& all = table();
  const std::scoped_lock lock(all.mutex);
  if (const auto found = all.numbers.find(name); found != all.numbers.end()) return found->second;
  all.names.emplace_back(name);
  const auto number = static_cast<NameId>(all.names.size() - 1);
  all.numbers.emplace(all.names.back(), number);
  return number;
}

std::string name_of(NameId id) {
  const std::scoped_lock lock(table().mutex);
  return table().names.at(id);
}

std::vector<std::string> all_names() {
  const std::scoped_lock lock(table().mutex);
  return {table().names.begin(), table().names.end()};
}

}  // namespace retrial::profiler::inline recording
