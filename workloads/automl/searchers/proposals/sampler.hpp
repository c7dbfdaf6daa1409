#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "workloads/automl/core/space.hpp"

/// Proposes configurations of one learner and learns from their losses.
namespace retrial::automl::inline searchers::inline proposals {

struct Suggestion {
  Chosen configuration;
  std::string origin;         ///< "flow2:+", "random", ...
  std::int64_t parent = -1;   ///< evaluation of the incumbent that it came from
  std::int64_t fidelity = 0;  ///< 0: that of the search
  bool resumes = false;       ///< it is `parent` again, with more of the fidelity
  bool enlarges = false;      ///< the incumbent again, with the next number of rows, which all later ones have
};

class Sampler {
 public:
  virtual ~Sampler() = default;
  /// For evaluation `id`. Nothing: it waits for results, or has no more to propose.
  [[nodiscard]] virtual std::optional<Suggestion> propose(std::int64_t id) = 0;
  /// Of an evaluation that this sampler proposed; infinity for one that failed. `cost` is 1 where evaluations count.
  virtual void observe(std::int64_t id, double loss, double cost = 1) = 0;
  /// Its losses fold by fold, ahead of observe(); not called where there are no folds.
  virtual void observe_folds(std::int64_t /*id*/, std::span<const double> /*losses*/) {}
  /// Of an evaluation that another sampler proposed, or proposed in its place.
  virtual void learn(std::int64_t /*id*/, const Chosen& /*configuration*/, double /*loss*/) {}
  /// It proposes nothing more.
  [[nodiscard]] virtual bool finished() const { return false; }
  /// Rows of the next evaluations, and the next larger number of them, 0 at full size: only there the steps of a walk
  /// shrink, so that it can end or start again.
  virtual void at_size(std::int64_t /*rows*/, std::int64_t /*next*/) {}
  /// An incumbent from elsewhere (a portfolio, another size) becomes the start.
  virtual void take_over(std::int64_t /*id*/, const Chosen& /*configuration*/, double /*loss*/) {}
  /// The configuration to enlarge, if there is one yet.
  [[nodiscard]] virtual std::optional<Chosen> incumbent() const { return std::nullopt; }
  /// Length of the next step of a walk, in coordinates.
  [[nodiscard]] virtual double step() const { return 0; }
};

/// What a sampler draws from.
struct Draws {
  std::uint64_t seed = 0;  ///< source seed of hopt
  std::uint64_t learner = 0;
};

/// Independent uniform points: S(hopt, sampler, learner, 0, id).
[[nodiscard]] std::unique_ptr<Sampler> random_sampler(const Space& space, const Draws& draws);
[[nodiscard]] Coordinates random_point(const Draws& draws, std::int64_t id, std::size_t dimensions);
/// Radical inverses in the first primes, from index 1: no draw. At most 50 dimensions.
[[nodiscard]] std::unique_ptr<Sampler> halton_sampler(const Space& space);
[[nodiscard]] Coordinates halton_point(std::uint64_t index, std::size_t dimensions);
/// Points of Boost's Sobol sequence, from index 1: no draw.
[[nodiscard]] std::unique_ptr<Sampler> sobol_sampler(const Space& space);

}  // namespace retrial::automl::inline searchers::inline proposals
