#include <algorithm>

#include "results/exchange/jsonl.hpp"
#include "results/record/identity.hpp"
#include "results/store/store_prepare.hpp"
#include "results/text/file_system.hpp"

namespace retrial::results::inline store {
namespace {

namespace fs = std::filesystem;

std::string spill_name(std::span<const TrialRecord> records, std::span<const Event> events) {
  if (!records.empty()) return hex(records[0].attempt);
  const Digest digest = events.empty() ? Digest{} : digest_of(event_document(events[0]));
  return hex(digest).substr(0, 32);
}

std::vector<fs::path> spills_of(const fs::path& store) {
  const std::string prefix = store.filename().string() + ".spill-";
  const fs::path folder = store.has_parent_path() ? store.parent_path() : fs::path(".");
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(prefix) && name.ends_with(".jsonl")) out.push_back(entry.path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

void import_spill(StoreState& state, const fs::path& file) {
  const auto text = read_whole(file);
  if (!text) return;  // another process has imported it in the meantime
  const auto find = [&](const Digest& digest) { return find_document(state.connection, digest); };
  const JsonlContent content = read_jsonl(*text, file.string(), find);
  std::vector<PreparedTrial> trials;
  for (const TrialRecord& record : content.records) trials.push_back(prepared(state, record));
  for (const TrialRecord& record : content.records) keep_large_artifacts(state.connection.file(), record);
  state.connection.write(0, [&] { insert_records(state, trials, content.events); });
  std::error_code ignored;
  fs::remove(file, ignored);
}

}  // namespace

std::optional<fs::path> write_spill(const fs::path& store, std::span<const TrialRecord> records,
                                    std::span<const Event> events) {
  const fs::path next_to_store = store.string() + ".spill-" + spill_name(records, events) + ".jsonl";
  const std::string text = jsonl_text(records, events);
  if (write_durably(next_to_store, text)) return next_to_store;
  std::error_code none;
  const fs::path elsewhere = fs::temp_directory_path(none) / next_to_store.filename();
  return !none && write_durably(elsewhere, text) ? std::optional(elsewhere) : std::nullopt;
}

Store::Store(const std::filesystem::path& path, Access access) : impl_(std::make_unique<Impl>(path, access)) {
  if (access == Access::write)
    for (const fs::path& file : spills_of(path)) import_spill(*impl_, file);
}

}  // namespace retrial::results::inline store
