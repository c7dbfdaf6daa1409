// A store returns only what was stored: a changed row ends every read with an error, not only retrial verify.
#include <sys/resource.h>

#include <csignal>

#include "results/text/error.hpp"
#include "tests/catch.hpp"
#include "tests/results/store/fixtures.hpp"
#include "tests/results/store/raw_sqlite.hpp"

namespace retrial::tests::altered_tests {

using namespace retrial;
using namespace retrial::results;

namespace {

const Json design = {{"schema", "retrial.design/1"}, {"alpha", "3fa999999999999a"}};

void fill(const std::filesystem::path& file) {
  Store store(file, Store::Access::write);
  const std::vector<std::pair<std::string, Json>> documents{{"design", design}};
  store.put_study("s", sample_study("s"), sample_plan(3), documents);
  store.append(sample_record_with_series(0, 1100));
  store.append(sample_record(1));
}

/// Everything that pages about a study read.
void read(const std::filesystem::path& file) {
  const Store store(file, Store::Access::read);
  for (const auto& study : store.studies()) {
    static_cast<void>(store.plan(study.digest));
    static_cast<void>(store.plan_listing(study.digest));
    static_cast<void>(store.environments(study.digest));
  }
  static_cast<void>(store.document(digest_of(design)));
  static_cast<void>(store.documents("design"));
  for (const auto& def : store.metric_defs()) static_cast<void>(store.final_values(def.name));
  for (const auto& trial : store.trials()) static_cast<void>(store.record(trial.id));
}

/// "exit 6: message", or "no error".
std::string end_of(const std::filesystem::path& file) {
  try {
    read(file);
  } catch (const Error& error) {
    return "exit " + std::to_string(static_cast<int>(error.text.exit)) + ": " + error.what();
  }
  return "no error";
}

/// Bytes of a file that this process may write; lifted again at the end.
class SizeLimit {
 public:
  explicit SizeLimit(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limited{.rlim_cur = bytes, .rlim_max = before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limited);
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
  }
  ~SizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  SizeLimit(const SizeLimit&) = delete;
  SizeLimit& operator=(const SizeLimit&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int) = SIG_DFL;
};

}  // namespace

TEST_CASE("reading a changed row fails with the integrity exit code", "[store]") {
  const std::vector<std::pair<std::string, std::string>> table{
      {"UPDATE metric SET value=value+10 WHERE value IS NOT NULL", "does not match its bit pattern"},
      {"UPDATE metric SET bits=bits+1", "does not match its bit pattern"},
      {"UPDATE metric SET value=NULL WHERE step=-1", "does not match its bit pattern"},
      {"UPDATE metric SET step=-7 WHERE step=-1 AND trial_id=1", "column step holds -7"},
      {"UPDATE trial SET status='splendid'", "column status holds the unknown word splendid"},
      {"UPDATE trial SET replicate=-1 WHERE trial_id=1", "column replicate holds -1"},
      {"UPDATE trial SET wall_ns=-5", "column wall_ns holds -5"},
      {"UPDATE metric_def SET direction='up'", "column direction holds the unknown word up"},
      {"UPDATE plan SET pair_index=-1 WHERE ordinal=1", "column pair_index holds -1"},
      {"PRAGMA foreign_keys=OFF; UPDATE trial SET trial_id=-7 WHERE trial_id=1", "column trial_id holds -7"},
      {"UPDATE study SET name='a'||char(27)||'[31m'", "column name holds a control character"},
      {"UPDATE plan SET variant='a'||char(10)||'retrial: error'", "column variant holds a control character"},
      {"UPDATE plan SET workload='a'||char(155)", "column workload holds a control character"},
      {"UPDATE metric_def SET unit=char(7)", "column unit holds a control character"},
      {"UPDATE digest SET name=char(27)||name", "column name holds a control character"},
      {"UPDATE document SET body=replace(body,'3fa9','3fb9') WHERE kind='design'", "does not match its digest"},
      {"UPDATE document SET body=replace(body,'schema','schemb') WHERE kind='study'", "does not match its digest"},
      {"UPDATE document SET body=replace(body,'Debian','Fedora') WHERE kind='environment'",
       "does not match its digest"},
      {"UPDATE series SET data=zeroblob(length(data)) WHERE chunk=0", "do not match their digest"},
  };
  for (const auto& [sql, expected] : table) {
    INFO(sql);
    const TemporaryFolder folder;
    const auto file = folder / "s.db";
    fill(file);
    {
      Raw raw(file);
      raw.exec("PRAGMA ignore_check_constraints=1");
      raw.exec(sql);
    }
    const std::string end = end_of(file);
    CHECK_THAT(end, has_text("exit 6: "));
    CHECK_THAT(end, has_text(expected));
  }
}

TEST_CASE("an unchanged store is read without an error", "[store]") {
  const TemporaryFolder folder;
  fill(folder / "s.db");
  CHECK(end_of(folder / "s.db") == "no error");
}

TEST_CASE("a link to a store is the store, and a second name of it is refused", "[store]") {
  const TemporaryFolder folder;
  const auto file = folder / "s.db";
  fill(file);
  std::filesystem::create_symlink("s.db", folder / "link.db");
  CHECK(Store(folder / "link.db", Store::Access::write).path() == std::filesystem::canonical(file));
  std::filesystem::create_hard_link(file, folder / "second.db");
  for (const char* name : {"s.db", "second.db", "link.db"}) {
    INFO(name);
    CHECK_THAT(end_of(folder / name), has_text("exit 2: ") && has_text("a second name (a hard link)"));
    CHECK_THROWS_AS(Store(folder / name, Store::Access::write), Error);
  }
}

TEST_CASE("where there is no disk space next to an intact store, the store is not called damaged", "[store]") {
  const TemporaryFolder folder;
  const auto file = folder / "s.db";
  fill(file);
  {
    const SizeLimit limit(1024);  // the index of the write-ahead log takes 32 KiB
    const std::string end = end_of(file);
    CHECK_THAT(end, has_text("exit 5: "));
    CHECK_THAT(end, has_text("the index of its write-ahead log"));
  }
  CHECK(end_of(file) == "no error");
}

TEST_CASE("a store that is cut short is damaged, with room or without", "[store]") {
  const TemporaryFolder folder;
  const auto file = folder / "s.db";
  fill(file);
  std::filesystem::resize_file(file, std::filesystem::file_size(file) - 20'000);
  CHECK_THAT(end_of(file), has_text("exit 6: "));
}

}  // namespace retrial::tests::altered_tests
