#include "workloads/automl/models/model.hpp"

namespace retrial::automl::inline models {

std::string model_digest(const Model& model) {
  return results::hex(results::sha256(model.digested()));
}

std::string predictions_digest(std::span<const double> predictions) {
  const auto* first = reinterpret_cast<const std::uint8_t*>(predictions.data());
  return results::hex(results::sha256(std::span(first, predictions.size_bytes())));
}

std::size_t outputs_of(const DataSet& data) {
  return data.task == Task::multiclass ? data.classes.size() : 1;
}

}  // namespace retrial::automl::inline models
