#include "workloads/data/verify.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "workloads/data/files.hpp"
#include "workloads/data/md5.hpp"
#include "workloads/data/official.hpp"

namespace retrial::data {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t largest_file = std::uint64_t{1} << 30;

/// The file itself or its .gz, in the folder or in the archive's own folder below it.
std::optional<fs::path> located(const fs::path& folder, const std::string& name) {
  for (const char* inner : {"", "cifar-10-batches-bin", "cifar-100-binary"})
    for (const char* ending : {"", ".gz"})
      if (const fs::path candidate = folder / inner / (name + ending); fs::is_regular_file(candidate)) return candidate;
  return std::nullopt;
}

std::string check_records(const std::vector<std::uint8_t>& bytes, std::size_t record, std::size_t label, int classes) {
  if (bytes.empty() || bytes.size() % record != 0)
    return std::to_string(bytes.size()) + " bytes is not a whole number of " + std::to_string(record) + "-byte records";
  for (std::size_t at = 0; at < bytes.size(); at += record)
    if (bytes[at + label] >= classes)
      return "label " + std::to_string(bytes[at + label]) + " in record " + std::to_string(at / record);
  return "";
}

std::uint64_t word(const std::vector<std::uint8_t>& bytes, std::size_t at) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | bytes[at + i];
  return value;
}

std::string check_idx(const std::vector<std::uint8_t>& bytes, std::size_t rank) {
  const std::size_t header = 4 + 4 * rank;
  if (bytes.size() < header) return "shorter than its header of " + std::to_string(header) + " bytes";
  if (word(bytes, 0) != 0x0800 + rank)
    return "not an IDX file of unsigned bytes with " + std::to_string(rank) + " dimensions";
  std::uint64_t payload = 1;
  for (std::size_t i = 0; i < rank; ++i) payload = std::min(payload * word(bytes, 4 + 4 * i), 4 * largest_file);
  if (bytes.size() - header != payload)
    return "its header promises " + std::to_string(payload) + " bytes and " + std::to_string(bytes.size() - header) +
           " follow";
  return rank == 1 && std::any_of(bytes.begin() + 8, bytes.end(), [](std::uint8_t label) { return label > 9; })
             ? "a label above 9"
             : "";
}

/// Empty when a loader could read it.
std::string structure_problem(const fs::path& file, Layout layout) try {
  const auto bytes = read_bytes(file, largest_file);
  switch (layout) {
    case Layout::cifar10:
      return check_records(bytes, 3073, 0, 10);
    case Layout::cifar100:
      return check_records(bytes, 3074, 1, 100);
    case Layout::idx_images:
      return check_idx(bytes, 3);
    case Layout::idx_labels:
      return check_idx(bytes, 1);
  }
  return "";
} catch (const Error& problem) {
  return problem.text.problem;
}

std::string md5_of(const fs::path& file) {
  std::vector<std::uint8_t> bytes(file_bytes(file, largest_file));
  read_into(file, bytes);
  return md5(bytes);
}

FileCheck check(const OfficialFile& official, const std::optional<fs::path>& file) {
  FileCheck result{.set = official.set,
                   .name = official.name,
                   .required = official.needed,
                   .bytes = {},
                   .sha256 = {},
                   .md5 = {},
                   .note = {}};
  if (!file) return result;
  result.name = file->filename().string();
  result.bytes = fs::file_size(*file);
  result.sha256 = results::sha256_file(*file);
  if (!official.md5.empty()) result.md5 = md5_of(*file);
  if (results::hex(*result.sha256) == official.sha256) {
    result.verdict = Verdict::official;
    return result;
  }
  result.note = structure_problem(*file, official.layout);
  result.verdict = result.note.empty() ? Verdict::unofficial : Verdict::corrupt;
  const bool plain = official.layout >= Layout::idx_images && file->extension() != ".gz";
  if (result.note.empty()) result.note = plain ? "only the .gz file has a published digest" : "not the published bytes";
  return result;
}

/// A part that is begun must be whole: train labels without train images are of no use.
void require_begun_parts(std::vector<FileCheck>& checks, const std::vector<const OfficialFile*>& files) {
  for (std::size_t i = 0; i < checks.size(); ++i)
    for (std::size_t k = 0; k < checks.size(); ++k)
      if (files[i]->part == files[k]->part && checks[k].verdict != Verdict::missing) checks[i].required = true;
}

std::vector<FileCheck> check_set(const fs::path& folder, const std::vector<const OfficialFile*>& files) {
  std::vector<FileCheck> checks;
  for (const OfficialFile* file : files) checks.push_back(check(*file, located(folder, file->name)));
  require_begun_parts(checks, files);
  return checks;
}

std::size_t count(const std::vector<FileCheck>& checks, Verdict verdict) {
  return static_cast<std::size_t>(
      std::count_if(checks.begin(), checks.end(), [&](const FileCheck& c) { return c.verdict == verdict; }));
}

/// MNIST and Fashion-MNIST have files of the same names: the one with more official files is meant, MNIST in a tie.
void keep_one_idx_set(std::map<std::string, std::vector<FileCheck>>& sets) {
  if (!sets.contains("mnist") || !sets.contains("fashion")) return;
  const bool fashion = count(sets["fashion"], Verdict::official) > count(sets["mnist"], Verdict::official);
  sets.erase(fashion ? "mnist" : "fashion");
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  constexpr std::array<std::string_view, 4> names{"official", "unofficial", "corrupt", "missing"};
  return names[static_cast<std::size_t>(verdict)];
}

std::vector<FileCheck> verify(const fs::path& folder) {
  std::map<std::string, std::vector<const OfficialFile*>> by_set;
  for (const OfficialFile& file : official_files()) by_set[file.set].push_back(&file);
  std::map<std::string, std::vector<FileCheck>> sets;
  for (const auto& [set, files] : by_set)
    if (auto checks = check_set(folder, files); count(checks, Verdict::missing) < checks.size())
      sets[set] = std::move(checks);
  keep_one_idx_set(sets);
  if (sets.empty())
    throw Error(ErrorText{.exit = Exit::incomparable,
                          .code = "data.nothing_known",
                          .where = folder.string(),
                          .problem = "holds no file of CIFAR-10, CIFAR-100 (binary version), MNIST or Fashion-MNIST",
                          .help = "name the folder with data_batch_1.bin, train.bin or t10k-images-idx3-ubyte.gz"});
  std::vector<FileCheck> all;
  for (auto& [set, checks] : sets) all.insert(all.end(), checks.begin(), checks.end());
  return all;
}

Exit exit_of(const std::vector<FileCheck>& checks) {
  Exit worst = Exit::ok;
  for (const FileCheck& c : checks) {
    if (c.verdict == Verdict::corrupt) return Exit::integrity;
    if (c.verdict == Verdict::missing && c.required) worst = Exit::incomparable;
    if (c.verdict == Verdict::unofficial && worst == Exit::ok) worst = Exit::different;
  }
  return worst;
}

}  // namespace retrial::data
