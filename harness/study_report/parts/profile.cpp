#include "harness/profile/profile_page.hpp"
#include "harness/study_report/parts/parts.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline study_report::inline parts {

Part profile_part(const Material& material) {
  const StudyView& study = material.study;
  if (!study.profile || !material.finished) return {.section = std::nullopt, .data = Json::object()};
  const auto variants =
      stored_profile(material.store, study.plan, *study.profile, results::parse_hex16(study.seed).value());
  Part part = harness::profile_part({.study = study.name,
                                     .workload = study.workload,
                                     .seed = study.seed,
                                     .mode = determinism::mode_text(study.mode),
                                     .tolerance = study.profile->tolerance,
                                     .blocks = study.profile->blocks,
                                     .pairs = study.pairs},
                                    variants);
  part.section->title = "Profile";
  auto& blocks = part.section->blocks;
  auto place = blocks.insert(blocks.begin() + 1, shares_figure(variants));
  if (study.profile->blocks > 0) blocks.insert(place + 1, bias_figure(variants));
  part.data = {{"profile", std::move(part.data)}};
  return part;
}

}  // namespace retrial::harness::inline study_report::inline parts
