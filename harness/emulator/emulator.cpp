#include "harness/emulator/emulator.hpp"

#include <unistd.h>

#include <algorithm>
#include <sstream>

#include "results/json/json.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/command/process/process.hpp"

namespace retrial::harness::inline emulator {
namespace {

constexpr const char* program_name = "qemu-x86_64";
constexpr auto patience = std::chrono::seconds(60);

workloads::command::Finished ran(std::vector<std::string> argv) {
  return workloads::command::run_program({.argv = std::move(argv),
                                          .environment = workloads::command::own_environment(),
                                          .workdir = {},
                                          .patience = patience});
}

std::string found_program() {
  if (const auto file = workloads::command::program_file(program_name, "")) return file->string();
  throw Error({.code = "cpu.no_emulator",
               .where = "--cpu",
               .problem = std::string("the emulator ") + program_name + " is not in PATH",
               .help = "install it: apt-get install qemu-user (scripts/setup --test does)"});
}

std::string own_file() {
  return std::filesystem::read_symlink("/proc/self/exe").string();
}

/// The JSON document among the lines of a program.
std::optional<Cpu> cpu_in(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("{")) return cpu_from(results::parse_json(line, "CPU"));
  return std::nullopt;
}

bool has_isa(const Model& model, const std::string& isa) {
  return isa == "default" || (isa == "avx2" ? model.cpu.avx2 : model.cpu.avx512);
}

}  // namespace

bool Model::has_avx512() const {
  return cpu.avx512 || std::ranges::find(lacks, "avx512f") != lacks.end();
}

Emulator::Emulator() : program_(found_program()) {
  const auto help = ran({program_, "-cpu", "help"});
  names_ = models_in(help.output.text());
  if (names_.empty())
    throw Error({.exit = Exit::measurement,
                 .code = "cpu.no_models",
                 .where = program_,
                 .problem = "names no CPU models: " + results::one_line(help.output.text(), 200)});
}

Emulator::Answer Emulator::ask(const std::string& name) const {
  const auto ended = ran({program_, "-cpu", name, own_file(), print_cpu_option});
  return {.ended_well = !ended.signal && ended.exit_code == 0, .text = ended.output.text()};
}

Model Emulator::model(const std::string& name) const {
  const auto answer = ask(name);
  const auto cpu = answer.ended_well ? cpu_in(answer.text) : std::nullopt;
  if (cpu) return {.name = name, .cpu = *cpu, .lacks = lacking_in(answer.text)};
  const bool narrow = answer.text.find("64 bit mode") != std::string::npos;
  throw Error(
      {.exit = narrow ? Exit::usage : Exit::measurement,
       .code = narrow ? "cpu.no_64_bit" : "cpu.emulator_failed",
       .field = "--cpu",
       .value = name,
       .problem = narrow ? "runs no 64-bit programs" : "the emulator failed: " + results::one_line(answer.text, 300),
       .help = "retrial check --cpu list shows the models that do"});
}

std::vector<Model> Emulator::models() const {
  std::vector<Model> out;
  for (const auto& [name, base] : names_) {
    if (!base) continue;
    const auto answer = ask(name);
    if (const auto cpu = answer.ended_well ? cpu_in(answer.text) : std::nullopt)
      out.push_back({.name = name, .cpu = *cpu, .lacks = lacking_in(answer.text)});
  }
  return out;
}

std::vector<std::string> Emulator::launcher(const Model& model) const {
  std::string setting = model.name;
  for (const auto& feature : model.lacks) setting += ",-" + feature;
  return {program_, "-cpu", setting};
}

void demand_mode_runs(const Emulator& emulator, const std::vector<Model>& models, const determinism::KernelMode& mode) {
  if (mode.inherit()) return;
  for (const auto& model : models) {
    if (has_isa(model, mode.isa)) continue;
    std::vector<std::string> able;
    for (const auto& other : emulator.models())
      if (has_isa(other, mode.isa)) able.push_back(other.name);
    const bool avx2 = mode.isa == "avx2";
    throw Error({.code = "cpu.isa",
                 .field = "--cpu",
                 .value = model.name,
                 .problem = avx2 ? "has no AVX2, which kernel mode " + mode.preset + " needs"
                                 : "kernel mode " + mode.preset + " needs AVX-512, which the emulator does not have",
                 .allowed = results::joined(able),
                 .help = avx2 ? "" : "a mode with isa = \"avx2\" runs on every model that has it"});
  }
}

}  // namespace retrial::harness::inline emulator
