#include "tests/catch.hpp"

#include <bit>
#include <limits>

#include "results/record/series.hpp"
#include "results/text/error.hpp"
#include "tests/results/store/fixtures.hpp"

namespace retrial::tests::record_identity_tests {

using namespace retrial;
using namespace retrial::results;

// Every digest in this file is a reference value of the specification of results, 16.1, computed independently.
namespace {

constexpr const char* identity_a = "e51f9c71d5ddec38869c55123a7bb346f9ce477e102c3caf81ce5d730b6245ef";
constexpr const char* identity_b = "e46d65e4d68170d7162f8dcfee6a0f5270650cd538f9c2dd55694e06e972fd7d";
const Digest a = digest_from_hex(identity_a, "A"), b = digest_from_hex(identity_b, "B");
const Digest environment =
    digest_from_hex("6c04783aadfa2449eb66ab3ac79daac43bfa03eb165be8c3e9ed85a574f1ce3f", "environment");

Json chain_x(const std::string& variant) {
  const IdentityParts parts{
      .workload = "mlp-iris",
      .variant = variant,
      .values = {{"epochs", std::int64_t{30}}, {"lr", 0.05}, {"name", std::string("a\"b\\c\x01")}},
      .dataset = {},
      .seeds = {{"data-order", 7}, {"init", 0x406e6b5de64c0d5d}},
      .mode = {{"deterministic", true},
               {"fused", false},
               {"isa", "avx2"},
               {"onednn", true},
               {"tf32", false},
               {"threads", 1}},
      .program = "0123456789abcdef0123456789abcdef01234567"};
  Json document = identity_document(parts);
  document["values"]["layers"] = {64, 32};  // no key of ours holds a list; the reference does
  return document;
}

TrialRecord record_1() {
  TrialRecord r;
  r.identity = a;
  r.attempt = id16_from_hex("00112233445566778899aabbccddeeff", "attempt");
  r.cpu_ns = 1500000000;
  r.exit_code = 0;
  r.host = "h1";
  r.peak_rss = 104857600;
  r.started_ns = 1700000000000000000;
  r.wall_ns = 1250000000;
  r.worker = "w0";
  r.defs = {{"wall_s", "s", Direction::lower, Nature::cost, Scale::ratio, Axis::none},
            {"loss", "nat", Direction::lower, Nature::outcome, Scale::absolute, Axis::epoch},
            {"accuracy", "percent", Direction::higher, Nature::outcome, Scale::absolute, Axis::none}};
  r.metrics = {{"loss", 29, double_from_hex("7ff8000000000001").value()},
               {"wall_s", -1, 1.25},
               {"loss", 28, 0.25},
               {"accuracy", -1, 93.75}};
  r.digests = {{"weights", 29, "psum2", "abababababababababababababababab"}};
  return r;
}

TrialRecord record_2() {
  TrialRecord r = record_1();
  r.attempt = id16_from_hex("ffeeddccbbaa99887766554433221100", "attempt");
  r.started_ns = 1700000001000000000;
  r.wall_ns = 1500000000;
  r.metrics[1].value = 1.5;
  return r;
}

TrialRecord record_3() {
  TrialRecord r = record_1();
  r.identity = b;
  r.attempt = id16_from_hex("0123456789abcdef0123456789abcdef", "attempt");
  r.started_ns = 1700000002000000000;
  return r;
}

Digest digest_of_record(const TrialRecord& r) {
  return digest_of(record_document(r, environment, std::nullopt));
}

}  // namespace

TEST_CASE("the identity of a trial is the digest of its parts") {
  CHECK(
      canonical(chain_x("A")) ==
      R"({"dataset":null,"mode":{"deterministic":true,"fused":false,"isa":"avx2","onednn":true,"tf32":false,"threads":1},)"
      R"("program":"0123456789abcdef0123456789abcdef01234567","schema":"retrial.trial/1","seeds":{"data-order":"0000000000000007",)"
      R"("init":"406e6b5de64c0d5d"},"values":{"epochs":30,"layers":[64,32],"lr":"3fa999999999999a","name":"a\"b\\c\u0001"},)"
      R"("variant":"A","workload":"mlp-iris"})");
  CHECK(hex(digest_of(chain_x("A"))) == identity_a);
  CHECK(hex(digest_of(chain_x("B"))) == identity_b);
}

TEST_CASE("a data set enters the identity by its digest") {
  CHECK(identity_document({.dataset = sha256("abc")}).at("dataset") == Json(hex(sha256("abc"))));
}

TEST_CASE("the plan digest depends on order and replicates") {
  using Plan = std::vector<std::pair<Digest, std::uint32_t>>;
  CHECK(hex(plan_digest({})) == "8e148662387bd6b91ff6336650a94dee9913fd4d01848c751342c3941d8519f3");
  CHECK(hex(plan_digest(Plan{{a, 0}, {b, 0}})) == "6d0615e59b47717bbac572df6be452034361b11fefc0cf766b88423bf4569138");
  CHECK(hex(plan_digest(Plan{{a, 0}, {b, 0}, {b, 1}, {a, 1}})) ==
        "e70bbcc877741b4f06488185904de6d970484124f849224a165154823129332f");
  CHECK(plan_digest(Plan{{b, 0}, {a, 0}}) != plan_digest(Plan{{a, 0}, {b, 0}}));
}

TEST_CASE("the payload has everything that must reproduce and no cost") {
  CHECK(hex(payload_digest(record_1())) == "bc04eb69bd2141c2315ec9fb7e0649841eb19ca901c8f90fbfa5b0f4183db638");
  CHECK(payload_digest(record_2()) == payload_digest(record_1()));
  CHECK(hex(payload_digest(record_3())) == "32371df64e7aeee77938bf7f88e5e66519598790a71dc7a9ef8dffccfb603f76");
  TrialRecord conflict = record_1();
  conflict.metrics[3].value = 93.125;
  CHECK(hex(payload_digest(conflict)) == "9352ba09aa1b1547315c69c18a83f754d3cc0449a0445c02dcf4469b4e9464b8");
}

TEST_CASE("a record digest covers one attempt, all of it") {
  CHECK(hex(digest_of_record(record_1())) == "ac7d0f8c892dfa69f867b838847a9daa8ab3dfe6ff00c8b55799fa6278391ad3");
  CHECK(hex(digest_of_record(record_2())) == "111f608f0453daab59a4158438bb3a5375fd76cbebf2f23a9bbbdfeab780dc2f");
  CHECK(hex(digest_of_record(record_3())) == "c3907beda62f7a091268371cab65e743b6413e0d641fc124b35a845a1c73c771");
}

TEST_CASE("the order in which a worker reports does not matter") {
  TrialRecord shuffled = record_1();
  std::reverse(shuffled.metrics.begin(), shuffled.metrics.end());
  std::reverse(shuffled.defs.begin(), shuffled.defs.end());
  CHECK(digest_of_record(shuffled) == digest_of_record(record_1()));
}

TEST_CASE("a definition without values belongs to no record") {
  TrialRecord r = record_1();
  r.defs.push_back({"unused", "", Direction::none, Nature::outcome, Scale::absolute, Axis::none});
  CHECK(digest_of_record(r) == digest_of_record(record_1()));
}

TEST_CASE("the store digest is that of a set of records") {
  const std::vector<Digest> r = {digest_of_record(record_1()), digest_of_record(record_2()),
                                 digest_of_record(record_3())};
  CHECK(hex(store_digest({})) == "0e4e7bfe4b88ac1555c526ac2c2ba3d448c26ecf351a72ba9f0d0bc421fcec12");
  CHECK(hex(store_digest({r[0]})) == "6db1a0953cdfe3a30928e29bf055c1c22ed10a151b7e5102db37431c8fe140ab");
  CHECK(hex(store_digest({r[1], r[0]})) == "8107b0a9de68fcf52441a45ca1c4f1d95340c3710dd3edee6a44d3ba5192b226");
  CHECK(hex(store_digest({r[2], r[0], r[1]})) == "fda67dae9394af12103d1664080f7434696b9370b82f01c1ba1a1ff810105c65");
}

TEST_CASE("the outcome digest is that of the canonical attempts") {
  const Outcome of_a{a, 0, payload_digest(record_1())}, of_b{b, 0, payload_digest(record_3())};
  CHECK(hex(outcome_digest({})) == "cf7841a4782acaf8a741ce7713f5850b70e38b79bb5d48cab2a110570b9caa32");
  CHECK(hex(outcome_digest({of_a})) == "817780f49a18b3d6f047104522c7ae26752236715b9b4f8dc2880a18a3e7f2c6");
  CHECK(hex(outcome_digest({of_a, of_b})) == "adfbd6a1e32bb770cab4c9426b95015e17082e5e469d5484d061570fb363a0a8");
  CHECK(outcome_digest({of_b, of_a}) == outcome_digest({of_a, of_b}));
}

// Computed by Python 3.11's hashlib over the same bytes.
TEST_CASE("the result digest is that of the same rows, each once") {
  const Outcome of_a{a, 0, payload_digest(record_1())}, of_b{b, 0, payload_digest(record_3())};
  CHECK(hex(result_digest({})) == "069560f68b99eca0aaef77bc91232ac72b5173633bde9d8a3d98a16aa8962c1a");
  CHECK(hex(result_digest({of_a})) == "bfae032778d807b00e0894462298f2c34aa15461d4817d208192fccd656223fd");
  CHECK(hex(result_digest({of_a, of_b})) == "01f9b30cda805c056db97ea16c330c1ad04b29e257592007338a6176f60e94db");
  CHECK(result_digest({of_b, of_a, of_b}) == result_digest({of_a, of_b}));
}

TEST_CASE("an event has the digest of the specification") {
  const Event event{.at_ns = 1700000000000000000,
                    .kind = "started",
                    .identity = a,
                    .attempt = id16_from_hex("00112233445566778899aabbccddeeff", "attempt"),
                    .detail = ""};
  CHECK(hex(digest_of(event_document(event))) == "a9cf82bd49ac9d612bb570e2e47bcdf1730b3b5bad26f9f8d4abff355a39bc52");
}

TEST_CASE("series chunks have the bytes of the specification") {
  const std::vector<std::int64_t> steps = {0, 1, 2}, two = {0, 100};
  const std::vector<double> values = {1, -0.0, 0.5}, others = {3.5, std::numeric_limits<double>::infinity()};
  const std::string bytes = series_bytes(steps, values);
  CHECK(bytes.size() == 52);
  CHECK(hex(sha256(bytes)) == "c303cf0775a568d2204e11d4e7a455774339cc6ec855f7e682efb3bf1bb2b0ff");
  CHECK(hex(sha256(series_bytes(two, others))) == "20ec13c19ccf89b610b6be017a6ff79772a324a2d2a5af1cddfccba8d6463381");
  const auto back = points_of_chunk("x", bytes).value();
  CHECK(back.size() == 3);
  CHECK(back[1].step == 1);
  CHECK(same_bits(back[1].value, -0.0));
  CHECK_FALSE(points_of_chunk("x", bytes.substr(1)));
  CHECK_FALSE(points_of_chunk("x", "abc"));
  CHECK_FALSE(points_of_chunk("x", bytes + "x"));
}

TEST_CASE("1,024 points stay rows, one more makes chunks of at most 4,096, and the final value stays a row") {
  const auto points = [](std::int64_t n) {
    std::vector<MetricValue> out = {{"loss", -1, 0.5}};
    for (std::int64_t i = n; i-- > 0;) out.push_back({"loss", i, static_cast<double>(i)});
    return divided(out);
  };
  CHECK(points(1024).rows.size() == 1025);
  CHECK(points(1024).series.empty());
  const Points many = points(4097);
  CHECK(many.rows.size() == 1);
  CHECK(many.rows[0].step == -1);
  REQUIRE(many.series.size() == 2);
  CHECK(many.series[0].count == 4096);
  CHECK(many.series[1].count == 1);
  CHECK(many.series[1].chunk == 1);
  CHECK(points(1025).series.size() == 1);
}

TEST_CASE("one step of one metric is reported once") {
  const std::vector<MetricValue> twice = {{"loss", 1, 1}, {"loss", 1, 1}};
  CHECK_THROWS_WITH(divided(twice), has_text("loss") && has_text("step 1") && has_text("twice"));
}

TEST_CASE("attempt ids count the attempts that a launch started before") {
  const Id16 launch = id_of(3);
  std::string bytes(launch.begin(), launch.end());
  bytes.append(a.begin(), a.end());
  bytes += std::string("\x02\x01\x00\x00", 4);  // 258, least significant byte first
  const Digest expected = sha256(bytes);
  CHECK(std::equal(expected.begin(), expected.begin() + 16, attempt_id(launch, a, 258).begin()));
}

TEST_CASE("words of the record are read back, and unknown ones are an integrity error") {
  CHECK(status_from(name_of(Status::oom)) == Status::oom);
  CHECK(direction_from(name_of(Direction::none)) == Direction::none);
  CHECK(nature_from("cost") == Nature::cost);
  CHECK(scale_from("ratio") == Scale::ratio);
  CHECK(axis_from("repetition") == Axis::repetition);
  CHECK_THROWS_WITH(status_from("lost"), has_text("lost") && has_text("diverged"));
}

}  // namespace retrial::tests::record_identity_tests
