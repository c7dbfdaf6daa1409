#include "determinism/mode/kernel_mode.hpp"

#include <algorithm>
#include <limits>

#include "determinism/mode/device_axes.hpp"
#include "results/json/json.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::determinism::inline mode {
namespace {

struct SwitchAxis {
  const char* name;
  bool KernelMode::*field;
};
constexpr SwitchAxis switch_axes[] = {{"deterministic", &KernelMode::deterministic},
                                      {"onednn", &KernelMode::onednn},
                                      {"tf32", &KernelMode::tf32},
                                      {"fused", &KernelMode::fused},
                                      {"autotune", &KernelMode::autotune},
                                      {"portable", &KernelMode::portable}};

const std::vector<std::string>& axis_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all = {"deterministic", "threads", "isa",      "onednn",
                                    "tf32",          "fused",   "autotune", "portable"};
    all.insert(all.end(), device_axis_names().begin(), device_axis_names().end());
    return all;
  }();
  return names;
}

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const ModePreset& preset : mode_presets()) names.push_back(preset.name);
  return names;
}

std::string did_you_mean(const std::string& name, const std::vector<std::string>& candidates) {
  const auto near = results::nearest(name, candidates);
  return near ? "did you mean '" + *near + "'?" : "";
}

[[noreturn]] void wrong_type(const std::string& where, const std::string& axis, const Json& value,
                             const std::string& allowed) {
  throw Error({.code = "mode.wrong_type",
               .where = where,
               .field = "mode." + axis,
               .value = value.dump(),
               .problem = "wrong type",
               .allowed = allowed});
}

void refuse_unknown_axes(const Json& table, const std::string& where) {
  for (const auto& [key, value] : table.items())
    if (std::find(axis_names().begin(), axis_names().end(), key) == axis_names().end())
      throw Error({.code = "mode.unknown_axis",
                   .where = where,
                   .field = "mode." + key,
                   .value = value.dump(),
                   .problem = "unknown axis",
                   .allowed = results::joined(axis_names()),
                   .help = did_you_mean(key, axis_names())});
}

int threads_of(const Json& value, const std::string& where) {
  const std::string allowed = "an integer >= 1";
  if (!value.is_number_integer()) wrong_type(where, "threads", value, allowed);
  const bool too_large = value.is_number_unsigned() ? value.get<std::uint64_t>() > std::numeric_limits<int>::max()
                                                    : value.get<std::int64_t>() > std::numeric_limits<int>::max();
  if (too_large || value.get<std::int64_t>() < 1)
    throw Error({.code = "mode.threads",
                 .where = where,
                 .field = "mode.threads",
                 .value = value.dump(),
                 .problem = "out of range",
                 .allowed = allowed});
  return value.get<int>();
}

std::string isa_of(const Json& value, const std::string& where) {
  if (!value.is_string()) wrong_type(where, "isa", value, results::joined(isa_names()));
  auto name = value.get<std::string>();
  if (std::find(isa_names().begin(), isa_names().end(), name) == isa_names().end())
    throw Error({.code = "mode.unknown_isa",
                 .where = where,
                 .field = "mode.isa",
                 .value = name,
                 .problem = "unknown instruction set",
                 .allowed = results::joined(isa_names()),
                 .help = did_you_mean(name, isa_names())});
  return name;
}

void read_axes(KernelMode& mode, const Json& table, const std::string& where) {
  for (const SwitchAxis& axis : switch_axes) {
    const auto found = table.find(axis.name);
    if (found == table.end()) continue;
    if (!found->is_boolean()) wrong_type(where, axis.name, *found, "true, false");
    mode.*axis.field = found->get<bool>();
  }
  if (table.contains("threads")) mode.threads = threads_of(table["threads"], where);
  if (table.contains("isa")) mode.isa = isa_of(table["isa"], where);
  read_device_axes(mode, table, where);
}

/// Refuses axes that would make the bits depend on the machine again.
void demand_portable_axes(const KernelMode& mode, const std::string& where) {
  const KernelMode fixed;
  const auto demand = [&](bool as_fixed, const std::string& axis, const std::string& value,
                          const std::string& allowed) {
    if (!as_fixed)
      throw Error({.code = "mode.portable",
                   .where = where,
                   .field = "mode." + axis,
                   .value = value,
                   .problem = "contradicts portable = true",
                   .allowed = allowed,
                   .help = "omit it, or omit portable"});
  };
  for (const SwitchAxis& axis : switch_axes)
    if (std::string(axis.name) != "portable" && std::string(axis.name) != "onednn")
      demand(mode.*axis.field == fixed.*axis.field, axis.name, mode.*axis.field ? "true" : "false",
             fixed.*axis.field ? "true" : "false");
  demand(mode.threads == fixed.threads, "threads", std::to_string(mode.threads), std::to_string(fixed.threads));
  demand(mode.isa == fixed.isa, "isa", mode.isa, fixed.isa);
  demand(mode.device == fixed.device, "device", mode.device, fixed.device);
}

/// "cuda" of "deterministic,cuda".
void set_device(KernelMode& mode, const std::string& device, const std::string& where) {
  mode.device = device_of(device, where);
  if (mode.on_gpu() && mode.inherit())
    throw Error({.code = "mode.inherit_device",
                 .where = where,
                 .field = "mode.device",
                 .value = mode.device,
                 .problem = "contradicts mode inherit, which sets nothing",
                 .allowed = "deterministic, nondeterministic, nondeterministic+autotune"});
  if (mode.portable) demand_portable_axes(mode, where);
}

std::string preset_of(const KernelMode& mode) {
  if (mode.portable) return "portable";
  if (mode.deterministic) return "deterministic";
  return mode.autotune ? "nondeterministic+autotune" : "nondeterministic";
}

const ModePreset* find_preset(const std::string& name) {
  const auto& all = mode_presets();
  const auto found = std::find_if(all.begin(), all.end(), [&](const ModePreset& p) { return p.name == name; });
  return found == all.end() ? nullptr : &*found;
}

std::string axis_text(const std::string& name, const Json& value) {
  if (value.is_boolean()) return (value.get<bool>() ? "" : "no ") + name;
  if (value.is_string()) return name + " " + value.get<std::string>();
  return name + " " + value.dump();
}

}  // namespace

const std::vector<ModePreset>& mode_presets() {
  static const std::vector<ModePreset> presets = {
      {"deterministic",
       "only deterministic kernels, 1 thread, AVX2, IEEE float32; runs are bit-identical",
       {.preset = "deterministic"}},
      {"portable",
       "as deterministic, and bit-identical on every x86-64 CPU with AVX2; own matrix products and roots",
       {.preset = "portable", .portable = true}},
      {"nondeterministic",
       "kernels chosen by the library; threads, instruction set and precision as in deterministic",
       {.preset = "nondeterministic", .deterministic = false}},
      {"nondeterministic+autotune",
       "as nondeterministic, and cuDNN may choose algorithms by timing them",
       {.preset = "nondeterministic+autotune", .deterministic = false, .autotune = true}},
      {"inherit", "changes nothing and compares nothing; everything is recorded", {.preset = "inherit"}},
  };
  return presets;
}

void require_available(const KernelMode& mode, const std::string& where, const HostCpu& host) {
  if (mode.inherit()) return;
  if (mode.threads < 1 || mode.threads > host.cores)
    throw Error({.code = "mode.threads",
                 .where = where,
                 .field = "mode.threads",
                 .value = std::to_string(mode.threads),
                 .problem = "out of range",
                 .allowed = "1 to " + std::to_string(host.cores) + ", the cores of the affinity mask"});
  if (std::find(host.isas.begin(), host.isas.end(), mode.isa) == host.isas.end())
    throw Error({.code = "mode.isa",
                 .where = where,
                 .field = "mode.isa",
                 .value = mode.isa,
                 .problem = mode.portable
                                ? "not available on this CPU, and mode portable needs it: its kernels are those "
                                  "that all CPUs with AVX2 run alike"
                                : "not available on this CPU",
                 .allowed = results::joined(host.isas)});
}

KernelMode mode_from_name(const std::string& name, const std::string& where, const HostCpu& host) {
  const auto comma = name.find(',');
  const ModePreset* preset = find_preset(name.substr(0, comma));
  if (!preset)
    throw Error({.code = "mode.unknown_preset",
                 .where = where,
                 .field = "mode",
                 .value = name,
                 .problem = "unknown kernel mode",
                 .allowed = results::joined(preset_names()),
                 .help = names_device(name) ? "did you mean 'deterministic,cuda'?"
                                            : did_you_mean(name.substr(0, comma), preset_names())});
  KernelMode mode = preset->mode;
  if (comma != name.npos) set_device(mode, name.substr(comma + 1), where);
  require_available(mode, where, host);
  return mode;
}

KernelMode mode_from_json(const Json& table, const std::string& where, const HostCpu& host) {
  if (table.is_string()) return mode_from_name(table.get<std::string>(), where, host);
  if (!table.is_object())
    throw Error({.code = "mode.wrong_type",
                 .where = where,
                 .field = "mode",
                 .value = table.dump(),
                 .problem = "wrong type",
                 .allowed = "a name (" + results::joined(preset_names()) + ") or a table"});
  refuse_unknown_axes(table, where);
  KernelMode mode;
  read_axes(mode, table, where);
  if (mode.autotune && mode.deterministic)
    throw Error({.code = "mode.autotune",
                 .where = where,
                 .field = "mode.autotune",
                 .value = "true",
                 .problem = "contradicts deterministic = true",
                 .allowed = "false",
                 .help = "set deterministic = false, or omit autotune"});
  refuse_gpu_axes_on_cpu(mode, table, where);
  if (mode.portable) demand_portable_axes(mode, where);
  mode.preset = preset_of(mode);
  require_available(mode, where, host);
  return mode;
}

Json identity_axes(const KernelMode& mode) {
  const bool known = !mode.inherit();
  const auto axis = [&](auto value) { return known ? Json(value) : Json(nullptr); };
  Json axes = {{"deterministic", axis(mode.deterministic)},
               {"threads", axis(mode.threads)},
               {"isa", axis(mode.isa)},
               {"onednn", axis(mode.onednn)},
               {"tf32", axis(mode.tf32)},
               {"fused", axis(mode.fused)}};
  if (known && mode.autotune) axes["autotune"] = true;
  if (known && mode.portable) axes["portable"] = true;
  axes.update(device_identity(mode));
  return axes;
}

Json mode_document(const KernelMode& mode) {
  Json document = {{"preset", mode.preset}};
  if (mode.inherit()) return document;
  document.update(identity_axes(mode));
  return document;
}

KernelMode mode_from_document(const Json& document) {
  const std::string where = "kernel mode document";
  if (!document.is_object() || !document.contains("preset") || !document["preset"].is_string())
    throw Error({.exit = Exit::integrity,
                 .code = "mode.document",
                 .where = where,
                 .field = "preset",
                 .problem = "missing",
                 .allowed = results::joined(preset_names())});
  KernelMode mode = mode_from_name(document["preset"].get<std::string>(), where, any_host());
  if (mode.inherit()) return mode;
  Json axes = document;
  axes.erase("preset");
  refuse_unknown_axes(axes, where);
  read_axes(mode, axes, where);
  return mode;
}

std::string mode_text(const Json& document) {
  if (!document.is_object()) return "unknown";
  const std::string preset = document.value("preset", "deterministic");
  if (preset == "inherit") return "inherit: nothing set, nothing cleared";
  std::vector<std::string> axes;
  std::vector<std::string> shown = {"threads", "isa", "onednn", "tf32", "fused", "autotune"};
  shown.insert(shown.end(), device_axis_names().begin(), device_axis_names().end());
  for (const std::string& name : shown)
    if (document.contains(name) && !document.at(name).is_null()) axes.push_back(axis_text(name, document.at(name)));
  return preset + ": " + results::joined(axes);
}

}  // namespace retrial::determinism::inline mode
