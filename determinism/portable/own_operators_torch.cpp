#include "determinism/portable/own_operators.hpp"

#include <memory>
#include <string>

#include "determinism/portable/registered_torch.hpp"
#include "determinism/portable/replaced.hpp"
#include "results/text/error.hpp"

namespace retrial::determinism::inline portable {
namespace {

/// The library warns of every override, and this one is meant.
class Silence : public c10::WarningHandler {
  void process(const c10::Warning&) override {}
};

std::string_view reason_of(std::string_view schema_name) {
  std::string_view name = schema_name.substr(std::string_view("aten::").size());
  if (name.ends_with('_')) name.remove_suffix(1);
  for (const RefusedOperator& row : refused_operators)
    if (row.name == name) return row.reason;
  return "";
}

void refuse(const c10::OperatorHandle& called, torch::jit::Stack*) {
  const std::string& name = called.schema().name();
  throw Error({.exit = Exit::measurement,
               .code = "mode.operator",
               .where = "kernel mode portable",
               .field = "operator",
               .value = name,
               .problem = "its bits depend on the CPU: " + std::string(reason_of(name)),
               .help = "compute it from other operators, or use mode = \"deterministic\""});
}

void add_refusals(torch::Library& library) {
  for (const RefusedOperator& row : refused_operators)
    for (const char* form : {"", "_", ".out"})
      library.impl((std::string(row.name) + form).c_str(), torch::CppFunction::makeFromBoxedFunction<&refuse>());
}

}  // namespace

void use_own_operators(bool on) {
  static std::unique_ptr<torch::Library> own;
  if (on == (own != nullptr)) return;
  own.reset();
  if (!on) return;
  Silence silence;
  const c10::WarningUtils::WarningHandlerGuard guard(&silence);
  own = std::make_unique<torch::Library>(torch::Library::IMPL, "aten", c10::DispatchKey::CPU, __FILE__, __LINE__);
  add_elementwise(*own);
  add_products(*own);
  add_refusals(*own);
}

}  // namespace retrial::determinism::inline portable
