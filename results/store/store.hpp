#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "results/record/record.hpp"

namespace retrial::results::inline store {

struct PlanEntry {
  std::int64_t ordinal = 0;
  Digest identity{};
  std::uint32_t replicate = 0;
  std::string trial_body;  ///< canonical JSON that is sent to the worker; empty in a listing
  std::string workload, variant;
  std::int64_t pair_index = 0, block = 0, estimate_ns = 0;
};

struct StudyRow {
  Digest digest{};
  std::string name;
  Json document;  ///< retrial.study/1
  std::int64_t trials = 0;
};

/// One stored attempt, without its long-form rows.
struct TrialRow {
  std::int64_t id = 0;
  Digest record{}, payload{}, identity{};
  std::uint32_t replicate = 0;
  Id16 attempt{};
  Status status = Status::ok;
  std::int64_t started_ns = 0, wall_ns = 0;
  bool excluded = false;
};

/// Further fields of an attempt, shown only on pages about single attempts: reading them for all trials took a fifth of
/// the time of `retrial status` on 100,000 trials.
struct AttemptDetails {
  std::optional<std::int64_t> cpu_ns, peak_rss;
  std::optional<int> exit_code, signal;
  std::string worker;
  std::optional<std::string> message;
};

/// Where an attempt was run: names of host and boot that tell those of one store apart, and the launch of retrial.
struct Origin {
  std::string host;  ///< empty: unknown
  std::optional<Id16> boot, launch;
};

struct StoreInfo {
  int schema = 1;
  std::string journal_mode;
  std::int64_t bytes = 0, studies = 0, documents = 0, trials = 0, metrics = 0, events = 0;
  std::vector<std::pair<std::string, std::int64_t>> by_status;
  Digest store_digest{}, outcome_digest{};
};

/// Digest over the attempts that count; `trials` in the order of Store::trials().
[[nodiscard]] Digest outcome_digest_of(std::span<const TrialRow> trials);

/// The file of an artifact above 64 KiB, next to the store: <store>.files/<2 hex>/<62 hex>. Always derived from the
/// digest, never read from a row.
[[nodiscard]] std::filesystem::path artifact_file(const std::filesystem::path& store, const Digest& digest);

/// One finding of verify(): the row and its problem.
struct Damage {
  std::string table, row, problem;
};

/// The append-only SQLite file. One writer per process; every append is durably committed (WAL, synchronous=FULL)
/// before it returns. Throws Error{exit integrity} for a file that is not a store or is damaged, incomparable for a
/// newer schema, measurement when a write fails (the finished records are then in a spill file that the error names),
/// and usage for a network file system.
class Store {
 public:
  enum class Access { read, write };
  /// write creates the file when it does not exist, and imports the spill files next to it.
  Store(const std::filesystem::path& path, Access access);
  ~Store();
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;

  [[nodiscard]] const std::filesystem::path& path() const;

  /// Content-addressed: storing the same document again does nothing. Returns its digest.
  Digest put_document(const std::string& kind, const Json& document);
  [[nodiscard]] std::optional<Json> document(const Digest& digest) const;
  [[nodiscard]] std::vector<Json> documents(const std::string& kind) const;
  /// Environment documents of the attempts at the trials of one study, each once, by digest.
  [[nodiscard]] std::vector<Json> environments(const Digest& study) const;
  /// The digest of the environment document of every attempt at them, by its number.
  [[nodiscard]] std::vector<std::pair<std::int64_t, Digest>> environments_by_attempt(const Digest& study) const;

  /// Stores study document, further documents {kind, body} and plan in one transaction. Storing the same study again
  /// does nothing.
  void put_study(const std::string& name, const Json& study, std::span<const PlanEntry> plan,
                 std::span<const std::pair<std::string, Json>> documents);
  [[nodiscard]] std::vector<StudyRow> studies() const;  ///< in order of insertion
  [[nodiscard]] std::vector<PlanEntry> plan(const Digest& study) const;
  /// The same without the bodies, from an index alone: a body is 2 KB, and 100,000 of them are most of the store.
  [[nodiscard]] std::vector<PlanEntry> plan_listing(const Digest& study) const;
  /// The body of one trial. Error{integrity} when the plan has no such place or no JSON object there.
  [[nodiscard]] Json trial_body(const Digest& study, std::int64_t ordinal) const;
  /// Error{integrity} when the name, the number of trials or the plan of a study is not as it was stored.
  void demand_sealed(const Digest& study) const;
  /// The same of what pages read: `listing` is that of the study. Stores of schema 1 have only the seal of the whole
  /// plan, which takes ten times as long.
  void demand_sealed(const StudyRow& study, std::span<const PlanEntry> listing) const;

  /// Appends finished attempts and events in one commit. If a metric is defined differently from its stored definition,
  /// throws Error{incomparable} and writes nothing. Retries a busy database for up to 60 s. If the write fails, the
  /// records go to "<store>.spill-<attempt>.jsonl" and Error{measurement} names that file; the next open for writing
  /// imports it.
  void append(std::span<const TrialRecord> records, std::span<const Event> events);
  void append(const TrialRecord& record) { append(std::span(&record, 1), {}); }

  /// All attempts, or those of one identity, ordered by (started_ns, record).
  [[nodiscard]] std::vector<TrialRow> trials() const;
  [[nodiscard]] std::vector<TrialRow> trials(const Digest& identity) const;
  /// The attempt that counts for (identity, replicate): ok or diverged, not excluded, first by (started_ns, record).
  [[nodiscard]] std::optional<TrialRow> canonical(const Digest& identity, std::uint32_t replicate) const;

  [[nodiscard]] AttemptDetails attempt_details(std::int64_t trial) const;
  /// Of every attempt, by its number.
  [[nodiscard]] std::map<std::int64_t, Origin> origins() const;
  [[nodiscard]] std::vector<MetricDef> metric_defs() const;
  [[nodiscard]] std::vector<MetricValue> metrics(std::int64_t trial) const;  ///< bit-exact, series included
  /// The final value (step -1) of one metric for every attempt that has one: (trial id, value), by trial id.
  [[nodiscard]] std::vector<std::pair<std::int64_t, double>> final_values(const std::string& metric) const;
  [[nodiscard]] std::vector<DigestValue> digests(std::int64_t trial) const;
  [[nodiscard]] std::vector<ArtifactValue> artifacts(std::int64_t trial) const;
  /// The stored body of the JSON artifact of this name; nothing if it does not exist or was too large.
  [[nodiscard]] std::optional<std::string> json_artifact(std::int64_t trial, std::string_view name) const;
  [[nodiscard]] Json manifest(std::int64_t trial) const;  ///< the full manifest, merged again
  [[nodiscard]] std::vector<Event> events() const;        ///< by at_ns, then digest
  /// Attempts at the trials of a study that began and left no record: under way, killed, or removed from the file.
  [[nodiscard]] std::int64_t attempts_without_record(const Digest& study) const;
  /// Events about an attempt, without their detail, by digest: takes a quarter of the time of events().
  [[nodiscard]] std::vector<Event> attempt_events() const;
  [[nodiscard]] std::vector<Event> events_of(const std::string& kind) const;  ///< by digest
  /// Everything stored about one attempt: appending it to another store gives the same record digest.
  [[nodiscard]] TrialRecord record(std::int64_t trial) const;

  /// Stores a verdict document about a study.
  void put_verdict(const Digest& study, const Json& verdict, const std::string& claim, const std::string& word,
                   const Digest& inputs);

  [[nodiscard]] std::optional<std::string> meta(const std::string& key) const;
  /// Written once: storing the same value again does nothing, a different value throws Error{usage}. Keys below
  /// "study/", "verdict/" and "check/" are reserved for the store.
  void put_meta(const std::string& key, const std::string& value);

  /// Claims (identity, replicate) for `owner`, so that two processes on one store do not run the same trial. Returns
  /// for each whether it was granted: it is not if another owner has a lease that has not expired.
  std::vector<bool> claim(const Id16& owner, std::span<const std::pair<Digest, std::uint32_t>> wanted,
                          std::int64_t now_ns, std::int64_t expires_ns);
  void release(const Id16& owner);
  [[nodiscard]] std::optional<Id16> lease_owner(const Digest& identity, std::uint32_t replicate) const;
  /// All owners of leases, expired or not.
  [[nodiscard]] std::vector<Id16> lease_owners() const;

  /// Runs `body`, whose reads all see one state of the file; many of them are faster so.
  void at_once(const std::function<void()>& body) const;

  [[nodiscard]] StoreInfo info() const;
  /// Recomputes every digest; `full` adds integrity_check and foreign_key_check. Empty: nothing is damaged.
  [[nodiscard]] std::vector<Damage> verify(bool full) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace retrial::results::inline store
