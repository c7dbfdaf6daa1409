#include "workloads/ledger/ledger.hpp"

#include <algorithm>
#include <stdexcept>

#include "workloads/ledger/tables.hpp"

namespace retrial::ledger {

std::string name_of(EpochRule rule) {
  switch (rule) {
    case EpochRule::last:
      return "last";
    case EpochRule::best_test:
      return "best-test";
    case EpochRule::unknown:
      return "unknown";
  }
  return "";
}

std::string cell_text(const Row& row) {
  const std::string networks = row.teacher == "none" ? row.student : row.teacher + " to " + row.student;
  return row.method + ", " + networks + ", " + row.dataset;
}

const std::vector<Ledger>& all_ledgers() {
  static const std::vector<Ledger> all{kd_survey(), lost_in_pruning()};
  return all;
}

const Ledger* find_ledger(const std::string& name) {
  const auto& all = all_ledgers();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Ledger& ledger) { return ledger.name == name; });
  return found == all.end() ? nullptr : &*found;
}

const Row& find_row(const Ledger& ledger, const std::string& id) {
  const auto found = std::find_if(ledger.rows.begin(), ledger.rows.end(), [&](const Row& row) { return row.id == id; });
  if (found == ledger.rows.end()) throw std::logic_error("no row " + id + " in ledger " + ledger.name);
  return *found;
}

double value_of(const Ledger& ledger, const Gap& gap) {
  return find_row(ledger, gap.row).value - find_row(ledger, gap.baseline).value;
}

}  // namespace retrial::ledger
