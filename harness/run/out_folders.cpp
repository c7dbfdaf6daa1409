#include "harness/run/out_folders.hpp"

#include <utility>

namespace retrial::harness::inline run {

OutFolders::OutFolders(const workloads::Declaration& workload, std::filesystem::path store)
    : workload_(workload), store_(std::move(store)) {}

std::filesystem::path OutFolders::make(const results::PlanEntry& entry, const TrialBody& body,
                                       const results::Id16& attempt) const {
  auto out = place(entry, body, attempt);
  if (workload_.needs_out_folder) std::filesystem::create_directories(out);
  return out;
}

void OutFolders::remove(const std::filesystem::path& out) const {
  if (!workload_.needs_out_folder || !out.string().starts_with(scratch_.path().string())) return;
  std::error_code ignored;
  std::filesystem::remove_all(out, ignored);
}

bool OutFolders::keeps(const TrialBody& body) const {
  return workload_.needs_out_folder && workload_.keeps_out_folder && workload_.keeps_out_folder(body.trial().values);
}

std::filesystem::path OutFolders::place(const results::PlanEntry& entry, const TrialBody& body,
                                        const results::Id16& attempt) const {
  if (!keeps(body)) return scratch_.path() / results::hex(attempt);
  auto folder = store_;
  folder += ".out";
  return folder / (entry.variant + "-" + std::to_string(entry.pair_index)) / results::hex(attempt).substr(0, 8);
}

}  // namespace retrial::harness::inline run
