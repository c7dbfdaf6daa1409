#include "harness/command_line/settings.hpp"

#include <cstdlib>

#include "harness/system/host.hpp"
#include "harness/text/colour.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline command_line {
namespace {

constexpr const char* store_variable = "RETRIAL_DB";
constexpr const char* seed_variable = "RETRIAL_SEED";
constexpr const char* jobs_variable = "RETRIAL_JOBS";

std::optional<std::string> given_in(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr || *value == '\0' ? std::nullopt : std::optional<std::string>(value);
}

Setting from_variable(const char* variable, const std::string& fallback, const std::string& meaning) {
  const auto value = given_in(variable);
  return {variable, value.value_or(fallback), value ? "environment" : "built in", meaning};
}

}  // namespace

std::vector<Setting> settings_in_force() {
  return {
      from_variable(store_variable, "the only *.db in the folder", "default store"),
      from_variable(jobs_variable, "CPUs / threads of the mode", "number of parallel workers (--jobs)"),
      from_variable(seed_variable, "drawn once, printed, stored", "default root seed (--seed)"),
      {"cache", default_cache().empty() ? "none" : default_cache().string(),
       std::getenv("XDG_CACHE_HOME") != nullptr ? "XDG_CACHE_HOME" : "built in",
       "trained networks that trials share; deleting it does not change results"},
      {"colour", colour_on_output() ? "on" : "off", "--color, NO_COLOR, TERM, FORCE_COLOR", "color in text pages"},
      {"width", std::to_string(terminal_width()), std::getenv("COLUMNS") != nullptr ? "COLUMNS" : "terminal, else 100",
       "width of tables and help, in columns"},
  };
}

std::optional<std::filesystem::path> store_setting() {
  return given_in(store_variable);
}

std::optional<std::uint64_t> seed_setting() {
  const auto text = given_in(seed_variable);
  if (!text) return {};
  if (const auto seed = results::parse_u64(*text)) return seed;
  throw Error({.code = "usage.seed",
               .where = seed_variable,
               .value = *text,
               .problem = "not a seed",
               .allowed = "0 to 2^64-1, decimal or 0x and hex digits"});
}

std::optional<int> jobs_setting() {
  const auto text = given_in(jobs_variable);
  if (!text) return {};
  const auto jobs = results::parse_int(*text);
  if (jobs && *jobs >= 1 && *jobs <= 1024) return static_cast<int>(*jobs);
  throw Error({.code = "usage.jobs",
               .where = jobs_variable,
               .value = *text,
               .problem = "not a number of jobs",
               .allowed = "1 to 1024"});
}

}  // namespace retrial::harness::inline command_line
