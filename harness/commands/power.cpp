#include <iostream>

#include "harness/command_line/command.hpp"
#include "harness/text/colour.hpp"
#include "harness/text/numbers.hpp"
#include "harness/text/output.hpp"
#include "harness/text/table.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "variance/designs/power.hpp"
#include "variance/wins/decide.hpp"

namespace retrial::harness::inline commands {
namespace {

using variance::Levels;
using variance::NoetherDesign;
using variance::Pairing;

constexpr std::int64_t max_planned_runs = 200'000;

double rounded(double value) {
  return results::rounded10(value);
}

Json rounded(const std::optional<double>& value) {
  return value ? Json(results::rounded10(*value)) : Json();
}

/// The number of pairs that the sign rules need, or what `n` pairs can detect.
struct SignPlan {
  Levels levels;
  double claim_alpha = 0.05;  ///< per directional claim
  variance::SignDesign exact;
  variance::NormalSize sign_pairs, wmw_per_group;
  std::optional<variance::FixedRule> given;  ///< for --n pairs
  std::optional<double> detectable;          ///< gamma that --n pairs detect with power 1 - beta
};

SignPlan sign_plan(const Levels& levels, bool two_sided, const std::optional<std::int64_t>& n) {
  SignPlan plan{.levels = levels, .claim_alpha = two_sided ? levels.alpha / 2.0 : levels.alpha};
  const Levels claim{.alpha = plan.claim_alpha, .beta = levels.beta, .gamma = levels.gamma};
  plan.exact = variance::exact_sign_design(claim);
  plan.sign_pairs = variance::noether(claim, NoetherDesign::sign_pairs);
  plan.wmw_per_group = variance::noether(claim, NoetherDesign::wmw_per_group);
  if (!n) return plan;
  plan.given = variance::fixed_rule(*n, claim);
  plan.detectable = variance::detectable_gamma(*n, claim.alpha, claim.beta);
  return plan;
}

/// The published number of runs was computed for a different test than the one it is used with.
std::string correction(const SignPlan& plan) {
  return std::to_string(plan.wmw_per_group.n) +
         " runs, the published number at the usual levels, is the size of an "
         "unpaired test over all pairs of runs; a rule that counts won pairs needs " +
         std::to_string(plan.sign_pairs.n) + " by the same approximation and " + std::to_string(plan.exact.pairs) +
         " exactly";
}

Json curve_of(const SignPlan& plan) {
  Json curve = Json::array();
  for (const std::int64_t pairs : {5, 10, 15, 20, 25, 29, 30, 35, 40, 42, 44, 50, 60, 80, 100})
    curve.push_back(
        {{"pairs", pairs}, {"power", rounded(variance::sign_power(pairs, plan.levels.win_rate(), plan.claim_alpha))}});
  return curve;
}

Json sign_json(const SignPlan& plan, const std::string& design) {
  Json out{{"schema", "retrial.power/1"},
           {"design", design},
           {"alpha", rounded(plan.levels.alpha)},
           {"beta", rounded(plan.levels.beta)},
           {"gamma", rounded(plan.levels.win_rate())},
           {"sides", plan.claim_alpha < plan.levels.alpha ? "two" : "one"},
           {"exact",
            {{"pairs", plan.exact.pairs},
             {"wins_needed", plan.exact.wins_needed},
             {"size", rounded(plan.exact.size)},
             {"power", rounded(plan.exact.power)},
             {"stable_pairs", plan.exact.stable_pairs}}},
           {"sign_pairs", {{"value", rounded(plan.sign_pairs.exact)}, {"pairs", plan.sign_pairs.n}}},
           {"wmw_per_group", {{"value", rounded(plan.wmw_per_group.exact)}, {"runs", plan.wmw_per_group.n}}},
           {"curve", curve_of(plan)},
           {"correction", correction(plan)},
           {"given", Json()}};
  const std::int64_t needed = design == "wmw_per_group" ? plan.wmw_per_group.n
                              : design == "sign_pairs"  ? plan.sign_pairs.n
                                                        : plan.exact.pairs;
  out["n"] = needed;
  if (plan.given)
    out["given"] = {{"pairs", plan.given->pairs},
                    {"wins_needed", plan.given->better_from ? Json(*plan.given->better_from) : Json()},
                    {"size", rounded(plan.given->size)},
                    {"power", rounded(plan.given->power)},
                    {"detectable_gamma", rounded(plan.detectable)}};
  return out;
}

std::string sign_page(const SignPlan& plan) {
  const std::string gamma = percent(plan.levels.win_rate());
  TextTable sizes({{""}, {"runs", Align::right}, {""}});
  sizes.add({"exact sign rule", std::to_string(plan.exact.pairs),
             "pairs; BETTER needs " + std::to_string(plan.exact.wins_needed) + " wins; false-positive rate " +
                 percent(plan.exact.size) + ", power " + percent(plan.exact.power) + "; power stays above " +
                 percent(1.0 - plan.levels.beta) + " from " + std::to_string(plan.exact.stable_pairs) + " pairs"});
  sizes.add({"sign rule, normal approximation", std::to_string(plan.sign_pairs.n), "pairs"});
  sizes.add({"unpaired, all pairs of runs", std::to_string(plan.wmw_per_group.n), "runs per variant"});
  std::string out = bold("Runs needed to detect a candidate that wins " + gamma + " of the pairs") + " (alpha " +
                    short_text(plan.levels.alpha) + ", beta " + short_text(plan.levels.beta) + ")\n" +
                    sizes.text(2, terminal_width()) + "\n" + bold("Power of the exact sign rule") + "\n";
  TextTable curve({{"pairs", Align::right}, {"power", Align::right}});
  for (const auto& point : curve_of(plan))
    curve.add({std::to_string(point["pairs"].get<int>()), percent(point["power"].get<double>())});
  out += curve.text(2, terminal_width());
  if (plan.given) {
    const auto& rule = *plan.given;
    out += "\n" + bold(counted(rule.pairs, "pair")) + "\n";
    TextTable given({{""}, {""}});
    given.add(
        {"BETTER needs", rule.better_from ? std::to_string(*rule.better_from) + " wins" : "impossible: too few pairs"});
    given.add({"false-positive rate", percent(rule.size)});
    given.add({"power at " + gamma, percent(rule.power)});
    given.add({"smallest share detected with power " + percent(1.0 - plan.levels.beta),
               plan.detectable ? percent(*plan.detectable) : "none"});
    out += given.text(2, terminal_width());
  }
  for (const auto& line : wrapped("note: " + correction(plan) + ".", terminal_width())) out += "\n" + line;
  return out + "\n";
}

struct MeanPlan {
  variance::TDesign design;
  std::optional<double> effect;
  std::optional<std::int64_t> n, runs;  ///< given; needed for the effect
  std::optional<double> power, detectable;
};

MeanPlan mean_plan(const variance::TDesign& design, std::optional<double> effect, std::optional<std::int64_t> n) {
  if (!effect && !n)
    throw Error({.code = "usage.missing_option",
                 .field = "--effect or --n",
                 .problem = "missing: this design needs a difference in standard deviations, or a number of runs"});
  MeanPlan plan{.design = design, .effect = effect, .n = n};
  if (effect) plan.runs = variance::t_runs(*effect, design);
  if (n) plan.detectable = variance::detectable_effect(*n, design);
  if (n && effect) plan.power = variance::t_power(*n, *effect, design);
  return plan;
}

Json mean_json(const MeanPlan& plan, const std::string& design) {
  return {
      {"schema", "retrial.power/1"},
      {"design", design},
      {"alpha", rounded(plan.design.alpha)},
      {"beta", rounded(plan.design.beta)},
      {"sides", plan.design.sides == variance::Sides::two ? "two" : "one"},
      {"effect", rounded(plan.effect)},
      {"n", plan.runs ? Json(*plan.runs) : Json()},
      {"given",
       plan.n ? Json{{"runs", *plan.n}, {"power", rounded(plan.power)}, {"detectable_effect", rounded(plan.detectable)}}
              : Json()}};
}

std::string mean_page(const MeanPlan& plan, const std::string& design) {
  const std::string unit = plan.design.pairing == Pairing::paired ? "pairs" : "runs per variant";
  TextTable table({{""}, {""}});
  if (plan.effect)
    table.add({unit + " to detect " + short_text(*plan.effect) + " standard deviations", std::to_string(*plan.runs)});
  if (plan.n) {
    if (plan.power) table.add({"power with " + std::to_string(*plan.n) + " " + unit, percent(*plan.power)});
    table.add({"smallest difference that " + std::to_string(*plan.n) + " " + unit + " detect",
               short_text(*plan.detectable) + " standard deviations"});
  }
  return bold(design) + " (alpha " + short_text(plan.design.alpha) + ", beta " + short_text(plan.design.beta) + ")\n" +
         table.text(2, terminal_width());
}

std::vector<double> four_numbers(const std::string& text) {
  std::vector<double> out;
  const auto parts = comma_parts(text);
  for (const std::string& part : parts)
    if (const auto value = results::parse_double(part)) out.push_back(*value);
  if (out.size() == 4 && parts.size() == 4) return out;
  throw Error({.code = "usage.option_value",
               .field = "--allocate",
               .value = results::one_line(text, 100),
               .problem = "needs four numbers",
               .allowed = "T,BETWEEN,WITHIN,SE: cost of a search in trainings, variance between and within searches, "
                          "target standard error"});
}

int run_allocate(const Arguments& arguments, const std::string& text) {
  const auto v = four_numbers(text);
  const auto plan = variance::allocate_runs(v[0], v[1], v[2], v[3]);
  const bool bounded = v[1] > 0.0;
  if (arguments.has("json")) {
    print_json({{"schema", "retrial.power/1"},
                {"design", "allocate"},
                {"optimum", bounded ? Json(rounded(plan.optimum)) : Json()},
                {"runs_per_search", plan.runs_per_search},
                {"searches_needed", rounded(plan.searches_needed)},
                {"searches", plan.searches},
                {"trainings", rounded(plan.trainings)}});
    return 0;
  }
  TextTable table({{""}, {""}});
  table.add({"searches", std::to_string(plan.searches) + " (" + short_text(plan.searches_needed) + " needed)"});
  table.add({"runs per search",
             std::to_string(plan.runs_per_search) + (bounded ? " (optimum " + short_text(plan.optimum) + ")" : "")});
  table.add({"trainings", short_text(plan.trainings, 10)});
  std::cout << bold("Cheapest plan for this standard error") << "\n" << table.text(2, terminal_width());
  return 0;
}

int run_power(const Arguments& arguments) {
  refuse_extra(arguments, 0, "power [OPTIONS]");
  if (const auto text = arguments.value("allocate")) return run_allocate(arguments, *text);
  const workloads::Range level{0, 0.5, true, true};
  const Levels levels{.alpha = arguments.number("alpha", level).value_or(0.05),
                      .beta = arguments.number("beta", level).value_or(0.05),
                      .gamma = arguments.number("gamma", {0.5, 1, true, true}).value_or(0.75)};
  const std::string design = arguments.value("design").value_or("exact");
  const bool of_means = design == "paired_t" || design == "welch", two_sided = arguments.value("sides") == "two";
  const auto n = arguments.integer("n", of_means ? 2 : 1, max_planned_runs);
  const auto effect = arguments.number("effect", {0, 1e6, true, false});
  if (!of_means)
    refuse_options(arguments, {"effect"},
                   {.problem = "is for --design paired_t and welch; the sign rules use --gamma"});
  if (of_means) {
    const auto plan = mean_plan({.pairing = design == "welch" ? Pairing::unpaired : Pairing::paired,
                                 .alpha = levels.alpha,
                                 .beta = levels.beta,
                                 .sides = two_sided ? variance::Sides::two : variance::Sides::one},
                                effect, n);
    arguments.has("json") ? print_json(mean_json(plan, design)) : void(std::cout << mean_page(plan, design));
    return 0;
  }
  const auto plan = sign_plan(levels, two_sided, n);
  arguments.has("json") ? print_json(sign_json(plan, design)) : void(std::cout << sign_page(plan));
  return 0;
}

}  // namespace

Command power_command() {
  return {.name = "power",
          .group = "judge",
          .purpose = "compute how many runs a comparison needs, and what effect a given number can detect",
          .examples = {"retrial power", "retrial power --gamma 0.7 --beta 0.2", "retrial power --n 20",
                       "retrial power --design paired_t --effect 0.5", "retrial power --allocate 100,1e-4,4e-4,0.005"},
          .arguments = "",
          .options =
              {{.name = "gamma", .value_name = "G", .meaning = "smallest meaningful share of pairs won (default 0.75)"},
               {.name = "alpha", .value_name = "A", .meaning = "false-positive rate (default 0.05)"},
               {.name = "beta", .value_name = "B", .meaning = "rate of missed meaningful differences (default 0.05)"},
               {.name = "sides",
                .value_name = "WHICH",
                .meaning = "alpha for each of BETTER and WORSE (one, the default), or for both together (two)",
                .choices = {"one", "two"}},
               {.name = "design",
                .value_name = "NAME",
                .meaning = "exact sign rule (default), its normal approximation, unpaired runs, or a t test",
                .choices = {"exact", "sign_pairs", "wmw_per_group", "paired_t", "welch"}},
               {.name = "n",
                .value_name = "N",
                .meaning = "show what this number of pairs (or runs per variant) can detect"},
               {.name = "effect",
                .value_name = "D",
                .meaning = "t tests only: difference of means in standard deviations (paired_t: of the differences)"},
               {.name = "allocate",
                .value_name = "T,SB2,SW2,SE",
                .meaning = "number of searches and runs for a target standard error SE: T is the cost of a search in "
                           "trainings, SB2 and SW2 the variance between and within searches"},
               {.name = "json", .meaning = "one JSON document (schema retrial.power/1)"}},
          .run = run_power};
}

}  // namespace retrial::harness::inline commands
