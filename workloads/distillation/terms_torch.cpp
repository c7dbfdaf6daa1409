#include <algorithm>
#include <stdexcept>
#include <string>

#include "workloads/distillation/losses_torch.hpp"

namespace retrial::distillation {

const std::vector<TermRow>& all_terms() {
  static const std::vector<TermRow> table{
      {"ce", false, [](const Sight& sight, const Weights&) { return ce(sight.student, sight.labels); }},
      {"soft", true,
       [](const Sight& sight, const Weights& weights) { return soft(sight.student, sight.teacher, weights); }},
  };
  return table;
}

const TermRow& find_term(std::string_view name) {
  const auto& table = all_terms();
  const auto found = std::find_if(table.begin(), table.end(), [&](const TermRow& row) { return row.name == name; });
  if (found == table.end()) throw std::logic_error("a method names the unknown term " + std::string(name));
  return *found;
}

}  // namespace retrial::distillation
