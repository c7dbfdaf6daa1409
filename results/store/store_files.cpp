#include "results/store/store_prepare.hpp"
#include "results/text/file_system.hpp"

namespace retrial::results::inline store {

std::filesystem::path artifact_file(const std::filesystem::path& store, const Digest& digest) {
  const std::string name = hex(digest);
  return std::filesystem::path(store.string() + ".files") / name.substr(0, 2) / name.substr(2);
}

void keep_large_artifacts(const std::filesystem::path& store, const TrialRecord& record) {
  for (const ArtifactValue& artifact : record.artifacts) {
    if (!artifact.body || artifact.body->size() <= longest_body_in_store) continue;
    const auto file = artifact_file(store, artifact.digest);
    std::error_code error;
    if (std::filesystem::exists(file, error)) continue;
    std::filesystem::create_directories(file.parent_path(), error);
    if (error || !write_durably(file, *artifact.body))
      throw DiskRefused({.exit = Exit::measurement,
                         .code = "store.disk",
                         .where = file.string(),
                         .problem = "this artifact cannot be written to disk"});
  }
}

}  // namespace retrial::results::inline store
