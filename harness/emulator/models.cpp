#include "harness/emulator/models.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline emulator {
namespace {

constexpr std::string_view lacking_mark = "doesn't support requested feature: CPUID.";

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// "-v" and a number at the end.
bool is_revision(const std::string& name) {
  const auto mark = name.rfind("-v");
  return mark != std::string::npos && mark + 2 < name.size() &&
         name.find_first_not_of("0123456789", mark + 2) == std::string::npos;
}

std::optional<std::string> nearest_model(const std::string& name, const std::vector<ModelName>& known) {
  std::vector<std::string> lowered;
  for (const auto& model : known) lowered.push_back(lower(model.name));
  const auto near = results::nearest(lower(name), lowered);
  if (!near) return std::nullopt;
  return known[static_cast<std::size_t>(std::ranges::find(lowered, *near) - lowered.begin())].name;
}

void demand_known(const std::string& name, const std::vector<ModelName>& known,
                  const std::function<std::vector<std::string>()>& able) {
  if (std::ranges::find(known, name, &ModelName::name) != known.end()) return;
  const auto near = nearest_model(name, known);
  throw Error({.code = "cpu.unknown",
               .field = "--cpu",
               .value = results::one_line(name, 100),
               .problem = "unknown CPU model",
               .allowed = results::joined(able()),
               .help = (near ? "did you mean " + *near + "? " : "") +
                       std::string("retrial check --cpu list shows vendor and features of each")});
}

}  // namespace

std::vector<ModelName> models_in(const std::string& help) {
  std::vector<ModelName> out;
  std::istringstream lines(help);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (inside && line.find_first_not_of(" \r") == std::string::npos) break;
    if (inside) {
      std::istringstream words(line);
      std::string name;
      words >> name;
      if (name == "x86") words >> name;  // before QEMU 9 each line begins with it
      const bool alias = line.find("(alias of ") != std::string::npos;
      if (!name.empty()) out.push_back({.name = name, .base = !alias && !is_revision(name)});
    }
    inside = inside || line.starts_with("Available CPUs");
  }
  return out;
}

std::vector<std::string> asked_models(const std::vector<std::string>& given, const std::vector<ModelName>& known,
                                      const std::function<std::vector<std::string>()>& able) {
  std::vector<std::string> out;
  for (const auto& name : given) {
    demand_known(name, known, able);
    if (std::ranges::find(out, name) != out.end())
      throw Error({.code = "cpu.twice", .field = "--cpu", .value = name, .problem = "is given twice"});
    out.push_back(name);
  }
  if (out.empty())
    throw Error({.code = "cpu.none",
                 .field = "--cpu",
                 .problem = "names no CPU model",
                 .help = "retrial check --cpu list shows them; for example --cpu Haswell,EPYC-Rome"});
  return out;
}

std::vector<std::string> lacking_in(const std::string& warnings) {
  std::vector<std::string> out;
  std::istringstream lines(warnings);
  for (std::string line; std::getline(lines, line);) {
    const auto mark = line.find(lacking_mark);
    if (mark == std::string::npos) continue;
    const auto begin = line.find('.', mark + lacking_mark.size());
    if (begin == std::string::npos) continue;  // a bit without a name cannot be named to the emulator either
    out.push_back(line.substr(begin + 1, line.find(' ', begin) - begin - 1));
  }
  return out;
}

}  // namespace retrial::harness::inline emulator
