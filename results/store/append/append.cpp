#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "results/exchange/jsonl.hpp"
#include "results/record/identity.hpp"
#include "results/store/append/prepare.hpp"
#include "results/store/state.hpp"
#include "results/text/file_system.hpp"

namespace retrial::results::inline store {
namespace {

namespace fs = std::filesystem;

std::uint64_t waiting_key(std::span<const TrialRecord> records) {
  for (const TrialRecord& record : records)
    if (record.launch) return launch_key(*record.launch);
  return static_cast<std::uint64_t>(::getpid());
}

std::string spill_name(std::span<const TrialRecord> records, std::span<const Event> events) {
  if (!records.empty()) return hex(records[0].attempt);
  const Digest digest = events.empty() ? Digest{} : digest_of(event_document(events[0]));
  return hex(digest).substr(0, 32);
}

/// Spill files begin with this, beside the store and in the temporary folder. There the name also says which store of
/// this name it is.
std::string spill_prefix(const fs::path& store) {
  return store.filename().string() + ".spill-";
}

std::string spill_prefix_elsewhere(const fs::path& store) {
  return store.filename().string() + "." +
         hex(sha256(fs::weakly_canonical(fs::absolute(store)).string())).substr(0, 16) + ".spill-";
}

/// Other people write to the temporary folder, too.
bool written_by_us(const fs::path& file) {
  struct stat facts {};
  return ::lstat(file.c_str(), &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_uid == ::geteuid() &&
         (facts.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

std::vector<fs::path> files_in(const fs::path& folder, const std::string& prefix) {
  std::vector<fs::path> out;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (name.starts_with(prefix) && name.ends_with(".jsonl")) out.push_back(at->path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<fs::path> spills_of(const fs::path& store) {
  const auto folder = store.has_parent_path() ? store.parent_path() : fs::path(".");
  auto out = files_in(folder, spill_prefix(store));
  for (auto& file : files_in(folder, spill_prefix_elsewhere(store))) out.push_back(std::move(file));
  std::error_code none;
  const auto elsewhere = fs::temp_directory_path(none);
  if (none) return out;
  for (auto& file : files_in(elsewhere, spill_prefix_elsewhere(store)))
    if (written_by_us(file)) out.push_back(std::move(file));
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

/// Writes a spill file next to the store or, if that fails, into the temporary folder, and returns its path; nothing if
/// both fail.
std::optional<fs::path> write_spill(const fs::path& store, std::span<const TrialRecord> records,
                                    std::span<const Event> events) {
  const auto name = spill_name(records, events) + ".jsonl";
  const auto next_to_store = store.parent_path() / (spill_prefix(store) + name);
  const std::string text = jsonl_text(records, events);
  if (write_durably(next_to_store, text)) return next_to_store;
  std::error_code none;
  const fs::path elsewhere = fs::temp_directory_path(none) / (spill_prefix_elsewhere(store) + name);
  return !none && write_durably(elsewhere, text) ? std::optional(elsewhere) : std::nullopt;
}

/// `disk`: there is no room; else the store is damaged.
Error kept_in_spill(ErrorText text, bool disk, const std::filesystem::path& store, const std::filesystem::path& spill) {
  text.problem += "; the finished trials are kept in " + spill.string();
  text.help = std::string(disk ? "free disk space" : "restore the store from a copy") +
              " and run the same command again: it imports that file first";
  if (spill.parent_path() != store.parent_path()) text.help += "; if TMPDIR changes, move that file next to the store";
  return Error(std::move(text));
}

Error kept_nowhere(ErrorText text, bool disk) {
  text.problem +=
      "; no file can be written next to it or in the temporary folder either: the trials of this commit are lost";
  text.help = std::string(disk ? "free disk space" : "restore the store from a copy") +
              " and run the same command again: it runs those trials again";
  return Error(std::move(text));
}

}  // namespace

Store::Store(const std::filesystem::path& path, Access access) : impl_(std::make_unique<Impl>(path, access)) {
  if (access == Access::write)
    for (const fs::path& file : spills_of(this->path())) import_spill(*impl_, file);
}

void Store::append(std::span<const TrialRecord> records, std::span<const Event> events) {
  std::vector<PreparedTrial> trials;
  for (const TrialRecord& record : records) trials.push_back(prepared(*impl_, record));
  std::vector<Event> kept;
  for (const Event& event : events) kept.push_back(storable(event));
  try {
    for (const PreparedTrial& trial : trials) keep_large_artifacts(path(), *trial.record);
    impl_->connection.write(waiting_key(records), [&] { insert_records(*impl_, trials, kept); });
  } catch (const Error& refusal) {
    const bool disk = dynamic_cast<const DiskRefused*>(&refusal) != nullptr;
    if (!disk && refusal.text.exit != Exit::integrity) throw;
    impl_->metrics.clear();
    std::vector<TrialRecord> finished;
    for (const PreparedTrial& trial : trials) finished.push_back(*trial.record);
    const auto spill = write_spill(path(), finished, kept);
    if (!spill) throw kept_nowhere(refusal.text, disk);
    throw kept_in_spill(refusal.text, disk, path(), *spill);
  }
}

}  // namespace retrial::results::inline store
