#pragma once

#include <span>
#include <vector>

#include "workloads/automl/searchers/proposals/sampler.hpp"

/// Many configurations with little of the fidelity, few with more: successive halving (Jamieson and Talwalkar 2016),
/// Hyperband (Li et al. 2018), ASHA (Li et al. 2020), and rules that stop a configuration by its losses on the way.
namespace retrial::automl::inline searchers::inline halving {

struct Rung {
  std::int64_t count = 0;
  double resource = 0;
};
using Bracket = std::vector<Rung>;

/// floor(log_eta ratio), by counting powers: quotients of logarithms can fall just below a whole number.
[[nodiscard]] std::int64_t whole_power(double ratio, std::int64_t eta);
/// The brackets of Hyperband from resource `least` to `most`, the one of the least first resource first.
[[nodiscard]] std::vector<Bracket> hyperband_brackets(double least, double most, std::int64_t eta);
/// Resources as whole numbers, half to even and at least 1; of equal rungs in a row the first is left.
[[nodiscard]] Bracket whole_rungs(Bracket bracket);

struct Climber {
  double loss = 0;
  std::int64_t id = 0;
  bool promoted = false;
};
/// Of a rung in order of loss, then id: those among its floor(m / eta) best that have not gone on.
[[nodiscard]] std::vector<std::int64_t> promotable(std::span<const Climber> rung, std::int64_t eta);

/// When a configuration that has reached a rung goes on. promotion: when it is among the best 1 / eta (ASHA). stopping:
/// at once, unless it is above the quantile 1 / eta of the rung. median, percentile: at once, unless its best loss is
/// above the median, or above that quantile, of the other configurations at the rung; the first five always go on.
/// threshold: at once while its loss is within bounds. patient: at once while it improves. wilcoxon: at once, unless it
/// is worse than the best other one at the rung by signed ranks over the folds that both have (one-sided p < .1, which
/// takes four folds at least).
enum class Pruner { promotion, stopping, median, percentile, threshold, patient, wilcoxon };

struct HalvingOptions {
  double least = 1, most = 1;  ///< fidelity
  std::int64_t eta = 3;
  Pruner pruner = Pruner::promotion;
  double low = 0, high = 0;     ///< threshold
  std::int64_t patience = 1;    ///< patient: rungs
  double gain = 0;              ///< patient: less is no improvement
  bool drawn_brackets = false;  ///< each configuration draws its bracket: S(hopt, bracket, learner, 0, id)
};

/// Quantile 1 / eta with linear interpolation; infinity of fewer than two values.
[[nodiscard]] double stopping_cutoff(std::vector<double> losses, std::int64_t eta);
/// Losses of a configuration and of the best other one at the rung, fold by fold.
struct PairedFolds {
  std::span<const double> own, best;
};
/// Whether a configuration with these losses at the rungs until now stops. `others` at the last of them; `ended`
/// configurations have had their last rung.
[[nodiscard]] bool prunes(const HalvingOptions& options, std::span<const double> losses, std::span<const double> others,
                          std::int64_t ended, const PairedFolds& folds = {});

/// Rungs least, least * eta, ... and most. New configurations are random.
[[nodiscard]] std::unique_ptr<Sampler> asha_sampler(const Space& space, const Draws& draws,
                                                    const HalvingOptions& options);
/// Bracket after bracket; or, with several workers, every configuration in a bracket that it draws.
[[nodiscard]] std::unique_ptr<Sampler> hyperband_sampler(const Space& space, const Draws& draws,
                                                         const HalvingOptions& options);

}  // namespace retrial::automl::inline searchers::inline halving
