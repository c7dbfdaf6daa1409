#include "harness/worker/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <thread>

#include "harness/system/children.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

extern char** environ;

namespace retrial::harness::inline worker {
namespace {

constexpr std::size_t longest_line = 64u << 20;  ///< a finished trial with long series takes a few MiB
constexpr std::size_t output_ring = 64u << 10;
constexpr int pieces_at_once =
    16;  ///< reads per pipe and call: a worker that floods its pipe must not starve the others or the timeouts

/// Ends of a pipe, both numbered above the child's descriptors, so that dup2 overwrites neither.
struct Pipe {
  int read = -1, write = -1;
  Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) refuse();
    read = lift(ends[0]);
    write = lift(ends[1]);
  }
  static int lift(int fd) {
    const int high = fcntl(fd, F_DUPFD_CLOEXEC, 10);
    if (high < 0) refuse();
    close(fd);
    return high;
  }
  [[noreturn]] static void refuse() {
    throw Error({.exit = Exit::measurement,
                 .code = "worker.pipe",
                 .where = "a worker",
                 .problem = std::string("cannot get its pipes: ") + std::strerror(errno),
                 .help = "raise the limit on open files (ulimit -n 1024), or run fewer at a time (--jobs)"});
  }
};

std::vector<std::string> environment_lines(const determinism::KernelMode& mode, const Surroundings& surroundings) {
  std::map<std::string, std::string> base;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string line = *entry;
    if (const auto equals = line.find('='); equals != std::string::npos)
      base[line.substr(0, equals)] = line.substr(equals + 1);
  }
  auto environment = determinism::environment_for(mode, std::move(base));
  for (const auto& [name, value] : surroundings.environment) environment[name] = value;
  std::vector<std::string> lines;
  for (const auto& [name, value] : environment) lines.push_back(name + "=" + value);
  return lines;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (auto& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

/// `given`, or the program `name` next to this one.
std::filesystem::path found_program(const std::optional<std::string>& given, const char* name, const char* absent,
                                    const char* help) {
  const auto path =
      given ? std::filesystem::path(*given) : std::filesystem::read_symlink("/proc/self/exe").parent_path() / name;
  std::error_code missing;
  const bool there = std::filesystem::exists(path, missing);
  if (std::filesystem::is_regular_file(path, missing) && ::access(path.c_str(), X_OK) == 0)
    return std::filesystem::absolute(path);
  throw Error({.exit = Exit::incomparable,
               .code = "worker.missing",
               .where = path.string(),
               .problem = there ? "is not an executable file" : absent,
               .help = help});
}

std::int64_t resident_of(pid_t pid) {
  std::ifstream statm("/proc/" + std::to_string(pid) + "/statm");
  std::int64_t size = 0, resident = 0;
  statm >> size >> resident;
  std::int64_t total = resident * sysconf(_SC_PAGESIZE);
  std::error_code ignored;
  for (const auto& task : std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/task", ignored)) {
    std::ifstream children(task.path() / "children");
    for (pid_t child = 0; children >> child;) total += resident_of(child);
  }
  return total;
}

/// The workers that have not been waited for.
std::set<pid_t>& living_workers() {
  static std::set<pid_t> living;
  return living;
}

}  // namespace

std::string ChildEnd::text() const {
  if (signal)
    return "killed by signal " + std::to_string(*signal) + " (SIG" +
           (sigabbrev_np(*signal) ? sigabbrev_np(*signal) : "?") + ")";
  return "exited with code " + std::to_string(exit_code.value_or(-1));
}

WorkerProcess::WorkerProcess(const std::filesystem::path& program, const determinism::KernelMode& mode,
                             const Surroundings& surroundings)
    : lines_(longest_line), tail_(output_ring) {
  const Pipe commands, events, output;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output.write, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output.write, STDERR_FILENO);
  posix_spawn_file_actions_adddup2(&actions, commands.read, worker_commands_fd);
  posix_spawn_file_actions_adddup2(&actions, events.write, worker_events_fd);
  if (!surroundings.folder.empty()) posix_spawn_file_actions_addchdir_np(&actions, surroundings.folder.c_str());
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setpgroup(&attributes, 0);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  sigset_t ours;  // a trial's program must not inherit what we ignore
  sigemptyset(&ours);
  for (const int signal : {SIGPIPE, SIGXFSZ}) sigaddset(&ours, signal);
  posix_spawnattr_setsigdefault(&attributes, &ours);

  std::vector<std::string> arguments = surroundings.launcher;
  arguments.insert(arguments.end(), {program.string(), "--mode", results::canonical(determinism::mode_document(mode)),
                                     std::to_string(getpid())});
  auto environment = environment_lines(mode, surroundings);
  const int failed = posix_spawnp(&pid_, arguments.front().c_str(), &actions, &attributes, pointers(arguments).data(),
                                  pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(commands.read);
  close(events.write);
  close(output.write);
  commands_ = commands.write;
  events_ = events.read;
  output_ = output.read;
  fcntl(events_, F_SETFL, O_NONBLOCK);
  fcntl(output_, F_SETFL, O_NONBLOCK);
  if (failed != 0) {
    pid_ = -1;
    throw Error({.exit = Exit::measurement,
                 .code = "worker.start",
                 .where = arguments.front(),
                 .problem = std::string("cannot be started: ") + std::strerror(failed)});
  }
  living_workers().insert(pid_);
}

WorkerProcess::~WorkerProcess() {
  close(commands_);  // closing its command pipe tells the worker to exit
  commands_ = -1;
  if (pid_ > 0) reap(std::chrono::seconds(2));
  close(events_);
  if (output_ >= 0) close(output_);
}

bool WorkerProcess::send(const RunOrder& order) {
  return write_all(commands_, encode(order));
}

bool WorkerProcess::read_events() {
  char piece[65536];
  for (int pieces = 0; pieces < pieces_at_once; ++pieces) {
    const auto count = ::read(events_, piece, sizeof piece);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno == EAGAIN || errno == EWOULDBLOCK;
    if (count == 0) return false;
    lines_.add({piece, static_cast<std::size_t>(count)});
    if (static_cast<std::size_t>(count) < sizeof piece) return true;
  }
  return true;
}

std::optional<WorkerEvent> WorkerProcess::next_event() {
  if (const auto line = lines_.next()) return decode_event(*line);
  if (lines_.overlong())
    throw Error({.exit = Exit::integrity,
                 .code = "worker.nonsense",
                 .where = "worker",
                 .problem = "wrote a line that does not end"});
  return std::nullopt;
}

void WorkerProcess::read_output() {
  char piece[65536];
  for (int pieces = 0; pieces < pieces_at_once && output_ >= 0; ++pieces) {
    const auto count = ::read(output_, piece, sizeof piece);
    if (count < 0) return;
    if (count == 0) {  // closed: poll() would report it as ready forever
      close(output_);
      output_ = -1;
      return;
    }
    tail_.add({piece, static_cast<std::size_t>(count)});
  }
}

void WorkerProcess::terminate() const {
  ::kill(-pid_, SIGTERM);
}
void WorkerProcess::kill() const {
  ::kill(-pid_, SIGKILL);
}

ChildEnd WorkerProcess::reap(std::chrono::milliseconds patience) {
  int status = 0;
  const auto ends_within = [&](std::chrono::milliseconds limit) {
    bool ended = false;
    const auto deadline = std::chrono::steady_clock::now() + limit;
    while (!(ended = waitpid(pid_, &status, WNOHANG) == pid_) && std::chrono::steady_clock::now() < deadline)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return ended;
  };
  bool ended = ends_within(patience);
  const bool outlived = !ended;
  if (outlived) {
    terminate();  // it ends all that it started, in other groups too
    ended = ends_within(std::chrono::seconds(3));
  }
  kill();  // includes processes that the worker started
  if (!ended) waitpid(pid_, &status, 0);
  living_workers().erase(pid_);
  end_adopted(living_workers());  // a worker that was killed could not end its daemons
  read_output();
  pid_ = -1;
  if (WIFSIGNALED(status)) return {.signal = WTERMSIG(status), .outlived = outlived};
  return {.exit_code = WEXITSTATUS(status), .outlived = outlived};
}

std::int64_t WorkerProcess::resident_bytes() const {
  return pid_ > 0 ? resident_of(pid_) : 0;
}

std::filesystem::path worker_program(const std::optional<std::string>& given) {
  return found_program(given, "retrial-worker", "the worker does not exist",
                       "build it (target retrial-worker), or give its path with --worker PATH");
}

std::filesystem::path cuda_worker_program(const std::optional<std::string>& given) {
  return found_program(
      given, "retrial-worker-cuda", "the worker of device = \"cuda\" does not exist",
      "run scripts/setup --cuda and build the preset release (target retrial-worker-cuda), or give its "
      "path with --worker-cuda PATH");
}

}  // namespace retrial::harness::inline worker
