// Bodies of a plan are kept as what differs from the first one of their variant, and read back byte for byte.
#include "results/store/plan_body.hpp"

#include "results/text/error.hpp"
#include "tests/catch.hpp"
#include "tests/results/store/fixtures.hpp"
#include "tests/results/store/raw_sqlite.hpp"

namespace retrial::tests::plan_body_tests {

using namespace retrial;
using namespace retrial::results;

namespace {

std::string body_of(int pair, const std::string& seed) {
  return "{\"a\":[1,\"{x\\\",:\"],\"pair\":" + std::to_string(pair) + ",\"seed\":\"" + seed + "\",\"z\":{\"t\":true}}";
}

std::vector<PlanEntry> plan_of(const std::vector<std::string>& bodies) {
  auto plan = sample_plan(static_cast<std::uint32_t>(bodies.size()));
  for (std::size_t i = 0; i < bodies.size(); ++i) plan[i].trial_body = bodies[i];
  return plan;
}

}  // namespace

TEST_CASE("signs inside of strings are no signs") {
  const std::string text = R"({"a":[1,"x\"],"],"b":-2.5e3})";
  std::string joined;
  for (const auto token : json_tokens(text)) joined += std::string(token) + "|";
  CHECK(joined == R"({|"a"|:|[|1|,|"x\"],"|]|,|"b"|:|-2.5e3|}|)");
}

TEST_CASE("a body is given back from the leaves that differ, by their place") {
  const BodyTemplate base(body_of(0, "00ff"));
  CHECK(base.differing(body_of(0, "00ff")) == "{}");
  CHECK(base.differing(body_of(12, "00ff")) == R"({"11":12})");
  for (const auto& other : {body_of(12, "0a"), body_of(-1, "\\\"}"), body_of(0, "")}) {
    const auto leaves = base.differing(other);
    REQUIRE(leaves);
    CHECK(base.with(*leaves) == other);
  }
  CHECK_FALSE(base.differing(R"({"a":1})"));                     // another shape
  CHECK_FALSE(base.differing(body_of(0, std::string(9, '"'))));  // no JSON
}

TEST_CASE("leaves that nobody has written give no body", "[store]") {
  const BodyTemplate base(body_of(0, "00ff"));
  for (const char* leaves :
       {"", "{", "[]", "{]", R"({"99":1})", R"({"11":})", R"({"11":1,})", R"({"11":1 "14":2})", R"({"12":1,"11":1})",
        R"({11:1})", R"({"-1":1})", R"({"11":[})", R"({"11":1}{})", R"({"18446744073709551616":1})"})
    CHECK_FALSE(base.with(leaves));
}

TEST_CASE("a store keeps one whole body of each variant, and gives back all of them", "[store]") {
  const TemporaryFolder folder;
  std::vector<std::string> bodies;
  for (int i = 0; i < 12; ++i) bodies.push_back(body_of(i, std::string(static_cast<std::size_t>(i), 'f')));
  bodies[7] = R"({"another":"shape"})";
  {
    Store store(folder / "s.db", Store::Access::write);
    store.put_study("s", sample_study("s"), plan_of(bodies), {});
  }
  const auto study = digest_of(sample_study("s"));
  const Store store(folder / "s.db", Store::Access::read);
  const auto plan = store.plan(study);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    CHECK(plan[i].trial_body == bodies[i]);
    CHECK(store.trial_body(study, static_cast<std::int64_t>(i)) == parse_json(bodies[i], "body"));
  }
  CHECK(store.verify(true).empty());
  Raw raw(folder / "s.db");
  CHECK(raw.one("SELECT count(*) FROM plan WHERE base IS NULL") == "3");  // scratch, kd, and the other shape
}

TEST_CASE("a base that cannot be one, or is missing, is damage", "[store]") {
  const TemporaryFolder folder;
  {
    Store store(folder / "s.db", Store::Access::write);
    store.put_study("s", sample_study("s"),
                    plan_of({body_of(0, "a"), body_of(0, "a"), body_of(1, "b"), body_of(2, "c"), body_of(3, "d")}), {});
  }
  const auto sql = GENERATE(as<std::string>{}, "UPDATE plan SET base=2 WHERE ordinal=4",
                            "DELETE FROM plan WHERE ordinal=0", "UPDATE plan SET trial_body='[1]' WHERE ordinal=4",
                            "UPDATE plan SET trial_body='{\"3000000000\":1}' WHERE ordinal=4");
  INFO(sql);
  Raw(folder / "s.db").exec(sql);
  const Store store(folder / "s.db", Store::Access::read);
  const auto study = digest_of(sample_study("s"));
  CHECK_THROWS_AS(store.trial_body(study, 4), Error);
  CHECK_THROWS_AS(store.plan(study), Error);
  CHECK_FALSE(store.verify(false).empty());
}

}  // namespace retrial::tests::plan_body_tests
