#include "harness/by_source/page.hpp"

#include <string>
#include <vector>

#include "harness/judge/verdict_words.hpp"
#include "harness/text/colour.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "harness/text/table.hpp"

namespace retrial::harness::inline by_source {
namespace {

std::string purchase_text(const VariantSources& variant, std::int64_t k) {
  const auto& shares = *variant.shares;
  if (shares.sources.size() < 2 || !(shares.total > 0.0)) return "";
  TextTable table({{"drawn anew for every run"}, {std::to_string(k) + " runs are worth", Align::right}, {""}});
  table.add({"nothing", "1", "one run and its copies"});
  std::string so_far;
  for (const auto& step : variance::order_of_purchase(shares, k)) {
    so_far += (so_far.empty() ? "" : " + ") + source_name(step.source);
    table.add({so_far, short_text(step.worth, 3), "independent runs at most"});
  }
  return "\n" + bold("What drawing one more source anew buys") + "\n" + table.text(2, terminal_width());
}

std::string shares_text(const SourceStudy& study, const VariantSources& variant) {
  std::string out;
  if (variant.shares) {
    const auto lines = source_lines(variant);
    const bool total = !variant.shares->sources.empty() && variant.shares->sources.front().total_share.has_value();
    const std::string level = percent(variant.shares->sources.front().share.level);
    std::vector<Column> columns{
        {"source"},          {"sd", Align::right},  {"share", Align::right}, {level + " interval"},
        {"of the variance"}, {"runs", Align::right}};
    if (total) columns.push_back({"with interactions", Align::right});
    TextTable table(columns);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const auto& line = lines[i];
      std::vector<std::string> cells{line.source, line.sd, line.share, line.interval, line.variance, line.runs};
      if (total && i < variant.shares->sources.size())
        cells.push_back(percent(variant.shares->sources[i].total_share->point));
      table.add(cells);
    }
    out += table.text(2, terminal_width());
  } else {
    out += "  sd " + (variant.sd ? short_text(*variant.sd) : "-") + " over " + counted(variant.runs, "run") +
           "; this design tells no sources apart\n";
  }
  out += "\n";
  for (const auto& text : source_notes(study, variant))
    for (const auto& line : wrapped(text, terminal_width() - 2)) out += "  " + line + "\n";
  return out;
}

std::string groups_text(const SourceStudy& study, const VariantSources& variant) {
  const auto lines = group_lines(study, variant);
  if (lines.empty()) return "";
  TextTable table({{"group"},
                   {"runs", Align::right},
                   {"mean", Align::right},
                   {"interval"},
                   {"effect", Align::right},
                   {"interval"}});
  for (const auto& line : lines)
    table.add({line.group, line.runs, line.mean, line.interval, line.effect, line.effect_interval});
  std::string out = "\n" + bold(group_title(study)) + "\n" + table.text(2, terminal_width()) + "\n";
  for (const auto& note : group_notes(study, variant))
    for (const auto& line : wrapped(note, terminal_width() - 2)) out += "  " + line + "\n";
  return out;
}

std::vector<std::string> budget_lines(const SourceStudy& study, const VariantSources& variant,
                                      const BudgetChoice& choice) {
  const auto answer = budget_answer(study, variant, choice);
  const auto spending = [](std::int64_t searches, std::int64_t runs) {
    return std::to_string(searches) + " searches with " + counted(runs, "run") + " each";
  };
  std::vector<std::string> out;
  if (const auto& plan = answer.budget)
    out.push_back(short_text(*choice.budget, 10) + " trainings: " + spending(plan->searches, plan->runs_per_search) +
                  " give a standard error of " + short_text(plan->se) + ", worth " + short_text(plan->effective) +
                  " ideal runs (ideal runs alone: " + short_text(plan->ideal_se) + ")");
  if (const auto& plan = answer.se)
    out.push_back("a standard error of " + short_text(*choice.se) + " takes " +
                  spending(plan->searches, plan->runs_per_search) + ": " + short_text(plan->trainings, 10) +
                  " trainings");
  return out;
}

/// A titled paragraph of lines; nothing without lines.
std::string section_of(const std::string& title, const std::vector<std::string>& lines) {
  if (lines.empty()) return "";
  std::string out = "\n" + bold(title) + "\n";
  for (const auto& text : lines)
    for (const auto& line : wrapped(text, terminal_width() - 2)) out += "  " + line + "\n";
  return out;
}

}  // namespace

std::string source_page(const SourceStudy& study, const BudgetChoice& choice) {
  std::string out;
  for (const auto& variant : study.variants) {
    if (!out.empty()) out += "\n";
    out += bold("Where the variance of " + study.metric.name + " comes from: " + variant.variant) + "\n";
    const std::string trainings = short_text(variant.trainings, 10) + " trainings in all";
    for (const auto& line : wrapped(design_sentence(study) + "; " + trainings, terminal_width() - 2))
      out += "  " + line + "\n";
    if (const auto summary = summary_sentence(variant); !summary.empty()) out += "  " + summary + "\n";
    out += "\n" + shares_text(study, variant);
    if (variant.shares) out += purchase_text(variant, study.design.runs);
    out += groups_text(study, variant);
    out += section_of("What a search that is fixed costs", estimator_notes(variant));
    std::vector<std::string> claims;
    for (const auto& claim : variant.claims) claims.push_back(claim_text(claim));
    out += section_of("What may be claimed", claims);
    out += section_of("What precision costs", budget_lines(study, variant, choice));
  }
  return out + section_of("Both variants under the same seeds", difference_notes(study));
}

}  // namespace retrial::harness::inline by_source
