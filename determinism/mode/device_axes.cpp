#include "determinism/mode/device_axes.hpp"

#include <algorithm>
#include <array>

#include "results/json/json.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::determinism::inline mode {
namespace {

/// Names of other programs for what is called cuda here. The nearest by letters would be cpu.
constexpr std::array gpu_names = {"gpu", "nvidia", "cuda:0"};

bool is_gpu_name(const std::string& name) {
  return std::find(gpu_names.begin(), gpu_names.end(), name) != gpu_names.end();
}

const std::vector<std::string>& words_of_axis(const std::string& axis) {
  static const std::map<std::string, std::vector<std::string>> words = {
      {"device", {"cpu", "cuda"}},
      {"workspace", {"4096x8", "16x8", "none"}},
      {"attention", {"math", "flash", "efficient", "cudnn", "any"}},
      {"blas", {"cublas", "cublaslt"}}};
  return words.at(axis);
}

std::string word_of(const std::string& axis, const Json& value, const std::string& where) {
  const auto& words = words_of_axis(axis);
  const std::string word = value.is_string() ? value.get<std::string>() : value.dump();
  if (value.is_string() && std::find(words.begin(), words.end(), word) != words.end()) return word;
  const auto near =
      axis == "device" && is_gpu_name(word) ? std::optional<std::string>("cuda") : results::nearest(word, words);
  throw Error({.code = "mode." + axis,
               .where = where,
               .field = "mode." + axis,
               .value = results::one_line(word, 80),
               .problem = value.is_string() ? "unknown value" : "wrong type",
               .allowed = results::joined(words),
               .help = near ? "did you mean '" + *near + "'?" : ""});
}

/// Nothing where the value is that of the preset, so that one mode has one spelling.
std::optional<std::string> unless_preset(const std::string& word, const std::string& preset) {
  return word == preset ? std::nullopt : std::optional(word);
}

}  // namespace

const std::vector<std::string>& device_axis_names() {
  static const std::vector<std::string> names = {"device", "cudnn", "workspace", "attention", "blas"};
  return names;
}

std::string device_of(const std::string& name, const std::string& where) {
  return word_of("device", name, where);
}

bool names_device(const std::string& name) {
  return name == "cuda" || is_gpu_name(name);
}

void read_device_axes(KernelMode& mode, const Json& table, const std::string& where) {
  const auto given = [&](const char* axis) { return table.contains(axis); };
  const auto word = [&](const char* axis) { return word_of(axis, table.at(axis), where); };
  if (given("device")) mode.device = word("device");
  if (given("blas")) mode.blas = word("blas");
  const KernelMode preset{.deterministic = mode.deterministic};
  if (given("workspace")) mode.workspace = unless_preset(word("workspace"), preset.workspace_in_force());
  if (given("attention")) mode.attention = unless_preset(word("attention"), preset.attention_in_force());
  if (!given("cudnn")) return;
  if (!table.at("cudnn").is_boolean())
    throw Error({.code = "mode.cudnn",
                 .where = where,
                 .field = "mode.cudnn",
                 .value = table.at("cudnn").dump(),
                 .problem = "wrong type",
                 .allowed = "true, false"});
  mode.cudnn = table.at("cudnn").get<bool>();
}

void refuse_gpu_axes_on_cpu(const KernelMode& mode, const Json& table, const std::string& where) {
  if (mode.on_gpu()) return;
  for (const auto& axis : device_axis_names())
    if (axis != "device" && table.contains(axis))
      throw Error({.code = "mode.gpu_axis",
                   .where = where,
                   .field = "mode." + axis,
                   .value = results::one_line(
                       table.at(axis).is_string() ? table.at(axis).get<std::string>() : table.at(axis).dump(), 80),
                   .problem = "chooses kernels of a GPU, and this mode runs on the CPU",
                   .help = "add device = \"cuda\", or omit " + axis});
}

Json device_identity(const KernelMode& mode) {
  Json axes = Json::object();
  if (!mode.on_gpu()) return axes;
  axes["device"] = mode.device;
  if (!mode.cudnn) axes["cudnn"] = false;
  if (mode.workspace) axes["workspace"] = *mode.workspace;
  if (mode.attention) axes["attention"] = *mode.attention;
  if (mode.blas != KernelMode{}.blas) axes["blas"] = mode.blas;
  return axes;
}

}  // namespace retrial::determinism::inline mode
