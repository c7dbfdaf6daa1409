#include <elf.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "determinism/manifest/elf_file.hpp"
#include "determinism/manifest/machine.hpp"
#include "determinism/manifest/manifest.hpp"
#include "results/digest/sha256.hpp"
#include "results/json/json.hpp"
#include "results/text/error.hpp"
#include "tests/catch.hpp"
#include "variance/random/rng.hpp"

namespace retrial::tests::manifest_tests {

using namespace retrial;
using namespace retrial::determinism;
namespace fs = std::filesystem;

namespace {

/// A temporary folder, removed with the object.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("retrial-manifest-" + std::to_string(getpid()))) {
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  fs::path write(const fs::path& name, const std::string& text) const {
    fs::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path_ / name;
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

template <typename T>
std::string bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

std::string note(const std::string& id) {
  const Elf64_Nhdr header{.n_namesz = 4, .n_descsz = static_cast<Elf64_Word>(id.size()), .n_type = NT_GNU_BUILD_ID};
  return bytes_of(header) + std::string("GNU\0", 4) + id + std::string((4 - id.size() % 4) % 4, '\0');
}
std::string other_note() {
  const Elf64_Nhdr header{.n_namesz = 4, .n_descsz = 5, .n_type = NT_GNU_ABI_TAG};
  return bytes_of(header) + std::string("GNU\0", 4) + std::string("12345\0\0\0", 8);
}

/// The smallest file that has a note segment.
std::string elf_file(const std::string& notes) {
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_phoff = sizeof header;
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = 1;
  Elf64_Phdr segment{};
  segment.p_type = PT_NOTE;
  segment.p_offset = sizeof header + sizeof segment;
  segment.p_filesz = notes.size();
  segment.p_align = 4;
  return bytes_of(header) + bytes_of(segment) + notes;
}

bool has_floating_point(const Json& node) {
  if (node.is_number_float()) return true;
  return (node.is_object() || node.is_array()) && std::any_of(node.begin(), node.end(), has_floating_point);
}

}  // namespace

TEST_CASE("the base manifest has the groups and fields that others rely on") {
  const Json effective = {{"torch", "2.11.0"}, {"cpu_capability", "AVX2"}, {"libraries", {{"torch", "2.11.0"}}}};
  const Json manifest = base_manifest(KernelMode{.threads = 2}, effective);
  CHECK(manifest["schema"] == "retrial.manifest/1");
  CHECK(manifest["numeric"]["requested"]["threads"] == 2);
  CHECK(manifest["numeric"]["effective"]["cpu_capability"] == "AVX2");
  CHECK_FALSE(manifest["numeric"]["effective"].contains("libraries"));
  CHECK(manifest["libraries"]["torch"] == "2.11.0");
  CHECK(manifest["program"]["build_id"] == own_build_id());
  CHECK(manifest["program"]["version"].is_string());
  CHECK_THAT(manifest["program"]["flags"].get<std::string>(), has_text("-ffp-contract=off"));
  CHECK_FALSE(manifest["program"]["shared_objects"].empty());
  CHECK(manifest["program"]["shared_objects"].contains("libc.so.6"));
  for (const char* field : {"cpu_model", "cpu_cores", "governor", "os", "kernel", "smt", "affinity", "libc"})
    CHECK(manifest["machine"].contains(field));
  CHECK(manifest["machine"]["cpu_cores"] >= 1);
  CHECK(manifest.contains("volatile"));
}

TEST_CASE("the base manifest can be hashed: it holds no floating-point number") {
  const Json manifest = base_manifest(KernelMode{}, {{"torch", nullptr}});
  CHECK_FALSE(has_floating_point(manifest));
  CHECK_NOTHROW(results::canonical(manifest));
  CHECK(has_floating_point({{"a", {1, 2.5}}}));  // the check itself can fail
}

TEST_CASE("every variable of the table is recorded with its value or as unset") {
  setenv("OMP_SCHEDULE", "guided,4", 1);
  unsetenv("NCCL_PROTO");
  const Json variables = base_manifest(KernelMode{}, {{"torch", nullptr}})["numeric"]["variables"];
  CHECK(variables.size() == recorded_variables().size());
  CHECK(variables["OMP_SCHEDULE"] == "guided,4");
  CHECK(variables["NCCL_PROTO"] == "unset");
  unsetenv("OMP_SCHEDULE");
}

TEST_CASE("two manifests of one process differ in volatile fields only") {
  const Json a = base_manifest(KernelMode{}, {{"torch", nullptr}}),
             b = base_manifest(KernelMode{}, {{"torch", nullptr}});
  CHECK(diff_manifests(a, b, true).explanatory.empty());
}

TEST_CASE("machine facts are read from the kernel's files") {
  const Folder root;
  root.write("proc/cpuinfo",
             "processor\t: 0\nmodel name\t: Test CPU  @ 3 GHz\nstepping\t: 4\nmicrocode\t: 0xab\n"
             "flags\t\t: sse2 avx fma\n\nprocessor\t: 1\nmodel name\t: Other\n");
  root.write("proc/self/status", "Name:\tx\nCpus_allowed_list:\t0-3,8\n");
  root.write("proc/meminfo", "MemTotal:       524288 kB\nMemFree: 1 kB\n");
  root.write("etc/os-release", "NAME=\"Debian\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n");
  root.write("sys/fs/cgroup/cpu.max", "200000 100000\n");
  root.write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
  root.write("sys/devices/system/cpu/smt/active", "1\n");
  root.write("proc/loadavg", "0.52 0.33 1.25 2/345 678\n");
  root.write("proc/stat", "cpu  1 2 3 4 5 6 7 88 0 0\n");
  const Json machine = machine_facts(root.path());
  CHECK(machine["cpu_model"] == "Test CPU  @ 3 GHz");
  CHECK(machine["cpu_stepping"] == "4");
  CHECK(machine["microcode"] == "0xab");
  CHECK(machine["cpu_flags"] == results::hex(results::sha256(std::string_view("avx fma sse2"))));
  CHECK(machine["affinity"] == "0-3,8");
  CHECK(machine["memory_kib"] == 524288);
  CHECK(machine["os"] == "Debian GNU/Linux 12 (bookworm)");
  CHECK(machine["cgroup_quota"] == "200000 100000");
  CHECK(machine["governor"] == "performance");
  CHECK(machine["smt"] == true);
  CHECK(volatile_facts(root.path()) == Json{{"load_average", "0.52 0.33 1.25"}, {"steal_ticks", 88}});
}

TEST_CASE("a machine without readable files gives nulls") {
  const Folder root;
  const Json machine = machine_facts(root.path() / "nowhere");
  for (const char* field :
       {"cpu_model", "cpu_flags", "affinity", "memory_kib", "os", "governor", "smt", "cgroup_quota"})
    CHECK(machine[field].is_null());
  CHECK(volatile_facts(root.path() / "nowhere")["load_average"].is_null());
}

TEST_CASE("the build id of this program is the one in its file") {
  CHECK(own_build_id().size() == 40);  // SHA-1, as requested from the linker
  CHECK(build_id_of("/proc/self/exe") == own_build_id());
  CHECK(loaded_objects().at("") == own_build_id());
}

TEST_CASE("a build id is found among other notes and in every padding") {
  const Folder folder;
  CHECK(build_id_of(folder.write("a", elf_file(other_note() + note("\x01\xfe\x30")))) == "01fe30");
  const std::string notes = note(std::string(20, '\x5a'));
  std::string expected;
  for (int i = 0; i < 20; ++i) expected += "5a";
  CHECK(build_id_in_notes(std::as_bytes(std::span(notes))) == expected);
}

TEST_CASE("a file without a build id is refused as incomparable") {
  const Folder folder;
  const auto refused = [&](const std::string& content) {
    try {
      (void)build_id_of(folder.write("f", content));
    } catch (const Error& error) {
      return error.text.exit == Exit::incomparable;
    }
    return false;
  };
  CHECK(refused(""));
  CHECK(refused("#!/bin/sh\n"));
  CHECK(refused(elf_file(other_note())));
  CHECK_THROWS_AS(build_id_of((folder.path() / "missing").string()), Error);
  CHECK_THROWS_AS(build_id_of(folder.path().string()), Error);
}

TEST_CASE("a hostile ELF file is refused and never read out of bounds") {
  const Folder folder;
  const std::string whole = elf_file(other_note() + note("0123456789"));
  for (std::size_t cut = 0; cut < whole.size(); ++cut)
    CHECK_FALSE(build_id_of_file(folder.write("cut", whole.substr(0, cut))).has_value());
  variance::Stream stream(variance::derive(20210403, "hostile-elf"));
  for (int round = 0; round < 3000; ++round) {  // the sanitizers of the build watch
    std::string bent = whole;
    for (int i = 0; i < 4; ++i) {
      const std::uint64_t word = stream.next();
      bent[variance::bounded(word, bent.size())] = static_cast<char>(word & 0xff);
    }
    const auto id = build_id_of_file(folder.write("bent", bent));
    if (id) REQUIRE(id->size() <= 2 * bent.size());
  }
}

TEST_CASE("hostile notes end the search") {
  Elf64_Nhdr header{.n_namesz = 0xffffffff, .n_descsz = 0xffffffff, .n_type = NT_GNU_BUILD_ID};
  std::string notes = bytes_of(header) + std::string("GNU\0", 4) + "abcd";
  CHECK_FALSE(build_id_in_notes(std::as_bytes(std::span(notes))).has_value());
  header = {.n_namesz = 4, .n_descsz = 0, .n_type = NT_GNU_BUILD_ID};
  notes = bytes_of(header) + std::string("GNU\0", 4);
  CHECK_FALSE(build_id_in_notes(std::as_bytes(std::span(notes))).has_value());
  header = {.n_namesz = 4, .n_descsz = 8, .n_type = NT_GNU_BUILD_ID};
  notes = bytes_of(header) + std::string("GNU\0", 4) + "abcd";  // four of eight bytes
  CHECK_FALSE(build_id_in_notes(std::as_bytes(std::span(notes))).has_value());
}

}  // namespace retrial::tests::manifest_tests
