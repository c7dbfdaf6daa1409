// check of a user's program: planted defects, each found with its cause, and the announced number of starts kept.
#include "tests/catch.hpp"
#include "tests/end_to_end/command/own_script.hpp"
#include "tests/harness/program/program.hpp"

#include <cstdlib>
#include <fstream>

namespace retrial::tests::check_program_tests {

namespace {

/// A shell script that leaves a line in `starts` (outside of its folder, which may be a mirror) each time it runs.
Ran check(const Folder& folder, const std::string& script, const Words& more = {},
          std::map<std::string, std::string> environment = {}) {
  environment["COLUMNS"] = "200";  // few lines are wrapped
  write_file(folder / "p.sh", "echo x >> " + (folder / "starts") + "\n" + script + "\n");
  return run_retrial(folder, both({"check", "--command", "sh p.sh {seed}", "--read", "acc", "--higher"}, more),
                     environment);
}

std::size_t starts(const Folder& folder) {
  std::ifstream in(folder / "starts");
  return static_cast<std::size_t>(std::count(std::istreambuf_iterator<char>(in), {}, '\n'));
}

std::size_t announced(const Ran& ran) {
  const auto end = ran.err.find(" trials, ");
  const auto begin = ran.err.rfind(' ', end - 1);
  return static_cast<std::size_t>(std::stoul(ran.err.substr(begin + 1, end - begin - 1)));
}

}  // namespace

TEST_CASE("a sound program is reproducible, and as many runs are started as announced") {
  const Folder folder;
  const auto ran = check(folder, "echo acc=0.$1");
  INFO(ran.out << ran.err);
  CHECK(ran.code == 0);
  CHECK_THAT(ran.out, has_text("reproducible"));
  CHECK_THAT(ran.out, !has_text("note"));
  CHECK(starts(folder) == announced(ran));
  // 5 trials (one shared and four further seeds), 5 times each, and the changes of surroundings.
  CHECK(starts(folder) >= 25 + 4);
}

TEST_CASE("a program that does not repeat is not bisected, and its values are decimal") {
  const Folder folder;
  const auto ran = check(folder, "echo acc=0.$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')");
  INFO(ran.out << ran.err);
  CHECK(ran.code == 1);
  CHECK(starts(folder) == announced(ran));
  CHECK_THAT(ran.out, has_text("first differs    metric acc is 0."));
  CHECK_THAT(ran.out, has_text(" (difference "));
  CHECK_THAT(ran.out, has_text("5 different outcomes in 5 runs"));
  CHECK_THAT(ran.out, has_text("cause not found: it also differs with PYTHONHASHSEED=0 and with "));
  CHECK_THAT(ran.err, !has_text("locating"));
}

TEST_CASE("a result that does not repeat because of the hash seed or the number of threads names its cause") {
  const std::string random = "$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')";
  const Folder hash;
  const auto hashed = check(hash, "test -n \"$PYTHONHASHSEED\" && acc=1 || acc=" + random + "; echo acc=$acc$1",
                            {"--seeds", "2"}, {{"OMP_NUM_THREADS", "4"}});
  INFO(hashed.out << hashed.err);
  CHECK(hashed.code == 1);
  CHECK_THAT(hashed.out, has_text("likely cause: the order of a Python set"));
  CHECK_THAT(hashed.out, has_text(": with PYTHONHASHSEED=0 "));
  CHECK(starts(hash) == announced(hashed));
  const Folder threads;
  const auto threaded = check(threads, "test $OMP_NUM_THREADS = 1 && acc=1 || acc=" + random + "; echo acc=$acc$1",
                              {"--seeds", "2"}, {{"OMP_NUM_THREADS", "4"}});
  INFO(threaded.out);
  CHECK(starts(threads) == announced(threaded));
  CHECK_THAT(threaded.out, has_text("likely cause: the number of threads: with 1 thread "));
}

TEST_CASE("agreement that chance explains is no likely cause") {
  // Seven of eight runs agree: two or four runs under one setting agree more often than not.
  const Folder folder;
  const auto ran = check(folder, "n=$(od -An -N1 -tu1 /dev/urandom); echo acc=$(($1 % 100)).$((n < 32))",
                         {"--seeds", "1", "--repeats", "40"});
  INFO(ran.out << ran.err);
  CHECK(ran.code == 1);
  CHECK_THAT(ran.out, !has_text("likely cause"));
  CHECK_THAT(ran.out, has_text("a generator without a seed"));
  CHECK(starts(folder) == announced(ran));
}

TEST_CASE("a result that depends on its surroundings is found although it repeats") {
  const std::vector<std::pair<std::string, std::string>> planted{
      {"echo acc=0.$1$(date +%z | tr -dc 0-9)7", "another time zone"},
      {"echo acc=0.$1$(test \"$LC_ALL\" = C && echo 1 || echo 2)", "LC_ALL=C "},
  };
  for (const auto& [script, change] : planted) {
    const Folder folder;
    const auto ran = check(folder, script, {"--seeds", "2", "--repeats", "2"}, {{"LC_ALL", "C.UTF-8"}});
    INFO(script << "\n" << ran.out << ran.err);
    CHECK(ran.code == 1);
    CHECK_THAT(ran.out, has_text("with " + change));
    CHECK(starts(folder) == announced(ran));
  }
}

TEST_CASE("a result that depends on the second in which it runs does not repeat") {
  const Folder folder;
  const auto ran = check(folder, "echo acc=$(($1 % 100)).$(date +%s)", {"--seeds", "2", "--repeats", "2"});
  INFO(ran.out << ran.err);
  CHECK(ran.code == 1);
  CHECK_THAT(ran.out, has_text("2 different outcomes in 2 runs"));
  // Runs of one second would agree with every setting.
  CHECK_THAT(ran.out, !has_text("PYTHONHASHSEED=0 2 of 2") && !has_text("with 1 thread 2 of 2"));
  CHECK(starts(folder) == announced(ran));
}

TEST_CASE("a clock that reaches the result is named where faketime can hold it") {
  if (std::system("command -v faketime > /dev/null") != 0) {
    WARN("left out: needs the program faketime");
    return;
  }
  const Folder folder;
  // With enough files their order can be changed, and there are runs enough to confirm what agrees.
  for (const std::string name : {"a", "b", "c", "d", "e", "f"}) write_file(folder / name, name);
  const auto ran = check(folder, "echo acc=$(($1 % 100)).$(date +%s)", {"--seeds", "2"});
  INFO(ran.out << ran.err);
  CHECK_THAT(ran.out, has_text("cause: the clock: with a clock that starts at the same time 4 of 4 runs agree"));
  CHECK(starts(folder) == announced(ran));
}

TEST_CASE("a result that depends on the local date is found from every time zone, at every time of day") {
  for (const std::string zone : {"XST-13:47", "XST+12", "UTC"}) {
    const Folder folder;
    const auto ran = check(folder, "echo acc=0.$1$(date +%j)7", {"--seeds", "2", "--repeats", "2"}, {{"TZ", zone}});
    INFO(zone << "\n" << ran.out << ran.err);
    CHECK(ran.code == 1);
    CHECK_THAT(ran.out, has_text("with another time zone") && has_text("the local time or date reaches the result"));
  }
}

TEST_CASE("another date is tried with faketime, and named as not tried without it") {
  const Folder folder;
  std::filesystem::create_directories(folder.path / "bin");
  std::filesystem::create_symlink("/bin/sh", folder.path / "bin" / "sh");
  const std::vector<std::string> more{"--seeds", "2", "--repeats", "2"};
  const std::string script = "echo acc=0.$1${FAKETIME:+7}";
  const auto without = check(folder, script, more, {{"PATH", folder / "bin"}});
  INFO(without.out << without.err);
  CHECK(without.code == 0);
  CHECK_THAT(without.out, has_text("another date (needs the program faketime)"));

  // A stand-in that preloads a library, as faketime does: faketime -f +SECONDSs PROGRAM WORDS...
  write_file(folder / "bin/faketime",
             "#!/bin/sh\ntest \"$1\" = -f || exit 9\nshift 2\nLD_PRELOAD=libm.so.6 exec \"$@\"\n");
  std::filesystem::permissions(folder.path / "bin" / "faketime", std::filesystem::perms::owner_all);
  const auto with = check(folder, script, more, {{"PATH", folder / "bin"}});
  INFO(with.out << with.err);
  CHECK(with.code == 1);
  CHECK_THAT(with.out, has_text("with another date metric acc is 0.") && !has_text("needs the program faketime"));
}

TEST_CASE("a file that the runs leave in the folder is named where no cause is found") {
  const std::vector<std::string> more{"--seeds", "2", "--repeats", "2", "--jobs", "1"};
  const Folder folder;
  const auto ran = check(folder, "touch n; x=$(cat n); echo $((x + 1)) > n; echo acc=0.$1$x", more);
  INFO(ran.out << ran.err);
  CHECK(ran.code == 1);
  CHECK_THAT(ran.out, has_text("(written into the current folder: n, starts)"));
  const Folder clean;
  const auto other = check(clean, "echo acc=0.$1$(date +%N)", more);
  CHECK(other.code == 1);
  CHECK_THAT(other.out, has_text("into the current folder: starts)"));
}

TEST_CASE("the program faketime shows that the date reaches a result", "[needs-faketime]") {
  if (std::system("faketime -f +1s true >/dev/null 2>&1") != 0) {
    WARN("left out: the program faketime is not installed (scripts/setup --test)");
    return;
  }
  const Folder folder;
  // The year lasts; the hours of other time zones change it in one of two days of a year.
  const auto ran = check(folder, "echo acc=0.$1$(date +%Y)", {"--seeds", "2", "--repeats", "2"});
  INFO(ran.out << ran.err);
  CHECK(ran.code == 1);
  CHECK_THAT(ran.out,
             has_text("with another date metric acc is 0.") && has_text("the date or the time of day reaches"));
  const Folder other;
  const auto steady = check(other, "date >&2; echo acc=0.$1", {"--seeds", "2", "--repeats", "2"});
  INFO(steady.out << steady.err);
  CHECK(steady.code == 0);
  CHECK_THAT(steady.out, !has_text("needs the program faketime"));
}

TEST_CASE("a result that depends on a setting of the user is noted, and is no finding") {
  const Folder folder;
  const auto ran =
      check(folder, "echo acc=0.$1$OMP_NUM_THREADS", {"--seeds", "2", "--repeats", "2"}, {{"OMP_NUM_THREADS", "4"}});
  INFO(ran.out);
  CHECK(ran.code == 0);
  CHECK_THAT(ran.out, has_text("note: with 1 thread metric acc is 0."));
  CHECK_THAT(ran.out, has_text("the number of threads reaches the result"));
  // Pinned by the user: the note says so, and the same program without the dependence has none.
  const Folder hash;
  const auto hashed =
      check(hash, "echo acc=0.$1$PYTHONHASHSEED", {"--seeds", "2", "--repeats", "2"}, {{"PYTHONHASHSEED", "7"}});
  CHECK_THAT(hashed.out, has_text("note: with PYTHONHASHSEED=0 metric acc"));
}

TEST_CASE("the order in which a folder lists its files is tried out") {
  if (!std::filesystem::is_directory("/dev/shm")) return;
  const Folder folder;
  for (const std::string name : {"1", "2", "3", "4", "5", "6", "7", "8"}) write_file(folder / ("f" + name), name);
  // `ls -U` does not sort.
  const auto ran = check(folder, "echo acc=0.$1$(ls -U f* -d . -a | cat > /dev/null; ls -U | tr -dc 1-8)",
                         {"--seeds", "2", "--repeats", "2"});
  INFO(ran.out << ran.err);
  CHECK(ran.code == 1);
  CHECK_THAT(ran.out, has_text("with files in another order metric acc is"));
}

TEST_CASE("a seed of which one bit is used is noted") {
  const Folder folder;
  const auto ran = check(folder, "echo acc=0.$(($1 % 2))", {"--no-interrupt", "--repeats", "2"});
  INFO(ran.out);
  CHECK(ran.code == 0);
  CHECK_THAT(ran.out, has_text("note: 5 seeds of seed gave only 2 different outcomes"));
  CHECK(starts(folder) == 10);
}

TEST_CASE("the findings of a program have decimals in JSON too") {
  const Folder folder;
  write_file(folder / "n", "1");
  const auto ran = check(folder, "n=$(cat n); echo $((n + 1)) > n; echo acc=0.$1$n",
                         {"--seeds", "1", "--repeats", "2", "--no-interrupt", "--jobs", "1", "--json"});
  INFO(ran.out << ran.err);
  CHECK(ran.code == 1);
  CHECK(field(ran.out, "variants.0.findings.0.outcomes") == "2");
  const auto a = field(ran.out, "variants.0.findings.0.a_value"), b = field(ran.out, "variants.0.findings.0.b_value");
  CHECK(a.starts_with("0."));
  CHECK(a.ends_with("1"));
  CHECK(b.ends_with("2"));
  CHECK(field(ran.out, "variants.0.changed") == "0");
}

}  // namespace retrial::tests::check_program_tests
