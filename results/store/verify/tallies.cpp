#include "results/store/tally.hpp"

#include "results/store/seal.hpp"
#include "results/store/verify/verify.hpp"

namespace retrial::results::inline store {
namespace {

struct Counted {
  const char *kind, *sql;
  Digest (*item)(const Query& row);
};
constexpr Counted tallied_rows[] = {
    {"trial", "SELECT trial_id, record FROM trial",
     [](const Query& row) { return tallied_trial(row.integer(0), row.digest(1)); }},
    {"event", "SELECT digest FROM event", [](const Query& row) { return row.digest(0); }},
    {"document", "SELECT digest FROM document", [](const Query& row) { return row.digest(0); }},
    {"verdict", "SELECT document FROM verdict", [](const Query& row) { return row.digest(0); }},
    {"meta", "SELECT key, value FROM meta", [](const Query& row) { return meta_seal(row.text(0), row.text(1)); }}};

Tally kept(Connection& connection, const char* kind) {
  Query row(connection, "SELECT rows, sum FROM tally WHERE kind=?");
  return row.bind(std::string_view(kind)).step() ? Tally{.rows = row.integer(0, 0), .sum = row.digest(1)} : Tally{};
}

void verify_tally(Connection& connection, const Counted& what, Findings& out) {
  Tally now;
  Query rows(connection, what.sql);
  for (rows.bind(); rows.step();) now.add(what.item(rows));
  const Tally before = kept(connection, what.kind);
  if (now == before) return;
  const auto problem = std::to_string(before.rows) + " were committed, " + std::to_string(now.rows) + " are there";
  out.add(what.kind, "all rows",
          now.rows == before.rows ? "rows were exchanged or renumbered: their sum is another one" : problem);
}

}  // namespace

void verify_tallies(Connection& connection, Findings& out) {
  if (connection.schema() < 2) return;
  for (const Counted& what : tallied_rows)
    out.guarded("tally", what.kind, [&] { verify_tally(connection, what, out); });
}

}  // namespace retrial::results::inline store
