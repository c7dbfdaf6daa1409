#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "workloads/data/files/image_set.hpp"

namespace retrial::data::inline split {

/// Division of the rows of a set (contract: "Sources"). Only the last two honor the source data-split.
enum class Rule { published, permuted, oob };
enum class Subset { first, balanced };

/// The words of the keys `split` and `subset`, in the order of the enumerators.
[[nodiscard]] const std::vector<std::string>& rule_names();
[[nodiscard]] const std::vector<std::string>& subset_names();
[[nodiscard]] Rule rule_from(const std::string& name);
[[nodiscard]] Subset subset_from(const std::string& name);

/// Row numbers into a set. `train` is the whole training split; `valid` is empty unless the
/// rule itself draws it.
struct Split {
  std::vector<std::uint32_t> train, valid, test;
};

/// published: the published division; digits are permuted by a constant first, sets with files of their own have
/// their training rows permuted by another constant (for subset and validation only).
/// permuted: all rows permuted by derive(seed, "split"), cut at the published sizes.
/// oob: stratified out-of-bootstrap (variance specification 3.2) with the published sizes and floor(validation * train)
/// validation rows out of those left over; training rows, which come class by class and may repeat, are permuted by
/// derive(seed, "subset"). `seed` is the source seed of data-split, required unless the rule is published.
[[nodiscard]] Split make_split(const ImageSet& set, Rule rule, std::optional<std::uint64_t> seed, double validation);

/// `count` rows of `train` (0: all): the first ones, or floor/ceil(count / classes) of each class, larger counts to
/// the smaller class indices, each class in the order of `train`; the result keeps the order of `train`.
/// Throws InvalidInput("train_count") if there are not enough rows, naming the class that lacks them.
[[nodiscard]] std::vector<std::uint32_t> take(const ImageSet& set, std::span<const std::uint32_t> train, Subset how,
                                              std::uint32_t count);

/// `train`: `count` rows of the training split; the last floor(validation * count) of these become the validation set
/// unless the split drew one. `whole`: the training split without validation rows, whatever `count` is.
struct Parts {
  std::vector<std::uint32_t> train, valid, test, whole;
};
struct PartsRequest {
  Rule rule = Rule::published;
  std::optional<std::uint64_t> seed;
  Subset subset = Subset::first;
  std::uint32_t train_count = 0;
  double validation = 0;
};
/// Throws InvalidInput naming train_count or validation if a part would be empty.
[[nodiscard]] Parts make_parts(const ImageSet& set, const PartsRequest& request);

}  // namespace retrial::data::inline split
