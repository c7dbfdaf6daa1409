#include "harness/run/commit/committer.hpp"

#include <utility>

#include "variance/samples/summary.hpp"

namespace retrial::harness::inline run::inline commit {

using Clock = std::chrono::steady_clock;

void Committer::finished(results::TrialRecord record) {
  walls_ms_.push_back(static_cast<double>(record.wall_ns) / 1e6);
  if (walls_ms_.size() > window) walls_ms_.pop_front();
  records_.push_back(std::move(record));
}

bool Committer::commit_if_due() {
  if (records_.empty()) return false;
  const bool brief = *variance::median(std::vector(walls_ms_.begin(), walls_ms_.end())) < 50;
  if (brief && records_.size() < 64 && Clock::now() - last_ < std::chrono::milliseconds(250)) return false;
  commit();
  return true;
}

void Committer::commit() {
  if (records_.empty() && events_.empty()) return;
  // Take them out first: what the store rejects is in a spill file and must not be appended a second time.
  const auto records = std::exchange(records_, {});
  const auto events = std::exchange(events_, {});
  store_.append(records, events);
  last_ = Clock::now();
  for (const auto& record : records) stored_(record);
}

}  // namespace retrial::harness::inline run::inline commit
