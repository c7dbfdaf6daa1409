#include "harness/plan/plan_documents.hpp"

#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline plan {

std::vector<std::pair<std::string, Json>> documents_of(const Study& study, const Plan& plan) {
  std::vector<std::pair<std::string, Json>> documents;
  if (plan.design) documents.emplace_back("design", *plan.design);
  for (const auto& search : plan.searches) documents.emplace_back("config", search);
  for (const auto& variant : study.variants) {
    Json values = Json::object();
    for (const auto& [key, value] : workloads::portable(workloads::find_workload(study.workload, ""), variant.values))
      values[key] = results::canonical_value(value);
    documents.emplace_back("config", Json{{"schema", "retrial.config/1"}, {"values", std::move(values)}});
  }
  return documents;
}

}  // namespace retrial::harness::inline plan
