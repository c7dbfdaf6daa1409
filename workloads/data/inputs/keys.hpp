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
#include "workloads/interface/trial/run.hpp"

/// The keys about data of every workload that trains on images, and their meaning.
namespace retrial::data::inline inputs {

/// dataset, data_dir, verify, files, downscale, split, train_count, subset, validation, normalise, npy_images,
/// npy_labels, npy_test, in this order. Two meanings depend on the workload.
struct KeyMeanings {
  std::string train_count = "training rows; 0: all";
  std::string validation = "share of the training rows to hold out from training";
};
[[nodiscard]] std::vector<workloads::Parameter> data_parameters(const KeyMeanings& meanings = {});
/// The data keys that are read under these values.
[[nodiscard]] std::vector<std::string> data_keys_read(const Values& values);

[[nodiscard]] const DataSetInfo& data_set_of(const Values& values);
/// The set itself, read from the folder data_dir unless it is built in. Throws Error naming "<workload>.data_dir" if
/// the folder does not exist, or if its files are missing or wrong.
[[nodiscard]] std::shared_ptr<const ImageSet> loaded_set(const std::string& workload, const Values& values);
/// The keys with data_dir set to the folder given to the worker, if they name none and the set needs one.
[[nodiscard]] Values located(Values values, const std::filesystem::path& folder);
/// The same with every folder given to the worker.
[[nodiscard]] Values located(Values values, const workloads::Place& place);
/// Shape of one image as the networks see it, number of classes, published number of training rows. Those of the set
/// npy are read from its files: as for `loaded_set`, data_dir must name the folder.
[[nodiscard]] Shape image_shape(const Values& values);
[[nodiscard]] int classes_of(const Values& values);
[[nodiscard]] std::int64_t published_training_rows(const Values& values);
[[nodiscard]] PartsRequest parts_request(const Values& values, std::optional<std::uint64_t> split_seed);
/// `normalise`: "default" means none for digits and computed elsewhere; computed from `rows`.
[[nodiscard]] Normalisation normalisation_of(const Values& values, const ImageSet& set,
                                             std::span<const std::uint32_t> rows);

/// Sizes and numbers of rows that do not fit the set, as far as they do not depend on draws; images first, rows only if
/// the images fit.
void check_images(const Values& values, std::vector<workloads::Problem>& problems);
void check_rows(const std::string& workload, const Values& values, std::vector<workloads::Problem>& problems);

/// Number of rows for training, without those held out for validation (all rows for `split = oob`, which takes its
/// validation rows from the rest), and the size of the smallest batch of that many rows; 0 for no rows.
[[nodiscard]] std::int64_t training_rows(const std::string& workload, const Values& values);
[[nodiscard]] std::int64_t smallest_batch(std::int64_t rows, std::int64_t batch);

/// Number of test rows of the set that the keys name; nothing if its files do not exist.
[[nodiscard]] std::optional<std::int64_t> test_rows(const std::string& workload, const Values& values);
/// The rows that tell as much where some appear several times, as `split = oob` draws them with replacement: n / (1 +
/// (n
/// - 1) / m) for n places filled from the m rows that training and validation leave over, m being their expected number
/// (n^2 over the expected sum of squared counts). Nothing for other divisions, and without the files.
[[nodiscard]] std::optional<std::int64_t> effective_test_rows(const std::string& workload, const Values& values);
/// Test rows / training rows of a division that is redrawn from one set; nothing for the published one.
[[nodiscard]] std::optional<double> split_overlap(const std::string& workload, const Values& values);

/// The data of one trial: the division of the rows, and the conversion of pixels.
struct Inputs {
  std::shared_ptr<const ImageSet> set;
  Parts parts;
  Normalisation normalisation;
};
/// If the training is cut (Place::max_steps), only the first 64 test and validation rows.
/// Throws TrialFailure("data.digest_mismatch") if the trial was planned with other bytes, and
/// TrialFailure("data.too_few_rows") if a drawn split lacks rows of a class.
[[nodiscard]] Inputs inputs_of(const workloads::Trial& trial, const workloads::Place& place);

/// The artifact "data" about the data that was read. The identity is that of the images after downscaling; `labels` are
/// the different rows of each part: split = oob draws rows for training with replacement.
[[nodiscard]] std::string inputs_text(const Inputs& inputs);

}  // namespace retrial::data::inline inputs
