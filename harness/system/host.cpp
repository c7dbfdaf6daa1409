#include "harness/system/host.hpp"

#include <sched.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>

#include "harness/system/entropy.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline system {
namespace {

results::Digest salted(const results::Id16& salt, const std::string& text) {
  results::Sha256 sha;
  sha.update(std::span<const std::uint8_t>(salt));
  sha.update(text);
  return sha.finish();
}

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

}  // namespace

std::int64_t now_ns() {
  return wall_clock()();
}

std::function<std::int64_t()>& wall_clock() {
  static std::function<std::int64_t()> clock = [] {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
  };
  return clock;
}

std::int64_t monotonic_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

int usable_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

std::int64_t available_memory() {
  std::ifstream file("/proc/meminfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("MemAvailable:")) return std::strtoll(line.c_str() + 13, nullptr, 10) * 1024;
  return 0;
}

std::string host_name(const results::Id16& salt, const std::optional<std::string>& label) {
  if (label) return *label;
  char name[256] = {};
  gethostname(name, sizeof name - 1);
  return results::hex(salted(salt, name)).substr(0, 16);
}

results::Id16 boot_name(const results::Id16& salt) {
  const auto digest = salted(salt, first_line("/proc/sys/kernel/random/boot_id"));
  results::Id16 out{};
  std::copy_n(digest.begin(), out.size(), out.begin());
  return out;
}

results::Id16 store_salt(results::Store& store) {
  if (const auto stored = store.meta("salt")) return results::id16_from_hex(*stored, "meta.salt");
  const auto salt = draw_name();
  try {
    store.put_meta("salt", results::hex(salt));
  } catch (const Error& error) {  // another launch on this new store was faster: use its salt
    if (error.text.code != "store.meta_twice") throw;
    return results::id16_from_hex(store.meta("salt").value(), "meta.salt");
  }
  return salt;
}

std::filesystem::path default_cache() {
  if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg != nullptr && *xdg != 0)
    return std::filesystem::path(xdg) / "retrial";
  const char* home = std::getenv("HOME");
  return (home != nullptr && *home != 0 ? std::filesystem::path(home) : std::filesystem::temp_directory_path()) /
         ".cache" / "retrial";
}

ScratchFolder::ScratchFolder(const std::filesystem::path& parent) {
  auto pattern = ((parent.empty() ? std::filesystem::temp_directory_path() : parent) / "retrial-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr)
    throw Error({.exit = Exit::measurement,
                 .code = "scratch",
                 .where = pattern,
                 .problem = "cannot create a temporary folder"});
  path_ = pattern;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;  // a folder left in /tmp does no harm
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace retrial::harness::inline system
