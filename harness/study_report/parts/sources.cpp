#include "harness/by_source/part.hpp"
#include "harness/study_report/parts/parts.hpp"
#include "results/text/error.hpp"

namespace retrial::harness::inline study_report::inline parts {

Part sources_part(const Material& material) {
  if (!material.study.variance || !material.finished) return {.section = std::nullopt, .data = Json::object()};
  try {
    Part part = source_part(read_sources(material.store, material.study, material.trials, {}), {});
    part.data = {{"sources", std::move(part.data)}};
    return part;
  } catch (const Error& error) {
    if (error.text.exit == Exit::integrity) throw;
    return {.section = {{.id = "sources",
                         .title = "Sources of the variance",
                         .blocks = {report::Warning{error.text.problem + "."}}}},
            .data = {{"sources", nullptr}}};
  }
}

}  // namespace retrial::harness::inline study_report::inline parts
