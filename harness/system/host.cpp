#include "harness/system/host.hpp"

#include <sched.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <limits>
#include <system_error>

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

constexpr std::int64_t end_of_dates = std::numeric_limits<std::int64_t>::max() / 1'000'000'000;  ///< 64 bits of ns

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
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    if (now.tv_sec >= end_of_dates)
      throw Error({.code = "clock",
                   .where = "the clock of this machine",
                   .problem = "shows a date after April 2262, the last one that a store can hold",
                   .help = "set the clock (date shows it)"});
    return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
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

double load_now() {
  double load = 0;
  return getloadavg(&load, 1) == 1 ? load : 0;
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
  return home != nullptr && *home != 0 ? std::filesystem::path(home) / ".cache" / "retrial" : std::filesystem::path();
}

std::filesystem::path temporary_folder() {
  std::error_code error;
  auto folder = std::filesystem::temp_directory_path(error);
  if (!error) return folder;
  const char* given = std::getenv("TMPDIR");
  throw Error({.code = "scratch",
               .field = "TMPDIR",
               .value = given == nullptr ? "" : given,
               .problem = "is not a folder: trials need one for their temporary files",
               .help = "create it, or set TMPDIR to another folder"});
}

ScratchFolder::ScratchFolder(const std::filesystem::path& parent) {
  auto pattern = ((parent.empty() ? temporary_folder() : parent) / "retrial-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr)
    throw Error({.exit = Exit::measurement,
                 .code = "scratch",
                 .where = pattern,
                 .problem = "cannot create a temporary folder: " + std::generic_category().message(errno),
                 .help = "set TMPDIR to a folder that can be written"});
  path_ = pattern;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;  // a folder left in /tmp does no harm
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace retrial::harness::inline system
