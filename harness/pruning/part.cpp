#include "harness/pruning/views.hpp"

namespace retrial::harness {
namespace {

/// The drawing that stands behind the tables of a view.
std::vector<report::Block> figures_of(const std::string& flag, const PruningStudy& study) {
  if (flag == "potential") return potential_figures(study);
  if (flag == "excess") return excess_figures(study);
  return {};
}

void append(std::vector<report::Block> more, std::vector<report::Block>& to) {
  for (report::Block& block : more) to.push_back(std::move(block));
}

}  // namespace

/// One section: where the cascades go, then view by view what is worth a table, and its drawing.
Part pruning_part(const Material& material) {
  if (!prunes(material.study) || !material.finished) return {.section = std::nullopt, .data = Json::object()};
  const PruningStudy study = read_cascades(material);
  report::Section section{.id = "pruning", .title = "Pruning", .blocks = pruning_notes(study)};
  append(accuracy_figures(study), section.blocks);
  Json data = Json::object();
  for (const PruningView& view : pruning_views()) {
    Part part = view.make(study, {});
    append(std::move(part.section->blocks), section.blocks);
    append(figures_of(view.flag, study), section.blocks);
    data.update(part.data);
  }
  return {.section = std::move(section), .data = {{"pruning", std::move(data)}}};
}

}  // namespace retrial::harness
