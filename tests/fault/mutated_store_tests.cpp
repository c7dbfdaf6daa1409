// Damaged and crafted stores: refused, reported or unharmed; never a crash, never a wrong number that verify passes.
#include "tests/catch.hpp"

#include <fstream>

#include "results/text/error.hpp"
#include "tests/fault/captured.hpp"
#include "tests/fault/scale.hpp"
#include "tests/harness/program/program.hpp"
#include "tests/results/store/fixtures.hpp"
#include "tests/results/store/raw_sqlite.hpp"
#include "variance/random/rng.hpp"

namespace retrial::tests::mutated_store_tests {

using namespace retrial;
using namespace retrial::results;
using namespace retrial::tests;

namespace {

std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Everything the store says, as one digest.
Digest everything(const Store& store) {
  const StoreInfo info = store.info();
  Json all = {hex(info.store_digest), hex(info.outcome_digest)};
  for (const StudyRow& study : store.studies()) {
    all.push_back({study.name, study.document});
    for (const PlanEntry& e : store.plan(study.digest)) all.push_back({e.trial_body, e.variant, e.ordinal});
  }
  for (const TrialRow& row : store.trials()) {
    for (const MetricValue& m : store.metrics(row.id)) all.push_back({m.name, m.step, hex_of_bits(m.value)});
    for (const DigestValue& d : store.digests(row.id)) all.push_back({d.name, d.hex});
    for (const ArtifactValue& a : store.artifacts(row.id))
      all.push_back({a.name, hex(a.digest), hex(sha256(a.body.value_or("")))});
    all.push_back({row.id, store.attempt_details(row.id).worker, store.attempt_details(row.id).message.value_or(""),
                   store.manifest(row.id)});
    all.push_back(store.canonical(row.identity, row.replicate) ? "canonical" : "");
  }
  for (const Event& e : store.events()) all.push_back({e.at_ns, e.kind, e.detail});
  return digest_of(all);
}

enum class End { refused, newer, found, unchanged, unnoticed };

End end_of(const std::filesystem::path& file, const Digest& whole) {
  try {
    const Store store(file, Store::Access::read);
    if (!store.verify(true).empty()) {
      try {
        (void)everything(store);  // must not crash, whatever it says
      } catch (const Error& error) {
        CHECK(error.text.exit == Exit::integrity);
      }
      return End::found;
    }
    return everything(store) == whole ? End::unchanged : End::unnoticed;
  } catch (const Error& error) {
    INFO(error.what());
    CHECK((error.text.exit == Exit::integrity || error.text.code == "store.newer_schema"));
    return error.text.exit == Exit::integrity ? End::refused : End::newer;
  }
}

/// Every reading command ends with a code that its documentation gives, and says what is wrong in one line.
void check_commands(const std::string& file, bool all = true) {
  std::vector<std::vector<std::string>> lines = {{"show", file}, {"compare", file}};
  if (all) lines.insert(lines.end(), {{"verify", file, "--full"}, {"show", file, "--info"}, {"status", file}});
  for (const auto& line : lines) {
    const auto ran = captured(line);
    INFO(line.front() << " ended with " << ran.code << "\n" << ran.err);
    CHECK((ran.code == 0 || ran.code == 4 || ran.code == 6));
    const bool listed = line.front() == "verify" && ran.code == 6 && ran.out.find("damaged") != std::string::npos;
    CHECK(lines_with(ran.err, "retrial: error: ") == (ran.code == 0 || listed ? 0 : 1));
  }
}

void make_sample(const std::filesystem::path& file) {
  Store store(file, Store::Access::write);
  store.put_study("s", sample_study("s"), sample_plan(4), {});
  for (std::uint32_t i = 0; i < 6; ++i) store.append(sample_record(i));
  store.append(sample_record_with_series(6, 1100));
  store.append({}, std::vector<Event>{{.at_ns = 1, .kind = "note", .identity = {}, .attempt = {}, .detail = "x"}});
}

/// A store as one file: the sample, or a study that really ran.
struct Whole {
  explicit Whole(bool real) {
    if (real)
      REQUIRE(run_retrial(folder, {"run", "null", "--pairs", "6", "--seed", "3", "--db", "whole.db"}).code == 0);
    else
      make_sample(folder / "whole.db");
    Raw(folder / "whole.db").exec("PRAGMA journal_mode=DELETE");
    bytes = bytes_of(folder / "whole.db");
    digest = everything(Store(folder / "whole.db", Store::Access::read));
  }
  Folder folder;
  std::string bytes;
  Digest digest{};
};

/// 1 to 8 bytes of the whole file, or of its header, or the end cut off.
std::string mutated(std::string bytes, variance::Stream& draws) {
  const auto kind = variance::bounded(draws.next(), 8);
  if (kind == 0) return bytes.substr(0, variance::bounded(draws.next(), bytes.size()));
  const std::uint64_t reach = kind == 1 ? 100 : bytes.size();
  for (std::uint64_t n = 1 + variance::bounded(draws.next(), 8); n > 0; --n)
    bytes[variance::bounded(draws.next(), reach)] ^= static_cast<char>(1 + variance::bounded(draws.next(), 255));
  return bytes;
}

}  // namespace

TEST_CASE("a damaged file is refused, reported or unharmed, and never crashes a command", "[slow]") {
  const TemporaryFolder folder;
  const Whole wholes[] = {Whole(false), Whole(true)};
  int counts[5] = {};
  const auto mutants = number_from("RETRIAL_FAULT_MUTANTS", 500);
  for (std::uint64_t i = 0; i < mutants; ++i) {
    const Whole& whole = wholes[i % 2];
    variance::Stream draws(variance::derive(fault_key("mutated-store"), i));
    const auto file = folder / (std::to_string(i) + ".db");  // a name of its own: overwriting makes ext4 flush
    std::ofstream(file, std::ios::binary) << mutated(whole.bytes, draws);
    INFO("root seed " << fault_seed() << ", mutant " << i);
    const End end = end_of(file, whole.digest);
    CHECK(end != End::unnoticed);
    check_commands(file.string(), i % 8 < 2);  // for the others end_of() has verified the store
    std::filesystem::remove(file);
    ++counts[static_cast<int>(end)];
  }
  CAPTURE(counts[0], counts[1], counts[2], counts[3]);
  CHECK(counts[static_cast<int>(End::refused)] > 0);
  CHECK(counts[static_cast<int>(End::found)] > 0);
  CHECK(counts[static_cast<int>(End::unchanged)] > 0);
}

TEST_CASE("a crafted schema is refused: triggers, views, indexes, other identities and versions") {
  const TemporaryFolder folder;
  const Whole whole(true);
  struct Crafted {
    std::string sql;
    int code;
  };
  const std::vector<Crafted> table = {
      {"CREATE TRIGGER evil AFTER INSERT ON trial BEGIN DELETE FROM trial; END", 6},
      {"CREATE TEMP TRIGGER evil AFTER INSERT ON main.trial BEGIN SELECT 1; END", 0},  // is gone with its connection
      {"CREATE VIEW v AS SELECT * FROM trial", 6},
      {"CREATE INDEX i ON metric(value)", 6},
      {"CREATE UNIQUE INDEX i ON trial(status, record)", 6},
      {"CREATE INDEX i ON trial(abs(wall_ns))", 6},
      {"CREATE INDEX i ON trial(identity) WHERE status='ok'", 6},
      {"CREATE TABLE more(x)", 6},
      {"CREATE VIRTUAL TABLE more USING fts5(x)", 6},
      {"DROP INDEX metric_by_name", 6},
      {"DROP VIEW v_failure", 6},
      {"DROP TABLE lease", 6},
      {"DROP VIEW v_failure; CREATE VIEW v_failure AS SELECT 1", 6},
      {"ALTER TABLE trial ADD COLUMN evil TEXT", 6},
      {"ALTER TABLE tag RENAME COLUMN value TO evil", 6},
      {"PRAGMA application_id=0", 6},
      {"PRAGMA application_id=252006675", 6},
      {"PRAGMA user_version=0", 6},
      {"PRAGMA user_version=-1", 6},
      {"PRAGMA user_version=1", 6},  // its tables are those of schema 2
      {"PRAGMA user_version=3", 4},
      {"PRAGMA user_version=2147483647", 4},
      {"PRAGMA writable_schema=ON; UPDATE sqlite_schema SET rootpage=(SELECT rootpage FROM sqlite_schema WHERE "
       "name='meta') WHERE name='tag'",
       6},
      {"PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql=sql||' ' WHERE name='trial'", 6},
      {"PRAGMA writable_schema=ON; DELETE FROM sqlite_schema WHERE name='trial_by_identity'", 6},
      {"ANALYZE", 0},
  };
  for (const auto& [sql, code] : table) {
    INFO(sql);
    const auto file = folder / "crafted.db";
    std::ofstream(file, std::ios::binary) << whole.bytes;
    {
      Raw raw(file);
      raw.exec("PRAGMA foreign_keys=OFF");
      raw.exec(sql);
    }
    const auto ran = captured({"verify", file.string(), "--full"});
    INFO(ran.out << ran.err);
    CHECK(ran.code == code);
    check_commands(file.string());
    std::filesystem::remove(file);
  }
}

TEST_CASE("a store cut off anywhere is refused or reported") {
  const TemporaryFolder folder;
  { Store(folder / "whole.db", Store::Access::write).append(sample_record(0)); }
  Raw(folder / "whole.db").exec("PRAGMA journal_mode=DELETE");
  const std::string bytes = bytes_of(folder / "whole.db");
  for (std::size_t length = 1; length < bytes.size(); length += 3001) {
    std::ofstream(folder / "cut.db", std::ios::binary | std::ios::trunc) << bytes.substr(0, length);
    const End end = end_of(folder / "cut.db", Digest{});
    CHECK((end == End::refused || end == End::found));
  }
}

}  // namespace retrial::tests::mutated_store_tests
