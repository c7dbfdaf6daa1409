#pragma once

#include <functional>
#include <memory>
#include <string>

#include "workloads/data/sets/registry.hpp"

namespace retrial::data::inline sets {

/// `load()`, or its earlier result for the same set and source if the files of the folder (and of its subfolders) have
/// kept names, sizes and times. The last two sets stay in memory, so the variants of a study share one copy.
[[nodiscard]] std::shared_ptr<const ImageSet> cached(const std::string& set, const Source& source,
                                                     const std::function<ImageSet()>& load);

}  // namespace retrial::data::inline sets
