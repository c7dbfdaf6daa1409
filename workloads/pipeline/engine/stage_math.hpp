#pragma once

#include <memory>
#include <span>
#include <vector>

#include "workloads/pipeline/arithmetic/network.hpp"

namespace retrial::pipeline::inline engine {

/// One micro-batch of values, row by row. Empty: the loss of this sample or of an earlier one was not finite, and no
/// gradient from here on is applied.
template <typename Real>
using Item = std::vector<Real>;

/// State of a forward that a back end keeps for itself, unknown to the engine.
struct Graph {
  Graph() = default;
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  virtual ~Graph() = default;
};

/// Values that a forward leaves for its backward, in addition to its input.
template <typename Real>
struct Kept {
  Item<Real> active;
  std::unique_ptr<Graph> graph;
};

/// The mathematics of a stage: all that differs between back ends. Parameters are those of Layer, in the engine's
/// memory, where they change between the passes of a sample. One object serves all stages and threads.
template <typename Real>
class StageMath {
 public:
  virtual ~StageMath() = default;
  /// `y` has its size and receives the output; `x` stays where it is until the backward.
  virtual void forward(const Layer& layer, std::span<const Real> parameters, const Item<Real>& x, Kept<Real>& kept,
                       Item<Real>& y) const = 0;
  /// `delta` holds dL/dy and may be overwritten; `dx`, unless it is empty, receives dL/dx through the parameters given
  /// and what the forward kept; dL/d(parameters) is added to `gradient`.
  virtual void backward(const Layer& layer, std::span<const Real> parameters, const Item<Real>& x, Kept<Real>& kept,
                        Item<Real>& delta, Item<Real>& dx, std::span<Real> gradient) const = 0;
  /// True if kept state cannot be saved: a loaded run rebuilds it, by a forward with the parameters of the first one.
  [[nodiscard]] virtual bool rebuilds() const { return false; }
};

/// Plain loops, for layers without normalization and images.
template <typename Real>
[[nodiscard]] const StageMath<Real>& native_math();

/// Stages of LibTorch, if this program has them (libtorch/). Throws TrialFailure("workload.not_built"), or
/// TrialFailure("pipeline.threads") if LibTorch may use several threads.
template <typename Real>
[[nodiscard]] const StageMath<Real>& torch_math();

/// Both types of LibTorch's stages, by the file that has them; `threads` are those LibTorch may use.
struct RegisterTorchMath {
  RegisterTorchMath(const StageMath<float>& of_float, const StageMath<double>& of_double, int (*threads)());
};

}  // namespace retrial::pipeline::inline engine
