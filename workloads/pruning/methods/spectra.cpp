#include "workloads/pruning/methods/spectra.hpp"

#include "workloads/pruning/methods/scoring_view.hpp"

namespace retrial::pruning::inline methods {
namespace {

LayerSpectra spectra_of(const Sight& sight, std::size_t layer, const std::vector<std::int64_t>& groups) {
  const std::vector<double> whole = sight.singular_values(layer, 1);
  LayerSpectra found;
  for (const std::int64_t k : groups)
    found.ways.push_back(spectrum_of(k, k == 1 ? whole : sight.singular_values(layer, k), whole.front()));
  return found;
}

}  // namespace

Spectra weight_spectrum(const Sight& sight) {
  Spectra all;
  for (std::size_t l = 0; l < sight.network.layers.size(); ++l) all.push_back(spectra_of(sight, l, {1}));
  return all;
}

Spectra grouped_spectra(const Sight& sight) {
  Spectra all;
  for (std::size_t l = 0; l < sight.network.layers.size(); ++l)
    all.push_back(spectra_of(sight, l, group_counts(sight.network.layers[l])));
  return all;
}

Spectra output_spectrum(const Sight& sight) {
  Spectra all;
  for (Principal& principal : sight.principal_components()) {
    Spectrum spectrum = spectrum_of(1, principal.values, principal.values.front());
    all.push_back({.ways = {std::move(spectrum)}, .principal = std::move(principal)});
  }
  return all;
}

Allocation keep_ranks(const Sight& sight, Spectra spectra, double keep, const std::vector<bool>& may_prune) {
  const Network& network = sight.network;
  std::int64_t budget = 0, weights = 0;
  std::vector<std::vector<RankChoice>> layers;
  Allocation made{.masks = sight.masks};
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    const Layer& layer = network.layers[l];
    const Rank now = sight.ranks.empty() ? Rank{} : sight.ranks[l];
    (may_prune[l] ? weights : budget) += layer.weights();
    layers.push_back(may_prune[l] ? rank_choices(layer, spectra[l].ways, now)
                                  : std::vector<RankChoice>{{now, parameters(layer, now), 0}});
    if (spectra[l].principal) made.principal.push_back(std::move(*spectra[l].principal));
  }
  budget += budget_of(keep, weights);
  const RankPlan plan = choose_ranks(layers, budget);
  for (const RankChoice& choice : plan.layers) made.ranks.push_back(choice.rank);
  made.rank_error = plan.error;
  if (plan.parameters > budget)
    made.warnings.push_back("factors of rank 1 in every layer have " + std::to_string(plan.parameters) +
                            " parameters, more than the requested " + std::to_string(budget));
  return made;
}

}  // namespace retrial::pruning::inline methods
