#include "results/record/record_text.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::results::inline record {
namespace {

[[noreturn]] void refuse_metric(const std::string& metric, const std::string& problem) {
  throw Error({.code = "record.metric", .field = "metric", .value = one_line(metric, 100), .problem = problem});
}

std::map<std::string_view, const MetricDef*> by_name(const TrialRecord& record) {
  std::map<std::string_view, const MetricDef*> out;
  for (const MetricDef& def : record.defs)
    if (const auto [known, fresh] = out.emplace(def.name, &def); !fresh && *known->second != def)
      refuse_metric(def.name, "has two different definitions in one trial");
  return out;
}

}  // namespace

// Only metrics with values keep their definitions: others could not be recovered from the store.
Measured measured(const TrialRecord& record) {
  const auto defined = by_name(record);
  Measured out{.defs = {}, .points = divided(record.metrics)};
  const auto use = [&](const std::string& name) {
    if (out.defs.contains(name)) return;
    const auto def = defined.find(name);
    if (def == defined.end()) refuse_metric(name, "has no definition");
    out.defs.emplace(*def);
  };
  for (const MetricValue& row : out.points.rows) use(row.name);
  for (const SeriesChunk& chunk : out.points.series) use(chunk.name);
  return out;
}

}  // namespace retrial::results::inline record
