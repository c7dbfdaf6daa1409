#include "workloads/pruning/methods.hpp"

#include <algorithm>

#include "results/text.hpp"
#include "variance/error.hpp"

namespace retrial::prune {

const std::vector<Method>& all_methods() {
  static const std::vector<Method> table{
      {.name = "wt",
       .summary = "removes the smallest weights of the whole network",
       .source = "ThresNet; Han et al. 2015",
       .weights = magnitude},
      {.name = "sipp",
       .summary = "removes weights with the smallest share of any neuron's input, over a scoring set",
       .source = "SiPPNet; Baykal et al. 2019",
       .weights = sipp,
       .reads_samples = true},
      {.name = "snip",
       .summary = "removes weights whose removal changes the loss least, to first order",
       .source = "SnipNet; Lee et al. 2019",
       .weights = snip,
       .reads_samples = true},
      {.name = "lamp",
       .summary = "removes the smallest weights, each square divided by those of its layer that are not smaller",
       .source = "LAMP; Lee et al. 2021",
       .weights = lamp},
      {.name = "mag_layer",
       .summary = "removes the smallest weights of each layer, the same share of every layer",
       .source = "ShrinkBench; Blalock et al. 2020",
       .rule = Rule::share,
       .weights = magnitude},
      {.name = "lth",
       .summary = "removes the smallest weights, a fraction of what remains at every level",
       .source = "OpenLTH; Frankle and Carbin 2019",
       .rule = Rule::lottery,
       .weights = magnitude},
      {.name = "rand_global",
       .summary = "removes weights at random, in the whole network (control)",
       .source = "control",
       .weights = random_weights,
       .draws = true},
      {.name = "uni_weight",
       .summary = "removes weights at random, the same share of every layer (control)",
       .source = "UniNet",
       .rule = Rule::share,
       .weights = random_weights,
       .draws = true},
      {.name = "ft",
       .summary = "removes filters of the smallest l1 norm, the same share of every layer",
       .source = "FilterThresNet; Li et al. 2017",
       .rule = Rule::channels,
       .channels = filter_l1},
      {.name = "softnet",
       .summary = "removes filters of the smallest l2 norm, the same share of every layer",
       .source = "SoftNet; He et al. 2018",
       .rule = Rule::channels,
       .channels = filter_l2},
      {.name = "thinet",
       .summary = "removes channels with the smallest joint contribution to the next layer",
       .source = "ThiNet; Luo et al. 2017",
       .rule = Rule::channels,
       .channels = thinet,
       .reads_samples = true},
      {.name = "thinet_inverted",
       .summary = "ThiNet with its ranking turned round, as one program has it: keeps what should go",
       .source = "for comparison",
       .rule = Rule::channels,
       .channels = thinet_inverted,
       .reads_samples = true},
      {.name = "pfp",
       .summary = "removes channels with the smallest share of any neuron's input; layers by one error bound",
       .source = "PFPNet; Liebenwein et al. 2020",
       .rule = Rule::pfp,
       .channels = pfp,
       .reads_samples = true},
      {.name = "uni_filter",
       .summary = "removes filters at random, the same share of every layer (control)",
       .source = "UniNet",
       .rule = Rule::channels,
       .channels = random_channels,
       .draws = true},
  };
  return table;
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const Method& method : all_methods()) names.push_back(method.name);
  std::sort(names.begin(), names.end());
  return names;
}

const Method& find_method(const std::string& name) {
  for (const Method& method : all_methods())
    if (method.name == name) return method;
  const auto names = method_names();
  const auto near = results::nearest(name, names);
  throw InvalidInput("method", name,
                     results::joined(names) + (near ? "; did you mean \"" + *near + "\"?" : std::string()));
}

}  // namespace retrial::prune
