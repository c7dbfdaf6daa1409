#include <algorithm>
#include <map>
#include <tuple>

#include "results/store/outcomes.hpp"
#include "results/store/sqlite/schema.hpp"
#include "results/store/state.hpp"

namespace retrial::results::inline store {
namespace {

std::int64_t count(Connection& connection, const char* sql) {
  Query row(connection, sql);
  return row.bind().step() ? row.integer(0) : 0;
}

// Files that other processes are writing count with their current size.
std::int64_t bytes_on_disk(const std::filesystem::path& store) {
  std::int64_t bytes = 0;
  for (const char* suffix : {"", "-wal"}) {
    std::error_code error;
    const auto size = std::filesystem::file_size(store.string() + suffix, error);
    if (!error) bytes += static_cast<std::int64_t>(size);
  }
  return bytes;
}

bool finished(const TrialRow& trial) {
  return !trial.excluded && has_outcome(trial.status);
}

std::vector<std::pair<std::string, std::int64_t>> counted(std::span<const TrialRow> trials) {
  std::map<std::string, std::int64_t> by_status;
  for (const TrialRow& trial : trials) ++by_status[std::string(name_of(trial.status))];
  return {by_status.begin(), by_status.end()};
}

}  // namespace

// The canonical attempt of an (identity, replicate) is the first by (started_ns, record). The first bytes of the
// identities are sorted along with their rows: for 100,000 trials, sorting by whole identities took twice as long.
std::vector<Outcome> outcomes_of(std::span<const TrialRow> trials) {
  std::vector<std::pair<std::uint64_t, const TrialRow*>> order;
  order.reserve(trials.size());
  for (const TrialRow& trial : trials)
    if (finished(trial)) order.emplace_back(first_bytes(trial.identity), &trial);
  const auto key = [](const auto& place) { return std::tie(place.second->identity, place.second->replicate); };
  std::sort(order.begin(), order.end(), [&](const auto& a, const auto& b) {
    if (a.first != b.first) return a.first < b.first;
    return key(a) != key(b) ? key(a) < key(b) : a.second < b.second;
  });
  std::vector<Outcome> outcomes;
  outcomes.reserve(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    if (const TrialRow& trial = *order[i].second; i == 0 || key(order[i]) != key(order[i - 1]))
      outcomes.push_back({.identity = trial.identity, .replicate = trial.replicate, .payload = trial.payload});
  return outcomes;
}

Digest outcome_digest_of(std::span<const TrialRow> trials) {
  return outcome_digest(outcomes_of(trials));
}

StoreInfo Store::info() const {
  Connection& connection = impl_->connection;
  const std::vector<TrialRow> all = trials();
  std::vector<Digest> records;
  for (const TrialRow& trial : all) records.push_back(trial.record);
  Query mode(connection, "PRAGMA journal_mode");
  return {.schema = connection.schema(),
          .journal_mode = mode.bind().step() ? mode.text(0) : "",
          .bytes = bytes_on_disk(path()),
          .studies = count(connection, "SELECT count(*) FROM study"),
          .documents = count(connection, "SELECT count(*) FROM document"),
          .trials = static_cast<std::int64_t>(all.size()),
          .metrics = count(connection, "SELECT count(*) FROM metric") +
                     count(connection, "SELECT coalesce(sum(count),0) FROM series"),
          .events = count(connection, "SELECT count(*) FROM event"),
          .by_status = counted(all),
          .store_digest = store_digest(std::move(records)),
          .outcome_digest = outcome_digest_of(all)};
}

}  // namespace retrial::results::inline store
