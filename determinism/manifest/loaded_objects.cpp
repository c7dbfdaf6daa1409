#include <link.h>

#include <string_view>

#include "determinism/manifest/elf_file.hpp"

namespace retrial::determinism::inline manifest {
namespace {

std::optional<std::string> build_id_of_object(const dl_phdr_info& object) {
  for (std::size_t i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object.dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    const auto* bytes = reinterpret_cast<const std::byte*>(object.dlpi_addr + segment.p_vaddr);
    if (auto id = build_id_in_notes({bytes, segment.p_memsz}, segment.p_align)) return id;
  }
  return std::nullopt;
}

int note_object(dl_phdr_info* object, std::size_t, void* found) {
  const std::string_view path = object->dlpi_name ? object->dlpi_name : "";
  const std::string name(path.substr(path.rfind('/') + 1));
  if (name.starts_with("linux-vdso") || name.starts_with("linux-gate")) return 0;
  static_cast<std::map<std::string, std::string>*>(found)->emplace(name, build_id_of_object(*object).value_or("none"));
  return 0;
}

}  // namespace

std::map<std::string, std::string> loaded_objects() {
  std::map<std::string, std::string> found;
  dl_iterate_phdr(note_object, &found);
  return found;
}

}  // namespace retrial::determinism::inline manifest
