#pragma once

#include <string>
#include <vector>

#include "determinism/mode/kernel_mode.hpp"

namespace retrial::determinism::inline mode {

/// The axes of a kernel mode that say where tensors are and which kernels a GPU runs: device, cudnn, workspace,
/// attention, blas.
[[nodiscard]] const std::vector<std::string>& device_axis_names();

/// "cpu" or "cuda". Throws Error{usage} for another name; for "gpu" it suggests "cuda".
[[nodiscard]] std::string device_of(const std::string& name, const std::string& where);
/// True for what people call a device of ours, "gpu" among them.
[[nodiscard]] bool names_device(const std::string& name);

/// Reads the axes that the table has; the switch `deterministic` must be read before, since it decides the defaults.
/// Throws Error{usage} for a wrong value, with the allowed and the nearest one.
void read_device_axes(KernelMode& mode, const Json& table, const std::string& where);
/// Throws Error{usage} if the table has an axis of a GPU and the mode is one of the CPU.
void refuse_gpu_axes_on_cpu(const KernelMode& mode, const Json& table, const std::string& where);

/// The axes as they enter an identity: those that differ from a mode of the CPU, so none for it.
[[nodiscard]] Json device_identity(const KernelMode& mode);

}  // namespace retrial::determinism::inline mode
