#include "harness/judge/design/design_sentences.hpp"

#include <cmath>

#include "harness/text/output.hpp"
#include "results/text/text.hpp"
#include "variance/designs/design_family.hpp"
#include "variance/looks/group_sequential.hpp"
#include "variance/sequential/anytime.hpp"

namespace retrial::harness::inline judge::inline design {
namespace {

using variance::Design;
using variance::SequentialPart;
using variance::SequentialState;
using variance::SequentialStep;

std::string some(std::int64_t wins, std::int64_t n) {
  return (wins == n ? "all" : std::to_string(wins)) + " of " + std::to_string(n);
}

/// Round numbers of pairs up to the horizon, and the horizon.
std::vector<std::int64_t> shown_numbers(std::int64_t horizon) {
  std::vector<std::int64_t> out;
  for (const std::int64_t n : {10, 15, 20, 30, 42, 60, 100, 200, 500, 1000, 2000, 5000})
    if (n < horizon) out.push_back(n);
  out.push_back(horizon);
  return out;
}

std::string high_words(const variance::SignPlan& plan) {
  std::string out;
  std::int64_t first = 0;
  while (first <= plan.horizon && plan.high[static_cast<std::size_t>(first)] > first) ++first;
  if (first > plan.horizon) return "BETTER never: too few pairs";
  out = "BETTER from " + some(plan.high[static_cast<std::size_t>(first)], first) + " wins on";
  for (const auto n : shown_numbers(plan.horizon))
    if (n > first) out += ", " + std::to_string(plan.high[static_cast<std::size_t>(n)]) + " of " + std::to_string(n);
  return out;
}

std::string low_words(const variance::SignPlan& plan) {
  std::int64_t first = 0;
  while (first <= plan.horizon && plan.low[static_cast<std::size_t>(first)] < 0) ++first;
  const std::string word(variance::name_of(plan.low_means));
  if (first > plan.horizon) return word + " never";
  std::string out = word + " with at most " + std::to_string(plan.low[static_cast<std::size_t>(first)]) + " of " +
                    std::to_string(first);
  for (const auto n : shown_numbers(plan.horizon))
    if (n > first && plan.low[static_cast<std::size_t>(n)] >= 0)
      out += ", " + std::to_string(plan.low[static_cast<std::size_t>(n)]) + " of " + std::to_string(n);
  return out;
}

std::string equal_words(const variance::SignPlan& plan) {
  if (plan.equal_from.empty()) return "";
  std::string out;
  for (const auto n : shown_numbers(plan.horizon)) {
    const auto row = static_cast<std::size_t>(n);
    if (plan.equal_from[row] > plan.equal_to[row]) continue;
    out += (out.empty() ? "" : ", ") + std::to_string(plan.equal_from[row]) + " to " +
           std::to_string(plan.equal_to[row]) + " of " + std::to_string(n);
  }
  return out.empty() ? "; EQUIVALENT never: too few pairs for this band" : "; EQUIVALENT with " + out + " wins";
}

std::string t_words(const Design& design) {
  std::string out;
  for (const auto n : shown_numbers(design.pairs))
    if (const auto t = variance::t_boundary(n, variance::settings_of(design).alpha))
      out += (out.empty() ? "" : ", ") + short_text(*t) + " at " + std::to_string(n);
  return "BETTER when the t of the differences reaches " + out +
         " pairs, WORSE at its negative; where differences repeat, "
         "their signs must decide too";
}

std::string group_words(const Design& design) {
  std::vector<double> shares;
  for (const auto look : design.looks) shares.push_back(static_cast<double>(look) / static_cast<double>(design.pairs));
  const auto spending = design.spending == "pocock" ? variance::Spending::pocock : variance::Spending::obrien_fleming;
  const auto bounds = variance::spending_boundaries(spending, shares, design.alpha);
  std::string out;
  for (std::size_t k = 0; k < bounds.size(); ++k)
    out += (out.empty() ? "" : ", ") + short_text(bounds[k]) + " at " + std::to_string(design.looks[k]);
  return "BETTER when z reaches " + out + " pairs, WORSE at its negative; no look in between";
}

std::string e_text(double log_e) {
  return short_text(std::exp(std::min(log_e, 600.0)), 3);
}

std::string permutation_words(const Design& design) {
  std::string looks;
  for (const auto look : design.looks) looks += (looks.empty() ? "" : ", ") + std::to_string(look);
  return "after " + looks +
         " pairs: BETTER when the sum of the blocks' mean differences exceeds all but a share of the sums "
         "under sign flips of the pairs, by look k " +
         short_text(design.alpha) + " k / " + std::to_string(design.looks.size()) +
         " of them; WORSE at its negative; no look in between";
}

std::string statistic_word(std::string_view family) {
  if (family == "t_anytime") return "t ";
  return family == "group_permutation" ? "sum of the blocks' mean differences " : "z ";
}

/// "e 13.2 of 20 for BETTER, 0.04 of 20 against it".
std::string evidence_words(const SequentialStep& step, const Design& design) {
  if (variance::rule_of(design) == "curtailed" && step.log_e)
    return "probability that the fixed test rejects if equal " +
           short_text(std::exp(*step.log_e) * design.levels().alpha, 3);
  if (variance::rule_of(design) == "sprt" && step.log_e)
    return "likelihood ratio " + e_text(*step.log_e) + " (BETTER from " +
           short_text((1 - design.beta) / design.levels().alpha, 3) + ", against at " +
           short_text(design.beta / (1 - design.levels().alpha), 3) + ")";
  const auto& family = variance::family_of(design);
  const double bound = 1.0 / variance::settings_of(design).alpha;
  const double against_bound = variance::rule_of(design) == "dual_e" ? 1.0 / design.beta : bound;
  std::string out;
  if (step.log_e) out = "e " + e_text(*step.log_e) + " of " + short_text(bound, 3);
  if (step.log_e_against) out += ", against " + e_text(*step.log_e_against) + " of " + short_text(against_bound, 3);
  if (family.data == variance::SequentialData::differences && step.statistic)
    out += (out.empty() ? "" : ", ") + statistic_word(family.name) + short_text(*step.statistic, 3) +
           (step.boundary ? " of " + short_text(*step.boundary, 3) : "");
  return out;
}

std::string needed_words(const SequentialPart& part) {
  std::string out;
  if (part.wins_to_better)
    out = std::to_string(*part.wins_to_better) +
          (*part.wins_to_better == 1 ? " more win: BETTER" : " more wins in a row: BETTER");
  if (part.losses_to_against)
    out += (out.empty() ? "" : ", ") + std::to_string(*part.losses_to_against) +
           (*part.losses_to_against == 1 ? " more loss: " : " more losses in a row: ") +
           std::string(variance::name_of(part.low_means));
  return out;
}

std::string state_words(const SequentialPart& part, const SequentialStep& step) {
  if (part.state == SequentialState::go_on) return needed_words(part);
  return std::string(variance::name_of(step.status));
}

}  // namespace

std::string design_words(const Design& d) {
  const auto& family = variance::family_of(d);
  std::string out = d.family + (family.sequential() ? ", at most " : ", test " + d.test + ", ") +
                    counted(d.pairs, "pair") + ": alpha " + short_text(d.alpha);
  if (d.sides == variance::Sides::two) out += " for both directions combined";
  if (d.gamma && family.data == variance::SequentialData::wins && d.test == "pab_exact")
    out += ", beta " + short_text(d.beta) + ", gamma " + short_text(*d.gamma);
  if (d.gamma && d.correlation)
    out += " of independent runs (of pairs " + short_text(*d.levels().gamma) + " at correlation " +
           short_text(*d.correlation) + ")";
  if (d.margin) out += ", margin " + short_text(*d.margin);
  if (d.band) out += ", equal within " + short_text(d.band->first) + " to " + short_text(d.band->second);
  if (d.range) out += ", scores within " + short_text(d.range->first) + " to " + short_text(d.range->second);
  if (!family.mixture.empty()) out += "; mixture " + std::string(family.mixture);
  return out;
}

std::string boundary_words(const Design& design) {
  if (const auto plan = variance::sign_plan_of(design))
    return high_words(*plan) + equal_words(*plan) + "; " + low_words(*plan);
  if (design.family == "t_anytime") return t_words(design);
  if (design.family == "group_sequential") return group_words(design);
  if (design.family == "group_permutation") return permutation_words(design);
  if (design.family == "betting")
    return "BETTER when half of the wealth bet on a positive mean difference reaches " +
           short_text(1.0 / design.alpha) + ", WORSE when that bet on a negative one does";
  return "after the last pair";
}

std::string look_line(const SequentialPart& part, const Design& design) {
  if (part.looks.empty()) return "pair 0 of at most " + std::to_string(design.pairs) + ": " + needed_words(part);
  const SequentialStep& step = part.looks.back();
  std::string out = "pair " + std::to_string(part.at_n) + " of at most " + std::to_string(design.pairs) + ": " +
                    std::to_string(step.wins) + " won, " + std::to_string(step.pairs - step.wins - step.ties) + " lost";
  if (step.ties > 0) out += ", " + std::to_string(step.ties) + " tied";
  for (const auto& words : {evidence_words(step, design), state_words(part, step)})
    if (!words.empty()) out += "; " + words;
  return out;
}

report::Section looks_section(const variance::Verdict& verdict) {
  const SequentialPart& part = *verdict.sequential;
  report::Table table{.caption = "",
                      .columns = {{"pair", true}, {"wins", true}, {"ties", true}, {"evidence"}, {"verdict"}},
                      .rows = {}};
  for (std::size_t i = 0; i < part.looks.size(); ++i) {
    const SequentialStep& step = part.looks[i];
    const bool open = step.state == SequentialState::go_on;
    table.rows.push_back({std::to_string(part.pair_of[i]), std::to_string(step.wins), std::to_string(step.ties),
                          evidence_words(step, verdict.design),
                          open ? "continue" : std::string(variance::name_of(step.status))});
  }
  return {.id = "looks", .title = "Looks", .blocks = {std::move(table)}};
}

}  // namespace retrial::harness::inline judge::inline design
