#include "tests/harness/program/program.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <thread>

#include "results/json/json.hpp"

namespace retrial::tests {
namespace {

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (auto& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

}  // namespace

Folder::Folder() {
  auto pattern = (std::filesystem::temp_directory_path() / "retrial-test-XXXXXX").string();
  path = mkdtemp(pattern.data());
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
}

Program::Program(const Folder& folder, std::vector<std::string> arguments,
                 std::map<std::string, std::string> environment, const std::optional<std::string>& front_end) {
  int out[2], err[2];
  if (pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0) throw std::runtime_error("pipe");
  arguments.insert(arguments.begin(), front_end.value_or(folder.front_end));
  environment.emplace("PATH", "/usr/local/bin:/usr/bin:/bin");
  environment.emplace("HOME", folder.path.string());
  environment.emplace("XDG_CACHE_HOME", folder / "cache");
  environment.emplace("COLUMNS", "100");
  environment.emplace("ASAN_OPTIONS", "detect_leaks=0");
  std::vector<std::string> lines;
  for (const auto& [name, value] : environment) lines.push_back(name + "=" + value);
  const auto argv = pointers(arguments), envp = pointers(lines);
  pid_ = fork();
  if (pid_ == 0) {
    setpgid(0, 0);
    // A shell starts what it runs beside itself with these ignored, and the program then honors that.
    for (const int ignored : {SIGINT, SIGQUIT, SIGHUP}) ::signal(ignored, SIG_DFL);
    dup2(open("/dev/null", O_RDONLY), 0);
    dup2(out[1], 1);
    dup2(err[1], 2);
    if (chdir(folder.path.c_str()) == 0) execve(argv[0], argv.data(), envp.data());
    _exit(127);
  }
  close(out[1]);
  close(err[1]);
  out_ = out[0];
  err_ = err[0];
}

Program::~Program() {
  if (pid_ > 0) {
    kill(-pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  for (const int fd : {out_, err_})
    if (fd >= 0) close(fd);
}

void Program::signal(int number) const {
  kill(pid_, number);
}

std::vector<int> Program::children() const {
  std::vector<int> out;
  const auto name = std::to_string(pid_);
  std::ifstream list("/proc/" + name + "/task/" + name + "/children");
  for (int child = 0; list >> child;) out.push_back(child);
  return out;
}

void Program::read_some(int milliseconds) {
  pollfd fds[2] = {{out_, POLLIN, 0}, {err_, POLLIN, 0}};
  if (poll(fds, 2, milliseconds) <= 0) return;
  const auto drain = [](pollfd& entry, int& fd, std::string& into) {
    if (entry.revents == 0) return;
    char piece[65536];
    const auto count = read(fd, piece, sizeof piece);
    if (count > 0) into.append(piece, static_cast<std::size_t>(count));
    if (count == 0) {
      close(fd);
      fd = -1;
    }
  };
  drain(fds[0], out_, ran_.out);
  drain(fds[1], err_, ran_.err);
}

bool Program::until_stderr(const std::string& text) {
  while (err_ >= 0 && ran_.err.find(text) == std::string::npos) read_some(1000);
  return ran_.err.find(text) != std::string::npos;
}

bool Program::until_stdout(const std::string& text) {
  while (out_ >= 0 && ran_.out.find(text) == std::string::npos) read_some(1000);
  return ran_.out.find(text) != std::string::npos;
}

Ran Program::wait() {
  while (out_ >= 0 || err_ >= 0) read_some(1000);
  int status = 0;
  waitpid(pid_, &status, 0);
  pid_ = -1;
  ran_.code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return ran_;
}

void until_ended(const std::vector<int>& processes) {
  const auto runs = [](int process) {
    std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
    const std::string line(std::istreambuf_iterator<char>(stat), {});
    // A zombie has written its last; who collects it is not ours to say.
    return !line.empty() && line.at(line.rfind(')') + 2) != 'Z';
  };
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  for (const int process : processes)
    while (runs(process)) {
      if (std::chrono::steady_clock::now() > end)
        throw std::runtime_error("process " + std::to_string(process) + " does not end");
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

Ran run_retrial(const Folder& folder, std::vector<std::string> arguments,
                std::map<std::string, std::string> environment) {
  return Program(folder, std::move(arguments), std::move(environment)).wait();
}

Ran run_survey(const Folder& folder, std::vector<std::string> arguments) {
  return Program(folder, std::move(arguments), {}, RETRIAL_BINARY_DIR "/bin/survey/retrial").wait();
}

std::string field(const std::string& json, const std::string& path) {
  Json node = results::parse_json(json, "output");
  std::istringstream parts(path);
  for (std::string part; std::getline(parts, part, '.');)
    node = node.is_array() ? node.at(std::stoul(part)) : node.at(part);
  return node.is_string() ? node.get<std::string>() : node.dump();
}

void write_file(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

}  // namespace retrial::tests
