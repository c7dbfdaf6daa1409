#include <unistd.h>

#include "results/store/store_prepare.hpp"
#include "results/store/store_state.hpp"

namespace retrial::results::inline store {
namespace {

std::uint64_t waiting_key(std::span<const TrialRecord> records) {
  for (const TrialRecord& record : records)
    if (record.launch) return launch_key(*record.launch);
  return static_cast<std::uint64_t>(::getpid());
}

Error kept_in_spill(const DiskRefused& refusal, const std::filesystem::path& store,
                    const std::filesystem::path& spill) {
  ErrorText text = refusal.text;
  text.problem += "; the finished trials are kept in " + spill.string();
  text.help = spill.parent_path() == store.parent_path()
                  ? "free disk space and run the same command again: it imports that file first"
                  : "free disk space, move that file next to the store and run the same command again: it imports the "
                    "file first";
  return Error(std::move(text));
}

Error kept_nowhere(const DiskRefused& refusal) {
  ErrorText text = refusal.text;
  text.problem +=
      "; no file can be written next to it or in the temporary folder either: the trials of this commit are lost";
  text.help = "free disk space and run the same command again: it runs those trials again";
  return Error(std::move(text));
}

}  // namespace

void Store::append(std::span<const TrialRecord> records, std::span<const Event> events) {
  std::vector<PreparedTrial> trials;
  for (const TrialRecord& record : records) trials.push_back(prepared(*impl_, record));
  std::vector<Event> kept;
  for (const Event& event : events) kept.push_back(storable(event));
  try {
    for (const PreparedTrial& trial : trials) keep_large_artifacts(path(), *trial.record);
    impl_->connection.write(waiting_key(records), [&] { insert_records(*impl_, trials, kept); });
  } catch (const DiskRefused& refusal) {
    impl_->metrics.clear();
    std::vector<TrialRecord> finished;
    for (const PreparedTrial& trial : trials) finished.push_back(*trial.record);
    if (const auto spill = write_spill(path(), finished, kept)) throw kept_in_spill(refusal, path(), *spill);
    throw kept_nowhere(refusal);
  }
}

}  // namespace retrial::results::inline store
