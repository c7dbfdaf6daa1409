#include "workloads/automl/learners/self_test.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "variance/random/rng.hpp"

namespace retrial::automl::inline learners {
namespace {

constexpr std::uint32_t generated_rows = 512, generated_columns = 8;

/// Numbers with ties and unknown cells, and a target that depends on two columns.
DataSet generated(Task task) {
  DataSet data{.name = "generated", .task = task};
  for (std::uint32_t c = 0; c < generated_columns; ++c) data.features.push_back({std::to_string(c + 1)});
  const std::uint32_t classes = task == Task::regression ? 0 : task == Task::binary ? 2 : 3;
  for (std::uint32_t k = 0; k < classes; ++k) data.classes.push_back(std::to_string(k));
  variance::Stream draws(variance::derive(variance::derive(std::uint64_t{0}, "table"), "automl-self-test"));
  for (std::uint32_t row = 0; row < generated_rows; ++row) {
    std::vector<double> cells;
    for (std::uint32_t c = 0; c < generated_columns; ++c) {
      const double drawn = variance::normal(draws.next());
      cells.push_back(c % 4 == 3 ? std::nearbyint(drawn) : drawn);
    }
    const double score = cells[0] + cells[3] * cells[1] + variance::normal(draws.next());
    data.target.push_back(classes == 0   ? score
                          : classes == 2 ? (score > 0 ? 1.0 : 0.0)
                                         : (score > 0.7    ? 2.0
                                            : score > -0.7 ? 1.0
                                                           : 0.0));
    const bool unknown = variance::bounded(draws.next(), 10) == 0;
    for (std::uint32_t c = 0; c < generated_columns; ++c)
      data.cells.push_back(unknown && c == 1 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(cells[c]));
  }
  return data;
}

double between(double low, double high, double share, bool logarithmic) {
  return logarithmic ? low * std::pow(high / low, share) : low + (high - low) * share;
}

/// The place `share` of the way from the lower to the upper bound of every domain; counts stay below 64.
Chosen part_of_the_way(const std::vector<Hyperparameter>& space, double share) {
  using Kind = Hyperparameter::Kind;
  Chosen chosen;
  for (const Hyperparameter& key : space) {
    const bool logarithmic = key.kind == Kind::log || key.kind == Kind::log_integer;
    if (key.kind == Kind::choice)
      chosen[key.name] = static_cast<std::int64_t>(share * static_cast<double>(key.choices.size()));
    else if (key.kind == Kind::log_integer || key.kind == Kind::integer)
      chosen[key.name] = std::llrint(between(key.low, std::min(key.high - 1, 64.0), share, logarithmic));
    else
      chosen[key.name] = between(key.low, key.high, share, logarithmic);
  }
  return chosen;
}

struct Digests {
  std::string model, predictions;
};

}  // namespace

SelfTest self_test(const Learner& learner, Task task, std::size_t threads) {
  const DataSet data = generated(task);
  const Rows rows = all_rows(data);
  const auto space = learner.space(extent_of(data, rows.size()));
  const auto trained = [&](const Chosen& chosen, std::size_t on) {
    const auto model = learner.fit({data, rows}, chosen, {.of_library = 1, .init = 1}, on);
    return Digests{model_digest(*model), predictions_digest(model->predict(data, rows, on))};
  };
  for (const double share : {0.25, 0.5, 0.75}) {
    const Chosen chosen = part_of_the_way(space, share);
    const Digests first = trained(chosen, 1);
    for (const std::size_t on : {std::size_t{1}, std::size_t{2}, threads}) {
      const Digests again = trained(chosen, on);
      if (again.model == first.model && again.predictions == first.predictions) continue;
      const std::string one = again.model != first.model ? "model" : "predictions";
      const std::string verb = one == "model" ? " differs from that " : " differ from those ";
      return {false, learner.name + ": the " + one +
                         (on == 1 ? " of a second training" + verb + "of the first"
                                  : " on " + std::to_string(on) + " threads" + verb + "on 1")};
    }
  }
  return {};
}

}  // namespace retrial::automl::inline learners
