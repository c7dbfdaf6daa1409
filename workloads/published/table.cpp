#include "workloads/published/table.hpp"

#include <algorithm>
#include <stdexcept>

#include "workloads/interface/registry.hpp"

namespace retrial::published {
namespace {

std::vector<Table> contributed_tables() {
  std::vector<Table> all;
  for (const auto& workload : workloads::all_workloads()) {
    if (!workload.contributes.published) continue;
    for (Table& table : workload.contributes.published()) {
      table.workload = workload.name;
      all.push_back(std::move(table));
    }
  }
  return all;
}

}  // namespace

const std::vector<Table>& all_tables() {
  static const std::vector<Table> all = contributed_tables();
  return all;
}

const Table* find_table(const std::string& name) {
  const auto found = std::ranges::find(all_tables(), name, &Table::name);
  return found == all_tables().end() ? nullptr : &*found;
}

const Row& find_row(const Table& table, const std::string& id) {
  const auto found = std::ranges::find(table.rows, id, &Row::id);
  if (found == table.rows.end()) throw std::logic_error("no row " + id + " in the published table " + table.name);
  return *found;
}

double value_of(const Table& table, const Gap& gap) {
  return find_row(table, gap.row).value - find_row(table, gap.baseline).value;
}

}  // namespace retrial::published
