#include "workloads/data/sets/verify.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "workloads/data/files/files.hpp"
#include "workloads/data/files/md5.hpp"
#include "workloads/data/files/official.hpp"
#include "workloads/data/files/unknown_folder.hpp"
#include "workloads/data/formats/cifar.hpp"
#include "workloads/data/formats/idx.hpp"
#include "workloads/data/formats/npy.hpp"

namespace retrial::data::inline sets {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t largest_file = std::uint64_t{1} << 30;

bool is_idx(Layout layout) {
  return layout == Layout::idx_images || layout == Layout::idx_labels;
}

/// The file itself, or its .gz if loaders can read it, in the folder or in the archive's folder inside it.
std::optional<fs::path> located(const fs::path& folder, const OfficialFile& official) {
  for (const char* inner : {"", "cifar-10-batches-bin", "cifar-100-binary"}) {
    const fs::path plain = folder / inner / official.name, packed = folder / inner / (official.name + ".gz");
    if (fs::is_regular_file(plain)) return plain;
    if (is_idx(official.layout) && fs::is_regular_file(packed)) return packed;
  }
  return std::nullopt;
}

/// Empty if a loader can read it.
std::string structure_problem(const fs::path& file, const OfficialFile& official) try {
  if (is_idx(official.layout))
    check_idx_file(official.layout == Layout::idx_images ? IdxKind::images : IdxKind::labels, file);
  else
    check_cifar_file(official.set, file);
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
  result.note = structure_problem(*file, official);
  result.verdict = result.note.empty() ? Verdict::unofficial : Verdict::corrupt;
  const bool plain = is_idx(official.layout) && file->extension() != ".gz";
  if (result.note.empty()) result.note = plain ? "only the .gz file has a published digest" : "not the published bytes";
  return result;
}

/// A part must be complete: training labels without training images are useless.
void require_begun_parts(std::vector<FileCheck>& checks, const std::vector<const OfficialFile*>& files) {
  for (std::size_t i = 0; i < checks.size(); ++i)
    for (std::size_t k = 0; k < checks.size(); ++k)
      if (files[i]->part == files[k]->part && checks[k].verdict != Verdict::missing) checks[i].required = true;
}

/// CIFAR-10 is read from any of its training batches: the first is required only if no other exists.
void require_any_batch(std::vector<FileCheck>& checks, const std::vector<const OfficialFile*>& files) {
  const auto batch = [&](std::size_t i) { return files[i]->layout == Layout::cifar10 && files[i]->part != "test"; };
  bool any = false;
  for (std::size_t i = 0; i < checks.size(); ++i) any = any || (batch(i) && checks[i].verdict != Verdict::missing);
  for (std::size_t i = 0; i < checks.size(); ++i)
    if (any && batch(i) && checks[i].verdict == Verdict::missing) checks[i].required = false;
}

/// Images and labels that can be read separately but not together are useless: their numbers differ.
void check_pairs(const fs::path& folder, std::vector<FileCheck>& checks,
                 const std::vector<const OfficialFile*>& files) {
  const auto readable = [&](std::size_t i) {
    return checks[i].verdict == Verdict::official || checks[i].verdict == Verdict::unofficial;
  };
  for (std::size_t i = 0; i < checks.size(); ++i)
    for (std::size_t k = 0; k < checks.size(); ++k) {
      const bool pair = files[i]->layout == Layout::idx_images && files[k]->layout == Layout::idx_labels &&
                        files[i]->part == files[k]->part;
      if (!pair || !readable(i) || !readable(k)) continue;
      try {
        static_cast<void>(load_idx(*located(folder, *files[i]), *located(folder, *files[k]), false));
      } catch (const Error& problem) {
        checks[k].verdict = Verdict::corrupt;
        checks[k].note = problem.text.problem;
      }
    }
}

std::vector<FileCheck> check_set(const fs::path& folder, const std::vector<const OfficialFile*>& files) {
  std::vector<FileCheck> checks;
  for (const OfficialFile* file : files) checks.push_back(check(*file, located(folder, *file)));
  require_begun_parts(checks, files);
  require_any_batch(checks, files);
  check_pairs(folder, checks, files);
  return checks;
}

/// No digest of CIFAR-10.1 is published: its two files are usable or corrupt.
std::vector<FileCheck> check_cifar10_1(const fs::path& folder) {
  std::vector<FileCheck> checks;
  for (const char* name : {"cifar10.1_v6_data.npy", "cifar10.1_v6_labels.npy"}) {
    FileCheck one{.set = "cifar10.1", .name = name, .required = true, .bytes = {}, .sha256 = {}, .md5 = {}, .note = {}};
    if (fs::is_regular_file(folder / name)) {
      one.bytes = fs::file_size(folder / name);
      one.sha256 = results::sha256_file(folder / name);
      one.verdict = Verdict::unofficial;
      one.note = "readable; no digest is published for comparison";
    }
    checks.push_back(std::move(one));
  }
  if (std::any_of(checks.begin(), checks.end(), [](const auto& check) { return !check.sha256; })) return checks;
  try {
    static_cast<void>(load_cifar10_1(folder, false));
  } catch (const Error& problem) {
    const bool labels = problem.text.where.find("labels") != std::string::npos;
    FileCheck& one = checks[labels ? 1 : 0];
    one.verdict = Verdict::corrupt;
    one.note = problem.text.problem;
  }
  return checks;
}

std::size_t count(const std::vector<FileCheck>& checks, Verdict verdict) {
  return static_cast<std::size_t>(
      std::count_if(checks.begin(), checks.end(), [&](const FileCheck& c) { return c.verdict == verdict; }));
}

/// MNIST and Fashion-MNIST have files of the same names: the set with more official files is assumed, MNIST in a tie.
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
  if (auto checks = check_cifar10_1(folder); count(checks, Verdict::missing) < checks.size())
    sets["cifar10.1"] = std::move(checks);
  if (sets.empty()) refuse_unknown_folder(folder);
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

}  // namespace retrial::data::inline sets
