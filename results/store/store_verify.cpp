#include "results/store/store_verify.hpp"

#include "results/store/store_state.hpp"
#include "results/text/text.hpp"

namespace retrial::results::inline store {
namespace {

struct Check {
  const char* table;
  void (*run)(Connection&, Findings&);
};
// Rows are only ever added, and a row is added after the rows it refers to. Each check looks those up after it has read
// the row, so a study that is being written causes no false finding and needs no long transaction.
constexpr Check checks[] = {
    {"document", verify_documents}, {"environment", verify_environments},
    {"study", verify_studies},      {"verdict", verify_verdicts},
    {"meta", verify_meta},          {"trial", verify_trials},
    {"series", verify_series},      {"metric", verify_metric_values},
    {"artifact", verify_artifacts}, {"event", verify_events},
};

void report_rows(Connection& connection, const char* sql, const std::string& what, Findings& out) {
  Query rows(connection, sql);
  for (rows.bind(); rows.step();)
    if (const std::string line = rows.text(0); line != "ok") out.add("", what, one_line(line));
}

void verify_foreign_keys(Connection& connection, Findings& out) {
  Query rows(connection, "PRAGMA foreign_key_check");
  for (rows.bind(); rows.step();)
    out.add(rows.text(0), rows.null(1) ? "" : std::to_string(rows.integer(1)),
            "refers to a missing row of " + rows.text(2));
}

}  // namespace

void verify_pages(Connection& connection, bool full, Findings& out) {
  if (!full) return report_rows(connection, "PRAGMA quick_check", "quick_check", out);
  report_rows(connection, "PRAGMA integrity_check", "integrity_check", out);
  verify_foreign_keys(connection, out);
}

std::vector<Damage> Store::verify(bool full) const {
  Findings out;
  out.guarded("", "pages", [&] { verify_pages(impl_->connection, full, out); });
  for (const Check& check : checks) out.guarded(check.table, "", [&] { check.run(impl_->connection, out); });
  return out.take();
}

}  // namespace retrial::results::inline store
