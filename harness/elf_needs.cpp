#include "harness/elf_needs.hpp"

#include <elf.h>

#include <cstring>
#include <fstream>
#include <optional>

namespace retrial::harness {
namespace {

constexpr std::uint64_t most_entries = 10'000;

/// Reads records at offsets of a file that may be damaged: nothing behind its end.
class ElfReader {
 public:
  explicit ElfReader(const std::filesystem::path& path) : file_(path, std::ios::binary) {}

  template <typename Record>
  std::optional<Record> at(std::uint64_t offset) {
    Record out{};
    file_.clear();
    file_.seekg(static_cast<std::streamoff>(offset));
    if (!file_.read(reinterpret_cast<char*>(&out), sizeof out)) return {};
    return out;
  }
  std::string text_at(std::uint64_t offset) {
    std::string out;
    file_.clear();
    file_.seekg(static_cast<std::streamoff>(offset));
    std::getline(file_, out, '\0');
    return out;
  }

 private:
  std::ifstream file_;
};

std::optional<Elf64_Ehdr> header_of(ElfReader& file) {
  const auto header = file.at<Elf64_Ehdr>(0);
  const bool usable = header && std::memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
                      header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_ident[EI_DATA] == ELFDATA2LSB;
  return usable ? header : std::nullopt;
}

std::vector<Elf64_Phdr> segments_of(ElfReader& file, const Elf64_Ehdr& header) {
  std::vector<Elf64_Phdr> out;
  for (std::uint64_t i = 0; i < header.e_phnum; ++i)
    if (const auto segment = file.at<Elf64_Phdr>(header.e_phoff + i * sizeof(Elf64_Phdr))) out.push_back(*segment);
  return out;
}

/// The string table stands at an address; its place in the file follows from the segment that loads it.
std::optional<std::uint64_t> offset_of(const std::vector<Elf64_Phdr>& segments, std::uint64_t address) {
  for (const auto& segment : segments)
    if (segment.p_type == PT_LOAD && address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_filesz)
      return address - segment.p_vaddr + segment.p_offset;
  return {};
}

}  // namespace

std::vector<std::string> needed_libraries(const std::filesystem::path& program) {
  ElfReader file(program);
  const auto header = header_of(file);
  if (!header) return {};
  const auto segments = segments_of(file, *header);
  std::vector<std::uint64_t> names;
  std::optional<std::uint64_t> table;
  for (const auto& segment : segments) {
    if (segment.p_type != PT_DYNAMIC) continue;
    for (std::uint64_t i = 0; i < most_entries; ++i) {
      const auto entry = file.at<Elf64_Dyn>(segment.p_offset + i * sizeof(Elf64_Dyn));
      if (!entry || entry->d_tag == DT_NULL) break;
      if (entry->d_tag == DT_NEEDED) names.push_back(entry->d_un.d_val);
      if (entry->d_tag == DT_STRTAB) table = offset_of(segments, entry->d_un.d_ptr);
    }
  }
  std::vector<std::string> out;
  if (table)
    for (const std::uint64_t name : names) out.push_back(file.text_at(*table + name));
  return out;
}

}  // namespace retrial::harness
