#include "determinism/manifest/manifest.hpp"

#include <cstdlib>

#include "determinism/manifest/elf_file.hpp"
#include "determinism/manifest/machine.hpp"
#include "results/json/json.hpp"
#include "results/text/error.hpp"

// Set for this file by the build; recorded as null if the build does not set it.
#ifndef RETRIAL_VERSION
#define RETRIAL_VERSION ""
#endif
#ifndef RETRIAL_GIT_COMMIT
#define RETRIAL_GIT_COMMIT ""
#endif
#ifndef RETRIAL_COMPILER_FLAGS
#define RETRIAL_COMPILER_FLAGS ""
#endif

namespace retrial::determinism::inline manifest {
namespace {

Json text_or_null(const char* text) {
  return *text ? Json(text) : Json(nullptr);
}

std::string compiler() {
#if defined(__clang__)
  return "clang " __clang_version__;
#else
  return "gcc " __VERSION__;
#endif
}

[[noreturn]] void no_build_id(const std::string& file) {
  throw Error({.exit = Exit::incomparable,
               .code = "program.no_build_id",
               .where = file,
               .field = "build id",
               .problem = "not found in this ELF file",
               .help = "link it with -Wl,--build-id=sha1"});
}

Json program_facts() {
  auto objects = loaded_objects();
  const std::string own = objects.contains("") ? objects[""] : "none";
  objects.erase("");
  return {{"version", text_or_null(RETRIAL_VERSION)},
          {"git_commit", text_or_null(RETRIAL_GIT_COMMIT)},
          {"build_id", own},
          {"compiler", compiler()},
          {"flags", text_or_null(RETRIAL_COMPILER_FLAGS)},
          {"shared_objects", objects}};
}

Json variables() {
  Json values = Json::object();
  for (const std::string& name : recorded_variables()) {
    const char* value = std::getenv(name.c_str());
    values[name] = value ? value : "unset";
  }
  return values;
}

}  // namespace

Json base_manifest(const KernelMode& requested, const Json& effective) {
  Json state = effective, libraries = Json::object();
  if (state.is_object() && state.contains("libraries")) {
    libraries = state["libraries"];
    state.erase("libraries");
  }
  return {{"schema", "retrial.manifest/1"},
          {"program", program_facts()},
          {"libraries", libraries},
          {"numeric", {{"requested", mode_document(requested)}, {"effective", state}, {"variables", variables()}}},
          {"machine", machine_facts()},
          {"volatile", volatile_facts()}};
}

std::string own_build_id() {
  const auto objects = loaded_objects();
  const auto own = objects.find("");
  if (own == objects.end() || own->second == "none") no_build_id("this program");
  return own->second;
}

std::string build_id_of(const std::string& elf_file) {
  const auto id = build_id_of_file(elf_file);
  if (!id) no_build_id(elf_file);
  return *id;
}

}  // namespace retrial::determinism::inline manifest
