#include "workloads/pruning/trial/effort.hpp"

#include <algorithm>
#include <cmath>

#include "results/json/json.hpp"
#include "workloads/pruning/keys/distributions.hpp"
#include "workloads/pruning/keys/keys.hpp"

namespace retrial::pruning::inline trial {
namespace {

/// Fitted to the studies that were measured (docs/workloads/pruning.md), on one thread of an x86-64 server: costs of an
/// image beyond its multiplications in training with small batches, in evaluation with large ones, and in evaluation
/// once per pixel. The estimated CPU-minutes of these studies are 1.5, 1.4 and 1.3 times the measured ones.
constexpr double macs_per_second = 2e10, training_image = 3e-6, evaluated_image = 1.2e-6, evaluated_pixel = 3.2e-6;

struct Rows {
  double train = 0, test = 0;
};

Rows rows_of(const Values& values) {
  return {static_cast<double>(data::training_rows(workload_name, values)),
          static_cast<double>(data::loaded_set(workload_name, values)->published.test)};
}

double macs_of(const Network& network) {
  double sum = 0;
  for (const Layer& layer : network.layers) sum += static_cast<double>(layer.weights() * layer.positions);
  return sum;
}

/// Seconds of forward passes, each with `per_image` seconds beyond its multiplications.
double seconds_to_evaluate(double images, double macs, double per_image) {
  return images * (macs / macs_per_second + per_image);
}

/// Evaluation of one network: every distribution, noise on it and on its parent, and its informative pixels.
double seconds_to_measure(const Values& values, const Rows& rows, double macs) {
  const auto count = [&](const char* key) { return static_cast<double>(integer_in(values, key)); };
  const double distributions = static_cast<double>(distribution_names(values).size()),
               noisy = std::min(count("noise_images"), rows.test) * count("noise_draws") *
                       static_cast<double>(noise_levels_of(values).size()) * 2;
  const data::Shape shape = data::image_shape(values);
  const double side = count("backselect_block"),
               blocks = std::floor(shape.height / side) * std::floor(shape.width / side),
               pixels = std::min(count("backselect_images"), rows.test) * blocks * (blocks + 1) / 2;
  return seconds_to_evaluate(rows.test * distributions + noisy, macs, evaluated_image) +
         seconds_to_evaluate(pixels, macs, evaluated_pixel);
}

/// Training multiplies three times: forward, and backward to weights and to inputs.
double seconds_to_train(double epochs, const Rows& rows, double macs) {
  return epochs * rows.train * (3 * macs / macs_per_second + training_image);
}

/// Everything that the training of a parent depends on: parents that agree in it and in their seeds are the same.
std::string parent_text(const Values& values) {
  Json document = Json::object();
  for (const workloads::Parameter& key : data::data_parameters())
    document[key.name] = results::canonical_value(values.at(key.name));
  for (const char* key : {"model", "dropout", "epochs", "batch", "lr", "momentum", "nesterov", "weight_decay",
                          "milestones", "gamma", "augment", "augment_mix"})
    document[key] = results::canonical_value(values.at(key));
  if (pipeline_of(values).rewinds) document["rewind_epoch"] = integer_in(values, "rewind_epoch");
  return results::canonical(document);
}

}  // namespace

workloads::Effort effort_of(const Values& given, const std::filesystem::path& folder) {
  if (is_script(given)) return {.counted = false};
  const Values values = data::located(given, folder);
  const Rows rows = rows_of(values);
  const double macs = macs_of(network_of(values)), judged = seconds_to_measure(values, rows, macs);
  const Lengths lengths = lengths_of(values);
  const bool separate = flag_in(values, "separate");
  const auto steps = static_cast<std::int64_t>(grid_of(values).size());
  const std::int64_t trainings = steps / lengths.every * (pipeline_of(values).control == Control::none ? 1 : 2);
  return {.shared_phase = "parent",
          .shared_by = parent_text(values),
          .shared_sources = {"init", "data-split", "data-order", augmentation_source(values), "dropout"},
          .shared_seconds = (separate ? 2 : 1) * seconds_to_train(static_cast<double>(lengths.parent), rows, macs),
          .own_phase = "retraining",
          .own_count = trainings,
          .own_seconds =
              static_cast<double>(trainings) * seconds_to_train(static_cast<double>(lengths.retraining), rows, macs) +
              static_cast<double>(steps + (separate ? 2 : 1)) * judged};
}

}  // namespace retrial::pruning::inline trial
