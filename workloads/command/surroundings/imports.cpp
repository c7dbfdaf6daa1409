#include "workloads/command/surroundings/imports.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <iterator>

namespace retrial::workloads::command::inline surroundings {

namespace {

namespace fs = std::filesystem;

bool left_out(const fs::path& folder) {
  const auto name = folder.filename().string();
  std::error_code ignored;
  return name.starts_with(".") || name == "__pycache__" || name == "site-packages" || name == "node_modules" ||
         fs::exists(folder / "pyvenv.cfg", ignored);
}

std::vector<fs::path> folders_in(const fs::path& folder, std::size_t& entries) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    if (++entries > max_source_entries) break;
    std::error_code ignored;
    if (entry->symlink_status(ignored).type() == fs::file_type::directory && !left_out(entry->path()))
      found.push_back(entry->path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// Source of a byte-code file, as recorded in its header (PEP 552: flags, seconds, size).
struct MadeFrom {
  std::uint32_t flags = 0, seconds = 0, size = 0;
};

std::optional<MadeFrom> made_from(const fs::path& bytecode) {
  constexpr std::size_t header = 16;
  std::array<unsigned char, header> bytes{};
  std::ifstream stream(bytecode, std::ios::binary);
  if (!stream.read(reinterpret_cast<char*>(bytes.data()), header)) return std::nullopt;
  const auto word = [&](std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 4; i-- > 0;) value = value << 8 | bytes[at + i];
    return value;
  };
  return MadeFrom{.flags = word(4), .seconds = word(8), .size = word(12)};
}

/// Byte code that is checked by a hash of its source instead of its date says nothing here.
bool made_from_other_bytes(const fs::path& bytecode, const struct stat& source) {
  const auto made = made_from(bytecode);
  if (!made || made->flags != 0) return false;
  return made->seconds != static_cast<std::uint32_t>(source.st_mtim.tv_sec) ||
         made->size != static_cast<std::uint32_t>(source.st_size);
}

/// "x" of "x.cpython-311.pyc" and "x.cpython-311.opt-1.pyc".
std::string module_in(const std::string& name, const std::string& tag) {
  for (const std::string& end : {"." + tag + ".pyc", "." + tag + ".opt-1.pyc", "." + tag + ".opt-2.pyc"})
    if (name.size() > end.size() && name.ends_with(end)) return name.substr(0, name.size() - end.size());
  return "";
}

}  // namespace

SourceFolders source_folders(const fs::path& folder) {
  SourceFolders out{.folders = {folder}, .entries = {}};
  std::size_t entries = 0;
  for (std::size_t i = 0; i < out.folders.size(); ++i) {
    const auto before = entries;
    auto below = folders_in(out.folders[i], entries);
    out.entries.push_back(entries - before);
    const auto room = max_source_folders - out.folders.size();
    out.all = out.all && below.size() <= room && entries <= max_source_entries;
    below.resize(std::min(below.size(), room));
    std::ranges::move(below, std::back_inserter(out.folders));
  }
  return out;
}

std::optional<Import> python_import(const fs::path& opened, const std::string& tag) {
  const auto folder = opened.parent_path();
  const auto module = module_in(opened.filename().string(), tag);
  if (module.empty() || folder.filename() != "__pycache__") return std::nullopt;
  const auto source = folder.parent_path() / (module + ".py");
  struct stat facts {};
  if (::stat(source.c_str(), &facts) != 0) return std::nullopt;
  return Import{.source = source, .edited = made_from_other_bytes(opened, facts)};
}

}  // namespace retrial::workloads::command::inline surroundings
