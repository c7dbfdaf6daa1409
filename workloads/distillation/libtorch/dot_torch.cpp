#include "workloads/distillation/libtorch/dot_torch.hpp"

#include <ATen/core/Tensor.h>

#include "workloads/distillation/methods/methods.hpp"
#include "workloads/distillation/trial/dot.hpp"
#include "workloads/distillation/trial/dot_device.hpp"

namespace retrial::distillation::inline libtorch {
namespace {

class Dot final : public nn::Optimizer {
 public:
  Dot(const nn::NamedTensors& trained, const nn::Sgd& sgd, double delta)
      : Optimizer(trained, 2), sgd_(sgd), delta_(delta) {}

  void step(const std::vector<nn::Term>& terms, double rate) override {
    const auto task = gradients_of(terms, false), imitation = gradients_of(terms, true);
    std::vector<at::Tensor> alone(trained().size());  // of tensors that only one of the two has reached
    std::vector<std::size_t> both;
    for (std::size_t i = 0; i < alone.size(); ++i)
      if (task[i].defined() && imitation[i].defined())
        both.push_back(i);
      else
        alone[i] = task[i].defined() ? task[i] : imitation[i];
    is_on_host() ? dot_on_host(both, task, imitation, rate) : dot_on_gpu(both, task, imitation, rate);
    sgd_update(alone, rate, sgd_);
    clear_masked();
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

  void dot_on_host(const std::vector<std::size_t>& both, const std::vector<at::Tensor>& task,
                   const std::vector<at::Tensor>& imitation, double rate) {
    const auto& v = velocities();
    for (const std::size_t i : both)
      dot_step(nn::floats_of(trained()[i].second), nn::floats_of(task[i]), nn::floats_of(imitation[i]),
               {nn::floats_of(v[0][i]), nn::floats_of(v[1][i])}, rate, delta_, sgd_);
  }

  void dot_on_gpu(const std::vector<std::size_t>& both, const std::vector<at::Tensor>& task,
                  const std::vector<at::Tensor>& imitation, double rate) {
    const auto& v = velocities();
    std::vector<determinism::Listed<DotTensor>> list;
    for (const std::size_t i : both) {
      const at::Tensor& tensor = trained()[i].second;
      list.push_back({{tensor.data_ptr<float>(), task[i].const_data_ptr<float>(), imitation[i].const_data_ptr<float>(),
                       v[0][i].data_ptr<float>(), v[1][i].data_ptr<float>(), live(i)},
                      static_cast<std::uint64_t>(tensor.numel())});
    }
    if (!list.empty()) dot_kernel()(list, control(rate), delta_, sgd_);
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
