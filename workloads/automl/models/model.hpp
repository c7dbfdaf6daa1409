#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "workloads/automl/datasets/dataset.hpp"

namespace retrial::automl::inline models {

/// The rows that a learner is fitted to, in their order.
struct Training {
  const DataSet& data;
  std::span<const std::uint32_t> rows;
};

/// All that a fit draws from.
struct FitSeeds {
  std::uint32_t of_library = 0;  ///< 31 bits: S(init, learner_seed, learner, 0, evaluation)
  std::uint64_t init = 0;        ///< source seed, for draws of our own
  std::uint64_t learner = 0;     ///< place in the list of learners
};

/// A fitted learner.
class Model {
 public:
  virtual ~Model() = default;
  /// Row by row: the score of class 1 (binary), a probability for each class (multiclass), or a value. Equal bits for
  /// any number of threads.
  [[nodiscard]] virtual std::vector<double> predict(const DataSet& data, std::span<const std::uint32_t> rows,
                                                    std::size_t threads) const = 0;
  /// The model in its library's own format; of our own learners JSON.
  [[nodiscard]] virtual std::string bytes() const = 0;
  /// What `model_digest` hashes: `bytes`, without a part that a setting of no effect on the model changes.
  [[nodiscard]] virtual std::string digested() const { return bytes(); }
  /// Iterations that were needed, of those learners that stop early; else 0.
  [[nodiscard]] virtual std::int64_t iterations() const { return 0; }
};

/// SHA-256, 64 hex digits.
[[nodiscard]] std::string model_digest(const Model& model);
[[nodiscard]] std::string predictions_digest(std::span<const double> predictions);
/// Numbers in a row of predictions.
[[nodiscard]] std::size_t outputs_of(const DataSet& data);

}  // namespace retrial::automl::inline models
