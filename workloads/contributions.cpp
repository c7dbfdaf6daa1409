#include "workloads/contributions.hpp"

#include <algorithm>
#include <stdexcept>

#include "workloads/registry.hpp"

namespace retrial::workloads {
namespace {

std::vector<SharedContribution>& registered() {
  static std::vector<SharedContribution> all;
  return all;
}

/// Sorted by name, so that a name given twice stands next to itself.
void require_sound(const std::vector<SharedContribution>& all) {
  const std::string* before = nullptr;
  for (const SharedContribution& shared : all) {
    const bool unique = (before == nullptr || *before != shared.name) && workload_if_known(shared.name) == nullptr;
    if (shared.name.empty() || !unique || !shared.used)
      throw std::logic_error("contradictory shared contribution \"" + shared.name + "\"");
    before = &shared.name;
  }
}

std::vector<SharedContribution> sorted_and_sound() {
  auto all = registered();
  std::ranges::sort(all, {}, &SharedContribution::name);
  require_sound(all);
  return all;
}

}  // namespace

RegisterSharedContribution::RegisterSharedContribution(SharedContribution shared) {
  registered().push_back(std::move(shared));
}

const std::vector<SharedContribution>& shared_contributions() {
  static const auto all = sorted_and_sound();
  return all;
}

std::vector<Contributor> contributions_of(const Declaration& declaration, std::span<const Values> variants) {
  std::vector<Contributor> out{{declaration.name, &declaration.contributes}};
  for (const SharedContribution& shared : shared_contributions())
    if (std::ranges::any_of(variants, [&](const Values& values) { return shared.used(declaration, values); }))
      out.push_back({shared.name, &shared.contributes});
  return out;
}

}  // namespace retrial::workloads
