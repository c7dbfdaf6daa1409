#include "harness/by_source/part.hpp"

#include "harness/by_source/figures.hpp"
#include "harness/by_source/words.hpp"
#include "harness/text/output.hpp"

namespace retrial::harness::inline by_source {
namespace {

using report::right;

/// Figures and tables with a line per group say nothing once there are more lines than that.
constexpr std::size_t max_lines = 40;

report::Table purchase_table(const VariantSources& variant, std::int64_t k) {
  report::Table out{.caption = "Gain from re-drawing each source: how many independent runs " + counted(k, "run") +
                               " of " + variant.variant + " are worth, at most",
                    .columns = {"re-drawn for every run", right("worth")},
                    .rows = {{"none", "1"}}};
  std::string so_far;
  for (const auto& step : variance::order_of_purchase(*variant.shares, k)) {
    so_far += (so_far.empty() ? "" : " + ") + source_name(step.source);
    out.rows.push_back({so_far, short_text(step.worth, 3)});
  }
  return out;
}

void add_shares(const SourceStudy& study, const VariantSources& variant, std::vector<report::Block>& to) {
  const std::string heading = variant.variant + ": " + design_sentence(study) + "; " +
                              short_text(variant.trainings, 10) + " trainings in total";
  if (!variant.shares) {
    to.emplace_back(report::Paragraph{heading + ". sd " + (variant.sd ? short_text(*variant.sd) : "-") + " over " +
                                      counted(variant.runs, "run") + "; this design does not separate sources."});
    return;
  }
  to.emplace_back(
      source_table(variant, heading + ". A share is a part of the variance of a run that re-draws every source."));
  if (const auto text = summary_sentence(variant); !text.empty()) to.emplace_back(report::Paragraph{text});
  if (!(variant.shares->total > 0.0)) return;
  to.emplace_back(share_figure(study, variant));
  if (variant.shares->sources.size() > 1) to.emplace_back(purchase_table(variant, study.design.runs));
}

void add_variant(const SourceStudy& study, const VariantSources& variant, const BudgetChoice& choice,
                 std::vector<report::Block>& to) {
  add_shares(study, variant, to);
  if (variant.spread.size() > 1 && variant.spread.size() <= max_lines) to.emplace_back(spread_figure(study, variant));
  if (variant.groups && variant.groups->groups.size() <= max_lines) {
    to.emplace_back(group_table(study, variant));
    to.emplace_back(group_figure(study, variant));
  }
  to.emplace_back(report::Facts{source_notes(study, variant, budget_answer(study, variant, choice), choice)});
  for (const auto& claim : variant.claims)
    if (!claim.valid) to.emplace_back(report::Warning{claim_text(claim), "claim"});
}

void add_difference(const SourceStudy& study, std::vector<report::Block>& to) {
  auto facts = difference_notes(study);
  if (!facts.empty()) to.emplace_back(report::Paragraph{"Both variants under the same seeds"});
  if (!facts.empty()) to.emplace_back(report::Facts{std::move(facts)});
  if (study.difference && !study.difference->valid)
    to.emplace_back(report::Warning{study.difference->candidate + " - " + study.difference->baseline +
                                    ": INVALID (one-cluster): one search, or one draw of what is frozen, supports no "
                                    "claim about new ones"});
}

}  // namespace

report::Part source_part(const SourceStudy& study, const BudgetChoice& choice) {
  report::Section section{.id = "sources", .title = "Sources of the variance of " + study.metric.name};
  for (const auto& variant : study.variants) add_variant(study, variant, choice, section.blocks);
  add_difference(study, section.blocks);
  return {.section = std::move(section), .data = source_document(study, choice)};
}

}  // namespace retrial::harness::inline by_source
