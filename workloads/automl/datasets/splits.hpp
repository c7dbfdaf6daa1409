#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "workloads/automl/datasets/dataset.hpp"

namespace retrial::automl::inline datasets {

/// The key of a shuffle, for the number of the class whose rows are shuffled.
using KeyOfClass = std::function<std::uint64_t(std::uint64_t)>;

/// Keys of the outer division (seed: data-split), of the inner split `number` (data-split; 0 when it is fixed, else the
/// id of the evaluation) and of the orders (data-order). Each purpose has keys of its own, so that no split follows
/// another.
[[nodiscard]] KeyOfClass outer_keys(std::uint64_t seed);
[[nodiscard]] KeyOfClass inner_keys(std::uint64_t seed, std::uint64_t number);
[[nodiscard]] KeyOfClass order_keys(std::uint64_t seed);

/// A class whose rows two divisions would shuffle by the same words, so that one follows the other; nothing: none of
/// the classes 0 to `classes` - 1.
[[nodiscard]] std::optional<std::uint64_t> shared_class(const KeyOfClass& outer, const KeyOfClass& inner,
                                                        std::uint64_t classes);

/// The fold, 0 to folds - 1, of each place. The rows of each class are shuffled and dealt in turn, so that fold sizes,
/// and the rows of a class in each fold, differ by at most one. Of regression all classes are 0.
[[nodiscard]] std::vector<std::uint32_t> stratified_folds(std::span<const std::uint32_t> classes, std::uint32_t folds,
                                                          const KeyOfClass& key);
/// Throws Error{usage} naming the key `field`, the class, its rows and the largest allowed number where a class has
/// fewer rows than folds.
void require_rows(std::span<const std::uint32_t> classes, std::uint32_t folds, const std::string& field,
                  std::span<const std::string> class_names);

/// Places in an order whose every prefix holds the classes in their shares as nearly as whole rows allow: a prefix is
/// the subsample of its size. Within a class the order is a shuffle.
[[nodiscard]] std::vector<std::uint32_t> stratified_order(std::span<const std::uint32_t> classes,
                                                          const KeyOfClass& key);

struct Division {
  Rows train, test;
};
/// Rows in fold `fold` test, the others train; both ascending where `rows` is.
[[nodiscard]] Division divided(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> folds,
                               std::uint32_t fold);

/// Folds of a hold-out of this share: it is fold 0 of 1 / ratio, rounded.
[[nodiscard]] std::uint32_t holdout_folds(double ratio);

enum class Resampling { cross_validation, holdout };
/// Cross-validation for n * d / 0.9 < 1e7 cells per hour of the budget and n < 100,000, as FLAML. budget_hours: cost
/// units / cost_per_hour; infinity where only evaluations are counted.
[[nodiscard]] Resampling decide_resampling(std::uint64_t rows, std::uint64_t columns, double budget_hours);

}  // namespace retrial::automl::inline datasets
