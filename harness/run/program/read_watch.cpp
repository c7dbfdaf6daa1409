#include "harness/run/program/read_watch.hpp"

#include "harness/run/program/program_change.hpp"

namespace retrial::harness::inline run::inline program {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t enough = 2;  ///< trials that make a file part of the program
constexpr std::size_t max_files = 256;
constexpr std::uintmax_t max_bytes = 64u << 20;

std::optional<results::Digest> digest_of(const fs::path& file, results::FileDigests& digests) {
  std::error_code error;
  const auto size = fs::file_size(file, error);
  return error || size > max_bytes ? std::nullopt : digests.of(file);
}

}  // namespace

void ReadWatch::add(const std::string& variant, const fs::path& base, const std::vector<fs::path>& folders,
                    std::function<bool(const std::string& name)> known) {
  if (folders.empty()) return;
  programs_[variant] = {.base = base, .known = std::move(known), .files = {}};
  for (const auto& folder : folders) {
    read_.watch(folder);
    written_.watch(folder);
  }
}

void ReadWatch::expect(const std::string& variant, const ReadFiles& before) {
  const auto program = programs_.find(variant);
  if (program == programs_.end()) return;
  program->second.trials = before.trials;
  for (const auto& [name, versions] : before.files)
    program->second.files[name] = {.digest = versions.front().digest, .written = before.written.contains(name) ? 1 : 0};
}

void ReadWatch::begin(std::size_t trial, const std::string& variant, results::FileDigests& digests) {
  if (!programs_.contains(variant)) return;
  listen(digests);
  running_[trial] = {.variant = variant, .read = {}, .written = {}};
}

/// Only a file that may still be found to belong to the program is kept and read. True if one was.
bool ReadWatch::note(const fs::path& file, results::FileDigests& digests) {
  bool hashed = false;
  for (auto& [trial, running] : running_) {
    const auto& program = programs_.at(running.variant);
    const auto name = name_of_source(file, program.base);
    const bool first = program.trials == 0;
    if (program.known(name) || (!first && !program.files.contains(name))) continue;
    const auto [entry, fresh] = running.read.try_emplace(name);
    if (!fresh || !first || running.read.size() > max_files) continue;
    entry->second = digest_of(file, digests);
    hashed = true;
  }
  return hashed;
}

void ReadWatch::listen(results::FileDigests& digests) {
  for (bool again = true; again;) {  // what we read ourselves is reported too, before other trials begin
    again = false;
    for (const auto& file : read_.take()) again = note(file, digests) || again;
  }
  for (const auto& file : written_.take())
    for (auto& [trial, running] : running_)
      running.written.insert(name_of_source(file, programs_.at(running.variant).base));
}

void ReadWatch::end(std::size_t trial, bool counts, results::FileDigests& digests) {
  listen(digests);
  const auto ended = running_.extract(trial);
  // Reports that the kernel dropped are no evidence that a file was not read.
  if (ended.empty() || !counts || !read_.complete()) return;
  const Running& ended_trial = ended.mapped();
  auto& program = programs_.at(ended_trial.variant);
  if (program.trials++ == 0)
    for (const auto& [name, digest] : ended_trial.read) program.files[name] = {.digest = digest};
  for (const auto& name : ended_trial.written)
    if (const auto file = program.files.find(name); file != program.files.end()) ++file->second.written;
  std::erase_if(program.files,
                [&](const auto& file) { return !ended_trial.read.contains(file.first) || file.second.written > 1; });
}

std::vector<std::string> ReadWatch::changed_files(const Program& program, results::FileDigests& digests) {
  std::vector<std::string> out;
  for (const auto& [name, file] : program.files)
    if (file.digest)
      if (const auto now = digests.of(program.base / name); now != file.digest)
        out.push_back(file_change(name, *file.digest, now));
  return out;
}

std::vector<std::string> ReadWatch::changes(const std::string& variant, results::FileDigests& digests) const {
  const auto program = programs_.find(variant);
  if (program == programs_.end() || program->second.trials < enough) return {};
  return changed_files(program->second, digests);
}

std::vector<std::string> ReadWatch::doubts(const std::string& variant, results::FileDigests& digests) const {
  const auto program = programs_.find(variant);
  if (program == programs_.end() || program->second.trials == 0 || program->second.trials >= enough) return {};
  return changed_files(program->second, digests);
}

Json ReadWatch::files(const std::string& variant) const {
  const auto program = programs_.find(variant);
  if (program == programs_.end()) return nullptr;
  if (!read_.complete()) return "not known: the kernel did not report every file that was read";
  Json out = Json::object();
  for (const auto& [name, file] : program->second.files)
    if (file.digest) out[name] = results::hex(*file.digest);
  return out;
}

Json ReadWatch::written(const std::string& variant) const {
  Json out = Json::array();
  const auto program = programs_.find(variant);
  if (program == programs_.end() || program->second.trials >= enough || !read_.complete()) return out;
  for (const auto& [name, file] : program->second.files)
    if (file.digest && file.written > 0) out.push_back(name);
  return out;
}

}  // namespace retrial::harness::inline run::inline program
