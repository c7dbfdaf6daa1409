#include "tests/catch.hpp"

#include <set>

#include "results/text/error.hpp"
#include "tests/results/store/fixtures.hpp"
#include "tests/results/store/raw_sqlite.hpp"

namespace retrial::tests::store_verify_tests {

using namespace retrial;
using namespace retrial::results;

namespace {

// At least one row in every table but tag and lease, which carry no evidence of a trial.
void fill(const std::filesystem::path& file) {
  Store store(file, Store::Access::write);
  store.put_meta("salt", "abc");
  store.put_study("s", sample_study("s"), sample_plan(3), {});
  store.put_study("t", sample_study("t"), sample_plan(2), {});
  store.put_verdict(digest_of(sample_study("s")), {{"schema", "retrial.verdict/1"}}, "accuracy", "BETTER",
                    sha256("in"));
  store.append(sample_record_with_series(0, 1100));
  store.append(sample_record(1));
  store.append({}, std::vector<Event>{
                       {.at_ns = 1, .kind = "note", .identity = identity_of(0), .attempt = id_of(0), .detail = "x"}});
}

struct Place {
  std::string table, column, type;
};

std::vector<Place> places(Raw& raw) {
  std::vector<Place> out;
  for (const auto& table : raw.rows("SELECT name FROM sqlite_schema WHERE type='table' AND name NOT LIKE 'sqlite_%'"))
    for (const auto& column : raw.rows("SELECT name, type FROM pragma_table_info('" + table[0] + "')"))
      if (table[0] != "lease" && table[0] != "tag") out.push_back({table[0], column[0], column[1]});
  return out;
}

// Another value of the same type; the words of a CHECK list are replaced by another legal word.
std::string mutated(const Place& place, bool null) {
  const std::string c = place.column;
  if (c == "kind" && place.table == "document") return "'gate_state'";
  if (c == "codec") return "'zstd1'";
  if (c == "status") return "'oom'";
  if (c == "direction") return "'none'";
  if (c == "nature") return "'cost'";
  if (c == "scale") return "'ratio'";
  if (c == "axis") return "'repetition'";
  if (place.type == "TEXT")
    return null ? "'x'" : "substr(" + c + ",1,length(" + c + ")-1)||char(unicode(substr(" + c + ",-1))+1)";
  if (place.type == "BLOB")
    return null ? "zeroblob(16)"
                : "cast(substr(" + c + ",1,length(" + c + ")-1) as blob)||(CASE WHEN substr(" + c +
                      ",-1)=x'41' THEN x'42' ELSE x'41' END)";
  if (place.type == "REAL") return null ? "1.5" : c + "*1.0000001+0.5";
  return null ? "1" : c + (c == "bits" ? "+1" : "+1000");
}

void damage(const std::filesystem::path& file, const Place& place) {
  Raw raw(file);
  raw.exec("PRAGMA ignore_check_constraints=ON; PRAGMA synchronous=OFF");
  const std::string first =
      place.table == "metric" ? "(SELECT bits FROM metric WHERE value IS NOT NULL AND value!=0 LIMIT 1)" : "";
  const std::string where = first.empty() ? "" : " WHERE bits=" + first;
  const bool null = raw.one("SELECT " + place.column + " IS NULL FROM " + place.table + where + " LIMIT 1") == "1";
  // One row only, named by all its key columns: the row that a plain SELECT shows first.
  std::string key;
  for (const auto& column : raw.rows("SELECT name FROM pragma_table_info('" + place.table + "') WHERE pk>0"))
    key += (key.empty() ? "" : ",") + column[0];
  std::string value = mutated(place, null);
  if (value.rfind("cast(", 0) == 0) value = "cast(" + value + " as blob)";
  const std::string pick = "(" + key + ")=(SELECT " + key + " FROM " + place.table + where + " LIMIT 1)";
  raw.exec("UPDATE " + place.table + " SET " + place.column + "=" + value + " WHERE " + pick);
  if (sqlite3_changes(raw.handle()) != 1)
    throw std::runtime_error("nothing was damaged in " + place.table + "." + place.column);
}

}  // namespace

TEST_CASE("a change of any column of any table is found, and nothing is found in a store that is whole") {
  const TemporaryFolder folder;
  fill(folder / "whole.db");
  CHECK(Store(folder / "whole.db", Store::Access::read).verify(false).empty());
  CHECK(Store(folder / "whole.db", Store::Access::read).verify(true).empty());
  std::vector<Place> all;
  {
    Raw raw(folder / "whole.db");
    raw.exec("PRAGMA journal_mode=DELETE");
    all = places(raw);
  }
  CHECK(all.size() > 80);
  std::set<std::string> missed;
  for (const Place& place : all) {
    const auto copy = folder / (place.table + place.column + ".db");
    std::filesystem::copy_file(folder / "whole.db", copy);
    damage(copy, place);
    if (Store(copy, Store::Access::read).verify(false).empty()) missed.insert(place.table + "." + place.column);
  }
  CHECK(missed == std::set<std::string>{});
}

TEST_CASE("rows that are taken away are missed where something refers to them") {
  const TemporaryFolder folder;
  fill(folder / "s.db");
  const auto sql =
      GENERATE(as<std::string>{}, "DELETE FROM metric WHERE step=-1", "DELETE FROM series", "DELETE FROM digest",
               "DELETE FROM artifact", "DELETE FROM manifest", "DELETE FROM environment", "DELETE FROM metric_def",
               "DELETE FROM study", "DELETE FROM plan", "DELETE FROM meta", "DELETE FROM trial",
               "DELETE FROM document WHERE kind='environment'", "DELETE FROM document WHERE kind='study'",
               "DELETE FROM document WHERE kind='verdict'");
  INFO(sql);
  Raw(folder / "s.db").exec(sql);
  CHECK_FALSE(Store(folder / "s.db", Store::Access::read).verify(false).empty());
}

TEST_CASE("rows that are taken away whole, or renumbered, are missed by their number or sum") {
  const TemporaryFolder folder;
  fill(folder / "s.db");
  Raw(folder / "s.db").exec("PRAGMA journal_mode=DELETE");
  const std::string attempt =
      "DELETE FROM metric WHERE trial_id=2; DELETE FROM series WHERE trial_id=2; DELETE FROM digest WHERE trial_id=2; "
      "DELETE FROM artifact WHERE trial_id=2; DELETE FROM manifest WHERE trial_id=2; DELETE FROM trial WHERE "
      "trial_id=2";
  const std::string verdict = "DELETE FROM verdict; DELETE FROM meta WHERE key GLOB 'verdict/*'";
  const auto [sql, expected] = GENERATE_COPY(table<std::string, std::string>(
      {{attempt, "trial: 2 were committed, 1 are there"},
       {"DELETE FROM event", "event: 1 were committed, 0 are there"},
       {verdict, "verdict: 1 were committed, 0 are there"},
       {verdict + "; DELETE FROM document WHERE kind='verdict'", "document: 4 were committed, 3 are there"},
       {"DELETE FROM meta WHERE key IN('salt','check/salt')", "meta: 7 were committed, 5 are there"},
       {"PRAGMA foreign_keys=OFF; UPDATE metric SET trial_id=9 WHERE trial_id=2; UPDATE series SET trial_id=9 WHERE "
        "trial_id=2; UPDATE digest SET trial_id=9 WHERE trial_id=2; UPDATE artifact SET trial_id=9 WHERE trial_id=2; "
        "UPDATE manifest SET trial_id=9 WHERE trial_id=2; UPDATE trial SET trial_id=9 WHERE trial_id=2",
        "trial: rows were exchanged or renumbered"},
       {"DELETE FROM tally WHERE kind='event'", "event: 0 were committed, 1 are there"}}));
  INFO(sql);
  CHECK(Store(folder / "s.db", Store::Access::read).verify(true).empty());
  Raw(folder / "s.db").exec(sql);
  std::string found;
  for (const auto& damage : Store(folder / "s.db", Store::Access::read).verify(false))
    found += damage.table + ": " + damage.problem + "\n";
  CHECK_THAT(found, has_text(expected));
}

TEST_CASE("a finding names the table, the row and the problem") {
  const TemporaryFolder folder;
  fill(folder / "s.db");
  Raw(folder / "s.db").exec("UPDATE metric SET value=1.0 WHERE trial_id=2 AND step=-1 AND value>2");
  const auto findings = Store(folder / "s.db", Store::Access::read).verify(false);
  REQUIRE(findings.size() == 2);  // the trial cannot be read, and the row that is to blame
  CHECK(findings[0].table == "trial");
  CHECK(findings[1].table == "metric");
  for (const auto& finding : findings) {
    CHECK_THAT(finding.row, has_text("trial 2"));
    CHECK_THAT(finding.problem, has_text("bit pattern"));
  }
}

TEST_CASE("an index that disagrees with its table is found by the full check") {
  const TemporaryFolder folder;
  fill(folder / "s.db");
  {
    // Point one index at the pages of another: well formed, but with the wrong entries.
    Raw raw(folder / "s.db");
    raw.exec("PRAGMA writable_schema=ON");
    raw.exec(
        "UPDATE sqlite_schema SET rootpage=(SELECT rootpage FROM sqlite_schema WHERE name='trial_by_identity') WHERE "
        "name='metric_by_name'");
  }
  CHECK_FALSE(Store(folder / "s.db", Store::Access::read).verify(true).empty());
}

}  // namespace retrial::tests::store_verify_tests
