// A ledger is a chain: verify names the record that is not the one that was hashed. Hashes are from Python's hashlib.
#include "results/digest/chain.hpp"
#include "tests/catch.hpp"
#include "tests/results/store/fixtures.hpp"
#include "tests/results/store/raw_sqlite.hpp"

namespace retrial::tests::store_chains_tests {

using namespace retrial;
using namespace retrial::results;

namespace {

constexpr int records = 10;

/// A trial whose ledger has ten records, with a digest at every `each` of them and at the end.
void fill(const std::filesystem::path& file, int each) {
  auto record = sample_record(0);
  Chain chain;
  std::string text;
  for (int i = 0; i <= records; ++i) {
    const std::string line = R"({"number":)" + std::to_string(i) + "}";
    chain.add(line);
    text += line + "\n";
    if (i > 0 && i % each == 0) record.digests.push_back({"ledger", i, "sha256", hex(chain.hash())});
  }
  record.digests.push_back({"ledger", -1, "sha256", hex(chain.hash())});
  record.artifacts.push_back({"ledger", "jsonl", sha256(text), static_cast<std::int64_t>(text.size()), text});
  Store store(file, Store::Access::write);
  store.put_study("s", sample_study("s"), sample_plan(1), {});
  store.append(record);
}

std::vector<std::string> problems(const std::filesystem::path& file) {
  std::vector<std::string> out;
  for (const auto& damage : Store(file, Store::Access::read).verify(false))
    if (damage.table == "artifact") out.push_back(damage.row + ": " + damage.problem);
  return out;
}

void replace(const std::filesystem::path& file, const std::string& a, const std::string& b) {
  Raw(file).exec("UPDATE artifact SET body=cast(replace(cast(body AS TEXT),'" + a + "','" + b +
                 "') AS BLOB) WHERE name='ledger'");
}

const std::string other_bytes = "trial 1 ledger: its bytes do not match their digest";

}  // namespace

TEST_CASE("the hash of a chain is that of its definition") {
  // python3 -c "import hashlib as h; a=h.sha256(b'a').digest(); print(h.sha256(a+b'b').hexdigest())"
  Chain chain;
  chain.add("a");
  CHECK(hex(chain.hash()) == "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb");
  chain.add("b");
  CHECK(hex(chain.hash()) == "984f3f7d5798372d9f995b87369940292998ff35bd6bf414c1be64b2f9dfa7ca");
  CHECK(chain.records() == 1);
}

TEST_CASE("one changed bit of a stored ledger is named by its record") {
  const TemporaryFolder folder;
  const auto file = folder / "s.db";
  SECTION("a digest at every record") {
    fill(file, 1);
    CHECK(problems(file).empty());
    replace(file, "\"number\":7", "\"number\":6");  // '7' and '6' differ in one bit
    CHECK(problems(file) == std::vector{other_bytes, std::string("trial 1 ledger: record 6 is not what was recorded")});
  }
  SECTION("a digest at every fourth record") {
    fill(file, 4);
    replace(file, "\"number\":7", "\"number\":6");
    CHECK(problems(file).back() == "trial 1 ledger: one of the records 4 to 7 is not what was recorded");
  }
  SECTION("the last record, after the last digest before the end") {
    fill(file, 4);
    replace(file, "\"number\":10", "\"number\":11");
    CHECK(problems(file).back() == "trial 1 ledger: one of the records 8 to 9 is not what was recorded");
  }
  SECTION("the header") {
    fill(file, 4);
    replace(file, "\"number\":0", "\"number\":1");
    CHECK(problems(file).back() ==
          "trial 1 ledger: its header or one of the records before number 4 is not what was recorded");
  }
  SECTION("records that are cut off") {
    fill(file, 4);
    replace(file, "{\"number\":9}\n{\"number\":10}\n", "");
    CHECK(problems(file).back() == "trial 1 ledger: it ends after 8 records");
  }
  SECTION("the digest of the artifact is changed along with it") {
    fill(file, 1);
    replace(file, "\"number\":7", "\"number\":6");
    const auto body = Raw(file).one("SELECT hex(body) FROM artifact WHERE name='ledger'");
    const auto bytes = bytes_from_hex([&] {
      std::string lower;
      for (const char c : body) lower += static_cast<char>(std::tolower(c));
      return lower;
    }());
    REQUIRE(bytes);
    const std::string text(bytes->begin(), bytes->end());
    Raw(file).exec("UPDATE artifact SET digest=x'" + hex(sha256(text)) + "' WHERE name='ledger'");
    CHECK(problems(file) == std::vector{std::string("trial 1 ledger: record 6 is not what was recorded")});
  }
}

}  // namespace retrial::tests::store_chains_tests
