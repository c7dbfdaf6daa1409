#include "tests/catch.hpp"

#include <fstream>

#include "results/error.hpp"
#include "tests/results/fixtures.hpp"
#include "tests/results/raw_sqlite.hpp"
#include "variance/rng.hpp"

using namespace retrial;
using namespace retrial::results;

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
    all.push_back({row.id, row.worker, row.message.value_or(""), store.manifest(row.id)});
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

}  // namespace

TEST_CASE("a damaged file is refused, reported or unharmed, and never crashes the reader") {
  const TemporaryFolder folder;
  Digest whole{};
  {
    Store store(folder / "whole.db", Store::Access::write);
    store.put_study("s", sample_study("s"), sample_plan(4), {});
    for (std::uint32_t i = 0; i < 6; ++i) store.append(sample_record(i));
    store.append(sample_record_with_series(6, 1100));
    store.append({}, std::vector<Event>{{.at_ns = 1, .kind = "note", .identity = {}, .attempt = {}, .detail = "x"}});
    whole = everything(store);
  }
  Raw(folder / "whole.db").exec("PRAGMA journal_mode=DELETE");
  const std::string bytes = bytes_of(folder / "whole.db");
  int counts[5] = {};
  for (std::uint64_t i = 0; i < 500; ++i) {
    variance::Stream stream(variance::derive(variance::derive(std::uint64_t{8}, "mutate"), i));
    std::string mutant = bytes;
    for (std::uint64_t n = 1 + variance::bounded(stream.next(), 8); n > 0; --n)
      mutant[variance::bounded(stream.next(), mutant.size())] ^=
          static_cast<char>(1 + variance::bounded(stream.next(), 255));
    const auto file = folder / (std::to_string(i) + ".db");  // a name of its own: overwriting makes ext4 flush
    std::ofstream(file, std::ios::binary) << mutant;
    INFO("mutant " << i);
    const End end = end_of(file, whole);
    std::filesystem::remove(file);
    CHECK(end != End::unnoticed);
    ++counts[static_cast<int>(end)];
  }
  CAPTURE(counts[0], counts[1], counts[2], counts[3]);
  CHECK(counts[static_cast<int>(End::refused)] > 0);
  CHECK(counts[static_cast<int>(End::found)] > 0);
  CHECK(counts[static_cast<int>(End::unchanged)] > 0);
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
