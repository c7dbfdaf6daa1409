#include <elf.h>

#include <cstring>
#include <fstream>
#include <limits>
#include <vector>

#include "determinism/elf_notes.hpp"

namespace retrial::determinism {
namespace {

constexpr std::size_t most_note_bytes = 1 << 20;  // real ones have less than a kilobyte
constexpr std::size_t most_headers = 65'535;      // what the 16-bit counts of the format can say

/// Reads at an offset, and only whole answers.
class ElfFile {
 public:
  explicit ElfFile(const std::string& path) : stream_(path, std::ios::binary) {}

  bool read(std::uint64_t offset, void* to, std::size_t bytes) {
    if (offset > static_cast<std::uint64_t>(std::numeric_limits<std::streamoff>::max())) return false;
    stream_.clear();
    stream_.seekg(static_cast<std::streamoff>(offset));
    stream_.read(static_cast<char*>(to), static_cast<std::streamsize>(bytes));
    return stream_.good() && static_cast<std::size_t>(stream_.gcount()) == bytes;
  }

  template <typename T>
  std::optional<T> at(std::uint64_t offset) {
    T value;
    return read(offset, &value, sizeof value) ? std::optional(value) : std::nullopt;
  }

  std::optional<std::string> build_id_at(std::uint64_t offset, std::uint64_t bytes, std::uint64_t alignment) {
    if (bytes == 0 || bytes > most_note_bytes) return std::nullopt;
    std::vector<std::byte> notes(bytes);
    if (!read(offset, notes.data(), notes.size())) return std::nullopt;
    return build_id_in_notes(notes, alignment);
  }

 private:
  std::ifstream stream_;
};

bool readable(const Elf64_Ehdr& header) {
  return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_ident[EI_CLASS] == ELFCLASS64 &&
         header.e_ident[EI_DATA] == ELFDATA2LSB;
}

/// The place of entry i of a table, or nothing where it lies outside what 64 bits can say.
std::optional<std::uint64_t> entry(std::uint64_t table, std::size_t i, std::uint64_t entry_bytes) {
  std::uint64_t offset = 0;
  if (__builtin_mul_overflow(static_cast<std::uint64_t>(i), entry_bytes, &offset)) return std::nullopt;
  if (__builtin_add_overflow(table, offset, &offset)) return std::nullopt;
  return offset;
}

std::optional<std::string> from_segments(ElfFile& file, const Elf64_Ehdr& header) {
  if (header.e_phentsize < sizeof(Elf64_Phdr)) return std::nullopt;
  for (std::size_t i = 0; i < std::min<std::size_t>(header.e_phnum, most_headers); ++i) {
    const auto place = entry(header.e_phoff, i, header.e_phentsize);
    const auto segment = place ? file.at<Elf64_Phdr>(*place) : std::nullopt;
    if (!segment) return std::nullopt;
    if (segment->p_type != PT_NOTE) continue;
    if (auto id = file.build_id_at(segment->p_offset, segment->p_filesz, segment->p_align)) return id;
  }
  return std::nullopt;
}

// Object files have no segments.
std::optional<std::string> from_sections(ElfFile& file, const Elf64_Ehdr& header) {
  if (header.e_shentsize < sizeof(Elf64_Shdr)) return std::nullopt;
  for (std::size_t i = 0; i < std::min<std::size_t>(header.e_shnum, most_headers); ++i) {
    const auto place = entry(header.e_shoff, i, header.e_shentsize);
    const auto section = place ? file.at<Elf64_Shdr>(*place) : std::nullopt;
    if (!section) return std::nullopt;
    if (section->sh_type != SHT_NOTE) continue;
    if (auto id = file.build_id_at(section->sh_offset, section->sh_size, section->sh_addralign)) return id;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> build_id_of_file(const std::string& path) {
  ElfFile file(path);
  const auto header = file.at<Elf64_Ehdr>(0);
  if (!header || !readable(*header)) return std::nullopt;
  if (auto id = from_segments(file, *header)) return id;
  return from_sections(file, *header);
}

}  // namespace retrial::determinism
