#include "workloads/pruning/methods/methods.hpp"

#include <algorithm>

#include "results/text/text.hpp"
#include "variance/numbers/error.hpp"
#include "workloads/pruning/methods/added.hpp"

namespace retrial::pruning::inline methods {

namespace {

std::vector<Method> own_methods() {
  return {
      {.name = "wt",
       .summary = "removes the smallest weights of the whole network",
       .source = "ThresNet; Han et al. 2015",
       .weights = magnitude},
      {.name = "sipp",
       .summary = "removes weights with the smallest share of any neuron's input, over a scoring set",
       .source = "SiPPNet; Baykal et al. 2019",
       .weights = sipp,
       .reads_samples = true,
       .sees_layers = true},
      {.name = "sipp_rand",
       .summary = "draws weights by their share of any neuron's input, filter by filter, and scales the kept ones",
       .source = "SiPPRandNet; Baykal et al. 2019",
       .rule = Rule::rows,
       .weights = sipp,
       .reads_samples = true,
       .draws = true,
       .sees_layers = true},
      {.name = "sipp_hybrid",
       .summary = "for each filter, the better of sipp and sipp_rand by error bound",
       .source = "SiPPHybrid; Baykal et al. 2019",
       .rule = Rule::hybrid,
       .weights = sipp,
       .reads_samples = true,
       .draws = true,
       .sees_layers = true},
      {.name = "norm1",
       .summary = "draws the weights to keep with probabilities |w|, the same share of every layer",
       .source = "EllOneNet",
       .rule = Rule::sampled,
       .weights = l1_shares,
       .draws = true},
      {.name = "norm2",
       .summary = "the same with the squares of the weights",
       .source = "EllTwoNet",
       .rule = Rule::sampled,
       .weights = l2_shares,
       .draws = true},
      {.name = "norm12",
       .summary = "the same with the mean of both probabilities",
       .source = "HybridNet of the norms",
       .rule = Rule::sampled,
       .weights = l12_shares,
       .draws = true},
      {.name = "mag_grad_global",
       .summary = "removes weights with the smallest |w x gradient| on one batch, in the whole network",
       .source = "ShrinkBench; Blalock et al. 2020",
       .weights = magnitude_gradient,
       .reads_samples = true,
       .one_batch = true},
      {.name = "mag_grad_layer",
       .summary = "the same, the same share of every layer",
       .source = "ShrinkBench; Blalock et al. 2020",
       .rule = Rule::share,
       .weights = magnitude_gradient,
       .reads_samples = true,
       .one_batch = true},
      {.name = "mag_act_global",
       .summary = "removes weights with the smallest |w| x input activation on one batch, in the whole network",
       .source = "ShrinkBench; Blalock et al. 2020",
       .weights = magnitude_activation,
       .reads_samples = true,
       .one_batch = true,
       .sees_layers = true},
      {.name = "mag_act_layer",
       .summary = "the same, the same share of every layer",
       .source = "ShrinkBench; Blalock et al. 2020",
       .rule = Rule::share,
       .weights = magnitude_activation,
       .reads_samples = true,
       .one_batch = true,
       .sees_layers = true},
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
       .summary = "removes filters with the smallest l1 norm, the same share of every layer",
       .source = "FilterThresNet; Li et al. 2017",
       .rule = Rule::channels,
       .channels = filter_l1},
      {.name = "softnet",
       .summary = "removes filters with the smallest l2 norm, the same share of every layer",
       .source = "SoftNet; He et al. 2018",
       .rule = Rule::channels,
       .channels = filter_l2},
      {.name = "thinet",
       .summary = "removes channels with the smallest joint contribution to the next layer",
       .source = "ThiNet; Luo et al. 2017",
       .rule = Rule::channels,
       .channels = thinet,
       .reads_samples = true,
       .sees_layers = true},
      {.name = "thinet_inverted",
       .summary = "ThiNet with a reversed ranking, as in one program: keeps the wrong channels",
       .source = "for comparison",
       .rule = Rule::channels,
       .channels = thinet_inverted,
       .reads_samples = true,
       .sees_layers = true},
      {.name = "pfp",
       .summary = "removes channels with the smallest share of any neuron's input; layers by one error bound",
       .source = "PFPNet; Liebenwein et al. 2020",
       .rule = Rule::pfp,
       .channels = pfp,
       .reads_samples = true,
       .sees_layers = true},
      {.name = "pfp_rand",
       .summary = "draws channels by their share of any neuron's input; the error bound gives the number of draws",
       .source = "PFPNet; Liebenwein et al. 2020",
       .rule = Rule::pfp_drawn,
       .channels = pfp,
       .reads_samples = true,
       .draws = true,
       .sees_layers = true},
      {.name = "pfp_top",
       .summary = "keeps the channels with the largest shares and draws the rest",
       .source = "PFPNet; Liebenwein et al. 2020",
       .rule = Rule::pfp_topped,
       .channels = pfp,
       .reads_samples = true,
       .draws = true,
       .sees_layers = true},
      {.name = "group_l1",
       .summary = "removes channels with the smallest l1 norm over all weights that write or read them",
       .source = "Torch-Pruning; Fang et al. 2023",
       .rule = Rule::groups,
       .channels = group_l1},
      {.name = "group_l2",
       .summary = "the same with l2 norms",
       .source = "Torch-Pruning; Fang et al. 2023",
       .rule = Rule::groups,
       .channels = group_l2},
      {.name = "group_taylor",
       .summary = "the same with |w x mean gradient| over the scoring set",
       .source = "Torch-Pruning; Molchanov et al. 2019",
       .rule = Rule::groups,
       .channels = group_taylor,
       .reads_samples = true},
      {.name = "bn_scale",
       .summary = "removes channels with the smallest scale of their batch norms",
       .source = "Network slimming; Liu et al. 2017",
       .rule = Rule::groups,
       .channels = bn_scale},
      {.name = "fpgm",
       .summary = "removes the filters nearest to the others of their layer",
       .source = "FPGM; He et al. 2019",
       .rule = Rule::groups,
       .channels = fpgm},
      {.name = "uni_filter",
       .summary = "removes filters at random, the same share of every layer (control)",
       .source = "UniNet",
       .rule = Rule::channels,
       .channels = random_channels,
       .draws = true},
      {.name = "svd",
       .summary = "replaces weights by two factors, the largest singular values of each layer",
       .source = "SVDNet; Denton et al. 2014",
       .rule = Rule::ranks,
       .spectra = weight_spectrum},
      {.name = "alds",
       .summary = "the same in groups of inputs, with number and rank chosen per layer",
       .source = "ALDSNet; Liebenwein et al. 2021",
       .rule = Rule::ranks,
       .spectra = grouped_spectra},
      {.name = "pca",
       .summary = "replaces weights by two factors, the principal components of each layer's outputs on a scoring set",
       .source = "PCANet; Zhang et al. 2015",
       .rule = Rule::ranks,
       .spectra = output_spectrum,
       .reads_samples = true,
       .sees_layers = true},
  };
}

}  // namespace

__attribute__((weak)) std::vector<Method> added_methods() {
  return {};
}

const std::vector<Method>& all_methods() {
  static const std::vector<Method> table = [] {
    std::vector<Method> rows = own_methods();
    for (Method& added : added_methods()) rows.push_back(std::move(added));
    return rows;
  }();
  return table;
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const Method& method : all_methods()) names.push_back(method.name);
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::vector<double>> scores_of(const Method& method, const Sight& sight) {
  if (method.structured()) return method.channels(sight);
  if (!method.low_rank()) return method.weights(sight);
  std::vector<std::vector<double>> errors;
  for (const LayerSpectra& layer : method.spectra(sight))
    for (const Spectrum& way : layer.ways) errors.push_back(way.errors);
  return errors;
}

const Method& find_method(const std::string& name) {
  for (const Method& method : all_methods())
    if (method.name == name) return method;
  const auto names = method_names();
  const auto near = results::nearest(name, names);
  throw InvalidInput("method", name,
                     results::joined(names) + (near ? "; did you mean \"" + *near + "\"?" : std::string()));
}

}  // namespace retrial::pruning::inline methods
