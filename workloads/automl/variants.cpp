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
  return {{"random", "independent uniform points, learners with equal chances", preset({{"searcher", "random"s}})},
          {"flaml", "learners by their estimated cost for improvement, configurations by a walk",
           preset({{"searcher", "flaml"s}})},
          {"flaml-paper", "the same as in the paper",
           preset({{"searcher", "flaml"s},
                   {"gap_factor", 1.0},
                   {"flow2_rule", "paper"s},
                   {"dead_region", std::int64_t{0}},
                   {"portfolio", false},
                   {"start", "low_cost"s}})},
          {"flow2", "a walk for each learner, learners with equal chances", preset({{"searcher", "flow2"s}})},
          {"halton", "points that fill the space evenly, without a draw", preset({{"searcher", "halton"s}})},
          {"sobol", "the same by another sequence", preset({{"searcher", "sobol"s}})},
          {"forest500", "no search: a forest of 500 trees", preset({{"searcher", "forest500"s}})},
          {"xgb-default", "no search: XGBoost under its own defaults", preset({{"searcher", "xgb-default"s}})},
          {"lgbm-default", "no search: LightGBM under its own defaults", preset({{"searcher", "lgbm-default"s}})},
          {"constant", "no search, no learner: the shares of the classes, or the mean",
           preset({{"searcher", "constant"s}})}};
}

}  // namespace retrial::automl
