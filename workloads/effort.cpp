#include "workloads/effort.hpp"

#include <map>

namespace retrial::workloads {
namespace {

std::map<std::string, EffortOf>& efforts() {
  static std::map<std::string, EffortOf> all;
  return all;
}

}  // namespace

RegisterEffort::RegisterEffort(const std::string& workload, EffortOf effort) {
  efforts().emplace(workload, std::move(effort));
}

std::optional<Effort> effort_of(const std::string& workload, const Values& values, const std::filesystem::path& data) {
  const auto found = efforts().find(workload);
  return found == efforts().end() ? std::nullopt : std::optional(found->second(values, data));
}

}  // namespace retrial::workloads
