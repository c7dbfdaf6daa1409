#include "workloads/distillation/libtorch/dot_torch.hpp"

#include <ATen/core/Tensor.h>

#include "workloads/distillation/methods/methods.hpp"
#include "workloads/distillation/trial/dot.hpp"

namespace retrial::distillation::inline libtorch {
namespace {

class Dot final : public nn::Optimizer {
 public:
  Dot(const nn::NamedTensors& trained, const nn::Sgd& sgd, double delta)
      : Optimizer(trained, 2), sgd_(sgd), delta_(delta) {}

  void step(const std::vector<nn::Term>& terms, double rate) override {
    const auto task = gradients_of(terms, false), imitation = gradients_of(terms, true);
    for (std::size_t i = 0; i < trained().size(); ++i) update(i, task[i], imitation[i], rate);
  }

 private:
  /// Gradients of the terms that imitate, or of the others. The graph is kept for the second call.
  std::vector<at::Tensor> gradients_of(const std::vector<nn::Term>& terms, bool imitating) {
    std::vector<nn::Term> chosen;
    for (const nn::Term& term : terms)
      if (imitates(term.name) == imitating) chosen.push_back(term);
    std::vector<at::Tensor> gradients(trained().size());
    if (chosen.empty()) return gradients;
    nn::weighted_sum(chosen).backward({}, true);
    for (std::size_t i = 0; i < gradients.size(); ++i) gradients[i] = nn::taken_gradient(trained()[i].second);
    return gradients;
  }

  void update(std::size_t i, const at::Tensor& task, const at::Tensor& imitation, double rate) {
    auto& v = velocities();
    if (!task.defined() || !imitation.defined()) return sgd_update(i, task.defined() ? task : imitation, rate, sgd_);
    dot_step(nn::floats_of(trained()[i].second), nn::floats_of(task), nn::floats_of(imitation), {v[0][i], v[1][i]},
             rate, delta_, sgd_);
  }

  nn::Sgd sgd_;
  double delta_;
};

}  // namespace

nn::MakeOptimizer dot_optimizer(double delta) {
  return [delta](const nn::NamedTensors& trained, const nn::Sgd& sgd) {
    return std::make_unique<Dot>(trained, sgd, delta);
  };
}

}  // namespace retrial::distillation::inline libtorch
