#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "determinism/mode/kernel_mode.hpp"
#include "harness/emulator/cpu.hpp"
#include "harness/emulator/models.hpp"

namespace retrial::harness::inline emulator {

/// A CPU as the emulator shows it to a program.
struct Model {
  std::string name;
  Cpu cpu;
  std::vector<std::string> lacks;         ///< features of the real CPU that the emulator does not have
  [[nodiscard]] bool has_avx512() const;  ///< the real CPU
};

/// qemu-x86_64, which runs one program of this system and shows it the CPUID of another CPU. Its floating point is
/// computed, not handed to the host: exact where IEEE 754 says how, FMA included.
class Emulator {
 public:
  /// The one in PATH. Error{usage} naming its package if it is not installed.
  Emulator();

  [[nodiscard]] const std::vector<ModelName>& names() const { return names_; }
  /// CPUID as a program sees it under this model: this program is started under it and asked. Error{usage} for a
  /// model that runs no 64-bit program, Error{measurement} where the emulator fails.
  [[nodiscard]] Model model(const std::string& name) const;
  /// The CPUs (no revisions) that run 64-bit programs.
  [[nodiscard]] std::vector<Model> models() const;
  /// The words in front of a program that is to run under the model. What the emulator lacks is switched off by name,
  /// which changes nothing but that it does not warn of it in the output of every program.
  [[nodiscard]] std::vector<std::string> launcher(const Model& model) const;

 private:
  struct Answer {
    bool ended_well = false;
    std::string text;
  };
  [[nodiscard]] Answer ask(const std::string& name) const;

  std::string program_;
  std::vector<ModelName> names_;
};

/// Error{usage} naming the models that can, where one of them does not have the instructions that the mode asks for.
void demand_mode_runs(const Emulator& emulator, const std::vector<Model>& models, const determinism::KernelMode& mode);

/// The argument, not in the help, with which this program prints the document of this_cpu().
constexpr const char* print_cpu_option = "--print-cpu";

}  // namespace retrial::harness::inline emulator
