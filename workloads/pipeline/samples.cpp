#include "workloads/pipeline/samples.hpp"

#include <algorithm>

#include "variance/random/rng.hpp"
#include "workloads/pipeline/engine/elementary.hpp"
#include "workloads/pipeline/engine/passes.hpp"

namespace retrial::pipeline {
namespace {

template <typename Real>
std::size_t answer(std::span<const Real> outputs) {
  std::size_t best = 0;
  for (std::size_t c = 1; c < outputs.size(); ++c)
    if (outputs[c] > outputs[best] || (outputs[best] != outputs[best] && outputs[c] == outputs[c])) best = c;
  return best;
}

}  // namespace

std::uint32_t SampleOrder::row(std::int64_t sample) {
  const std::int64_t epoch = sample / rows_;
  if (epoch != epoch_) {
    order_ = variance::permutation(
        variance::derive(variance::derive(seed_, "order"), static_cast<std::uint64_t>(epoch)), rows_);
    epoch_ = epoch;
  }
  return order_[static_cast<std::size_t>(sample % rows_)];
}

template <typename Real>
Feed<Real> inputs_of(const data::Teacher4::Part& part, std::uint64_t order_seed, std::int64_t batch) {
  return [&part, batch, order = SampleOrder(order_seed, static_cast<std::uint32_t>(part.labels.size()))](
             std::int64_t unit, Item<Real>& to) mutable {
    to.clear();
    for (std::int64_t r = 0; r < batch; ++r)
      for (const float x : part.row(order.row(unit * batch + r))) to.push_back(static_cast<Real>(x));
  };
}

template <typename Real>
LossOf<Real> losses_of(const data::Teacher4::Part& part, std::uint64_t order_seed, std::int64_t batch) {
  return [&part, batch, order = SampleOrder(order_seed, static_cast<std::uint32_t>(part.labels.size())),
          delta = std::vector<Real>(data::Teacher4::classes)](std::int64_t unit, Item<Real>& outputs) mutable {
    constexpr std::size_t classes = data::Teacher4::classes;
    double sum = 0;
    for (std::int64_t r = 0; r < batch; ++r) {
      const std::span<Real> row = std::span(outputs).subspan(static_cast<std::size_t>(r) * classes, classes);
      sum += cross_entropy<Real>(row, part.labels[order.row(unit * batch + r)], delta);
      for (std::size_t c = 0; c < classes; ++c) row[c] = delta[c] / static_cast<Real>(batch);
    }
    return sum / static_cast<double>(batch);
  };
}

template <typename Real>
double accuracy(const std::vector<Stage<Real>>& stages, const data::Teacher4::Part& part) {
  std::size_t right = 0;
  Item<Real> x, active, y;
  for (std::size_t r = 0; r < part.labels.size(); ++r) {
    x.assign(part.row(r).begin(), part.row(r).end());
    for (const Stage<Real>& stage : stages) {
      active.resize(static_cast<std::size_t>(stage.layer().out));
      y.resize(active.size());
      forward_pass<Real>(stage.layer(), stage.parameters(), x, active, y);
      std::swap(x, y);
    }
    if (answer<Real>(x) == part.labels[r]) ++right;
  }
  return 100.0 * static_cast<double>(right) / static_cast<double>(part.labels.size());
}

#define RETRIAL_INSTANCES(Real)                                                              \
  template Feed<Real> inputs_of(const data::Teacher4::Part&, std::uint64_t, std::int64_t);   \
  template LossOf<Real> losses_of(const data::Teacher4::Part&, std::uint64_t, std::int64_t); \
  template double accuracy(const std::vector<Stage<Real>>&, const data::Teacher4::Part&);
RETRIAL_INSTANCES(float)
RETRIAL_INSTANCES(double)
#undef RETRIAL_INSTANCES

}  // namespace retrial::pipeline
