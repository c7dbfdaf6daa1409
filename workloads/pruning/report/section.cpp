#include <algorithm>

#include "results/text/text.hpp"
#include "workloads/pruning/report/views.hpp"

namespace retrial::pruning {
namespace {

std::vector<report::Block> notes_of(const PruningStudy& study) {
  std::vector<report::Block> out;
  const bool empty =
      std::all_of(study.variants.begin(), study.variants.end(), [](const auto& v) { return v.runs.empty(); });
  if (study.one_pair())
    out.emplace_back(report::Paragraph{empty ? "no trial has a result" : "1 pair: no interval, no verdict"});
  std::vector<std::string> unstructured, untrained;
  for (const VariantCascades& variant : study.variants) {
    if (variant.unstructured) unstructured.push_back(variant.variant);
    for (const CascadeRun& run : variant.runs)
      if (run.untrained()) untrained.push_back(variant.variant + "/" + std::to_string(run.pair));
  }
  if (!unstructured.empty())
    out.emplace_back(report::Paragraph{"unstructured: no speed-up expected (" + results::joined(unstructured) + ")"});
  if (!untrained.empty())
    out.emplace_back(report::Warning{"parent untrained, so potentials are meaningless: " + results::joined(untrained)});
  return out;
}

void append(std::vector<report::Block> more, std::vector<report::Block>& to) {
  for (report::Block& block : more) to.push_back(std::move(block));
}

}  // namespace

report::Section report_notes(const workloads::StudyEvidence& evidence) {
  return {.id = "notes", .title = "", .blocks = notes_of(read_cascades(evidence))};
}

/// The accuracy of the cascades, then each table with its drawing.
report::Part report_section(const workloads::StudyEvidence& evidence) {
  const PruningStudy study = read_cascades(evidence);
  report::Section section{.id = "pruning", .title = "Pruning", .blocks = notes_of(study)};
  append(accuracy_figures(study), section.blocks);
  Json data = Json::object();
  for (const Table& table : tables()) {
    report::Part part = table.make(study, {});
    append(std::move(part.section->blocks), section.blocks);
    if (table.draw != nullptr) append(table.draw(study), section.blocks);
    data.update(part.data);
  }
  return {.section = std::move(section), .data = std::move(data)};
}

}  // namespace retrial::pruning
