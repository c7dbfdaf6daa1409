#include "harness/show/artifact.hpp"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>

#include "harness/text/output.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline show {
namespace {

[[noreturn]] void refuse_artifact(Exit exit, const std::string& code, const std::string& name,
                                  const std::string& problem, const std::string& help) {
  throw Error({.exit = exit,
               .code = code,
               .field = "--artifact",
               .value = results::one_line(name, 100),
               .problem = problem,
               .help = help});
}

results::ArtifactValue artifact_named(const results::Store& store, std::int64_t trial, const std::string& name) {
  const auto artifacts = store.artifacts(trial);
  std::vector<std::string> names;
  for (const auto& artifact : artifacts) {
    if (artifact.name == name) return artifact;
    names.push_back(artifact.name);
  }
  const auto near = results::nearest(name, names);
  throw Error({.code = "trial.no_artifact",
               .field = "--artifact",
               .value = results::one_line(name, 100),
               .problem = names.empty() ? "the trial has no artifacts" : "the trial has no such artifact",
               .allowed = results::joined(names),
               .help = near ? "did you mean " + *near + "?" : ""});
}

std::string bytes_beside(const std::filesystem::path& file, const results::ArtifactValue& artifact) {
  std::ifstream in(file, std::ios::binary);
  if (!in)
    refuse_artifact(Exit::incomparable, "trial.artifact_missing", artifact.name,
                    "its file " + file.string() + " cannot be read",
                    "copy the folder STORE.files together with the store");
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  if (results::sha256(bytes) != artifact.digest)
    refuse_artifact(Exit::integrity, "trial.artifact_changed", artifact.name,
                    "its file " + file.string() + " was changed: the SHA-256 is another one",
                    "retrial verify finds all damage of a store");
  return bytes;
}

}  // namespace

std::string artifact_bytes(const results::Store& store, const std::filesystem::path& path, std::int64_t trial,
                           const std::string& name) {
  const results::ArtifactValue artifact = artifact_named(store, trial, name);
  return artifact.body ? *artifact.body : bytes_beside(results::artifact_file(path, artifact.digest), artifact);
}

void show_artifact(const results::Store& store, const std::filesystem::path& path, std::int64_t trial,
                   const std::string& name, const std::string& file) {
  const std::string bytes = artifact_bytes(store, path, trial, name);
  if (file.empty())
    std::cout << bytes;
  else
    write_output(file, bytes);
}

}  // namespace retrial::harness::inline show
