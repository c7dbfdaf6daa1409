#pragma once

#include <map>
#include <optional>
#include <set>

#include "results/record/manifest_split.hpp"
#include "results/record/series.hpp"
#include "results/store/sqlite/query.hpp"
#include "results/store/store.hpp"

namespace retrial::results::inline store {

/// A stored definition, with its row id.
struct StoredMetric {
  std::int64_t id = 0;
  MetricDef def;
};

/// Attempts that an `excluded` event removes from every analysis: by attempt, or all attempts of an identity.
struct Exclusions {
  std::set<Id16> attempts;
  std::set<Digest> identities;
  std::int64_t data_version = -1;  ///< version of the database when they were read
};

/// An environment document with the values derived from it.
struct Environment {
  Json document;
  std::string text;  ///< canonical
  Digest digest{};
  EnvironmentColumns columns;
};

/// What many trials share: read once.
class Shared {
 public:
  /// The environment document, which must be there and match its digest.
  struct Base {
    Json document;
    std::map<std::string, std::string> groups;  ///< canonical text of each
  };
  const Base& environment(Connection& connection, const Digest& digest);
  const MetricDef& definition(Connection& connection, const std::string& name);

 private:
  std::map<Digest, Base> environments_;
  std::map<std::string, MetricDef> definitions_;
};

/// The state of an open store in addition to its file.
struct StoreState {
  StoreState(const std::filesystem::path& file, Store::Access access)
      : connection(file, access == Store::Access::write) {}
  Connection connection;
  std::map<std::string, StoredMetric> metrics;  ///< only committed definitions and those of the current transaction
  std::optional<Exclusions> exclusions;
  std::shared_ptr<const Environment> last_environment;  ///< the previous trial's; the next one usually has the same
  Shared shared;
};

struct Store::Impl : StoreState {
  using StoreState::StoreState;
};

/// Parts of the store that several files need. All of them run inside the caller's transaction.
void insert_document(Connection& connection, const std::string& kind, const Digest& digest, const std::string& body);
/// Inserts a document of kind environment and its derived row.
void insert_environment(Connection& connection, const Digest& digest, const std::string& body,
                        const EnvironmentColumns& columns);
[[nodiscard]] std::optional<Json> find_document(Connection& connection, const Digest& digest);
/// Rejects an unknown kind, and a body whose schema is not that of its kind.
void check_document(const std::string& kind, const Json& body);
/// The JSON in a column; anything that is not JSON is damage.
[[nodiscard]] Json stored_json(const Connection& connection, const std::string& text, const std::string& what);

void insert_meta(Connection& connection, const std::string& key, const std::string& value);
[[nodiscard]] std::optional<std::string> find_meta(Connection& connection, const std::string& key);

/// Everything stored about one attempt. Throws Error{integrity} when a part is missing or damaged.
[[nodiscard]] TrialRecord read_record(Connection& connection, std::int64_t trial, Shared& shared);
/// The same without the manifest.
[[nodiscard]] TrialRecord read_measurements(Connection& connection, std::int64_t trial, Shared& shared);
/// Digest of the manifest that `read_record` would give; nothing if the trial has none.
[[nodiscard]] std::optional<Digest> read_manifest_digest(Connection& connection, std::int64_t trial, Shared& shared);
[[nodiscard]] std::vector<PlanEntry> read_plan(Connection& connection, const Digest& study);

[[nodiscard]] const Exclusions& current_exclusions(StoreState& state);
[[nodiscard]] bool excluded(const Exclusions& exclusions, const TrialRow& trial);

/// The random key of a launch's waiting times: the first 8 bytes of its id as a little-endian u64.
[[nodiscard]] std::uint64_t launch_key(const Id16& launch);

}  // namespace retrial::results::inline store
