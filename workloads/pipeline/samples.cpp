#include "workloads/pipeline/samples.hpp"

#include <algorithm>

#include "variance/random/rng.hpp"
#include "workloads/data/inputs/keys.hpp"
#include "workloads/data/sets/teacher4.hpp"
#include "workloads/pipeline/arithmetic/elementary.hpp"
#include "workloads/pipeline/keys.hpp"

namespace retrial::pipeline {
namespace {

template <typename Real>
std::size_t answer(std::span<const Real> outputs) {
  std::size_t best = 0;
  for (std::size_t c = 1; c < outputs.size(); ++c)
    if (outputs[c] > outputs[best] || (outputs[best] != outputs[best] && outputs[c] == outputs[c])) best = c;
  return best;
}

Rows rows_of(const data::Teacher4::Part& part) {
  return {.classes = data::Teacher4::classes,
          .labels = {part.labels.begin(), part.labels.end()},
          .read = [&part](std::size_t row, std::vector<float>& values) {
            values.assign(part.row(row).begin(), part.row(row).end());
          }};
}

Rows rows_of(const data::Inputs& inputs, std::vector<std::uint32_t> places) {
  std::vector<std::uint16_t> labels;
  for (const std::uint32_t place : places) labels.push_back(inputs.set->labels[place]);
  return {.classes = inputs.set->classes,
          .labels = std::move(labels),
          .read = [set = inputs.set, table = data::PixelTable(*inputs.set, inputs.normalisation),
                   places = std::move(places)](std::size_t row, std::vector<float>& values) {
            values.resize(set->shape.pixels());
            table.convert(set->image(places[row]), values.data());
          }};
}

}  // namespace

Task task_of(const workloads::Trial& trial, const workloads::Place& place) {
  if (!has_images(trial.values))
    return {.train = rows_of(data::teacher4().train), .test = rows_of(data::teacher4().test), .data = ""};
  const data::Inputs inputs = data::inputs_of(trial, place);
  return {.train = rows_of(inputs, inputs.parts.train),
          .test = rows_of(inputs, inputs.parts.test),
          .data = data::inputs_text(inputs)};
}

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
Feed<Real> inputs_of(const Rows& rows, std::uint64_t order_seed, std::int64_t batch) {
  return [&rows, batch, order = SampleOrder(order_seed, static_cast<std::uint32_t>(rows.labels.size())),
          values = std::vector<float>()](std::int64_t unit, Item<Real>& to) mutable {
    to.clear();
    for (std::int64_t r = 0; r < batch; ++r) {
      rows.read(order.row(unit * batch + r), values);
      to.insert(to.end(), values.begin(), values.end());
    }
  };
}

template <typename Real>
LossOf<Real> losses_of(const Rows& rows, std::uint64_t order_seed, std::int64_t batch) {
  return [&rows, batch, order = SampleOrder(order_seed, static_cast<std::uint32_t>(rows.labels.size())),
          delta = std::vector<Real>(static_cast<std::size_t>(rows.classes))](std::int64_t unit,
                                                                             Item<Real>& outputs) mutable {
    const std::size_t classes = delta.size();
    double sum = 0;
    for (std::int64_t r = 0; r < batch; ++r) {
      const std::span<Real> row = std::span(outputs).subspan(static_cast<std::size_t>(r) * classes, classes);
      sum += cross_entropy<Real>(row, rows.labels[order.row(unit * batch + r)], delta);
      for (std::size_t c = 0; c < classes; ++c) row[c] = delta[c] / static_cast<Real>(batch);
    }
    return sum / static_cast<double>(batch);
  };
}

template <typename Real>
Pipeline<Real> pipeline_of(const workloads::Trial& trial, const Rows& rows, const Method& method) {
  const Network network = network_from(trial.values);
  const std::uint64_t order = trial.seed("data-order");
  std::vector<std::vector<double>> initial;
  for (std::size_t s = 0; s < network.size(); ++s)
    initial.push_back(initial_parameters(network[s], static_cast<std::int64_t>(s), trial.seed("init")));
  return {method,
          network,
          std::move(initial),
          inputs_of<Real>(rows, order, method.batch),
          losses_of<Real>(rows, order, method.batch),
          trial.text("backend") == "torch" ? torch_math<Real>() : native_math<Real>()};
}

template <typename Real>
double accuracy(const std::vector<Stage<Real>>& stages, const Rows& rows) {
  std::size_t right = 0;
  std::vector<float> values;
  Item<Real> x, y;
  for (std::size_t r = 0; r < rows.labels.size(); ++r) {
    rows.read(r, values);
    x.assign(values.begin(), values.end());
    for (const Stage<Real>& stage : stages) {
      stage.evaluate(x, y);
      std::swap(x, y);
    }
    if (answer<Real>(x) == rows.labels[r]) ++right;
  }
  return 100.0 * static_cast<double>(right) / static_cast<double>(rows.labels.size());
}

#define RETRIAL_INSTANCES(Real)                                                             \
  template Feed<Real> inputs_of(const Rows&, std::uint64_t, std::int64_t);                  \
  template LossOf<Real> losses_of(const Rows&, std::uint64_t, std::int64_t);                \
  template Pipeline<Real> pipeline_of(const workloads::Trial&, const Rows&, const Method&); \
  template double accuracy(const std::vector<Stage<Real>>&, const Rows&);
RETRIAL_INSTANCES(float)
RETRIAL_INSTANCES(double)
#undef RETRIAL_INSTANCES

}  // namespace retrial::pipeline
