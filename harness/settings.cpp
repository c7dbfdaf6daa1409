#include "harness/settings.hpp"

#include <cstdlib>

#include "harness/host.hpp"
#include "harness/terminal.hpp"

namespace retrial::harness {
namespace {

Setting from_variable(const char* variable, const std::string& fallback, const std::string& meaning) {
  const char* value = std::getenv(variable);
  const bool given = value != nullptr && *value != '\0';
  return {variable, given ? value : fallback, given ? "environment" : "built in", meaning};
}

}  // namespace

std::vector<Setting> settings_in_force() {
  return {
      from_variable("RETRIAL_DB", "the only *.db of the folder", "the store of a reading command that names none"),
      from_variable("RETRIAL_JOBS", "CPUs / threads of the mode", "workers side by side (--jobs)"),
      from_variable("RETRIAL_SEED", "drawn once, printed, stored", "root seed of a study that gives none (--seed)"),
      {"cache", default_cache().string(), std::getenv("XDG_CACHE_HOME") != nullptr ? "XDG_CACHE_HOME" : "built in",
       "trained teachers; deleting it changes no result"},
      {"colour", colour_on_output() ? "on" : "off", "--color, NO_COLOR, TERM, FORCE_COLOR", "emphasis in text pages"},
      {"width", std::to_string(terminal_width()), std::getenv("COLUMNS") != nullptr ? "COLUMNS" : "terminal, else 100",
       "columns of tables and help"},
  };
}

}  // namespace retrial::harness
