#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/where.h>

#include <cmath>

#include "workloads/distillation/losses/losses_torch.hpp"
#include "workloads/distillation/methods/negatives.hpp"
#include "workloads/distillation/terms/maps_torch.hpp"
#include "workloads/distillation/terms/own_tensors_torch.hpp"

namespace retrial::distillation::inline losses {

namespace {

/// One anchor's view of the other network's memory.
struct CrdSide {
  nn::Linear embed;
  at::Tensor memory;  ///< (n, width), unit rows: this network's embeddings
  at::Tensor scale;   ///< Z of the scores against this memory, 0 until the first batch
};

class CrdLoss final : public Loss {
 public:
  explicit CrdLoss(const Setting& setting)
      : rows_(static_cast<std::int64_t>(setting.labels.size())),
        count_(setting.options.negatives),
        negatives_(setting.labels, setting.sampling_seed.value(), count_) {
    OwnTensors own("crd", setting.init_seed);
    const auto side = [&](const std::string& name, std::int64_t features) {
      return CrdSide{own.linear(name, features, width),
                     own.memory(name + ".memory", {rows_, width}, std::sqrt(3.0 / width)),
                     own.counter(name + ".scale")};
    };
    student_ = side("student", setting.student.pooled);
    teacher_ = side("teacher", setting.teacher.pooled);
    parameters_ = own.parameters;
    buffers_ = own.buffers;
  }

  at::Tensor value(const Sight& sight) override {
    const at::Tensor s = unit(student_.embed(sight.student.pooled), 1),
                     t = unit(teacher_.embed(sight.teacher().pooled.detach()), 1), places = places_of(sight);
    require_batch(s, 2, "crd");
    const at::Tensor loss = side_loss(s, teacher_, places) + side_loss(t, student_, places), own = places.select(1, 0);
    const at::NoGradGuard no_gradient;
    remember(student_, own, s);
    remember(teacher_, own, t);
    return loss;
  }

 private:
  static constexpr std::int64_t width = 128;

  /// (B, 1 + m): a sample's own place, then its negatives.
  at::Tensor places_of(const Sight& sight) {
    const auto batch = static_cast<std::int64_t>(sight.places.size());
    at::Tensor places = at::empty({batch, 1 + count_}, at::kLong);
    auto* to = places.data_ptr<std::int64_t>();
    for (const std::uint32_t place : sight.places) {
      *to = place;
      negatives_.draw(place, sight.epoch, to + 1);
      to += 1 + count_;
    }
    return nn::on(student_.memory.device(), places);
  }

  at::Tensor side_loss(const at::Tensor& anchor, const CrdSide& other, const at::Tensor& places) const {
    constexpr double temperature = .07;
    const at::Tensor scores = (anchor.matmul(other.memory.clone().t()) / temperature).exp().gather(1, places);
    {
      const at::NoGradGuard no_gradient;
      const at::Tensor first = (scores.mean().to(at::kDouble) * static_cast<double>(rows_)).to(at::kFloat);
      other.scale.copy_(at::where(other.scale == 0, first, other.scale));  // an .item() would make a GPU wait
    }
    const at::Tensor p = scores / other.scale;
    return contrast(p.select(1, 0), p.narrow(1, 1, count_), static_cast<double>(rows_));
  }

  static void remember(const CrdSide& side, const at::Tensor& places, const at::Tensor& embedded) {
    constexpr double momentum = .5;
    const at::Tensor old = side.memory.index_select(0, places);
    side.memory.index_copy_(0, places, unit(momentum * old + (1 - momentum) * embedded, 1));
  }

  std::int64_t rows_, count_;
  Negatives negatives_;
  CrdSide student_, teacher_;
};

const RegisterLoss crd_term{"crd", [](const Setting& setting) { return std::make_unique<CrdLoss>(setting); }};

}  // namespace

at::Tensor contrast(const at::Tensor& positive, const at::Tensor& negative, double n, double eps) {
  const double share = static_cast<double>(negative.size(1)) / n;
  const at::Tensor drawn = (positive / (positive + (share + eps))).log().sum(),
                   passed_over = (share / (negative + (share + eps))).log().sum();
  return -(drawn + passed_over) / static_cast<double>(positive.size(0));
}

}  // namespace retrial::distillation::inline losses
