#include <algorithm>
#include <cmath>

#include "results/report/drawing/numbers.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "variance/comparisons/comparisons.hpp"
#include "variance/many/multiplicity.hpp"
#include "variance/means/paired.hpp"
#include "variance/verdict/complete_pairs.hpp"
#include "workloads/pruning/keys/keys.hpp"
#include "workloads/pruning/measures/metrics.hpp"
#include "workloads/pruning/report/views.hpp"

namespace retrial::pruning {
namespace {

/// One rule on one distribution at one margin: the mean over pairs, and its step of the grid.
struct RuleMean {
  std::optional<variance::Estimate> mean;
  std::size_t at_end = 0;  ///< runs whose last round qualifies: their potential is at least this
  std::string grid;
};

struct PotentialRow {
  std::string distribution;
  double delta = 0;
  std::size_t pairs = 0;
  RuleMean max, first;
};

double judged_delta(const VariantCascades& variant) {
  return deltas_of(variant.values).front();
}

/// Whether the potential of a run is the deepest ratio of a cascade that reached its last round.
bool ends_with_grid(double potential, const CascadeRun& run, const VariantCascades& variant) {
  const auto ratios = run.potential.at("pr").get<std::vector<double>>();
  return ratios.size() == retrained_grid(variant.values).size() + 1 && potential > 0 &&
         potential == *std::ranges::max_element(ratios);
}

std::string grid_text(double value, const CascadeRun& run) {
  std::vector<pruning::Step> steps;
  for (const double ratio : run.potential.at("pr").get<std::vector<double>>())
    if (ratio > 0) steps.push_back({.pr = ratio});
  const pruning::GridStep step = pruning::grid_step(value, steps);
  return "[" + report::short_text(step.below) + " " + (step.above ? report::short_text(*step.above) : "-") + "]";
}

RuleMean rule_mean(const std::vector<double>& values, const std::vector<const CascadeRun*>& runs,
                   const VariantCascades& variant, double alpha) {
  RuleMean out{.mean = pruning::over_seeds(values, alpha, pruning::percent_range), .grid = ""};
  for (std::size_t i = 0; i < runs.size(); ++i) out.at_end += ends_with_grid(values[i], *runs[i], variant) ? 1 : 0;
  out.grid = grid_text(out.mean->point, *runs.front());
  return out;
}

/// "at least 66.61" where the grid ended before the potential of a run.
std::string mean_text(const RuleMean& rule) {
  return (rule.at_end > 0 ? "at least " : "") + point_text(rule.mean);
}

Json rule_json(const RuleMean& rule) {
  Json out = estimate_json(rule.mean);
  out["at_least"] = rule.at_end;
  return out;
}

/// The rows of the first run; every run of a variant has the same distributions and margins.
std::vector<PotentialRow> potential_rows(const VariantCascades& variant, double alpha) {
  std::vector<const CascadeRun*> runs;
  for (const CascadeRun& run : variant.runs)
    if (!run.potential.is_null()) runs.push_back(&run);
  std::vector<PotentialRow> out;
  if (runs.empty()) return out;
  for (std::size_t i = 0; i < runs.front()->potential.at("potential").size(); ++i) {
    std::vector<double> max, first;
    for (const CascadeRun* run : runs) {
      const Json& row = run->potential.at("potential").at(i);
      max.push_back(row.at("max").get<double>());
      first.push_back(row.at("first_failure").get<double>());
    }
    const Json& row = runs.front()->potential.at("potential").at(i);
    out.push_back({.distribution = row.at("distribution").get<std::string>(),
                   .delta = row.at("delta").get<double>(),
                   .pairs = runs.size(),
                   .max = rule_mean(max, runs, variant, alpha),
                   .first = rule_mean(first, runs, variant, alpha)});
  }
  return out;
}

bool of_noise(const PotentialRow& row) {
  return row.distribution.starts_with("noise_");
}

report::Table potential_table(const PruningStudy& study, const std::string& caption) {
  const std::string interval = interval_title(study);
  return {.caption = caption,
          .columns = {{"variant"},
                      {"distribution"},
                      {"pairs", true},
                      {"max rule", true},
                      {interval, true},
                      {"grid step"},
                      {"first failure", true},
                      {interval, true},
                      {"grid step"}},
          .rows = {}};
}

void add_potential_rows(const PruningStudy& study, std::optional<double> chosen, bool noise, report::Table& to) {
  for (const VariantCascades& variant : study.variants) {
    const double delta = chosen.value_or(judged_delta(variant));
    for (const PotentialRow& row : potential_rows(variant, study.evidence.alpha))
      if (row.delta == delta && of_noise(row) == noise)
        to.rows.push_back({variant.variant, row.distribution, std::to_string(row.pairs), mean_text(row.max),
                           range_text(row.max.mean), row.max.grid, mean_text(row.first), range_text(row.first.mean),
                           row.first.grid});
  }
}

Json potential_json(const PruningStudy& study) {
  Json out = Json::array();
  for (const VariantCascades& variant : study.variants)
    for (const PotentialRow& row : potential_rows(variant, study.evidence.alpha))
      out.push_back({{"variant", variant.variant},
                     {"distribution", row.distribution},
                     {"delta", row.delta},
                     {"judged", row.delta == judged_delta(variant)},
                     {"pairs", row.pairs},
                     {"max", rule_json(row.max)},
                     {"first_failure", rule_json(row.first)}});
  return out;
}

void require_recorded(const PruningStudy& study, double delta) {
  std::vector<std::string> recorded;
  for (const VariantCascades& variant : study.variants)
    for (const PotentialRow& row : potential_rows(variant, study.evidence.alpha)) {
      if (row.delta == delta) return;
      const std::string text = results::text_of(row.delta);
      if (std::find(recorded.begin(), recorded.end(), text) == recorded.end()) recorded.push_back(text);
    }
  throw Error({.code = "report.delta",
               .field = "potential.delta",
               .value = results::text_of(delta),
               .problem = "potentials at this margin were not recorded",
               .allowed = results::joined(recorded)});
}

/// A variant compared with the baseline on the nominal test images, pair by pair. The comparison that was declared
/// before the first run gets the verdict of `compare`; all others get the word that their wins support with a joint
/// error rate for all variants.
struct PairedLine {
  std::string candidate, word;
  bool declared = false;
  std::size_t pairs = 0;
  std::optional<double> p;  ///< two-sided, of the wins alone; absent: too many ties
  bool wins_more = false;   ///< counts the untied pairs
  double p_holm = 1;
  variance::Estimate difference;
  std::string next;
};

constexpr const char* nominal_potential = "potential_nominal_max";

/// Potentials are steps of a grid, often the same in all pairs: the exact sign test assumes nothing about their
/// distribution.
variance::TestOutcome sign_test(const workloads::JudgedPair& judged, const variance::CompletePairs& pairs) {
  return variance::compare("sign", pairs.candidate, pairs.baseline,
                           {.direction = judged.scores.direction, .tie_limit = judged.tie_limit});
}

/// `others`: number of variants compared with the baseline; the intervals of undeclared comparisons hold jointly.
std::optional<PairedLine> paired_line(const PruningStudy& study, const std::string& candidate, std::size_t others) {
  const auto judged = study.evidence.judge(candidate, nominal_potential);
  if (!judged) return std::nullopt;
  const auto pairs = variance::complete_pairs(judged->scores);
  const bool declared = judged->verdict.has_value();
  const double alpha = study.evidence.alpha, share = declared ? alpha : alpha / static_cast<double>(others);
  const auto test = variance::paired_t(pairs.difference, {.alpha = share});
  if (!test) return std::nullopt;
  variance::Estimate difference = test->mean;
  if (test->degenerate) difference.low = difference.high = std::nullopt;
  const variance::TestOutcome wins = sign_test(*judged, pairs);
  return PairedLine{.candidate = candidate,
                    .word = declared ? std::string(variance::name_of(judged->verdict->status)) : "",
                    .declared = declared,
                    .pairs = pairs.difference.size(),
                    .p = wins.p,
                    .wins_more = wins.p_better.value_or(1) < wins.p_worse.value_or(1),
                    .difference = difference,
                    .next = judged->command};
}

/// Holm 1979 over all of them, including the declared one.
void adjust(const PruningStudy& study, std::vector<PairedLine>& lines) {
  std::vector<double> p;
  for (const PairedLine& line : lines) p.push_back(line.p.value_or(1));
  const auto holm = variance::adjusted(p, variance::Adjustment::holm);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    lines[i].p_holm = holm[i];
    if (!lines[i].declared)
      lines[i].word = holm[i] > study.evidence.alpha ? "not settled" : lines[i].wins_more ? "better" : "worse";
  }
}

std::vector<PairedLine> paired_lines(const PruningStudy& study) {
  std::vector<PairedLine> out;
  if (!study.evidence.finished) return out;
  for (const VariantCascades& variant : study.variants)
    if (variant.variant != study.evidence.baseline)
      if (auto line = paired_line(study, variant.variant, study.variants.size() - 1)) out.push_back(std::move(*line));
  adjust(study, out);
  return out;
}

std::string paired_text(const PairedLine& line, const std::string& baseline, std::size_t family) {
  const std::string among =
      family > 1 ? ", by Holm over " + report::counted(static_cast<std::int64_t>(family), "variant") : "";
  const std::string evidence = line.declared
                                   ? ""
                                   : " (not declared before; p " + (line.p ? report::short_text(line.p_holm) : "-") +
                                         " of the wins" + among + ")";
  return line.candidate + " - " + baseline + ", paired: " + line.word + evidence + ", " +
         report::signed_text(line.difference.point) + " pp " +
         (line.difference.low ? report::interval_text(line.difference) : "in every pair") + " over " +
         report::counted(static_cast<std::int64_t>(line.pairs), "pair") + "; next: " + line.next;
}

Json paired_json(const PairedLine& line, const std::string& baseline) {
  return {{"candidate", line.candidate},
          {"baseline", baseline},
          {"metric", nominal_potential},
          {"word", line.word},
          {"declared", line.declared},
          {"pairs", line.pairs},
          {"p_sign", line.p ? report::derived(*line.p) : Json()},
          {"p_holm", line.p ? report::derived(line.p_holm) : Json()},
          {"next", line.next},
          {"level", report::derived(line.difference.level)},
          {"difference", estimate_json(line.difference)}};
}

}  // namespace

report::Part potential_view(const PruningStudy& study, const Values& set) {
  std::optional<double> chosen;
  if (set.contains("delta")) chosen = std::get<double>(set.at("delta"));
  if (chosen) require_recorded(study, *chosen);
  const double delta = chosen.value_or(judged_delta(study.variants.front()));
  report::Section section{.id = "prune-potential", .title = "Prune potential", .blocks = {}};
  report::Table plain =
      potential_table(study, "prune potential, % of weights at delta " + report::short_text(delta) +
                                 " pp (grid step in brackets). max rule: the deepest step with an error of at most the "
                                 "parent's plus delta; first failure: the last step before the first that fails; at "
                                 "least: the last step of the grid qualifies. Means over pairs, Student's interval "
                                 "within 0 to 100, none where all pairs are the same.");
  report::Table noise = potential_table(study, "the same under uniform noise of each level");
  add_potential_rows(study, chosen, false, plain);
  add_potential_rows(study, chosen, true, noise);
  for (report::Table* table : {&plain, &noise})
    if (!table->rows.empty()) section.blocks.emplace_back(std::move(*table));
  if (section.blocks.empty()) section.blocks.emplace_back(report::Paragraph{"No trial has a prune potential."});
  Json paired = Json::array();
  const std::vector<PairedLine> lines = paired_lines(study);
  for (const PairedLine& line : lines) {
    section.blocks.emplace_back(report::Paragraph{paired_text(line, study.evidence.baseline, lines.size())});
    paired.push_back(paired_json(line, study.evidence.baseline));
  }
  return {.section = std::move(section),
          .data = {{"potential",
                    {{"level", report::derived(1 - study.evidence.alpha)},
                     {"rows", potential_json(study)},
                     {"paired", paired}}}}};
}

}  // namespace retrial::pruning
