// Appending through the store against a bare loop over SQLite's C interface that writes the same rows: same schema,
// same settings, same commits. The store adds canonical JSON, digests, the split of the manifest and checks.
#include <benchmark/benchmark.h>
#include <sqlite3.h>

#include <bit>
#include <stdexcept>
#include <utility>

#include "results/store/sqlite/schema.hpp"
#include "tests/results/store/fixtures.hpp"

namespace retrial::tests::store_bench {

namespace {

using namespace retrial;
using namespace retrial::results;

constexpr int metrics_per_trial = 10;
constexpr int rows_per_trial = metrics_per_trial + 2;  // trial, manifest

TrialRecord record_of(std::uint32_t number) {
  TrialRecord r = sample_record(number);
  r.defs.clear(), r.metrics.clear(), r.digests.clear(), r.artifacts.clear();
  for (int m = 0; m < metrics_per_trial; ++m) {
    const std::string name(1, static_cast<char>('a' + m));
    r.defs.push_back({name, "s", Direction::lower, Nature::outcome, Scale::ratio, Axis::none});
    r.metrics.push_back({name, -1, 1.0 / (number + 1.0) + m});
  }
  return r;
}

// Making the records is not what is measured.
std::vector<TrialRecord> next_batch(benchmark::State& state, std::uint32_t& number) {
  state.PauseTiming();
  std::vector<TrialRecord> batch;
  for (std::int64_t i = 0; i < state.range(0); ++i) batch.push_back(record_of(number++));
  state.ResumeTiming();
  return batch;
}

void report(benchmark::State& state) {
  const double trials = static_cast<double>(state.iterations()) * static_cast<double>(state.range(0));
  state.counters["trials/s"] = benchmark::Counter(trials, benchmark::Counter::kIsRate);
  state.counters["rows/s"] = benchmark::Counter(trials * rows_per_trial, benchmark::Counter::kIsRate);
}

void store_append(benchmark::State& state) {
  const TemporaryFolder folder;
  Store store(folder / "s.db", Store::Access::write);
  std::uint32_t number = 0;
  for (auto _ : state) store.append(next_batch(state, number), {});
  report(state);
}

class RawLoop {
 public:
  explicit RawLoop(const std::filesystem::path& file) {
    check(sqlite3_open(file.c_str(), &handle_));
    for (const SchemaObject& object : schema_objects()) exec(std::string(object.sql).c_str());
    exec("PRAGMA foreign_keys=ON; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL");
    exec("INSERT INTO document VALUES(zeroblob(32),'environment','{}')");
    exec("INSERT INTO environment VALUES(zeroblob(32),zeroblob(32),'x',1,'x',NULL,NULL,NULL,NULL,NULL,'x','x')");
    for (int m = 0; m < metrics_per_trial; ++m)
      exec(("INSERT INTO metric_def(name,unit,direction,nature,scale,axis) VALUES('" +
            std::string(1, static_cast<char>('a' + m)) + "','s','lower','outcome','ratio','none')")
               .c_str());
    trial_ = prepared(
        "INSERT INTO trial(record,payload,identity,replicate,attempt,environment,status,started_ns,wall_ns,cpu_ns,"
        "peak_rss,peak_gpu,exit_code,signal,worker,host,boot,launch,message) "
        "VALUES(?,?,?,0,?,zeroblob(32),'ok',?,?,?,?,?,?,?,?,?,?,?,?)");
    manifest_ = prepared("INSERT INTO manifest(trial_id,id,delta) VALUES(?,?,?)");
    metric_ = prepared("INSERT INTO metric(trial_id,metric_id,step,value,bits) VALUES(?,?,?,?,?)");
  }
  ~RawLoop() {
    for (sqlite3_stmt* statement : {trial_, manifest_, metric_}) sqlite3_finalize(statement);
    sqlite3_close(handle_);
  }
  RawLoop(const RawLoop&) = delete;
  RawLoop& operator=(const RawLoop&) = delete;

  void append(std::span<const TrialRecord> batch) {
    exec("BEGIN IMMEDIATE");
    for (const TrialRecord& record : batch) insert(record);
    exec("COMMIT");
  }

 private:
  void check(int code) const {
    if (code != SQLITE_OK && code != SQLITE_DONE) throw std::runtime_error(sqlite3_errmsg(handle_));
  }
  void exec(const char* sql) { check(sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr)); }
  sqlite3_stmt* prepared(const char* sql) {
    sqlite3_stmt* statement = nullptr;
    check(sqlite3_prepare_v2(handle_, sql, -1, &statement, nullptr));
    return statement;
  }
  template <std::size_t N>
  static void blob(sqlite3_stmt* s, int place, const std::array<std::uint8_t, N>& value) {
    sqlite3_bind_blob(s, place, value.data(), N, SQLITE_STATIC);
  }
  static void text(sqlite3_stmt* s, int place, const std::string& value) {
    sqlite3_bind_text(s, place, value.data(), static_cast<int>(value.size()), SQLITE_STATIC);
  }
  void run(sqlite3_stmt* s) {
    check(sqlite3_step(s));
    sqlite3_reset(s);
  }

  void insert(const TrialRecord& r) {
    Digest random = r.identity;  // in place of the digests that this loop does not compute
    random[31] ^= 1;
    blob(trial_, 1, random), blob(trial_, 2, random), blob(trial_, 3, r.identity), blob(trial_, 4, r.attempt);
    int place = 5;
    for (const std::int64_t value :
         {r.started_ns, r.wall_ns, *r.cpu_ns, *r.peak_rss, *r.peak_gpu, std::int64_t{0}, std::int64_t{0}})
      sqlite3_bind_int64(trial_, place++, value);
    text(trial_, 12, r.worker), text(trial_, 13, *r.host), blob(trial_, 14, *r.boot), blob(trial_, 15, *r.launch),
        text(trial_, 16, *r.message);
    run(trial_);
    const std::int64_t id = sqlite3_last_insert_rowid(handle_);
    static const std::string delta = canonical(
        {{"randomness", sample_manifest(0).at("randomness")}, {"volatile", sample_manifest(0).at("volatile")}});
    sqlite3_bind_int64(manifest_, 1, id), blob(manifest_, 2, random), text(manifest_, 3, delta);
    run(manifest_);
    for (std::size_t m = 0; m < r.metrics.size(); ++m) {
      sqlite3_bind_int64(metric_, 1, id), sqlite3_bind_int64(metric_, 2, static_cast<std::int64_t>(m) + 1),
          sqlite3_bind_int64(metric_, 3, -1);
      sqlite3_bind_double(metric_, 4, r.metrics[m].value),
          sqlite3_bind_int64(metric_, 5, std::bit_cast<std::int64_t>(r.metrics[m].value));
      run(metric_);
    }
  }

  sqlite3* handle_ = nullptr;
  sqlite3_stmt *trial_ = nullptr, *manifest_ = nullptr, *metric_ = nullptr;
};

void raw_loop(benchmark::State& state) {
  const TemporaryFolder folder;
  RawLoop raw(folder / "s.db");
  std::uint32_t number = 0;
  for (auto _ : state) raw.append(next_batch(state, number));
  report(state);
}

void hashing(benchmark::State& state) {
  const std::string bytes(static_cast<std::size_t>(state.range(0)), 'x');
  for (auto _ : state) benchmark::DoNotOptimize(sha256(bytes));
  state.SetBytesProcessed(state.iterations() * state.range(0));
}

}  // namespace

BENCHMARK(store_append)->Arg(1)->Arg(64)->Arg(1000)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(raw_loop)->Arg(1)->Arg(64)->Arg(1000)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(hashing)->Arg(1 << 10)->Arg(1 << 20);

}  // namespace retrial::tests::store_bench
