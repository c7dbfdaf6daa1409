#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "workloads/data/augment/augment.hpp"
#include "workloads/data/sets/registry.hpp"
#include "workloads/data/split/pixels.hpp"
#include "workloads/data/split/split.hpp"
#include "workloads/interface/declaration.hpp"
#include "workloads/interface/run.hpp"

/// The keys about data, which every workload that trains on images has, and what they mean.
namespace retrial::data::inline inputs {

/// dataset, data_dir, verify, files, downscale, split, train_count, subset, validation, normalise, in this order. The
/// meanings of two of them depend on who trains.
struct KeyMeanings {
  std::string train_count = "training rows; 0: all";
  std::string validation = "share of the training rows kept from training";
};
[[nodiscard]] std::vector<workloads::Parameter> data_parameters(const KeyMeanings& meanings = {});
/// Those of them that are read under these values.
[[nodiscard]] std::vector<std::string> data_keys_read(const Values& values);

[[nodiscard]] const DataSetInfo& data_set_of(const Values& values);
/// The set itself, read from the folder data_dir unless it is built in. Throws Error naming "<workload>.data_dir" when
/// there is no such folder, or when its files are missing or wrong.
[[nodiscard]] std::shared_ptr<const ImageSet> loaded_set(const std::string& workload, const Values& values);
/// The keys with data_dir set to the folder that a worker was handed, where they name none and the set needs one.
[[nodiscard]] Values located(Values values, const std::filesystem::path& folder);
/// The same with every folder that a worker was handed.
[[nodiscard]] Values located(Values values, const workloads::Place& place);
/// One image as the networks see it.
[[nodiscard]] Shape image_shape(const Values& values);
[[nodiscard]] PartsRequest parts_request(const Values& values, std::optional<std::uint64_t> split_seed);
/// `normalise`: "default" is none for digits and computed elsewhere; the statistics are those of `rows`.
[[nodiscard]] Normalisation normalisation_of(const Values& values, const ImageSet& set,
                                             std::span<const std::uint32_t> rows);

/// Sizes and rows that do not fit the set, as far as no draw decides; images first, and rows only where those fit.
void check_images(const Values& values, std::vector<workloads::Problem>& problems);
void check_rows(const std::string& workload, const Values& values, std::vector<workloads::Problem>& problems);

/// Rows that the keys leave for training, without those kept for validation (of `split = oob`, which takes these from
/// what is left over, all), and what the smallest batch of so many rows has; 0 of no rows.
[[nodiscard]] std::int64_t training_rows(const std::string& workload, const Values& values);
[[nodiscard]] std::int64_t smallest_batch(std::int64_t rows, std::int64_t batch);

/// Test rows of the set that the keys name; nothing when its files are not there.
[[nodiscard]] std::optional<std::int64_t> test_rows(const std::string& workload, const Values& values);

/// The data of one trial: which rows serve whom, and how a pixel enters a network.
struct Inputs {
  std::shared_ptr<const ImageSet> set;
  Parts parts;
  Normalisation normalisation;
};
/// Of a training that is cut (Place::most_steps) the first 64 test and validation rows.
/// Throws TrialFailure("data.digest_mismatch") when the trial was planned with other bytes, and
/// TrialFailure("data.too_few_rows") when a drawn split lacks rows of a class.
[[nodiscard]] Inputs inputs_of(const workloads::Trial& trial, const workloads::Place& place);

/// What was read, as the artifact "data". The identity is that of the images after downscaling.
[[nodiscard]] std::string inputs_text(const Inputs& inputs);

}  // namespace retrial::data::inline inputs
