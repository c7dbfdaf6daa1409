#include "tests/catch.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fstream>
#include <functional>

#include "results/text/error.hpp"
#include "tests/results/store/fixtures.hpp"
#include "variance/random/rng.hpp"

namespace retrial::tests::store_tests {

using namespace retrial;
using namespace retrial::results;

namespace {

bool equal_bits(const std::vector<MetricValue>& a, const std::vector<MetricValue>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i].name != b[i].name || a[i].step != b[i].step || !same_bits(a[i].value, b[i].value)) return false;
  return true;
}

std::vector<MetricValue> by_name_and_step(std::vector<MetricValue> metrics) {
  std::sort(metrics.begin(), metrics.end(),
            [](const auto& x, const auto& y) { return std::tie(x.name, x.step) < std::tie(y.name, y.step); });
  return metrics;
}

}  // namespace

TEST_CASE("a new store is empty, clean and has the digests of nothing") {
  const TemporaryFolder folder;
  const Store store(folder / "s.db", Store::Access::write);
  const StoreInfo info = store.info();
  CHECK(info.schema == 2);
  CHECK(info.journal_mode == "wal");
  CHECK(info.trials == 0);
  // Reference values 16.1 of the specification of results.
  CHECK(hex(info.store_digest) == "0e4e7bfe4b88ac1555c526ac2c2ba3d448c26ecf351a72ba9f0d0bc421fcec12");
  CHECK(hex(info.outcome_digest) == "cf7841a4782acaf8a741ce7713f5850b70e38b79bb5d48cab2a110570b9caa32");
  CHECK(store.verify(true).empty());
}

TEST_CASE("a complete trial is read back bit for bit from another connection") {
  const TemporaryFolder folder;
  const TrialRecord given = sample_record(3);
  { Store(folder / "s.db", Store::Access::write).append(given); }
  const Store store(folder / "s.db", Store::Access::read);
  REQUIRE(store.trials().size() == 1);
  const TrialRow row = store.trials()[0];
  CHECK(row.identity == given.identity);
  CHECK(row.attempt == given.attempt);
  CHECK(row.status == Status::ok);
  CHECK(row.started_ns == given.started_ns);
  CHECK(row.wall_ns == given.wall_ns);
  const AttemptDetails details = store.attempt_details(row.id);
  CHECK(details.cpu_ns == given.cpu_ns);
  CHECK(details.peak_rss == given.peak_rss);
  CHECK(details.exit_code == 0);
  CHECK(details.worker == given.worker);
  CHECK(details.message == "fine");
  CHECK(row.payload == payload_digest(given));
  CHECK(equal_bits(store.metrics(row.id), by_name_and_step(given.metrics)));
  CHECK(store.digests(row.id) == given.digests);
  CHECK(store.manifest(row.id) == given.manifest);
  REQUIRE(store.artifacts(row.id).size() == 1);
  CHECK(store.artifacts(row.id)[0].body == given.artifacts[0].body);
  const TrialRecord back = store.record(row.id);
  CHECK(back.host == "h1");
  CHECK(back.launch == given.launch);
  CHECK(back.peak_gpu == 77);
  CHECK(back.defs.size() == 3);
  CHECK(payload_digest(back) == payload_digest(given));
}

TEST_CASE("an attempt that failed early has almost nothing, and that comes back as nothing") {
  const TemporaryFolder folder;
  TrialRecord r;
  r.identity = identity_of(1);
  r.attempt = id_of(1);
  r.status = Status::failed;
  Store store(folder / "s.db", Store::Access::write);
  store.append(r);
  const TrialRow row = store.trials().at(0);
  const AttemptDetails details = store.attempt_details(row.id);
  CHECK_FALSE(details.cpu_ns);
  CHECK_FALSE(details.exit_code);
  CHECK_FALSE(details.message);
  CHECK(store.metrics(row.id).empty());
  CHECK(store.manifest(row.id).is_null());
  CHECK(store.verify(true).empty());
}

TEST_CASE("random bit patterns survive the store, as rows and as series") {
  const TemporaryFolder folder;
  variance::Stream stream(5);
  TrialRecord r = sample_record(0);
  r.defs = {{"rows", "", Direction::none, Nature::outcome, Scale::absolute, Axis::step},
            {"series", "", Direction::none, Nature::outcome, Scale::absolute, Axis::step}};
  r.metrics.clear();
  for (std::int64_t i = 0; i < 1024; ++i) r.metrics.push_back({"rows", i, std::bit_cast<double>(stream.next())});
  for (std::int64_t i = 0; i < 9000; ++i) r.metrics.push_back({"series", 3 * i, std::bit_cast<double>(stream.next())});
  constexpr std::uint64_t specials[] = {0x7ff8000000000001, 0xfff8000000000000, 0x7ff0000000000001, 0x8000000000000000,
                                        0x1};
  for (std::int64_t i = 0; i < 5; ++i) r.metrics.push_back({"series", 1000000 + i, std::bit_cast<double>(specials[i])});
  Store store(folder / "s.db", Store::Access::write);
  store.append(r);
  CHECK(equal_bits(store.metrics(1), by_name_and_step(r.metrics)));
  CHECK(store.verify(true).empty());
  CHECK(store.info().metrics == 1024 + 9005);
}

TEST_CASE("appending the same attempt again changes nothing, and another one with its id is refused") {
  const TemporaryFolder folder;
  Store store(folder / "s.db", Store::Access::write);
  store.append(sample_record(1));
  store.append(sample_record(1));
  CHECK(store.info().trials == 1);
  TrialRecord other = sample_record(1);
  other.wall_ns += 1;
  CHECK(exit_of([&] { store.append(other); }) == Exit::usage);
  CHECK(store.info().trials == 1);
}

TEST_CASE("a metric that is defined differently is refused, names both definitions, and nothing is written") {
  const TemporaryFolder folder;
  Store store(folder / "s.db", Store::Access::write);
  store.append(sample_record(1));
  TrialRecord other = sample_record(2);
  other.defs[1].unit = "bit";
  other.defs.push_back({"new", "", Direction::none, Nature::outcome, Scale::absolute, Axis::none});
  other.metrics.insert(other.metrics.begin(), {"new", -1, 1.0});
  const std::vector<TrialRecord> both = {sample_record(3), other};
  try {
    store.append(both, {});
    FAIL("accepted");
  } catch (const Error& error) {
    CHECK(error.text.exit == Exit::incomparable);
    CHECK_THAT(error.what(), has_text("[bit, ") && has_text("[nat, "));
  }
  CHECK(store.info().trials == 1);
  CHECK(store.metric_defs().size() == 3);
  store.append(sample_record(3));  // the connection still works
  CHECK(store.verify(true).empty());
}

TEST_CASE("a record that would not come back unchanged is refused before anything is written") {
  const TemporaryFolder folder;
  Store store(folder / "s.db", Store::Access::write);
  TrialRecord r = sample_record(1);
  struct Wrong {
    std::string what;
    std::function<void(TrialRecord&)> make;
  };
  const auto wrong = GENERATE(values<Wrong>({
      {"a metric without definition",
       [](TrialRecord& bad) {
         bad.metrics.push_back({"mystery", -1, 1});
       }},
      {"a step reported twice", [](TrialRecord& bad) { bad.metrics.push_back(bad.metrics[0]); }},
      {"a step below -1",
       [](TrialRecord& bad) {
         bad.metrics.push_back({"loss", -2, 1});
       }},
      {"a digest that is not hex", [](TrialRecord& bad) { bad.digests[0].hex = "xyz"; }},
      {"a digest that is too short", [](TrialRecord& bad) { bad.digests[0].hex = "ab"; }},
      {"two definitions of one metric",
       [](TrialRecord& bad) { bad.defs.push_back(bad.defs[0]), bad.defs.back().unit = "x"; }},
      {"a negative time", [](TrialRecord& bad) { bad.wall_ns = -1; }},
      {"a manifest that is not an object", [](TrialRecord& bad) { bad.manifest = Json::array(); }},
      {"a floating-point number in the manifest", [](TrialRecord& bad) { bad.manifest["machine"]["load"] = 0.5; }},
      {"a name that is not UTF-8", [](TrialRecord& bad) { bad.worker = "\xff"; }},
  }));
  INFO(wrong.what);
  wrong.make(r);
  CHECK(exit_of([&] { store.append(r); }) == Exit::usage);
  CHECK(store.info().trials == 0);
  CHECK(store.metric_defs().empty());
}

TEST_CASE("an artifact whose bytes have another digest is refused") {
  const TemporaryFolder folder;
  Store store(folder / "s.db", Store::Access::write);
  TrialRecord r = sample_record(1);
  *r.artifacts[0].body += "x";
  CHECK(exit_of([&] { store.append(r); }) == Exit::integrity);
}

TEST_CASE("a message of any bytes and any length is stored as readable text") {
  const TemporaryFolder folder;
  Store store(folder / "s.db", Store::Access::write);
  TrialRecord r = sample_record(1);
  r.message = "torch.oom: \xff\n" + std::string(1, '\0') + std::string(10000, 'x');
  store.append(r);
  const std::string message = store.attempt_details(store.trials()[0].id).message.value();
  CHECK(message.substr(0, 18) == "torch.oom: \xEF\xBF\xBD\n\xEF\xBF\xBD");
  CHECK(message.size() == 4096);
  CHECK(store.verify(true).empty());
}

TEST_CASE("artifacts above 64 KiB are stored next to the store under their digest, and verify reads them") {
  const TemporaryFolder folder;
  Store store(folder / "s.db", Store::Access::write);
  TrialRecord r = sample_record(1);
  const std::string body(65537, 'b');
  r.artifacts = {{"big", "bin", sha256(body), 65537, body}};
  store.append(r);
  CHECK_FALSE(store.artifacts(1)[0].body);
  const auto file = artifact_file(store.path(), sha256(body));
  CHECK(sha256_file(file) == sha256(body));
  CHECK(store.verify(true).empty());
  std::ofstream(file, std::ios::app) << "x";
  CHECK(store.verify(false).size() == 1);
}

TEST_CASE("the canonical attempt is the earliest finished one that is not excluded") {
  const TemporaryFolder folder;
  Store store(folder / "s.db", Store::Access::write);
  std::vector<TrialRecord> attempts;
  for (std::uint32_t i = 0; i < 4; ++i) {
    attempts.push_back(sample_record(i));
    attempts[i].identity = identity_of(7);
    attempts[i].metrics[0].value = i;
  }
  attempts[0].status = Status::failed;    // earliest, but it failed
  attempts[1].status = Status::diverged;  // finished: data
  std::swap(attempts[1].started_ns, attempts[3].started_ns);
  for (std::size_t i = 4; i-- > 0;) store.append(attempts[i]);  // arrival order does not matter

  CHECK(store.canonical(identity_of(7), 0)->attempt == attempts[3].attempt);
  CHECK_FALSE(store.canonical(identity_of(7), 1));
  CHECK_FALSE(store.canonical(identity_of(8), 0));
  CHECK(store.trials(identity_of(7)).size() == 4);
  CHECK(store.trials(identity_of(8)).empty());

  const Event one{
      .at_ns = 1, .kind = "excluded", .identity = identity_of(7), .attempt = attempts[3].attempt, .detail = "fan off"};
  const Event note{
      .at_ns = 2, .kind = "note", .identity = identity_of(7), .attempt = attempts[2].attempt, .detail = ""};
  const Digest before = store.info().outcome_digest;
  store.append({}, std::vector<Event>{one, note});
  CHECK(store.canonical(identity_of(7), 0)->attempt == attempts[2].attempt);
  CHECK(store.trials(identity_of(7))[1].excluded);
  CHECK(store.info().outcome_digest != before);
  CHECK(store.info().outcome_digest == outcome_digest({{identity_of(7), 0, payload_digest(attempts[2])}}));

  Store other(folder / "s.db", Store::Access::write);  // what another process excludes is seen as well
  other.append({}, std::vector<Event>{
                       {.at_ns = 3, .kind = "excluded", .identity = identity_of(7), .attempt = {}, .detail = ""}});
  CHECK_FALSE(store.canonical(identity_of(7), 0));
  CHECK(hex(store.info().outcome_digest) == "cf7841a4782acaf8a741ce7713f5850b70e38b79bb5d48cab2a110570b9caa32");
}

TEST_CASE("attempts that start at the same nanosecond are ordered by their record") {
  const TemporaryFolder folder;
  Store store(folder / "s.db", Store::Access::write);
  for (std::uint32_t i = 0; i < 5; ++i) {
    TrialRecord r = sample_record(i);
    r.identity = identity_of(0);
    r.started_ns = 5;
    store.append(r);
  }
  const auto rows = store.trials();
  CHECK(std::is_sorted(rows.begin(), rows.end(), [](const auto& x, const auto& y) { return x.record < y.record; }));
  CHECK(store.canonical(identity_of(0), 0)->record == rows[0].record);
}

TEST_CASE("the store digest does not depend on the order of appending, nor on commits") {
  const TemporaryFolder folder;
  std::vector<TrialRecord> records;
  for (std::uint32_t i = 0; i < 5; ++i) records.push_back(sample_record_with_series(i, 1100));
  Store one(folder / "one.db", Store::Access::write), all(folder / "all.db", Store::Access::write);
  for (std::size_t i = 5; i-- > 0;) one.append(records[i]);
  all.append(records, {});
  CHECK(one.info().store_digest == all.info().store_digest);
  CHECK(one.info().outcome_digest == all.info().outcome_digest);
}

TEST_CASE("a record read from one store and appended to another is the same record") {
  const TemporaryFolder folder;
  Store from(folder / "from.db", Store::Access::write), to(folder / "to.db", Store::Access::write);
  from.append(sample_record_with_series(1, 5000));
  from.append(sample_record(2));
  for (const TrialRow& row : from.trials()) to.append(from.record(row.id));
  CHECK(to.info().store_digest == from.info().store_digest);
  CHECK(to.verify(true).empty());
}

TEST_CASE("meta is written once") {
  const TemporaryFolder folder;
  Store store(folder / "s.db", Store::Access::write);
  CHECK_FALSE(store.meta("salt"));
  store.put_meta("salt", "abc");
  store.put_meta("salt", "abc");
  CHECK(store.meta("salt") == "abc");
  CHECK(exit_of([&] { store.put_meta("salt", "other"); }) == Exit::usage);
  CHECK(exit_of([&] { store.put_meta("study/000001", "x"); }) == Exit::usage);
  CHECK(store.meta("salt") == "abc");
}

TEST_CASE("events come back by time") {
  const TemporaryFolder folder;
  Store store(folder / "s.db", Store::Access::write);
  const std::vector<Event> events = {
      {.at_ns = 9, .kind = "note", .identity = {}, .attempt = {}, .detail = "b"},
      {.at_ns = 1, .kind = "started", .identity = identity_of(1), .attempt = id_of(1), .detail = ""}};
  store.append({}, events);
  store.append({}, events);
  REQUIRE(store.events().size() == 2);
  CHECK(store.events()[0].kind == "started");
  CHECK(store.events()[0].attempt == id_of(1));
  CHECK_FALSE(store.events()[1].identity);
}

TEST_CASE("a trial is leased to one owner at a time, until it expires or is given back") {
  const TemporaryFolder folder;
  Store store(folder / "s.db", Store::Access::write);
  const std::vector<std::pair<Digest, std::uint32_t>> ab = {{identity_of(1), 0}, {identity_of(2), 0}},
                                                      bc = {{identity_of(2), 0}, {identity_of(2), 1}};
  CHECK(store.claim(id_of(1), ab, 100, 200) == std::vector<bool>{true, true});
  CHECK(store.claim(id_of(2), bc, 150, 250) == std::vector<bool>{false, true});
  CHECK(store.claim(id_of(1), ab, 190, 300) == std::vector<bool>{true, true});  // renewed
  CHECK(store.claim(id_of(2), ab, 250, 400) == std::vector<bool>{false, false});
  CHECK(store.claim(id_of(2), ab, 300, 400) == std::vector<bool>{true, true});  // expired
  store.release(id_of(2));
  CHECK(store.claim(id_of(1), bc, 301, 500) == std::vector<bool>{true, true});
  CHECK(store.verify(true).empty());
}

TEST_CASE("a study can be read while it is written") {
  const TemporaryFolder folder;
  Store writer(folder / "s.db", Store::Access::write);
  const Store reader(folder / "s.db", Store::Access::read);
  for (std::uint32_t i = 0; i < 20; ++i) {
    writer.append(sample_record(i));
    REQUIRE(reader.trials().size() == i + 1);
    REQUIRE(reader.canonical(identity_of(i), 0));
    REQUIRE(reader.verify(false).empty());
  }
  CHECK(exit_of([&] { Store(folder / "s.db", Store::Access::read).append(sample_record(99)); }) == Exit::usage);
}

}  // namespace retrial::tests::store_tests
