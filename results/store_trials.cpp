#include <algorithm>
#include <numeric>
#include <tuple>

#include "results/store_impl.hpp"

namespace retrial::results {
namespace {

TrialRow row_of(const Query& q) {
  const auto small = [&](int column) {
    const auto value = q.integer_or_null(column);
    return value ? std::optional(static_cast<int>(*value)) : std::nullopt;
  };
  return {.id = q.integer(0),
          .record = q.digest(1),
          .payload = q.digest(2),
          .identity = q.digest(3),
          .replicate = static_cast<std::uint32_t>(q.integer(4)),
          .attempt = q.id16(5),
          .status = status_from(q.text(6)),
          .started_ns = q.integer(7),
          .wall_ns = q.integer(8),
          .cpu_ns = q.integer_or_null(9),
          .peak_rss = q.integer_or_null(10),
          .exit_code = small(11),
          .signal = small(12),
          .worker = q.text(13),
          .message = q.text_or_null(14)};
}

// The columns of row_of, in its order.
const std::string select_trials =
    "SELECT trial_id,record,payload,identity,replicate,attempt,status,started_ns,wall_ns,cpu_ns,peak_rss,exit_code,"
    "signal,worker,message FROM trial ";

std::vector<TrialRow> collected(StoreState& state, Query& rows, std::size_t expected = 0) {
  const Exclusions& exclusions = current_exclusions(state);
  std::vector<TrialRow> out;
  out.reserve(expected);
  while (rows.step()) {
    out.push_back(row_of(rows));
    out.back().excluded = excluded(exclusions, out.back());
  }
  return out;
}

// By (started_ns, record): places are sorted, not rows, and not in SQL, whose sorter packs and unpacks all columns.
std::vector<TrialRow> in_order_of_start(std::vector<TrialRow> rows) {
  std::vector<std::size_t> places(rows.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) {
    return std::tie(rows[a].started_ns, rows[a].record) < std::tie(rows[b].started_ns, rows[b].record);
  });
  std::vector<TrialRow> out;
  out.reserve(rows.size());
  for (const std::size_t place : places) out.push_back(std::move(rows[place]));
  return out;
}

std::size_t trial_count(Connection& connection) {
  Query row(connection, "SELECT count(*) FROM trial");
  return row.bind().step() ? static_cast<std::size_t>(row.integer(0)) : 0;
}

Exclusions read_exclusions(Connection& connection, std::int64_t data_version) {
  Exclusions out{.data_version = data_version};
  Query rows(connection, "SELECT identity, attempt FROM event WHERE kind='excluded'");
  for (rows.bind(); rows.step();) {
    if (!rows.null(1))
      out.attempts.insert(rows.id16(1));
    else if (!rows.null(0))
      out.identities.insert(rows.digest(0));
  }
  return out;
}

}  // namespace

// A scan of all events; repeated only when another process wrote (data_version) or we excluded something ourselves.
const Exclusions& current_exclusions(StoreState& state) {
  Query version(state.connection, "PRAGMA data_version");
  const std::int64_t now = version.bind().step() ? version.integer(0) : -1;
  if (!state.exclusions || state.exclusions->data_version != now)
    state.exclusions = read_exclusions(state.connection, now);
  return *state.exclusions;
}

bool excluded(const Exclusions& exclusions, const TrialRow& trial) {
  return exclusions.attempts.contains(trial.attempt) || exclusions.identities.contains(trial.identity);
}

std::vector<TrialRow> Store::trials() const {
  Query rows(impl_->connection, select_trials.c_str());
  return in_order_of_start(collected(*impl_, rows.bind(), trial_count(impl_->connection)));
}

std::vector<TrialRow> Store::trials(const Digest& identity) const {
  static const std::string sql = select_trials + "WHERE identity=? ORDER BY started_ns, record";
  Query rows(impl_->connection, sql.c_str());
  return collected(*impl_, rows.bind(identity));
}

std::optional<TrialRow> Store::canonical(const Digest& identity, std::uint32_t replicate) const {
  static const std::string sql =
      select_trials + "WHERE identity=? AND replicate=? AND status IN('ok','diverged') ORDER BY started_ns, record";
  Query rows(impl_->connection, sql.c_str());
  for (TrialRow& row : collected(*impl_, rows.bind(identity, replicate)))
    if (!row.excluded) return std::move(row);
  return std::nullopt;
}

}  // namespace retrial::results
