#include "determinism/manifest/elf_file.hpp"

#include <elf.h>

#include <cstring>

#include "results/text/text.hpp"

namespace retrial::determinism::inline manifest {
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
