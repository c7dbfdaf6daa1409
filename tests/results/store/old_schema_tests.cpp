// A store of schema 1, written by an earlier version: tests/golden/stores/schema1.sql is its SQL text, and the digests
// are those that the earlier version printed (retrial show --info).
#include <fstream>
#include <iterator>

#include "results/text/error.hpp"
#include "tests/catch.hpp"
#include "tests/results/store/fixtures.hpp"
#include "tests/results/store/raw_sqlite.hpp"

namespace retrial::tests::old_schema_tests {

using namespace retrial;
using namespace retrial::results;

namespace {

void restore(const std::filesystem::path& file) {
  std::ifstream sql(RETRIAL_SOURCE_DIR "/tests/golden/stores/schema1.sql");
  Raw raw(file);
  raw.exec(std::string{std::istreambuf_iterator<char>(sql), {}});
  raw.exec("PRAGMA journal_mode=WAL");
}

}  // namespace

TEST_CASE("a store of schema 1 is read, verified and continued as one", "[store]") {
  const TemporaryFolder folder;
  restore(folder / "old.db");
  {
    const Store store(folder / "old.db", Store::Access::read);
    const auto info = store.info();
    CHECK(info.schema == 1);
    CHECK(info.trials == 4);
    CHECK(hex(info.store_digest) == "95b793c4ae964b554c914ede5e8cdc86db4776ee18700f3436634e6308735200");
    CHECK(hex(info.outcome_digest) == "c448d34c5a8c5c4b34f31fe3c5c61ca088d8dd8464ea5f4a8a1a3e91d4b92668");
    CHECK(store.verify(true).empty());
    const auto study = store.studies().front();
    store.demand_sealed(study, store.plan_listing(study.digest));
    CHECK(store.plan(study.digest).size() == 4);
    CHECK(store.trial_body(study.digest, 3).at("workload") == "null");
  }
  Store store(folder / "old.db", Store::Access::write);
  store.append({}, std::vector<Event>{{.at_ns = 1, .kind = "note", .identity = {}, .attempt = {}, .detail = "x"}});
  store.put_study("s", sample_study("s"), sample_plan(3), {});
  CHECK(store.plan(digest_of(sample_study("s"))).back().trial_body == "{\"n\":2}");
  CHECK(store.studies().size() == 2);
  CHECK(store.verify(true).empty());
}

TEST_CASE("a changed plan of schema 1 gives no page", "[store]") {
  const TemporaryFolder folder;
  restore(folder / "old.db");
  Raw(folder / "old.db").exec("UPDATE plan SET pair_index=1-pair_index WHERE variant='base'");
  const Store store(folder / "old.db", Store::Access::read);
  const auto study = store.studies().front();
  CHECK_THROWS_AS(store.demand_sealed(study, store.plan_listing(study.digest)), Error);
}

}  // namespace retrial::tests::old_schema_tests
