#include "workloads/interface/contributions.hpp"

#include <algorithm>
#include <stdexcept>

#include "results/text/text.hpp"
#include "workloads/interface/contradictions.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::workloads::inline interface {
namespace {

std::vector<SharedContribution>& registered_contributions() {
  static std::vector<SharedContribution> all;
  return all;
}

std::vector<SharedContribution> sorted_contributions() {
  auto all = registered_contributions();
  const auto wrong = contradictions(all, all_workloads());
  if (!wrong.empty()) throw std::logic_error("contradictory contributions:\n  " + results::joined(wrong, "\n  "));
  std::ranges::sort(all, {}, &SharedContribution::name);
  return all;
}

}  // namespace

RegisterSharedContribution::RegisterSharedContribution(SharedContribution shared) {
  registered_contributions().push_back(std::move(shared));
}

const std::vector<SharedContribution>& shared_contributions() {
  static const auto all = sorted_contributions();
  return all;
}

std::vector<Contributor> contributions_of(const Declaration& declaration, std::span<const Values> variants) {
  std::vector<Contributor> out{{declaration.name, &declaration.contributes}};
  for (const SharedContribution& shared : shared_contributions())
    if (std::ranges::any_of(variants,
                            [&](const Values& values) { return shared.used && shared.used(declaration, values); }))
      out.push_back({shared.name, &shared.contributes});
  return out;
}

}  // namespace retrial::workloads::inline interface
