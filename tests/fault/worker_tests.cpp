// A worker may vanish, fall silent, flood, lie or be exchanged: it costs its one trial, or ends the run with one clear
// line, and never harms the front end.
#include <fstream>

#include "determinism/manifest/manifest.hpp"
#include "results/store/store.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "tests/catch.hpp"
#include "tests/fault/scale.hpp"
#include "tests/fault/scripted_worker.hpp"
#include "tests/harness/program/program.hpp"

namespace retrial::tests::worker_tests {

using namespace retrial;
using namespace retrial::harness;
using namespace retrial::tests;
using results::Status;
using std::chrono::milliseconds;

namespace {

const std::string greet = "cat hello >&4\n", obey = "read order <&3\n";

/// The result of one order, and how many times the pool was polled for it.
struct Outcome {
  JobResult result;
  int waits = 0;
};

Outcome outcome_of(WorkerPool& pool, int stop_after = -1) {
  for (int waits = 1;; ++waits) {
    auto ended = pool.wait(milliseconds(200));
    if (!ended.empty()) return {ended.front(), waits};
    if (waits == stop_after) pool.stop();
  }
}

Outcome outcome_of(const std::string& script, PoolSettings settings = {}, int stop_after = -1) {
  const Folder folder;
  settings.worker = scripted_worker(folder.path, script);
  settings.mode = determinism::mode_from_name("deterministic", "test");
  WorkerPool pool(settings);
  pool.start(7, {.trial = TrialBody(Json{{"workload", "null"}})});
  return outcome_of(pool, stop_after);
}

}  // namespace

TEST_CASE("a worker that vanishes, falls silent or floods costs its one trial, with the reason") {
  struct Case {
    std::string script;
    Status status;
    std::string message;
    PoolSettings settings;
  };
  const PoolSettings impatient{.timeout = milliseconds(300)};
  const std::vector<Case> table = {
      {greet + obey + "kill -9 $$", Status::killed, "signal 9", {}},
      {greet + obey + "exit 0", Status::failed, "exited with code 0", {}},
      {greet + obey + "echo my last word; exit 3", Status::failed, "my last word", {}},
      {greet + obey + "head -c 20 finished >&4; exit 0", Status::failed, "exited with code 0", {}},
      {greet + obey + "head -c 20 finished >&4; exec sleep 60", Status::timeout, "no sign of life", impatient},
      {greet + obey + "exec 4>&-; exec sleep 60", Status::failed, "closed its answers", {}},
      {greet + obey + "exec yes a long line of output that nobody asked for", Status::timeout, "no sign", impatient},
      {greet + obey + "yes | tr -d '\\n' >&4", Status::failed, "a line that does not end", {}},
      {greet + obey + "echo '{}' >&4; exec sleep 60", Status::failed, "does not follow the protocol", {}},
      {greet + obey +
           "sed 's/\"digests\":\\[\\]/\"digests\":[[\"state\",0,\"sha256\",\"no hex\"]]/' finished >&4; exec sleep 60",
       Status::failed,
       "does not follow the protocol",
       {}},
      {greet + obey + "head -c 100000 /dev/urandom >&4; exec sleep 60",
       Status::failed,
       "does not follow the protocol",
       {}},
  };
  for (const auto& row : table) {
    INFO(row.script);
    const auto result = outcome_of(row.script, row.settings).result;
    INFO(result.message);
    CHECK(result.job == 7);
    CHECK(result.status == row.status);
    CHECK_THAT(result.message, has_text(row.message));
    CHECK(result.wall_ns >= 0);
  }
}

TEST_CASE("a worker that floods with progress can still be stopped") {
  const auto result = outcome_of(greet + obey + "exec yes \"$(cat progress)\" >&4", {}, 2).result;
  CHECK(result.stopped_by_us);
}

TEST_CASE("a worker that closes its output is waited for without a busy loop") {
  const auto outcome = outcome_of(greet + obey + "exec 1>&- 2>&-; sleep 0.5; cat finished >&4; exec sleep 60");
  CHECK(outcome.result.status == Status::ok);
  CHECK(outcome.waits < 20);  // thousands if the closed pipe is polled in a loop
}

TEST_CASE("a worker that dies between two trials does not take the front end along") {
  const Folder folder;
  WorkerPool pool({.worker = scripted_worker(folder.path, greet + obey + "cat finished >&4; exec 3<&-; exit 0"),
                   .mode = determinism::mode_from_name("deterministic", "test")});
  for (std::size_t job = 0; job < 3; ++job) {
    pool.start(job, {.trial = TrialBody(
                         Json{{"long", std::string(200'000, 'x')}})});  // more than a pipe holds: the write must fail
    const auto result = outcome_of(pool).result;
    CHECK(result.job == job);
    CHECK((result.status == Status::ok || result.status == Status::failed));
  }
}

TEST_CASE("a worker that never says hello, or is another build, ends the run with advice") {
  const auto error_of = [](const std::string& script, PoolSettings settings) {
    try {
      (void)outcome_of(script, std::move(settings));
    } catch (const Error& error) {
      return error;
    }
    return Error({.exit = Exit::ok, .problem = "no error"});
  };
  const auto silent = error_of("exec sleep 60", {.hello_patience = milliseconds(300)});
  CHECK(silent.text.exit == Exit::measurement);
  CHECK_THAT(silent.what(), has_text("was not ready"));
  CHECK_THAT(silent.text.help, has_text("retrial doctor"));
  const auto gone = error_of("echo no such library >&2; exit 127", {});
  CHECK_THAT(gone.what(), has_text("ended before it was ready") && has_text("no such library"));
  const auto other = error_of(greet + "exec sleep 60", {.build_id = "bb"});
  CHECK(other.text.exit == Exit::incomparable);
  CHECK_THAT(other.what(), has_text("build aa") && has_text("build bb"));
  CHECK(error_of(greet + obey + "cat finished >&4", {.build_id = "aa"}).text.exit == Exit::ok);
}

TEST_CASE(
    "on a GPU, a worker without a device, without CUDA or without its libraries ends the run before the first trial") {
  const auto error_of = [](const Json& cuda, const std::string& script) {
    const Folder folder;
    const auto worker = scripted_worker(folder.path, script);
    WorkerEvent hello{.kind = WorkerEvent::Kind::hello,
                      .worker = "scripted",
                      .mode_effective = Json::object(),
                      .manifest = Json::object()};
    if (!cuda.is_null()) hello.mode_effective["cuda"] = cuda;
    std::ofstream(folder.path / "hello") << encode(hello);
    WorkerPool pool({.worker = worker, .mode = determinism::mode_from_name("deterministic,cuda", "test")});
    pool.start(0, {.trial = TrialBody(Json{{"workload", "null"}})});
    try {
      (void)outcome_of(pool);
    } catch (const Error& error) {
      return error.text;
    }
    return ErrorText{.exit = Exit::ok};
  };
  const std::string obedient = greet + obey + "cat finished >&4";
  const auto none = error_of({{"devices", 0}, {"reason", "no NVIDIA driver is installed"}}, obedient);
  CHECK(none.exit == Exit::incomparable);
  CHECK(none.code == "cuda.unavailable");
  CHECK(none.problem == "no NVIDIA driver is installed");
  CHECK(error_of(nullptr, obedient).code == "cuda.unavailable");
  CHECK_THAT(error_of(nullptr, obedient).problem, has_text("was built without CUDA"));
  CHECK(error_of({{"devices", "two"}, {"reason", 3}}, obedient).code == "cuda.unavailable");
  const auto library = error_of(nullptr, "echo libcufile.so.0: cannot open shared object file >&2; exit 127");
  CHECK(library.exit == Exit::incomparable);
  CHECK_THAT(library.problem, has_text("libcufile.so.0"));
  CHECK_THAT(library.help, has_text("scripts/setup --cuda"));
  CHECK(error_of({{"devices", 1}}, obedient).exit == Exit::ok);
}

TEST_CASE("each worker has one GPU for its life, and the worker in its place gets the same") {
  const Folder folder;
  const auto worker = scripted_worker(folder.path, greet + obey + "echo $CUDA_VISIBLE_DEVICES >>gpus\nkill -9 $$");
  std::ofstream(folder.path / "hello") << encode(WorkerEvent{.kind = WorkerEvent::Kind::hello,
                                                             .worker = "scripted",
                                                             .mode_effective = {{"cuda", {{"devices", 1}}}},
                                                             .manifest = Json::object()});
  WorkerPool pool({.worker = worker,
                   .mode = determinism::mode_from_name("deterministic,cuda", "test"),
                   .jobs = 4,
                   .gpus = {"2", "GPU-7f"}});
  for (int round = 0; round < 2; ++round) {
    for (std::size_t job = 0; job < 4; ++job) pool.start(job, {.trial = TrialBody(Json{{"workload", "null"}})});
    for (std::size_t ended = 0; ended < 4;) ended += pool.wait(milliseconds(200)).size();
  }
  std::ifstream said(folder.path / "gpus");
  std::map<std::string, int> trials;
  for (std::string gpu; std::getline(said, gpu);) ++trials[gpu];
  CHECK(trials == std::map<std::string, int>{{"2", 4}, {"GPU-7f", 4}});
}

TEST_CASE("a GPU on which two trials in a row end its context gets no more, and the other goes on") {
  const Folder folder;
  // On GPU 1 every trial fails; on GPU 2 the first does, and the others end well.
  const auto worker = scripted_worker(
      folder.path,
      "echo $CUDA_VISIBLE_DEVICES >>started\n" + greet +
          "while read order <&3; do\n"
          "  if [ $CUDA_VISIBLE_DEVICES = 1 ] || mkdir second 2>/dev/null; then cat sticky >&4; exit 0; fi\n"
          "  cat finished >&4\n"
          "done");
  std::ofstream(folder.path / "hello") << encode(WorkerEvent{.kind = WorkerEvent::Kind::hello,
                                                             .worker = "scripted",
                                                             .mode_effective = {{"cuda", {{"devices", 1}}}},
                                                             .manifest = Json::object()});
  std::ofstream(folder.path / "sticky") << encode(
      WorkerEvent{.kind = WorkerEvent::Kind::failed, .text = "an illegal address", .failure = "cuda.sticky"});
  const auto mode = determinism::mode_from_name("deterministic,cuda", "test");
  WorkerPool pool({.worker = worker, .mode = mode, .jobs = 2, .gpus = {"1", "2"}});
  std::vector<std::string> failures;
  std::size_t finished = 0;
  for (std::size_t job = 0, ended = 0; ended < 9;) {
    for (; job < 9 && pool.has_room(); ++job) pool.start(job, {.trial = TrialBody(Json{{"workload", "null"}})});
    for (const JobResult& result : pool.wait(milliseconds(200))) {
      ++ended;
      if (result.status == Status::failed)
        failures.push_back(result.message);
      else
        ++finished;
    }
  }
  CHECK(failures.size() == 3);  // two on GPU 1, one on GPU 2
  CHECK(std::ranges::count_if(failures,
                              [](const auto& text) { return text.find("GPU 1 gets no more") != text.npos; }) == 1);
  CHECK(std::ranges::none_of(failures, [](const auto& text) { return text.find("GPU 2") != text.npos; }));
  CHECK(finished == 6);
  std::ifstream started(folder.path / "started");
  std::map<std::string, int> workers;
  for (std::string gpu; std::getline(started, gpu);) ++workers[gpu];
  CHECK(workers == std::map<std::string, int>{{"1", 2}, {"2", 2}});  // each sticky error costs its worker

  WorkerPool last({.worker = worker, .mode = mode, .jobs = 1, .gpus = {"1"}});
  for (int trial = 0; trial < 2; ++trial) {
    REQUIRE(last.has_room());
    last.start(0, {.trial = TrialBody(Json{{"workload", "null"}})});
    CHECK(outcome_of(last).result.status == Status::failed);
  }
  CHECK_FALSE(last.has_room());
  CHECK_THROWS_WITH(last.wait(milliseconds(200)), has_text("no GPU is left"));
}

TEST_CASE("a GPU that fails itself gets no second trial") {
  const Folder folder;
  const auto worker = scripted_worker(folder.path, greet + "while read order <&3; do cat lost >&4; done");
  std::ofstream(folder.path / "hello") << encode(WorkerEvent{.kind = WorkerEvent::Kind::hello,
                                                             .worker = "scripted",
                                                             .mode_effective = {{"cuda", {{"devices", 1}}}},
                                                             .manifest = Json::object()});
  for (const char* failure : {"cuda.lost", "cuda.ecc"}) {
    std::ofstream(folder.path / "lost") << encode(
        WorkerEvent{.kind = WorkerEvent::Kind::failed, .text = "the device", .failure = failure});
    WorkerPool pool({.worker = worker,
                     .mode = determinism::mode_from_name("deterministic,cuda", "test"),
                     .jobs = 1,
                     .gpus = {"1"}});
    pool.start(0, {.trial = TrialBody(Json{{"workload", "null"}})});
    CHECK_THAT(outcome_of(pool).result.message, has_text("GPU 1 gets no more trials: it failed itself"));
    CHECK_FALSE(pool.has_room());
  }
}

TEST_CASE("a worker replaced during a study is refused; restored, the study continues to the same digest") {
  const Folder alone, folder;
  const auto worker = std::filesystem::path(folder / "worker");
  std::filesystem::copy_file(RETRIAL_CORE_PROGRAM "-worker", worker);
  const std::vector<std::string> line{"run", "null",     "--pairs",       "10",      "--seed",
                                      "5",   "--set",    "epoch_ms=60",   "--fresh", "-j",
                                      "1",   "--worker", worker.string(), "--jsonl"};
  const auto digest = [](const Ran& ran) {
    return field(ran.out.substr(ran.out.rfind('\n', ran.out.size() - 2) + 1), "outcome_digest");
  };
  const auto undisturbed = digest(run_retrial(alone, line));

  std::string bytes;
  {
    std::ifstream in(worker, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
  }
  const auto id = *results::bytes_from_hex(determinism::build_id_of(worker.string()));
  const auto at = bytes.find(std::string(id.begin(), id.end()));
  REQUIRE(at != std::string::npos);
  bytes[at] ^= 1;
  std::ofstream(folder / "other", std::ios::binary) << bytes;
  std::filesystem::permissions(folder / "other", std::filesystem::perms::owner_all);

  Program program(folder, line);
  REQUIRE(program.until_stdout("\"event\":\"done\""));
  std::filesystem::rename(worker, folder / "own");
  std::filesystem::rename(folder / "other", worker);
  const auto refused = program.wait();
  INFO(refused.err);
  CHECK(refused.code == 4);
  CHECK_THAT(refused.err, has_text("was replaced while the study ran"));
  std::filesystem::rename(folder / "own", worker);
  const auto resumed = run_retrial(folder, line);
  INFO(resumed.err);
  CHECK(resumed.code == 0);
  CHECK(digest(resumed) == undisturbed);
}

}  // namespace retrial::tests::worker_tests
