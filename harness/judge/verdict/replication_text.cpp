#include "harness/judge/verdict/replication_text.hpp"

#include "harness/estimates/estimate_document.hpp"
#include "harness/text/numbers.hpp"
#include "results/json/json.hpp"

namespace retrial::harness::inline judge::inline verdict {

report::Fact replication_fact(const variance::Replication& replication, std::string_view verdict) {
  const auto& p = replication.probability;
  if (!replication.why.empty()) return {"replication", "-", replication.why};
  return {"replication", percent(p.point),
          std::string(verdict) + " again with new seeds; " + percent(p.level) + " CI " + percent(*p.low) + " to " +
              percent(*p.high) + ", " + p.method};
}

Json replication_json(const std::optional<variance::Replication>& replication) {
  if (!replication) return {};
  const bool known = replication->why.empty();
  return {{"probability", known ? estimate_json(replication->probability) : Json()},
          {"studies", replication->studies},
          {"why", known ? Json() : Json(replication->why)}};
}

}  // namespace retrial::harness::inline judge::inline verdict
