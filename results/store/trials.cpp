#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "results/store/state.hpp"

namespace retrial::results::inline store {
namespace {

TrialRow row_of(const Query& q) {
  return {.id = q.integer(0, 1),
          .record = q.digest(1),
          .payload = q.digest(2),
          .identity = q.digest(3),
          .replicate = q.count32(4),
          .attempt = q.id16(5),
          .status = q.word(6, status_from),
          .started_ns = q.integer(7),
          .wall_ns = q.integer(8, 0)};
}

// The columns of row_of, in its order.
const std::string select_trials =
    "SELECT trial_id,record,payload,identity,replicate,attempt,status,started_ns,wall_ns FROM trial ";

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

// By (started_ns, record); not in SQL, whose sorter packs and unpacks all columns. Places are sorted first; each row is
// then moved once, without a second array of rows.
void order_by_start(std::vector<TrialRow>& rows) {
  const auto earlier = [&](std::size_t a, std::size_t b) {
    return std::tie(rows[a].started_ns, rows[a].record) < std::tie(rows[b].started_ns, rows[b].record);
  };
  std::vector<std::size_t> from(rows.size());
  std::iota(from.begin(), from.end(), std::size_t{0});
  if (std::is_sorted(from.begin(), from.end(), earlier)) return;
  std::sort(from.begin(), from.end(), earlier);
  for (std::size_t start = 0; start < from.size(); ++start) {
    if (from[start] == start) continue;
    TrialRow first = std::move(rows[start]);
    std::size_t to = start;
    for (std::size_t next = from[to]; next != start; next = from[to]) {
      rows[to] = std::move(rows[next]);
      from[std::exchange(to, next)] = to;
    }
    rows[to] = std::move(first);
    from[to] = to;
  }
}

// Attempts are numbered from 1 and never deleted; counting them would read a whole index. At most a million: a damaged
// number must not allocate huge memory.
std::size_t estimated_trials(Connection& connection) {
  Query row(connection, "SELECT coalesce(max(trial_id),0) FROM trial");
  return row.bind().step() ? static_cast<std::size_t>(std::clamp<std::int64_t>(row.integer(0), 0, 1'000'000)) : 0;
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

// A scan of all events; repeated only after another process wrote (data_version) or this one excluded something.
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
  auto out = collected(*impl_, rows.bind(), estimated_trials(impl_->connection));
  order_by_start(out);
  return out;
}

std::vector<TrialRow> Store::trials(const Digest& identity) const {
  static const std::string sql = select_trials + "WHERE identity=? ORDER BY started_ns, record";
  Query rows(impl_->connection, sql.c_str());
  return collected(*impl_, rows.bind(identity));
}

AttemptDetails Store::attempt_details(std::int64_t trial) const {
  Query row(impl_->connection, "SELECT cpu_ns,peak_rss,exit_code,signal,worker,message FROM trial WHERE trial_id=?");
  if (!row.bind(trial).step()) throw damaged(path(), "has no attempt with number " + std::to_string(trial));
  return {.cpu_ns = row.integer_or_null(0, 0),
          .peak_rss = row.integer_or_null(1, 0),
          .exit_code = row.int_or_null(2),
          .signal = row.int_or_null(3),
          .worker = row.name(4),
          .message = row.text_or_null(5)};
}

std::optional<TrialRow> Store::canonical(const Digest& identity, std::uint32_t replicate) const {
  static const std::string sql =
      select_trials + "WHERE identity=? AND replicate=? AND status IN('ok','diverged') ORDER BY started_ns, record";
  Query rows(impl_->connection, sql.c_str());
  for (TrialRow& row : collected(*impl_, rows.bind(identity, replicate)))
    if (!row.excluded) return std::move(row);
  return std::nullopt;
}

}  // namespace retrial::results::inline store
