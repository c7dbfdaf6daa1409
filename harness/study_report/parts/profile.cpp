#include "harness/profile/profile_page.hpp"
#include "harness/profile/trend_figures.hpp"
#include "harness/stored/stored_study.hpp"
#include "harness/study_report/parts/parts.hpp"
#include "results/text/text.hpp"
#include "workloads/interface/registry.hpp"

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
  std::vector<report::Block> figures{shares_figure(variants)};
  if (study.profile->blocks > 0) figures.emplace_back(bias_figure(variants));
  figures.emplace_back(transitions_figure(variants));
  std::vector<Values> keys;
  for (const VariantView& variant : study.variants)
    keys.push_back(values_of(workloads::find_workload(study.workload, ""), variant));
  if (auto swept = swept_figure(variants, keys)) figures.emplace_back(std::move(*swept));
  blocks.insert(blocks.begin() + 1, std::make_move_iterator(figures.begin()), std::make_move_iterator(figures.end()));
  part.data = {{"profile", std::move(part.data)}};
  return part;
}

}  // namespace retrial::harness::inline study_report::inline parts
