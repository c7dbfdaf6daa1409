#include "determinism/manifest/elf_file.hpp"

#include <elf.h>
#include <algorithm>
#include <cstring>
#include <fstream>
#include <limits>

#include "results/text/text.hpp"

namespace retrial::determinism::inline manifest {
namespace {

constexpr std::size_t max_note_bytes = 1 << 20;  // real notes have less than a kilobyte
constexpr std::size_t max_entries = 65'535;      // the maximum number of headers in the format

/// Reads at an offset; a partial read is an error.
class ElfFile {
 public:
  explicit ElfFile(const std::string& path) : stream_(path, std::ios::binary) {}

  bool read(std::uint64_t offset, void* to, std::size_t bytes) {
    if (!seek(offset)) return false;
    stream_.read(static_cast<char*>(to), static_cast<std::streamsize>(bytes));
    return stream_.good() && static_cast<std::size_t>(stream_.gcount()) == bytes;
  }

  template <typename T>
  std::optional<T> at(std::uint64_t offset) {
    T value;
    return read(offset, &value, sizeof value) ? std::optional(value) : std::nullopt;
  }

  /// The entries of a table up to the first that cannot be read.
  template <typename T>
  std::vector<T> table(std::uint64_t offset, std::size_t count, std::size_t entry_bytes = sizeof(T)) {
    std::vector<T> entries;
    if (entry_bytes < sizeof(T)) return entries;
    for (std::size_t i = 0; i < std::min(count, max_entries); ++i) {
      std::uint64_t place = 0;
      if (__builtin_add_overflow(offset, i * entry_bytes, &place)) break;
      const auto entry = at<T>(place);
      if (!entry) break;
      entries.push_back(*entry);
    }
    return entries;
  }

  std::string text_at(std::uint64_t offset) {
    std::string text;
    if (seek(offset)) std::getline(stream_, text, '\0');
    return text;
  }

 private:
  bool seek(std::uint64_t offset) {
    if (offset > static_cast<std::uint64_t>(std::numeric_limits<std::streamoff>::max())) return false;
    stream_.clear();
    return static_cast<bool>(stream_.seekg(static_cast<std::streamoff>(offset)));
  }
  std::ifstream stream_;
};

std::optional<Elf64_Ehdr> header_of(ElfFile& file) {
  const auto header = file.at<Elf64_Ehdr>(0);
  const bool readable = header && std::memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
                        header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_ident[EI_DATA] == ELFDATA2LSB;
  return readable ? header : std::nullopt;
}

std::vector<Elf64_Phdr> segments_of(ElfFile& file, const Elf64_Ehdr& header) {
  return file.table<Elf64_Phdr>(header.e_phoff, header.e_phnum, header.e_phentsize);
}

std::optional<std::string> build_id_at(ElfFile& file, std::uint64_t offset, std::uint64_t bytes,
                                       std::uint64_t alignment) {
  if (bytes == 0 || bytes > max_note_bytes) return std::nullopt;
  std::vector<std::byte> notes(bytes);
  if (!file.read(offset, notes.data(), notes.size())) return std::nullopt;
  return build_id_in_notes(notes, alignment);
}

/// A segment gives the string table's address; its offset follows from the segment that loads it.
std::optional<std::uint64_t> offset_of(const std::vector<Elf64_Phdr>& segments, std::uint64_t address) {
  for (const auto& segment : segments)
    if (segment.p_type == PT_LOAD && address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_filesz)
      return address - segment.p_vaddr + segment.p_offset;
  return std::nullopt;
}

}  // namespace

std::optional<std::string> build_id_of_file(const std::string& path) {
  ElfFile file(path);
  const auto header = header_of(file);
  if (!header) return std::nullopt;
  for (const auto& segment : segments_of(file, *header)) {
    if (segment.p_type != PT_NOTE) continue;
    if (auto id = build_id_at(file, segment.p_offset, segment.p_filesz, segment.p_align)) return id;
  }
  // Object files have no segments.
  for (const auto& section : file.table<Elf64_Shdr>(header->e_shoff, header->e_shnum, header->e_shentsize)) {
    if (section.sh_type != SHT_NOTE) continue;
    if (auto id = build_id_at(file, section.sh_offset, section.sh_size, section.sh_addralign)) return id;
  }
  return std::nullopt;
}

std::vector<std::string> needed_libraries(const std::string& program) {
  ElfFile file(program);
  const auto header = header_of(file);
  if (!header) return {};
  const auto segments = segments_of(file, *header);
  std::vector<std::uint64_t> names;
  std::optional<std::uint64_t> strings;
  for (const auto& segment : segments) {
    if (segment.p_type != PT_DYNAMIC) continue;
    for (const auto& entry : file.table<Elf64_Dyn>(segment.p_offset, segment.p_filesz / sizeof(Elf64_Dyn))) {
      if (entry.d_tag == DT_NULL) break;
      if (entry.d_tag == DT_NEEDED) names.push_back(entry.d_un.d_val);
      if (entry.d_tag == DT_STRTAB) strings = offset_of(segments, entry.d_un.d_ptr);
    }
  }
  std::vector<std::string> libraries;
  if (strings)
    for (const std::uint64_t name : names) libraries.push_back(file.text_at(*strings + name));
  return libraries;
}

namespace {

std::size_t padded(std::size_t size, std::size_t alignment) {
  return (size + alignment - 1) / alignment * alignment;
}

bool is_build_id(const Elf64_Nhdr& note, std::span<const std::byte> name) {
  return note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(name.data(), ELF_NOTE_GNU, 4) == 0;
}

}  // namespace

std::optional<std::string> build_id_in_notes(std::span<const std::byte> notes, std::size_t alignment) {
  if (alignment != 8) alignment = 4;
  while (notes.size() >= sizeof(Elf64_Nhdr)) {
    Elf64_Nhdr note;
    std::memcpy(&note, notes.data(), sizeof note);
    const auto body = notes.subspan(sizeof note);
    // Sizes are 32-bit, so their sums cannot wrap in size_t.
    const std::size_t name = padded(note.n_namesz, alignment), end = name + note.n_descsz;
    if (end > body.size()) return std::nullopt;
    if (is_build_id(note, body) && note.n_descsz > 0) {
      const auto id = body.subspan(name, note.n_descsz);
      return results::hex(std::span(reinterpret_cast<const std::uint8_t*>(id.data()), id.size()));
    }
    notes = body.subspan(std::min(body.size(), padded(end, alignment)));
  }
  return std::nullopt;
}

}  // namespace retrial::determinism::inline manifest
