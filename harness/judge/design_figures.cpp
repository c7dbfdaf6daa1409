#include "harness/judge/design_figures.hpp"

#include <algorithm>
#include <cmath>

#include "harness/judge/design_sentences.hpp"
#include "harness/judge/verdict_words.hpp"
#include "harness/text/colour.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "harness/text/table.hpp"
#include "results/text/text.hpp"
#include "variance/designs/design_family.hpp"
#include "variance/designs/simulated_operating.hpp"
#include "variance/numbers/distributions.hpp"
#include "variance/random/rng.hpp"
#include "variance/wins/decide.hpp"

namespace retrial::harness::inline judge {
namespace {

using variance::Design;

constexpr double wanted_power = 0.8;

/// p of the candidate's wins; gamma as the rule on pairs takes it.
std::vector<double> shares_of(const Design& design) {
  std::vector<double> out{0.5, 0.6, design.levels().gamma, 0.9};
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

/// Drawn under the study's root seed; before one is drawn, `plan` has drawn one to show.
std::uint64_t simulation_key(const Study& study, const Design& design) {
  const auto comparison = "comparison:" + design.candidate + "|" + design.baseline;
  return variance::derive(variance::derive(study.seed.value_or(0), std::string_view(comparison)), "normal");
}

std::string simulated_words(const Design& design, std::int64_t runs) {
  const std::string law = design.family == "betting" ? " runs of normal differences, cut at the range"
                          : design.family == "group_permutation"
                              ? " runs of normal differences, with the law of t for that of the permutations"
                              : " runs of normal differences";
  return "simulated: " + std::to_string(runs) + law + ", standard error of a share at most " +
         percent(0.5 / std::sqrt(static_cast<double>(runs)));
}

/// How far the scores spread in their range is not declared, and decides everything: three spreads side by side.
std::vector<DesignFigure> betting_figures(const Design& design, std::uint64_t key) {
  constexpr std::int64_t most_pairs_simulated = 400'000, most_runs = 4'000, least_runs = 100;
  const auto runs = std::clamp(most_pairs_simulated / design.pairs, least_runs, most_runs);
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

std::string figures_table(const Study& study) {
  const auto figures = figures_of(study);
  if (figures.empty()) return "  " + why_no_figures(study) + "\n";
  const bool spreads = figures.front().spread.has_value();
  std::vector<Column> columns{{"candidate wins", Align::right}, {"BETTER", Align::right},
                              {"WORSE", Align::right},          {"EQUIVALENT", Align::right},
                              {"NOT MEANINGFUL", Align::right}, {"INCONCLUSIVE", Align::right},
                              {"mean pairs", Align::right}};
  if (spreads) columns.insert(columns.begin(), {"spread / range", Align::right});
  TextTable table(columns);
  for (const auto& f : figures) {
    std::vector<std::string> cells{percent(f.p),
                                   share_text(f.better),
                                   share_text(f.worse),
                                   share_text(f.equivalent),
                                   share_text(f.not_meaningful),
                                   share_text(f.undecided),
                                   short_text(f.pairs)};
    if (f.spread) cells.insert(cells.begin(), short_text(*f.spread));
    table.add(cells);
  }
  return table.text(2, terminal_width()) + "  " + figures.front().how + "\n";
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
  return "no figures: the power of test " + study.compare->test + " depends on how the scores are distributed";
}

Json design_figures(const Study& study) {
  if (!study.compare) return nullptr;
  const Design& design = *study.compare;
  Json out{{"pairs", study.pairs},
           {"alpha", design.alpha},
           {"beta", design.beta},
           {"gamma", design.gamma},
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
      out["power"] = results::rounded10(variance::operating(*plan, design.levels().gamma).better);
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
  std::string out = bold("How it ends") + "\n" + figures_table(study) + "\n" + bold("Where it stops") + "\n" +
                    paragraph(boundary_words(design) + ".", 2) + "\n" + bold("Which family to choose") + "\n";
  TextTable table({{""}, {""}, {""}});
  for (const auto& family : variance::all_design_families())
    table.add({family.name == design.family ? "*" : "", std::string(family.name), std::string(family.when)});
  return out + table.text(2, terminal_width());
}

}  // namespace retrial::harness::inline judge
