// Whole programs: the wait of a user at the prompt, and the cost of the harness per trial. Peers of the same run: an
// empty program that links what the front end links, the bare program that a `command` trial starts, bare SQL over the
// same store.
//   RETRIAL_BENCH_STORE   a store of 100,000 trials (scripts/measure makes one); its rows are left out without it
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <spawn.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace retrial::tests::program_bench {

namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// Starts a program with nothing on its standard output and waits for it.
void run(const Words& words) {
  std::vector<char*> argv;
  for (const auto& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int fd : {STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_WRONLY, 0);
  pid_t pid = 0;
  const int refused = posix_spawn(&pid, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  if (refused != 0 || waitpid(pid, &status, 0) != pid || status != 0)
    throw std::runtime_error(words[0] + " " + (words.size() > 1 ? words[1] : "") + ": did not end with 0");
}

/// A store on a file system in memory, so that no fsync is measured; removed afterwards.
class MemoryStore {
 public:
  MemoryStore() : folder_("/dev/shm/retrial-bench-" + std::to_string(getpid())) { fs::create_directories(folder_); }
  ~MemoryStore() { fs::remove_all(folder_); }
  MemoryStore(const MemoryStore&) = delete;
  MemoryStore& operator=(const MemoryStore&) = delete;
  [[nodiscard]] std::string fresh() {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    return (folder_ / "s.db").string();
  }

 private:
  fs::path folder_;
};

void start(benchmark::State& state, const Words& words) {
  for (auto _ : state) run(words);
}

void per_trial(benchmark::State& state, std::int64_t trials) {
  state.counters["s/trial"] = benchmark::Counter(static_cast<double>(state.iterations() * trials),
                                                 benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void null_trials(benchmark::State& state) {
  MemoryStore store;
  constexpr std::int64_t pairs = 1000;
  for (auto _ : state)
    run({RETRIAL_PROGRAM, "run", "null", "--pairs", std::to_string(pairs), "--seed", "1", "--jobs", "1", "--db",
         store.fresh()});
  per_trial(state, 2 * pairs);
}

constexpr std::int64_t commands = 100;

void command_trials(benchmark::State& state) {
  MemoryStore store;
  for (auto _ : state)
    run({RETRIAL_PROGRAM, "run", "--command", "a=/bin/echo accuracy={seed}", "--read", "accuracy", "--higher",
         "--pairs", std::to_string(commands), "--seed", "1", "--jobs", "1", "--db", store.fresh()});
  per_trial(state, commands);
}
void bare_commands(benchmark::State& state) {
  for (auto _ : state)
    for (std::int64_t i = 0; i < commands; ++i) run({"/bin/echo", "accuracy=1"});
  per_trial(state, commands);
}

const char* big_store() {
  return std::getenv("RETRIAL_BENCH_STORE");
}

/// The rows that a summary has to read, grouped by SQLite itself.
void bare_sql(benchmark::State& state) {
  for (auto _ : state) {
    sqlite3* handle = nullptr;
    if (sqlite3_open_v2(big_store(), &handle, SQLITE_OPEN_READONLY, nullptr) != SQLITE_OK)
      throw std::runtime_error("RETRIAL_BENCH_STORE cannot be opened");
    sqlite3_exec(
        handle,
        "SELECT p.variant, d.name, count(*), avg(m.value) FROM plan p JOIN trial t ON t.identity = p.identity "
        "AND t.replicate = p.replicate JOIN metric m ON m.trial_id = t.trial_id AND m.step = -1 "
        "JOIN metric_def d ON d.metric_id = m.metric_id GROUP BY p.variant, d.name",
        [](void*, int, char**, char**) { return 0; }, nullptr, nullptr);
    sqlite3_close(handle);
  }
}

const int registered = [] {
  const auto add = [](const char* name, auto function) {
    return benchmark::RegisterBenchmark(name, function)->UseRealTime()->Unit(benchmark::kMillisecond);
  };
  const auto add_start = [&](const char* name, const Words& words) {
    add(name, [words](benchmark::State& state) { start(state, words); });
  };
  add_start("start of an empty program", {RETRIAL_EMPTY_PROGRAM});
  add_start("start of retrial --version", {RETRIAL_PROGRAM, "--version"});
  add_start("start of retrial list", {RETRIAL_PROGRAM, "list"});
  add_start("start of retrial list models", {RETRIAL_PROGRAM, "list", "models"});
  add_start("start of retrial list data", {RETRIAL_PROGRAM, "list", "data"});
  add_start("start of retrial plan", {RETRIAL_PROGRAM, "plan", RETRIAL_STUDIES "/quickstart.toml"});
  add("null trials", null_trials)->Iterations(1);
  add("command trials", command_trials)->Iterations(1);
  add("bare commands", bare_commands)->Iterations(1);
  if (big_store() != nullptr) {
    add_start("retrial status of 100,000 trials", {RETRIAL_PROGRAM, "status", big_store()});
    add_start("retrial show of 100,000 trials", {RETRIAL_PROGRAM, "show", big_store()});
    add("bare SQL over 100,000 trials", bare_sql);
  }
  return 0;
}();

}  // namespace

}  // namespace retrial::tests::program_bench
