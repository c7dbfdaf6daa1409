#include "harness/judge/design/design_figures.hpp"

#include <algorithm>
#include <cmath>

#include "harness/judge/design/design_sentences.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "harness/text/section_text.hpp"
#include "results/text/text.hpp"
#include "variance/designs/design_family.hpp"
#include "variance/designs/simulated_operating.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/random/rng.hpp"
#include "variance/wins/decide.hpp"

namespace retrial::harness::inline judge::inline design {
namespace {

using variance::Design;

constexpr double wanted_power = 0.8;

/// True win rates; gamma as the rule for pairs takes it.
std::vector<double> shares_of(const Design& design) {
  std::vector<double> out{0.5, 0.6, design.levels().win_rate(), 0.9};
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

DesignFigure fixed_figure(const Design& design, double p) {
  const auto n = design.pairs;
  const auto rule = variance::fixed_rule(n, design.levels());
  DesignFigure out{.p = p, .pairs = static_cast<double>(n), .how = "exact"};
  if (rule.better_from) {
    out.better = variance::binomial_at_least(*rule.better_from, n, p);
    out.worse = variance::binomial_at_most(n - *rule.better_from, n, p);
  }
  if (rule.not_meaningful_to)
    out.not_meaningful = std::max(0.0, variance::binomial_at_most(*rule.not_meaningful_to, n, p) - out.worse);
  out.undecided = std::max(0.0, 1 - out.better - out.worse - out.not_meaningful);
  return out;
}

DesignFigure figure_of(double p, const variance::Operating& at, variance::Status low_means, const std::string& how) {
  DesignFigure out{.p = p,
                   .better = at.better,
                   .undecided = at.undecided,
                   .equivalent = at.equivalent,
                   .pairs = at.pairs,
                   .how = how};
  (low_means == variance::Status::worse ? out.worse : out.not_meaningful) = at.against;
  return out;
}

/// Derived from the study's root seed; `plan` draws one to show where none is set.
std::uint64_t simulation_key(const Study& study, const Design& design) {
  const auto comparison = "comparison:" + design.candidate + "|" + design.baseline;
  return variance::derive(variance::derive(study.seed.value_or(0), std::string_view(comparison)), "normal");
}

std::string simulated_words(const Design& design, std::int64_t runs) {
  const std::string law =
      design.family == "betting" ? " runs of normal differences, cut at the range"
      : design.family == "group_permutation"
          ? " runs of normal differences, with the t distribution in place of the permutation distribution"
          : " runs of normal differences";
  return "simulated: " + std::to_string(runs) + law + ", standard error at most " +
         percent(0.5 / std::sqrt(static_cast<double>(runs)));
}

/// The spread of scores within their range is not declared and decides everything: three spreads are shown.
std::vector<DesignFigure> betting_figures(const Design& design, std::uint64_t key) {
  constexpr std::int64_t max_pairs_simulated = 400'000, max_runs = 4'000, min_runs = 100;
  const auto runs = std::clamp(max_pairs_simulated / design.pairs, min_runs, max_runs);
  std::vector<DesignFigure> out;
  for (const double spread : {0.25, 0.1, 0.02})
    for (const double p : shares_of(design)) {
      const auto at = variance::simulated_operating(design, p, key, runs, spread);
      out.push_back(figure_of(p, at->mean, variance::Status::worse, simulated_words(design, runs)));
      out.back().spread = spread;
    }
  return out;
}

Json boundaries_json(const variance::SignPlan& plan) {
  Json out = Json::array();
  for (std::int64_t n = 1; n <= plan.horizon; ++n) {
    const auto row = static_cast<std::size_t>(n);
    const bool dead = !plan.dead_from.empty() && plan.dead_from[row] <= plan.dead_to[row];
    Json boundary{{"pairs", n},
                  {"better_from", plan.high[row] <= n ? Json(plan.high[row]) : Json()},
                  {"against_to", plan.low[row] >= 0 ? Json(plan.low[row]) : Json()},
                  {"ended_from", dead ? Json(std::max<std::int64_t>(plan.dead_from[row], 0)) : Json()},
                  {"ended_to", dead ? Json(std::min(plan.dead_to[row], n)) : Json()}};
    if (!plan.equal_from.empty()) {
      const bool equal = plan.equal_from[row] <= plan.equal_to[row];
      boundary["equal_from"] = equal ? Json(plan.equal_from[row]) : Json();
      boundary["equal_to"] = equal ? Json(plan.equal_to[row]) : Json();
    }
    out.push_back(std::move(boundary));
  }
  return out;
}

Json figure_json(const DesignFigure& figure) {
  Json out{{"p", results::rounded10(figure.p)},
           {"better", results::rounded10(figure.better)},
           {"worse", results::rounded10(figure.worse)},
           {"not_meaningful", results::rounded10(figure.not_meaningful)},
           {"undecided", results::rounded10(figure.undecided)},
           {"equivalent", results::rounded10(figure.equivalent)},
           {"mean_pairs", results::rounded10(figure.pairs)},
           {"how", figure.how}};
  if (figure.spread) out["spread"] = *figure.spread;
  return out;
}

std::string share_text(double share) {
  return share == 0 ? "0" : share < 1e-4 ? "< 0.01 %" : percent(share);
}

std::vector<report::Block> figures_blocks(const Study& study) {
  const auto figures = figures_of(study);
  if (figures.empty()) return {report::Paragraph{why_no_figures(study)}};
  const bool spreads = figures.front().spread.has_value();
  report::Table table{.caption = "",
                      .columns = {{"true win rate", true},
                                  {"BETTER", true},
                                  {"WORSE", true},
                                  {"EQUIVALENT", true},
                                  {"NOT MEANINGFUL", true},
                                  {"INCONCLUSIVE", true},
                                  {"mean pairs", true}},
                      .rows = {}};
  if (spreads) table.columns.insert(table.columns.begin(), {"spread / range", true});
  for (const auto& f : figures) {
    table.rows.push_back({percent(f.p), share_text(f.better), share_text(f.worse), share_text(f.equivalent),
                          share_text(f.not_meaningful), share_text(f.undecided), short_text(f.pairs)});
    if (f.spread) table.rows.back().insert(table.rows.back().begin(), short_text(*f.spread));
  }
  return {std::move(table), report::Paragraph{figures.front().how}};
}

}  // namespace

std::vector<DesignFigure> figures_of(const Study& study) {
  std::vector<DesignFigure> out;
  const Design& design = *study.compare;
  if (design.family == "betting") return betting_figures(design, simulation_key(study, design));
  const auto plan = variance::family_of(design).sequential() ? variance::sign_plan_of(design) : std::nullopt;
  for (const double p : shares_of(design)) {
    if (plan)
      out.push_back(
          figure_of(p, variance::operating(*plan, p), plan->low_means, "exact, over all paths of untied pairs"));
    else if (!design.sequential() && design.test == "pab_exact")
      out.push_back(fixed_figure(design, p));
    else if (const auto s = variance::simulated_operating(design, p, simulation_key(study, design)))
      out.push_back(figure_of(p, s->mean, variance::Status::worse, simulated_words(design, s->runs)));
  }
  return out;
}

std::string why_no_figures(const Study& study) {
  return "No figures: the power of test " + study.compare->test + " depends on the distribution of the scores.";
}

Json design_figures(const Study& study) {
  if (!study.compare) return nullptr;
  const Design& design = *study.compare;
  Json out{{"pairs", study.pairs},
           {"alpha", design.alpha},
           {"beta", design.beta},
           {"gamma", design.gamma ? Json(*design.gamma) : Json()},
           {"power_at", results::rounded10(design.levels().win_rate())},
           {"family", design.family},
           {"test", design.test},
           {"anytime", variance::family_of(design).anytime},
           {"stops", boundary_words(design)},
           {"wins_needed", nullptr},
           {"size", nullptr},
           {"power", nullptr},
           {"pairs_for_power_80", nullptr}};
  Json figures = Json::array();
  for (const auto& figure : figures_of(study)) figures.push_back(figure_json(figure));
  out["figures"] = std::move(figures);
  out["families"] = Json::array();
  for (const auto& family : variance::all_design_families())
    out["families"].push_back({{"name", family.name}, {"when", family.when}, {"anytime", family.anytime}});
  if (design.sequential()) {
    out["guarantee"] = variance::family_of(design).guarantee;
    out["n_max"] = study.pairs;
    if (!design.looks.empty()) out["looks"] = design.looks;
    if (const auto plan = variance::sign_plan_of(design)) {
      out["boundaries"] = boundaries_json(*plan);
      out["size"] = results::rounded10(variance::operating(*plan, 0.5).better);
      out["power"] = results::rounded10(variance::operating(*plan, design.levels().win_rate()).better);
    }
    return out;
  }
  if (design.test != "pab_exact") return out;
  const auto rule = variance::fixed_rule(study.pairs, design.levels());
  auto levels = design.levels();
  levels.beta = 1 - wanted_power;
  if (rule.better_from) out["wins_needed"] = *rule.better_from;
  out["size"] = results::rounded10(rule.size);
  out["power"] = results::rounded10(rule.power);
  out["pairs_for_power_80"] = variance::exact_sign_design(levels).pairs;
  return out;
}

std::string figures_page(const Study& study) {
  if (!study.compare) return "";
  const Design& design = *study.compare;
  report::Table families{.caption = "", .columns = {{""}, {""}, {""}}, .rows = {}};
  for (const auto& family : variance::all_design_families())
    families.rows.push_back(
        {family.name == design.family ? "*" : "", std::string(family.name), std::string(family.when)});
  return sections_text(
      {{.id = "ends", .title = "Verdicts by true win rate", .blocks = figures_blocks(study)},
       {.id = "stops", .title = "Stopping rule", .blocks = {report::Paragraph{boundary_words(design) + "."}}},
       {.id = "families", .title = "Design families", .blocks = {std::move(families)}}});
}

}  // namespace retrial::harness::inline judge::inline design
