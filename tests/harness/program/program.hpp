#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace retrial::tests {

/// A finished program: its output and exit code (128 + signal when killed).
struct Ran {
  int code = 0;
  std::string out, err;
};

/// An empty folder, removed with the object.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::string operator/(const std::string& name) const { return (path / name).string(); }
  std::filesystem::path path;
  /// What runs here. Its worker is without LibTorch, so that it starts in 20 ms instead of 400.
  std::string front_end = RETRIAL_CORE_PROGRAM;
};

/// A folder in which the programs of the user run: their worker has LibTorch where the build has it.
struct FullFolder : Folder {
  FullFolder() { front_end = RETRIAL_BINARY_DIR "/bin/retrial"; }
};

/// The front end as a child with its own folder as working directory and cache.
class Program {
 public:
  /// `front_end`: that of the folder unless given.
  Program(const Folder& folder, std::vector<std::string> arguments, std::map<std::string, std::string> environment = {},
          const std::optional<std::string>& front_end = {});
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  void signal(int number) const;
  [[nodiscard]] int pid() const { return pid_; }
  [[nodiscard]] std::vector<int> children() const;
  /// Reads its output to the end and waits for it.
  Ran wait();
  /// True once `text` is in standard error; false when the program ended before that.
  bool until_stderr(const std::string& text);
  bool until_stdout(const std::string& text);

 private:
  void read_some(int milliseconds);
  int pid_ = -1, out_ = -1, err_ = -1;
  Ran ran_;
};

/// retrial with these arguments, to its end.
[[nodiscard]] Ran run_retrial(const Folder& folder, std::vector<std::string> arguments,
                              std::map<std::string, std::string> environment = {});

/// Waits until these processes have ended: the workers of a killed front end write for a moment after it.
void until_ended(const std::vector<int>& processes);

/// The front end of tests/survey, a workload with planted defects.
[[nodiscard]] Ran run_survey(const Folder& folder, std::vector<std::string> arguments);

/// The value of a JSON field by a path such as "a.b"; the whole output must be one JSON document.
[[nodiscard]] std::string field(const std::string& json, const std::string& path);

void write_file(const std::string& path, const std::string& text);

}  // namespace retrial::tests
