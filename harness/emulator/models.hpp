#pragma once

#include <functional>
#include <string>
#include <vector>

namespace retrial::harness::inline emulator {

/// A name that `qemu-x86_64 -cpu` takes.
struct ModelName {
  std::string name;
  /// True for the name of a CPU, false for one of its revisions (Haswell-v3, Haswell-noTSX).
  bool base = false;
};

/// The names in the output of `qemu-x86_64 -cpu help`, in its order.
[[nodiscard]] std::vector<ModelName> models_in(const std::string& help);

/// The names that --cpu gives, in order. Error{usage} for an unknown one (with the nearest, whatever its case), for one
/// given twice, and for none. `able`: the names to offer in place of an unknown one; asked only then.
[[nodiscard]] std::vector<std::string> asked_models(const std::vector<std::string>& given,
                                                    const std::vector<ModelName>& known,
                                                    const std::function<std::vector<std::string>()>& able);

/// The features that the emulator says it lacks, by the names that its option -cpu takes: "avx512f" of the line
/// "qemu-x86_64: warning: TCG doesn't support requested feature: CPUID.07H:EBX.avx512f [bit 16]".
[[nodiscard]] std::vector<std::string> lacking_in(const std::string& warnings);

}  // namespace retrial::harness::inline emulator
