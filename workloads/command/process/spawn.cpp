#include "workloads/command/process/spawn.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "results/text/text.hpp"
#include "workloads/interface/trial/trial.hpp"

namespace retrial::workloads::command::inline process {

namespace {

/// The step at which a child failed before it became the program.
struct Trouble {
  enum class Stage : int { workdir, exec, other } stage;
  int error;
};

struct Pipe {
  Descriptor read, write;
};

Pipe make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw TrialFailure("command.start", std::string("cannot create a pipe: ") + std::strerror(errno));
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

/// A null-terminated array of pointers into `texts`.
std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (const auto& text : texts) all.push_back(const_cast<char*>(text.c_str()));
  all.push_back(nullptr);
  return all;
}

/// All that the child needs, made before the fork: after it only async-signal-safe calls are allowed, and the child
/// shares our memory until it has become the program.
struct Prepared {
  std::string file, workdir;
  std::vector<char*> argv, environment;
  int output, trouble, notices;  ///< notices: -1 unless starts are to be noticed
  pid_t parent;
};

[[noreturn]] void give_up(const Prepared& prepared, Trouble::Stage stage) {
  const Trouble trouble{stage, errno};
  (void)!::write(prepared.trouble, &trouble, sizeof trouble);
  ::_exit(127);
}

/// The program must not inherit our handlers and ignored signals.
void default_signals() {
  struct sigaction plain {};
  plain.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal) ::sigaction(signal, &plain, nullptr);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

void close_ours_at_exec() {
  constexpr unsigned first = 3;
  if (::close_range(first, ~0U, CLOSE_RANGE_CLOEXEC) == 0) return;
  constexpr int many = 1024;  // a kernel before 5.11
  for (int descriptor = first; descriptor < many; ++descriptor) ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
}

[[noreturn]] void become(const Prepared& prepared) {
  using Stage = Trouble::Stage;
  // Set before reading the parent's id: a parent that died in between is noticed either way.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != prepared.parent) ::_exit(127);
  const int nothing = ::open("/dev/null", O_RDONLY);
  if (nothing < 0 || ::dup2(nothing, STDIN_FILENO) < 0) give_up(prepared, Stage::other);
  if (::dup2(prepared.output, STDOUT_FILENO) < 0 || ::dup2(prepared.output, STDERR_FILENO) < 0)
    give_up(prepared, Stage::other);
  if (!prepared.workdir.empty() && ::chdir(prepared.workdir.c_str()) != 0) give_up(prepared, Stage::workdir);
  default_signals();
  close_ours_at_exec();
  if (prepared.notices >= 0) announce_starts(prepared.notices, prepared.file.c_str());
  // With a '/' in the name it searches nothing; unlike execve it starts a script without "#!" through /bin/sh.
  ::execvpe(prepared.file.c_str(), prepared.argv.data(), prepared.environment.data());
  give_up(prepared, Stage::exec);
}

[[noreturn]] void report(const Trouble& trouble, const Launch& launch) {
  const std::string why = std::strerror(trouble.error);
  switch (trouble.stage) {
    case Trouble::Stage::workdir:
      throw TrialFailure("command.workdir", launch.workdir.string() + ": " + why);
    case Trouble::Stage::exec:
      throw TrialFailure("command.not_executable", launch.argv[0] + ": " + why);
    case Trouble::Stage::other:
      break;
  }
  throw TrialFailure("command.start", launch.argv[0] + ": " + why);
}

/// Two ends of a connection that can carry a descriptor; none unless asked for.
Pipe make_connection(bool asked) {
  int ends[2] = {-1, -1};
  if (asked && ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw TrialFailure("command.start", std::string("cannot create a socket: ") + std::strerror(errno));
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

std::string absolute_file(const Launch& launch) {
  std::error_code error;
  if (!launch.workdir.empty() && !std::filesystem::is_directory(launch.workdir, error))
    throw TrialFailure("command.workdir", launch.workdir.string() + ": no such folder");
  const auto file = program_file(launch.argv.at(0), launch.workdir);
  if (file) return std::filesystem::absolute(*file).string();
  throw TrialFailure("command.not_found", "\"" + results::one_line(launch.argv[0], 200) + "\" was not found" +
                                              (launch.argv[0].find('/') == std::string::npos ? " in PATH" : ""));
}

/// Waits until the child runs its program: exec closes the write end.
void await_start(Pipe& trouble_pipe, pid_t pid, const Launch& launch) {
  trouble_pipe.write.close();
  Trouble trouble{};
  ssize_t got;
  do got = ::read(trouble_pipe.read.number(), &trouble, sizeof trouble);
  while (got < 0 && errno == EINTR);
  if (got != static_cast<ssize_t>(sizeof trouble)) return;
  while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
  report(trouble, launch);
}

/// No handler of ours may run in the child, which shares our memory.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_;
};

/// vfork, because fork copies the page tables of a process that has LibTorch in it. posix_spawn cannot request that the
/// child dies with its parent.
[[gnu::noinline]] pid_t start(const Prepared& prepared) {
  const SignalsBlocked blocked;
  const pid_t pid = ::vfork();
  if (pid == 0) become(prepared);
  return pid;
}

}  // namespace

Child spawn(const Launch& launch) {
  auto output = make_pipe(), trouble = make_pipe();
  const auto notices = make_connection(launch.notice_starts);
  const Prepared prepared{
      absolute_file(launch), launch.workdir.string(), pointers(launch.argv),  pointers(launch.environment),
      output.write.number(), trouble.write.number(),  notices.write.number(), ::getpid()};
  const pid_t pid = start(prepared);
  if (pid < 0) throw TrialFailure("command.start", std::string("cannot start a process: ") + std::strerror(errno));
  await_start(trouble, pid, launch);
  ::fcntl(output.read.number(), F_SETFL, O_NONBLOCK);
  return {pid, std::move(output.read), Starts(notices.read)};
}

}  // namespace retrial::workloads::command::inline process
