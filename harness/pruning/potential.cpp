#include <algorithm>
#include <cmath>

#include "harness/comparison.hpp"
#include "harness/numbers.hpp"
#include "harness/output.hpp"
#include "harness/pruning/views.hpp"
#include "results/error.hpp"
#include "results/text.hpp"
#include "variance/comparisons.hpp"
#include "variance/complete_pairs.hpp"
#include "variance/multiplicity.hpp"
#include "variance/paired.hpp"
#include "workloads/pruning/keys.hpp"
#include "workloads/pruning/metrics.hpp"

namespace retrial::harness {
namespace {

/// One rule on one distribution at one margin: the mean over pairs, and the step of the grid that it lies in.
struct RuleMean {
  std::optional<variance::Estimate> mean;
  std::string grid;
};

struct PotentialRow {
  std::string distribution;
  double delta = 0;
  std::size_t pairs = 0;
  RuleMean max, first;
};

double judged_delta(const VariantCascades& variant) {
  return prune::deltas_of(variant.values).front();
}

std::string grid_text(double value, const Cascade& run) {
  std::vector<metrics::Step> steps;
  for (const double ratio : run.potential.at("pr").get<std::vector<double>>())
    if (ratio > 0) steps.push_back({.pr = ratio});
  const metrics::GridStep step = metrics::grid_step(value, steps);
  return "[" + short_text(step.below) + " " + (step.above ? short_text(*step.above) : "-") + "]";
}

RuleMean rule_mean(const std::vector<double>& values, const Cascade& run, double alpha) {
  RuleMean out{.mean = metrics::over_seeds(values, alpha), .grid = ""};
  out.grid = grid_text(out.mean->point, run);
  return out;
}

/// Rows as the first run has them; every run of a variant has the same distributions and margins.
std::vector<PotentialRow> rows_of(const VariantCascades& variant, double alpha) {
  std::vector<const Cascade*> runs;
  for (const Cascade& run : variant.runs)
    if (!run.potential.is_null()) runs.push_back(&run);
  std::vector<PotentialRow> out;
  if (runs.empty()) return out;
  for (std::size_t i = 0; i < runs.front()->potential.at("potential").size(); ++i) {
    std::vector<double> max, first;
    for (const Cascade* run : runs) {
      const Json& row = run->potential.at("potential").at(i);
      max.push_back(row.at("max").get<double>());
      first.push_back(row.at("first_failure").get<double>());
    }
    const Json& row = runs.front()->potential.at("potential").at(i);
    out.push_back({.distribution = row.at("distribution").get<std::string>(),
                   .delta = row.at("delta").get<double>(),
                   .pairs = runs.size(),
                   .max = rule_mean(max, *runs.front(), alpha),
                   .first = rule_mean(first, *runs.front(), alpha)});
  }
  return out;
}

bool of_noise(const PotentialRow& row) {
  return row.distribution.starts_with("noise_");
}

report::Table empty_table(const PruningStudy& study, const std::string& caption) {
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

void add_rows(const PruningStudy& study, const ViewChoice& choice, bool noise, report::Table& to) {
  for (const VariantCascades& variant : study.variants) {
    const double delta = choice.delta.value_or(judged_delta(variant));
    for (const PotentialRow& row : rows_of(variant, study.alpha))
      if (row.delta == delta && of_noise(row) == noise)
        to.rows.push_back({variant.variant, row.distribution, std::to_string(row.pairs), point_text(row.max.mean),
                           range_text(row.max.mean), row.max.grid, point_text(row.first.mean),
                           range_text(row.first.mean), row.first.grid});
  }
}

Json json_of(const PruningStudy& study) {
  Json out = Json::array();
  for (const VariantCascades& variant : study.variants)
    for (const PotentialRow& row : rows_of(variant, study.alpha))
      out.push_back({{"variant", variant.variant},
                     {"distribution", row.distribution},
                     {"delta", row.delta},
                     {"judged", row.delta == judged_delta(variant)},
                     {"pairs", row.pairs},
                     {"max", estimate_json(row.max.mean)},
                     {"first_failure", estimate_json(row.first.mean)}});
  return out;
}

void require_recorded(const PruningStudy& study, double delta) {
  std::vector<std::string> recorded;
  for (const VariantCascades& variant : study.variants)
    for (const PotentialRow& row : rows_of(variant, study.alpha)) {
      if (row.delta == delta) return;
      const std::string text = results::text_of(row.delta);
      if (std::find(recorded.begin(), recorded.end(), text) == recorded.end()) recorded.push_back(text);
    }
  throw Error({.code = "report.delta",
               .field = "--delta",
               .value = results::text_of(delta),
               .problem = "potentials at this margin were not recorded",
               .allowed = results::joined(recorded)});
}

/// A variant against the baseline on the nominal test images, pair by pair. Of the comparison that was declared before
/// the first run the word of `compare`; of all others, which nobody announced, the word that the wins support when the
/// error rate of every variant against the baseline is held together.
struct PairedLine {
  std::string candidate, word;
  bool declared = false;
  std::size_t pairs = 0;
  std::optional<double> p;  ///< two-sided, of the wins alone; absent: too many ties
  bool wins_more = false;   ///< of the pairs that are not tied
  double p_holm = 1;
  variance::Estimate difference;
  std::string next;
};

constexpr const char* nominal_potential = "potential_nominal_max";

Comparison comparison_of(const PruningStudy& study, const std::string& candidate) {
  const Material& material = study.material;
  return read_comparison(material.store, material.study, material.trials,
                         {.metric = nominal_potential, .baseline = study.baseline, .candidate = candidate});
}

/// Potentials are steps of a grid, often the same in all pairs: the exact sign test asks nothing of their law.
variance::TestOutcome sign_test(const Comparison& comparison, const variance::CompletePairs& pairs) {
  return variance::compare("sign", pairs.candidate, pairs.baseline,
                           {.direction = comparison.scores.direction, .tie_limit = comparison.design.tie_limit});
}

/// `others`: variants that are held against the baseline; the intervals of what was not declared hold together.
std::optional<PairedLine> paired_line(const PruningStudy& study, const std::string& candidate, std::size_t others) try {
  const Comparison comparison = comparison_of(study, candidate);
  const auto pairs = variance::complete_pairs(comparison.scores);
  const bool declared = comparison.undeclared.empty();
  const double share = declared ? study.alpha : study.alpha / static_cast<double>(others);
  const auto test = variance::paired_t(pairs.difference, {.alpha = share});
  if (!test) return std::nullopt;
  const variance::TestOutcome wins = sign_test(comparison, pairs);
  return PairedLine{.candidate = candidate,
                    .word = declared ? std::string(variance::name_of(verdict_of(comparison).status)) : "",
                    .declared = declared,
                    .pairs = pairs.difference.size(),
                    .p = wins.p,
                    .wins_more = wins.p_better.value_or(1) < wins.p_worse.value_or(1),
                    .difference = test->mean,
                    .next = "retrial compare " + shell_word(study.material.file) + " --baseline " +
                            shell_word(study.baseline) + " --candidate " + shell_word(candidate) + " --metric " +
                            nominal_potential};
} catch (const Error& error) {
  if (error.text.exit == Exit::integrity) throw;
  return std::nullopt;
}

/// Holm 1979 over all of them, the declared one included.
void adjust(const PruningStudy& study, std::vector<PairedLine>& lines) {
  std::vector<double> p;
  for (const PairedLine& line : lines) p.push_back(line.p.value_or(1));
  const auto holm = variance::adjusted(p, variance::Adjustment::holm);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    lines[i].p_holm = holm[i];
    if (!lines[i].declared)
      lines[i].word = holm[i] > study.alpha ? "not settled" : lines[i].wins_more ? "better" : "worse";
  }
}

std::vector<PairedLine> paired_lines(const PruningStudy& study) {
  std::vector<PairedLine> out;
  if (!study.material.finished) return out;
  for (const VariantCascades& variant : study.variants)
    if (variant.variant != study.baseline)
      if (auto line = paired_line(study, variant.variant, study.variants.size() - 1)) out.push_back(std::move(*line));
  adjust(study, out);
  return out;
}

std::string text_of(const PairedLine& line, const std::string& baseline, std::size_t family) {
  const std::string among = family > 1 ? ", by Holm over " + counted(static_cast<std::int64_t>(family), "variant") : "";
  const std::string evidence = line.declared ? ""
                                             : " (not declared before; p " + (line.p ? short_text(line.p_holm) : "-") +
                                                   " of the wins" + among + ")";
  return line.candidate + " - " + baseline + ", paired: " + line.word + evidence + ", " +
         signed_text(line.difference.point) + " pp " + interval_text(line.difference) + " over " +
         counted(static_cast<std::int64_t>(line.pairs), "pair") + "; next: " + line.next;
}

Json json_of(const PairedLine& line, const std::string& baseline) {
  return {{"candidate", line.candidate},
          {"baseline", baseline},
          {"metric", nominal_potential},
          {"word", line.word},
          {"declared", line.declared},
          {"pairs", line.pairs},
          {"p_sign", line.p ? derived(*line.p) : Json()},
          {"p_holm", line.p ? derived(line.p_holm) : Json()},
          {"next", line.next},
          {"level", derived(line.difference.level)},
          {"difference", estimate_json(line.difference)}};
}

}  // namespace

Part potential_view(const PruningStudy& study, const ViewChoice& choice) {
  if (choice.delta) require_recorded(study, *choice.delta);
  const double delta = choice.delta.value_or(judged_delta(study.variants.front()));
  report::Section section{.id = "prune-potential", .title = "Prune potential", .blocks = {}};
  report::Table plain = empty_table(
      study, "prune potential, % of weights at delta " + short_text(delta) +
                 " pp (grid step in brackets). max rule: the deepest step whose error is at most the parent's plus "
                 "delta; first failure: the last one before the first that fails. Means over pairs, Student's "
                 "interval (which does not know that shares end at 0 and 100).");
  report::Table noise = empty_table(study, "the same under uniform noise of each level");
  add_rows(study, choice, false, plain);
  add_rows(study, choice, true, noise);
  for (report::Table* table : {&plain, &noise})
    if (!table->rows.empty()) section.blocks.emplace_back(std::move(*table));
  if (section.blocks.empty()) section.blocks.emplace_back(report::Paragraph{"No trial has a prune potential."});
  Json paired = Json::array();
  const std::vector<PairedLine> lines = paired_lines(study);
  for (const PairedLine& line : lines) {
    section.blocks.emplace_back(report::Paragraph{text_of(line, study.baseline, lines.size())});
    paired.push_back(json_of(line, study.baseline));
  }
  return {.section = std::move(section),
          .data = {{"potential", {{"level", derived(1 - study.alpha)}, {"rows", json_of(study)}, {"paired", paired}}}}};
}

}  // namespace retrial::harness
