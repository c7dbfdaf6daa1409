#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <sstream>

#include "workloads/nn/learner/learner_torch.hpp"

namespace retrial::nn::inline learner {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t digest_bytes = sizeof(results::Digest);

std::string identity_of(const LearnerPlan& plan) {
  return results::hex(results::digest_of(learner_document(plan)));
}

fs::path file_of(const fs::path& folder, const LearnerPlan& plan) {
  return folder / plan.shelf / (identity_of(plan) + ".state");
}

std::string digest_text(std::string_view bytes) {
  const results::Digest digest = results::sha256(bytes);
  return {digest.begin(), digest.end()};
}

/// True for a file or folder that only this user, or a group of the user's own, can have written: a network is code in
/// effect, and its digest can be made anew by whoever changes it.
bool is_ours(const fs::path& path) {
  struct stat facts {};
  if (::lstat(path.c_str(), &facts) != 0 || facts.st_uid != ::geteuid()) return false;
  const bool others = (facts.st_mode & S_IWOTH) != 0, group = (facts.st_mode & S_IWGRP) != 0;
  return (S_ISREG(facts.st_mode) || S_ISDIR(facts.st_mode)) && !others && (!group || facts.st_gid == ::getegid());
}

/// The bytes of a file without the digest at its end; empty if the file is missing or the digest does not match.
std::string checked_bytes(const fs::path& file) {
  if (!is_ours(file) || !is_ours(file.parent_path())) return "";
  std::ifstream from(file, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(from), {}};
  if (bytes.size() < digest_bytes) return "";
  const std::string stored = bytes.substr(bytes.size() - digest_bytes);
  bytes.resize(bytes.size() - digest_bytes);
  return digest_text(bytes) == stored ? bytes : "";
}

/// Another process may write the same network: each has its own temporary file, and the last rename wins with equal
/// bytes.
void write_renamed(const fs::path& file, const std::string& bytes) {
  const fs::path temporary = file.string() + ".part-" + std::to_string(getpid());
  std::error_code ignored;
  fs::create_directories(file.parent_path(), ignored);
  std::ofstream to(temporary, std::ios::binary);
  to << bytes << digest_text(bytes);
  to.close();
  if (to) fs::rename(temporary, file, ignored);
  fs::remove(temporary, ignored);
}

}  // namespace

std::string Learner::contents() const {
  std::ostringstream bytes;
  StateWriter to(bytes);
  to.text(plan_.role, identity_of(plan_));
  save(to);
  return bytes.str();
}

bool Learner::recall(const fs::path& folder) try {
  if (folder.empty()) return false;
  const std::string identity = identity_of(plan_), bytes = checked_bytes(file_of(folder, plan_));
  if (bytes.empty()) return false;
  std::istringstream stream(bytes);
  StateReader from(stream);
  if (from.text(plan_.role) != identity) return false;
  load(from);
  return trained_;
} catch (const workloads::TrialFailure&) {
  LearnerPlan plan = plan_;  // another program wrote this name: start from the initial weights
  *this = Learner(std::move(plan));
  return false;
} catch (const Error&) {
  return false;  // a program without a build id has no cache
}

void Learner::keep(const fs::path& folder) const try {
  if (folder.empty() || !trained_ || diverged_) return;
  write_renamed(file_of(folder, plan_), contents());
} catch (const Error&) {
}

}  // namespace retrial::nn::inline learner
