#include "results/report/gnuplot.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>

#include "results/error.hpp"
#include "results/file_system.hpp"
#include "results/report/gnuplot_script.hpp"
#include "results/text.hpp"

namespace retrial::report {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr auto longest_run = std::chrono::seconds(30);
constexpr rlim_t longest_cpu = 30, largest_file = 64u << 20;

[[noreturn]] void fail(const std::string& problem) {
  throw Error({.exit = Exit::measurement,
               .code = "figure.failed",
               .where = "gnuplot",
               .problem = problem + ", so no report was written",
               .help = "--format md, json or txt need no figures"});
}

std::string path_variable() {
  const char* path = std::getenv("PATH");
  return path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
}

/// Relative folders of the PATH do not count: the child stands in another folder.
std::string find_gnuplot() {
  const std::string path = path_variable();
  for (std::size_t at = 0; at <= path.size();) {
    const auto end = std::min(path.find(':', at), path.size());
    const std::string file = path.substr(at, end - at) + "/gnuplot";
    if (file[0] == '/' && ::access(file.c_str(), X_OK) == 0) return file;
    at = end + 1;
  }
  throw Error({.exit = Exit::incomparable,
               .code = "figure.no_gnuplot",
               .where = "gnuplot",
               .problem = "is not on the PATH, and the figures of an HTML report are drawn by it; nothing was written",
               .help = "apt-get install gnuplot-nox; or write md, json or txt, which need no figures"});
}

class PrivateFolder {
 public:
  PrivateFolder() {
    std::error_code none;
    std::string name = (fs::temp_directory_path(none) / "retrial-figures-XXXXXX").string();
    if (none || ::mkdtemp(name.data()) == nullptr) fail("there is no temporary folder for it");
    path_ = name;
  }
  ~PrivateFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// posix_spawn's list of what the child does before it becomes gnuplot.
class Actions {
 public:
  Actions(const fs::path& folder, int errors) {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str());
    ::posix_spawn_file_actions_addopen(&actions_, 0, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions_, errors, 1);
    ::posix_spawn_file_actions_adddup2(&actions_, errors, 2);
  }
  ~Actions() { ::posix_spawn_file_actions_destroy(&actions_); }
  Actions(const Actions&) = delete;
  Actions& operator=(const Actions&) = delete;
  [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

pid_t start(const std::string& program, const fs::path& folder, int errors) {
  std::string name = "gnuplot", bare = "-d", script = "all.gp";
  std::array<char*, 4> argv{name.data(), bare.data(), script.data(), nullptr};
  // With the locale C gnuplot warns about UTF-8; with another one it would write other numbers.
  std::string path = "PATH=" + path_variable(), locale = "LC_ALL=C.UTF-8", home = "HOME=.", zone = "TZ=UTC";
  std::array<char*, 5> environment{path.data(), locale.data(), home.data(), zone.data(), nullptr};
  const Actions actions(folder, errors);
  pid_t child = -1;
  if (::posix_spawn(&child, program.c_str(), actions.get(), nullptr, argv.data(), environment.data()) != 0)
    fail("cannot be started");
  const rlimit cpu{longest_cpu, longest_cpu}, file{largest_file, largest_file};
  ::prlimit(child, RLIMIT_CPU, &cpu, nullptr);
  ::prlimit(child, RLIMIT_FSIZE, &file, nullptr);
  return child;
}

/// What it says until it closes its output; nothing when the time is over.
std::optional<std::string> words_of(int errors) {
  std::string out;
  const auto end = Clock::now() + longest_run;
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    pollfd entry{.fd = errors, .events = POLLIN, .revents = 0};
    if (left <= 0 || ::poll(&entry, 1, static_cast<int>(left)) == 0) return std::nullopt;
    std::array<char, 4096> piece{};
    const auto count = ::read(errors, piece.data(), piece.size());
    if (count == 0) return out;
    if (count < 0 && errno != EINTR) return out;
    if (count > 0 && out.size() < 65536) out.append(piece.data(), static_cast<std::size_t>(count));
  }
}

/// It repeats the whole command first and says what is wrong with it last; blanks point at the place.
std::string last_words(const std::string& words) {
  constexpr std::size_t room = 200;
  const auto last = words.find_last_not_of(" \n");
  const std::string text = words.substr(0, last == std::string::npos ? 0 : last + 1);
  return text.size() <= room ? text : "... " + text.substr(text.size() - room);
}

void run(const std::string& program, const fs::path& folder) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail("cannot be started");
  pid_t child = -1;
  try {
    child = start(program, folder, ends[1]);
  } catch (...) {
    ::close(ends[0]);
    ::close(ends[1]);
    throw;
  }
  ::close(ends[1]);
  const auto words = words_of(ends[0]);
  ::close(ends[0]);
  if (!words) ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!words) fail("did not end within 30 s");
  if (!words->empty()) fail("said: " + results::one_line(last_words(*words)));
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) fail("ended with an error");
}

}  // namespace

std::vector<std::string> run_gnuplot(const std::string& script, std::size_t figures) {
  if (figures == 0) return {};
  const std::string program = find_gnuplot();
  const PrivateFolder folder;
  std::ofstream(folder.path() / "all.gp", std::ios::binary) << script;
  run(program, folder.path());
  std::vector<std::string> out;
  for (std::size_t number = 1; number <= figures; ++number) {
    auto svg = results::read_whole(folder.path() / figure_file(number));
    if (!svg) fail("left out figure " + std::to_string(number));
    out.push_back(std::move(*svg));
  }
  return out;
}

}  // namespace retrial::report
