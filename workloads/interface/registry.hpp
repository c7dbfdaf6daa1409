#pragma once

#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "workloads/interface/declaration.hpp"
#include "workloads/interface/trial/run.hpp"

namespace retrial::workloads::inline interface {

/// Registers itself when constructed at namespace scope:
///     const Register declared{declaration()};
/// The libraries of this folder are OBJECT libraries, because a linker drops unreferenced objects of a static one.
struct Register {
  explicit Register(Declaration declaration);
};
/// The failure that an exception of a library means, by its text; nothing: an ordinary exception.
using Explains = std::function<std::optional<TrialFailure>(const std::exception&)>;

/// The same for the function that starts a run (worker only): const RegisterStart started{"null", start};
struct RegisterStart {
  RegisterStart(std::string workload, Start start, Explains explains = {});
};
/// The same for the function that answers the probes a declaration lists (worker only).
struct RegisterProbe {
  RegisterProbe(std::string workload, Probe probe);
};

/// Sorted by name. Duplicate names and declarations that contradict themselves are collected during registration
/// and thrown here, all at once, as std::logic_error.
[[nodiscard]] const std::vector<Declaration>& all_workloads();
/// Null for a name that no workload has.
[[nodiscard]] const Declaration* workload_if_known(const std::string& name);
/// Throws Error{usage} with the nearest name.
[[nodiscard]] const Declaration& find_workload(const std::string& name, const std::string& where);
/// Throws TrialFailure("workload.not_built") if this program was built without the code that runs it.
[[nodiscard]] const Start& find_start(const std::string& name);
/// The workload's explanation of an exception of its run; nothing if it has none.
[[nodiscard]] std::optional<TrialFailure> explanation(const std::string& workload, const std::exception& error);
/// find_start for probes.
[[nodiscard]] const Probe& find_probe(const std::string& name);

}  // namespace retrial::workloads::inline interface
