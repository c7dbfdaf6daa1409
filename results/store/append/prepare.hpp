#pragma once

#include "results/record/record_text.hpp"
#include "results/store/state.hpp"

namespace retrial::results::inline store {

/// A record with everything that can be computed before the transaction begins. Refers to the original record.
struct PreparedTrial {
  const TrialRecord* record = nullptr;
  std::unique_ptr<TrialRecord> changed;  ///< the changed record, if it had to be made storable
  Measured measured;
  Digest digest{}, payload{};
  std::shared_ptr<const Environment> environment;
  std::optional<Digest> manifest;  ///< id
  std::string delta;
};

/// Makes texts storable (valid UTF-8, messages of at most 4,096 characters) and digests lower-case. Rejects a record
/// that could not be read back unchanged: a metric without definition or with two, an artifact whose body has another
/// digest. Throws Error{usage} or Error{integrity} before anything is written.
[[nodiscard]] PreparedTrial prepared(StoreState& state, const TrialRecord& record);
[[nodiscard]] Event storable(const Event& event);

/// Writes bodies above 64 KiB next to the store, before the transaction. Throws DiskRefused.
void keep_large_artifacts(const std::filesystem::path& store, const TrialRecord& record);

/// Inserts attempts and events; those that are already stored are skipped.
void insert_records(StoreState& state, std::span<const PreparedTrial> trials, std::span<const Event> events);

constexpr std::size_t longest_body_in_store = 65536;

}  // namespace retrial::results::inline store
