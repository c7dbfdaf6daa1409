#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workloads/data/formats/table.hpp"

namespace retrial::data::inline sets {

/// A known table, by the SHA-256 of its file. A file with other bytes is another set: NAME-unofficial.
struct KnownTable {
  std::string name, summary;
  std::string who, licence;  ///< its authors; the known terms
  std::string file, sha256;  ///< as distributed; an embedded table has no file
  TableFormat format;
  std::string task;  ///< binary, multiclass, regression
  std::uint32_t rows = 0, features = 0;
  std::string how_to_get;  ///< one sentence
};

/// In the order of the listing. The target is the last column of each.
[[nodiscard]] const std::vector<KnownTable>& known_tables();
/// Null for another name.
[[nodiscard]] const KnownTable* find_known_table(const std::string& name);

}  // namespace retrial::data::inline sets
