#pragma once

#include <string>
#include <vector>

#include "results/store/store.hpp"

namespace retrial::harness::inline show {

/// `retrial show STORE --info`: the file itself. Schema, counts per status, size, journal mode, digests, studies.
[[nodiscard]] std::string info_page(const results::StoreInfo& info, const std::vector<results::StudyRow>& studies,
                                    const std::string& path);
/// The same content; schema retrial.info/1.
[[nodiscard]] Json info_json(const results::StoreInfo& info, const std::vector<results::StudyRow>& studies,
                             const std::string& path);

}  // namespace retrial::harness::inline show
