#include <algorithm>
#include <stdexcept>

#include "workloads/automl/keys.hpp"
#include "workloads/automl/named.hpp"
#include "workloads/automl/searchers/blend.hpp"
#include "workloads/automl/searchers/evolution/cma.hpp"
#include "workloads/automl/searchers/halving/halving.hpp"

namespace retrial::automl {
namespace {

constexpr std::int64_t hyperopt_startup = 20;

Flow2Options walk_options(const Values& values) {
  const std::string& rule = text_in(values, "flow2_rule");
  Flow2Options out{.rule = rule == "paper"     ? Flow2Rule::paper
                           : rule == "flaml26" ? Flow2Rule::flaml26
                                               : Flow2Rule::adaptive,
                   .growth = number_in(values, "growth"),
                   .shrink = number_in(values, "shrink"),
                   .shrink_after = integer_in(values, "shrink_after"),
                   .wait_cap = integer_in(values, "wait_cap"),
                   .dead_region = integer_in(values, "dead_region"),
                   .restart = text_in(values, "restart") == "cfo" ? RestartRule::cfo : RestartRule::paper};
  if (text_in(values, "sampling") == "v26") out.sample_factor = number_in(values, "sample_factor");
  return out;
}

TpeMode tpe_mode(const std::string& name) {
  if (name == "v5") return TpeMode::v5;
  if (name == "v4u") return TpeMode::v4u;
  if (name == "v4m") return TpeMode::v4m;
  return TpeMode::hyperopt;
}

TpeOptions tpe_options(const Values& values) {
  const TpeMode mode = tpe_mode(text_in(values, "tpe_mode"));
  const std::int64_t startup = integer_in(values, "tpe_startup");
  return {.mode = mode,
          .startup = mode == TpeMode::hyperopt ? std::max(startup, hyperopt_startup) : startup,
          .candidates = integer_in(values, "tpe_candidates")};
}

Pruner pruner_named(const std::string& name) {
  if (name == "stopping") return Pruner::stopping;
  if (name == "median") return Pruner::median;
  if (name == "percentile") return Pruner::percentile;
  if (name == "threshold") return Pruner::threshold;
  if (name == "patient") return Pruner::patient;
  if (name == "wilcoxon") return Pruner::wilcoxon;
  return Pruner::promotion;
}

/// Within what the problem has.
HalvingOptions halving_options(const Values& values, const Problem& problem) {
  const std::int64_t full = problem.full_fidelity(), asked = integer_in(values, "r_max");
  const std::int64_t most = asked > 0 ? std::min(asked, full) : full;
  const std::int64_t least = std::min(most, std::max(integer_in(values, "r_min"), problem.least_fidelity()));
  const bool asha = text_in(values, "searcher") == "asha";
  return {.least = static_cast<double>(least),
          .most = static_cast<double>(most),
          .eta = integer_in(values, "eta"),
          .pruner = asha ? pruner_named(text_in(values, "pruner")) : Pruner::promotion,
          .low = number_in(values, "prune_low"),
          .high = number_in(values, "prune_high"),
          .patience = integer_in(values, "patience"),
          .gain = number_in(values, "least_gain"),
          .drawn_brackets = integer_in(values, "virtual_workers") > 1};
}

double budget_of(const Values& values) {
  const std::int64_t cost = integer_in(values, "budget_cost");
  return static_cast<double>(cost > 0 ? cost : integer_in(values, "budget_evaluations"));
}

}  // namespace

std::vector<MakeSampler> sampler_makers(const Values& values, const Problem& problem, std::uint64_t seed) {
  const std::string& searcher = text_in(values, "searcher");
  const auto draws = [seed](std::size_t learner) { return Draws{.seed = seed, .learner = learner}; };
  const MakeSampler walk = [draws, options = walk_options(values)](std::size_t learner, const Space& space) {
    return flow2_sampler(space, draws(learner), options, space.cheapest());
  };
  const MakeSampler tpe = [draws, options = tpe_options(values)](std::size_t learner, const Space& space) {
    return tpe_sampler(space, draws(learner), options);
  };
  const MakeSampler cma = [draws](std::size_t learner, const Space& space) {
    return cma_sampler(space, draws(learner), space.cheapest());
  };
  const MakeSampler halton = [](std::size_t, const Space& space) { return halton_sampler(space); };
  if (searcher == "portfolio") return {walk, tpe, cma, halton};
  if (searcher == "tpe") return {tpe};
  if (searcher == "cma") return {cma};
  if (searcher == "halton") return {halton};
  if (searcher == "sobol") return {[](std::size_t, const Space& space) { return sobol_sampler(space); }};
  if (searcher == "random")
    return {[draws](std::size_t learner, const Space& space) { return random_sampler(space, draws(learner)); }};
  if (searcher == "blend")
    return {[draws, options = walk_options(values), global = tpe_options(values), budget = budget_of(values)](
                std::size_t learner, const Space& space) {
      return blend_sampler(space, draws(learner), options, global, budget, space.cheapest());
    }};
  if (halves(values))
    return {[draws, options = halving_options(values, problem), asha = searcher == "asha"](std::size_t learner,
                                                                                           const Space& space) {
      return asha ? asha_sampler(space, draws(learner), options) : hyperband_sampler(space, draws(learner), options);
    }};
  return {walk};
}

std::string searcher_name(const Values& values) {
  const std::string& searcher = text_in(values, "searcher");
  if (searcher == "tpe") return "tpe/" + text_in(values, "tpe_mode");
  if (searcher == "blend" || searcher == "portfolio")
    return searcher + "/" + text_in(values, "flow2_rule") + "/tpe/" + text_in(values, "tpe_mode");
  return searcher;
}

}  // namespace retrial::automl
