#pragma once

#include <functional>
#include <memory>
#include <string>

#include "workloads/data/sets/registry.hpp"

namespace retrial::data::inline sets {

/// `load()`, or what it gave before for the same set and source while the files of the folder (and of the folders in
/// it) have kept names, sizes and times. The last two sets stay in memory, so the variants of a study share one copy.
[[nodiscard]] std::shared_ptr<const ImageSet> cached(const std::string& set, const Source& source,
                                                     const std::function<ImageSet()>& load);

}  // namespace retrial::data::inline sets
