#pragma once

#include <filesystem>
#include <string>

#include "workloads/data/files/image_set.hpp"

namespace retrial::data::inline formats {

/// CIFAR-10, binary version (Krizhevsky 2009): data_batch_1..5.bin (any of them, in the order of their numbers) and
/// test_batch.bin, records of one label byte and 3 x 32 x 32 pixel bytes, planes red, green, blue. `folder` holds the
/// files or the archive's folder cifar-10-batches-bin. Training files come first; `published` is their division.
/// The name is cifar10 if the digest of every file is the published one, else cifar10-unofficial, also if no digests
/// were requested. Throws Error naming file, record and byte offset: incomparable if a file is missing or cannot be
/// read, usage if its content does not have this format.
[[nodiscard]] ImageSet load_cifar10(const std::filesystem::path& folder, bool hash = true);

/// CIFAR-100, binary version: train.bin and test.bin (in the folder given or its cifar-100-binary), records of a coarse
/// label (0 to 19), a fine label (0 to 99) and the pixels. The fine label is the class; `coarse` has the other one.
/// Names of both come from fine_label_names.txt and coarse_label_names.txt, one per line, if these are in the same
/// folder. Name of the set, errors and `hash` as above.
[[nodiscard]] ImageSet load_cifar100(const std::filesystem::path& folder, bool hash = true);

/// Checks one file of `set` (cifar10 or cifar100) as the loader does: throws its Error.
void check_cifar_file(const std::string& set, const std::filesystem::path& file);

}  // namespace retrial::data::inline formats
