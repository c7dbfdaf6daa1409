#include "workloads/automl/keys.hpp"

namespace retrial::automl {
namespace {

using workloads::Variant;
using namespace std::string_literals;

Values preset(std::initializer_list<std::pair<const std::string, Value>> pairs) {
  return Values(pairs);
}

}  // namespace

std::vector<Variant> variants() {
  return {
      {"random", "independent uniform points, learners with equal chances", preset({{"searcher", "random"s}})},
      {"flaml", "learners by their estimated cost for improvement, configurations by a walk",
       preset({{"searcher", "flaml"s}})},
      {"flaml-paper", "the same as in the paper",
       preset({{"searcher", "flaml"s},
               {"gap_factor", 1.0},
               {"flow2_rule", "paper"s},
               {"dead_region", std::int64_t{0}},
               {"portfolio", false},
               {"start", "low_cost"s}})},
      {"flaml26", "the same as FLAML 2.6 ships it",
       preset({{"searcher", "flaml"s},
               {"eci_rule", "v26"s},
               {"flow2_rule", "flaml26"s},
               {"restart", "cfo"s},
               {"sampling", "v26"s},
               {"sample_factor", 4.0},
               {"portfolio", false},
               {"start", "low_cost"s}})},
      {"flow2", "a walk for each learner, learners with equal chances", preset({{"searcher", "flow2"s}})},
      {"halton", "points that fill the space evenly, without a draw", preset({{"searcher", "halton"s}})},
      {"sobol", "the same by another sequence", preset({{"searcher", "sobol"s}})},
      {"tpe", "mixtures over good and bad configurations, learners with equal chances", preset({{"searcher", "tpe"s}})},
      {"cma", "a normal distribution that learns its covariance, learners with equal chances",
       preset({{"searcher", "cma"s}})},
      {"blend", "walks that start at the finds of tpe", preset({{"searcher", "blend"s}})},
      {"asha", "many configurations with little of the fidelity, the best third of them with more",
       preset({{"searcher", "asha"s}})},
      {"hyperband", "the same in brackets of more and less of the fidelity", preset({{"searcher", "hyperband"s}})},
      {"portfolio", "walk, tpe, cma and halton for each learner, by their estimated cost for improvement",
       preset({{"searcher", "portfolio"s}})},
      {"zero-shot", "no search: what was found on the known table of nearest shape",
       preset({{"searcher", "zero-shot"s}})},
      {"forest500", "no search: a forest of 500 trees", preset({{"searcher", "forest500"s}})},
      {"xgb-default", "no search: XGBoost under its own defaults", preset({{"searcher", "xgb-default"s}})},
      {"lgbm-default", "no search: LightGBM under its own defaults", preset({{"searcher", "lgbm-default"s}})},
      {"constant", "no search, no learner: the shares of the classes, or the mean",
       preset({{"searcher", "constant"s}})}};
}

}  // namespace retrial::automl
