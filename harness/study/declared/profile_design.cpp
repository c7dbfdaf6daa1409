#include "harness/study/declared/profile_design.hpp"

#include "harness/study/declared/stored_fields.hpp"
#include "results/json/json.hpp"
#include "results/text/text.hpp"
#include "workloads/profiler/collectors/collector.hpp"

namespace retrial::harness::inline study::inline declared {

Json document_of(const ProfileDesign& design) {
  return {{"blocks", design.blocks},
          {"tolerance", results::hex_of_bits(design.tolerance)},
          {"collector", design.collector}};
}

ProfileDesign profile_design_of(const Json& document) {
  const StoredFields fields(document, "study");
  ProfileDesign out{.blocks = fields.integer("blocks"),
                    .tolerance = fields.bits("tolerance"),
                    .collector = fields.word("collector", profiler::collector_names())};
  if (out.blocks < 0 || out.blocks > 1000) fields.wrong("blocks", "0 to 1000");
  return out;
}

}  // namespace retrial::harness::inline study::inline declared
