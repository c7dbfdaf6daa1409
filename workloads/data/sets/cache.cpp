#include "workloads/data/sets/cache.hpp"

#include <algorithm>
#include <mutex>

namespace retrial::data::inline sets {
namespace {

namespace fs = std::filesystem;

struct Stamp {
  std::string file;
  std::uintmax_t bytes = 0;
  fs::file_time_type changed;
  auto operator<=>(const Stamp&) const = default;
};

struct Entry {
  std::string set;
  Source source;
  std::vector<Stamp> stamps;
  std::shared_ptr<const ImageSet> loaded;
};

constexpr std::size_t kept = 2;
constexpr int deepest = 1;  // the archive's folder inside the folder given

/// Empty if the folder cannot be read: the loader will report the reason.
std::vector<Stamp> stamps_of(const fs::path& folder) {
  std::vector<Stamp> stamps;
  std::error_code stop, ignored;
  fs::recursive_directory_iterator at(folder, stop), end;
  for (; !stop && at != end; at.increment(stop)) {
    if (at.depth() >= deepest) at.disable_recursion_pending();
    if (at->is_regular_file(ignored))
      stamps.push_back({at->path().string(), at->file_size(ignored), at->last_write_time(ignored)});
  }
  std::sort(stamps.begin(), stamps.end());
  return stamps;
}

}  // namespace

std::shared_ptr<const ImageSet> cached(const std::string& set, const Source& source,
                                       const std::function<ImageSet()>& load) {
  static std::mutex guard;
  static std::vector<Entry> entries;  // oldest first
  const std::lock_guard lock(guard);
  std::vector<Stamp> stamps = stamps_of(source.folder);
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) {
    return entry.set == set && entry.source == source && entry.stamps == stamps;
  });
  if (found != entries.end()) return found->loaded;
  auto loaded = std::make_shared<const ImageSet>(load());
  if (entries.size() == kept) entries.erase(entries.begin());
  entries.push_back({set, source, std::move(stamps), loaded});
  return loaded;
}

}  // namespace retrial::data::inline sets
