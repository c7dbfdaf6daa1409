#include "harness/check/mirror.hpp"

#include <unistd.h>

#include <algorithm>

#include "harness/system/host.hpp"

namespace retrial::harness::inline check {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_links = 2000;  ///< in all; what is beyond is linked with its folder

class Mirror {
 public:
  [[nodiscard]] bool differs() const { return differs_; }

  /// Reversed order first: a file system may read its files in the order in which they were made, or the other way.
  void fill(const fs::path& from, const fs::path& to) {
    const auto read = names_in_order(from);
    for (const bool reversed : {true, false}) {
      auto names = read;
      if (reversed) std::reverse(names.begin(), names.end());
      for (const auto& name : names) add(from / name, to / name);
      if (names_in_order(to) != read) {
        differs_ = true;
        return;
      }
      if (reversed)
        for (const auto& name : names) fs::remove_all(to / name);
    }
  }

 private:
  void add(const fs::path& from, const fs::path& to) {
    ++links_;
    if (!opened(from)) return fs::create_symlink(from, to);
    fs::create_directory(to);
    fill(from, to);
  }

  [[nodiscard]] bool opened(const fs::path& from) const {
    std::error_code error;
    if (fs::symlink_status(from, error).type() != fs::file_type::directory || from.filename() == ".git") return false;
    std::size_t entries = 0;
    for (fs::directory_iterator entry(from, error), end; !error && entry != end; entry.increment(error))
      if (links_ + ++entries > max_links) return false;
    return !error;
  }

  std::size_t links_ = 0;
  bool differs_ = false;
};

}  // namespace

std::vector<std::string> names_in_order(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  return names;
}

bool mirrored_in_other_order(const fs::path& from, const fs::path& to) try {
  Mirror mirror;
  mirror.fill(fs::absolute(from), to);
  return mirror.differs();
} catch (const fs::filesystem_error&) {  // a folder that cannot be read is not tried
  return false;
}

fs::path folder_for_mirrors() {
  const fs::path memory = "/dev/shm";
  std::error_code ignored;
  return fs::is_directory(memory, ignored) && ::access(memory.c_str(), W_OK) == 0 ? memory : temporary_folder();
}

}  // namespace retrial::harness::inline check
