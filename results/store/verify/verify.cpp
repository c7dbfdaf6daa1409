#include "results/store/verify/verify.hpp"

#include "results/store/seal.hpp"
#include "results/store/state.hpp"
#include "results/text/text.hpp"

namespace retrial::results::inline store {
namespace {

struct Check {
  const char* table;
  void (*run)(Connection&, Findings&);
};
constexpr Check checks[] = {
    {"document", verify_documents}, {"environment", verify_environments},
    {"study", verify_studies},      {"verdict", verify_verdicts},
    {"meta", verify_meta},          {"trial", verify_trials},
    {"series", verify_series},      {"metric", verify_metric_values},
    {"artifact", verify_artifacts}, {"event", verify_events},
    {"tally", verify_tallies},
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
  // One state of the file for all checks: the tallies are compared with the rows that they count.
  impl_->connection.read([&] {
    for (const Check& check : checks) out.guarded(check.table, "", [&] { check.run(impl_->connection, out); });
  });
  return out.take();
}

namespace {

bool exists(Connection& connection, const char* sql, const Digest& digest) {
  return Query(connection, sql).bind(digest).step();
}

EnvironmentColumns stored_columns(const Query& q) {
  return {.stratum = q.digest(1),
          .cpu_model = q.text(2),
          .isa = q.text(4),
          .os = q.text(10),
          .kernel = q.text(11),
          .cpu_cores = q.integer(3),
          .governor = q.text_or_null(5),
          .gpu_model = q.text_or_null(6),
          .gpu_driver = q.text_or_null(7),
          .torch_version = q.text_or_null(8),
          .cuda_version = q.text_or_null(9)};
}

void verify_document(Connection& connection, const Query& row, Findings& out) {
  const Digest digest = row.digest(0);
  const std::string kind = row.text(1), body = row.text(2);
  if (sha256(body) != digest) return out.add("document", hex(digest), "its digest is " + hex(sha256(body)));
  check_document(kind, stored_json(connection, body, "document"));
  const bool environment = exists(connection, "SELECT 1 FROM environment WHERE digest=?", digest);
  if (environment != (kind == "environment")) out.add("document", hex(digest), "its kind is not " + kind);
}

void verify_environment(Connection& connection, const Query& row, Findings& out) {
  const Digest digest = row.digest(0);
  const auto base = find_document(connection, digest);
  if (!base) return out.add("environment", hex(digest), "has no document");
  if (stored_columns(row) != environment_columns(*base))
    out.add("environment", hex(digest), "its columns do not match the document");
}

constexpr const char* changed_study = "its name, number of trials or plan was changed";

Error changed_after_planning(const Connection& connection, const Digest& study) {
  return damaged(connection.file(),
                 "was changed after its study was planned: " + hex(study).substr(0, 12) + ": " + changed_study);
}

/// The seal that the rows of a stored study would have now.
Digest seal_now(Connection& connection, const Digest& study) {
  Query row(connection, "SELECT name, trials FROM study WHERE digest=?");
  if (!row.bind(study).step()) throw damaged(connection.file(), "has no study " + hex(study));
  return study_seal(row.text(0), row.integer(1), read_plan(connection, study));
}

// "study/000001" -> "<digest> <seal>"
void verify_study(Connection& connection, const std::string& key, const std::string& value, std::size_t place,
                  Findings& out) {
  if (key != study_key(place) || value.size() != 129)
    return out.add("meta", key, "is not the entry of study " + std::to_string(place));
  const Digest digest = digest_from_hex(value.substr(0, 64), "study");
  if (!exists(connection, "SELECT 1 FROM study WHERE digest=?", digest))
    return out.add("study", hex(digest), "is missing");
  if (!find_document(connection, digest)) out.add("study", hex(digest), "has no document");
  Query row(connection, "SELECT name, trials FROM study WHERE digest=?");
  const auto plan = read_plan(connection, digest);
  const bool there = row.bind(digest).step();
  const auto seal = there ? hex(study_seal(row.text(0), row.integer(1), plan)) : "";
  if (seal != value.substr(65)) return out.add("study", hex(digest), changed_study);
  if (connection.schema() < 2) return;
  if (find_meta(connection, listing_key(digest)) != hex(listing_seal(row.text(0), row.integer(1), plan)))
    out.add("meta", listing_key(digest), "is not the seal of the plan");
}

void verify_each_study_is_listed(Connection& connection, Findings& out) {
  Query rows(connection, "SELECT digest FROM study");
  Query entry(connection, "SELECT 1 FROM meta WHERE key GLOB 'study/*' AND substr(value,1,64)=?");
  for (rows.bind(); rows.step();)
    if (!entry.bind(hex(rows.digest(0))).step()) out.add("study", hex(rows.digest(0)), "is not listed in meta");
  Query strays(connection, "SELECT DISTINCT lower(hex(study)) FROM plan WHERE study NOT IN (SELECT digest FROM study)");
  for (strays.bind(); strays.step();) out.add("plan", strays.text(0), "does not belong to a study");
}

}  // namespace

void Store::demand_sealed(const Digest& study) const {
  Query entry(impl_->connection, "SELECT substr(value,66) FROM meta WHERE key GLOB 'study/*' AND substr(value,1,64)=?");
  if (!entry.bind(hex(study)).step() || entry.text(0) != hex(seal_now(impl_->connection, study)))
    throw changed_after_planning(impl_->connection, study);
}

namespace {

void demand_all_attempts(Connection& connection) {
  Query count(connection,
              "SELECT (SELECT count(*) FROM trial), coalesce((SELECT rows FROM tally WHERE kind='trial'),0)");
  if (!count.bind().step() || count.integer(0) == count.integer(1)) return;
  throw damaged(connection.file(), std::to_string(count.integer(1)) + " attempts were committed, and " +
                                       std::to_string(count.integer(0)) +
                                       " are there; retrial verify lists what was changed");
}

}  // namespace

void Store::demand_sealed(const StudyRow& study, std::span<const PlanEntry> listing) const {
  if (impl_->connection.schema() < 2) return demand_sealed(study.digest);
  demand_all_attempts(impl_->connection);
  const auto seal = find_meta(impl_->connection, listing_key(study.digest));
  if (!seal || *seal != hex(listing_seal(study.name, study.trials, listing)))
    throw changed_after_planning(impl_->connection, study.digest);
}

void verify_documents(Connection& connection, Findings& out) {
  Query rows(connection, "SELECT digest, kind, body FROM document");
  for (rows.bind(); rows.step();) out.guarded("document", "", [&] { verify_document(connection, rows, out); });
}

void verify_environments(Connection& connection, Findings& out) {
  Query rows(connection,
             "SELECT "
             "digest,stratum,cpu_model,cpu_cores,isa,governor,gpu_model,gpu_driver,torch_version,cuda_version,os,"
             "kernel FROM environment");
  for (rows.bind(); rows.step();) out.guarded("environment", "", [&] { verify_environment(connection, rows, out); });
}

void verify_studies(Connection& connection, Findings& out) {
  std::size_t place = 0;
  Query entries(connection, "SELECT key, value FROM meta WHERE key GLOB 'study/*' ORDER BY length(key), key");
  for (entries.bind(); entries.step();) {
    const std::string key = entries.text(0);
    out.guarded("study", key, [&] { verify_study(connection, key, entries.text(1), ++place, out); });
  }
  verify_each_study_is_listed(connection, out);
}

void verify_verdicts(Connection& connection, Findings& out) {
  Query rows(connection, "SELECT document,study,claim,verdict,inputs FROM verdict");
  for (rows.bind(); rows.step();)
    out.guarded("verdict", "", [&] {
      const std::string name = hex(rows.digest(0));
      const auto seal = find_meta(connection, "verdict/" + name);
      if (!find_document(connection, rows.digest(0))) out.add("verdict", name, "has no document");
      if (!seal || *seal != hex(verdict_seal(rows.digest(1), rows.text(2), rows.text(3), rows.digest(4))))
        out.add("verdict", name, "its columns were changed");
    });
}

void verify_meta(Connection& connection, Findings& out) {
  Query rows(connection, "SELECT key, value FROM meta");
  for (rows.bind(); rows.step();)
    out.guarded("meta", "", [&] {
      const std::string key = rows.text(0);
      if (key.starts_with("check/") && !find_meta(connection, key.substr(6)))
        out.add("meta", key, "seal without a row");
      if (reserved_meta_key(key)) return;
      const auto seal = find_meta(connection, "check/" + key);
      if (!seal || *seal != hex(meta_seal(key, rows.text(1)))) out.add("meta", key, "its value was changed");
    });
}

}  // namespace retrial::results::inline store
