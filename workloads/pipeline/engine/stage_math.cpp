#include "workloads/pipeline/engine/stage_math.hpp"

#include <string>

#include "workloads/interface/trial/trial.hpp"
#include "workloads/pipeline/arithmetic/passes.hpp"

namespace retrial::pipeline::inline engine {
namespace {

template <typename Real>
class NativeMath final : public StageMath<Real> {
  void forward(const Layer& layer, std::span<const Real> parameters, const Item<Real>& x, Kept<Real>& kept,
               Item<Real>& y) const override {
    kept.active.resize(y.size());
    forward_pass<Real>(layer, parameters, x, kept.active, y);
  }
  void backward(const Layer& layer, std::span<const Real> parameters, const Item<Real>& x, Kept<Real>& kept,
                Item<Real>& delta, Item<Real>& dx, std::span<Real> gradient) const override {
    backward_pass<Real>(layer, parameters, kept.active, delta, dx);
    add_gradient<Real>(layer, x, delta, gradient);
  }
};

template <typename Real>
const StageMath<Real>* registered_torch = nullptr;
int (*torch_threads)() = nullptr;

}  // namespace

template <typename Real>
const StageMath<Real>& native_math() {
  static const NativeMath<Real> math;
  return math;
}

template <typename Real>
const StageMath<Real>& torch_math() {
  if (torch_threads == nullptr)
    throw workloads::TrialFailure("workload.not_built", "backend = torch: this program was built without LibTorch");
  if (const int threads = torch_threads(); threads > 1)
    throw workloads::TrialFailure("pipeline.threads",
                                  "backend = torch: LibTorch may use " + std::to_string(threads) +
                                      " threads, which would multiply with those of the pipeline (allowed: a kernel "
                                      "mode with threads = 1; more stages at a time: workers)");
  return *registered_torch<Real>;
}

RegisterTorchMath::RegisterTorchMath(const StageMath<float>& of_float, const StageMath<double>& of_double,
                                     int (*threads)()) {
  registered_torch<float> = &of_float, registered_torch<double> = &of_double, torch_threads = threads;
}

template const StageMath<float>& native_math();
template const StageMath<double>& native_math();
template const StageMath<float>& torch_math();
template const StageMath<double>& torch_math();

}  // namespace retrial::pipeline::inline engine
