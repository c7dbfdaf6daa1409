#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace retrial::tests {

/// A finished program: what it printed and how it ended (128 + signal when killed).
struct Ran {
  int code = 0;
  std::string out, err;
};

/// An empty folder that goes with the test.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::string operator/(const std::string& name) const { return (path / name).string(); }
  std::filesystem::path path;
};

/// The front end as a child with its own folder as working directory and cache.
class Program {
 public:
  /// `program` lies in the folder of the programs.
  Program(const Folder& folder, std::vector<std::string> arguments, std::map<std::string, std::string> environment = {},
          const std::string& program = "retrial");
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  void signal(int number) const;
  [[nodiscard]] int pid() const { return pid_; }
  /// Reads its output to the end and waits for it.
  Ran wait();
  /// True once `text` stood in standard error; false when the program ended before.
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

/// The front end of tests/survey, a workload with planted defects that no program of ours has.
[[nodiscard]] Ran run_survey(const Folder& folder, std::vector<std::string> arguments);

/// The value of a JSON field by a path such as "a.b"; the whole output must be one JSON document.
[[nodiscard]] std::string field(const std::string& json, const std::string& path);

void write_file(const std::string& path, const std::string& text);

}  // namespace retrial::tests
