#include "harness/study/declared/profile_design.hpp"

#include "harness/study/declared/stored_fields.hpp"
#include "results/json/json.hpp"
#include "results/text/text.hpp"
#include "workloads/profiler/collectors/collector.hpp"

namespace retrial::harness::inline study::inline declared {

const std::vector<std::string>& profile_levels() {
  static const std::vector<std::string> names{"annotations", "hooks", "full"};
  return names;
}

profiler::Level profile_level(const ProfileDesign& design) {
  return {.operations = design.level != "hooks",
          .layers = design.level != "annotations",
          .collector = design.level != "annotations" && design.collector != profiler::no_collector};
}

/// The level is left out where it is full, as in studies that were stored before there were others.
Json document_of(const ProfileDesign& design) {
  Json out = {{"blocks", design.blocks},
              {"tolerance", results::hex_of_bits(design.tolerance)},
              {"collector", design.collector}};
  if (design.level != ProfileDesign().level) out["level"] = design.level;
  return out;
}

ProfileDesign profile_design_of(const Json& document) {
  const StoredFields fields(document, "study");
  ProfileDesign out{.blocks = fields.integer("blocks"),
                    .tolerance = fields.bits("tolerance"),
                    .collector = fields.word("collector", profiler::collector_names())};
  if (document.contains("level")) out.level = fields.word("level", profile_levels());
  if (out.blocks < 0 || out.blocks > 1000) fields.wrong("blocks", "0 to 1000");
  return out;
}

}  // namespace retrial::harness::inline study::inline declared
