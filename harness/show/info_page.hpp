#pragma once

#include <string>
#include <vector>

#include "harness/stored/result_digest.hpp"
#include "results/report/report.hpp"
#include "results/store/store.hpp"

namespace retrial::harness::inline show {

/// `retrial show STORE --info`: the file itself. Schema, counts per status, size, journal mode, digests, studies. The
/// data: schema retrial.info/1.
[[nodiscard]] report::Part info_part(const results::StoreInfo& info, const ResultDigest& result,
                                     const std::vector<results::StudyRow>& studies, const std::string& path);

}  // namespace retrial::harness::inline show
