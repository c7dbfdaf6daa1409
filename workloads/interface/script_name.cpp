#include "workloads/interface/script_name.hpp"

#include <algorithm>
#include <string_view>

namespace retrial::workloads::inline interface {
namespace {

constexpr std::string_view prefix = "script:";
constexpr std::size_t hex_digits = 64;

}  // namespace

bool names_script(const std::string& value) {
  return value.starts_with(prefix);
}

std::string script_name(const std::string& digest) {
  return std::string(prefix) + digest;
}

std::string script_part(const std::string& value) {
  return value.substr(prefix.size());
}

std::optional<std::string> script_digest(const std::string& value) {
  if (!names_script(value)) return std::nullopt;
  std::string digest = script_part(value);
  const bool hex = digest.find_first_not_of("0123456789abcdef") == std::string::npos;
  return digest.size() == hex_digits && hex ? std::optional(std::move(digest)) : std::nullopt;
}

std::vector<NamedScript> scripts_read(const Declaration& declaration, const Values& values) {
  std::vector<NamedScript> found;
  const auto read = declaration.reads ? declaration.reads(values) : std::vector<std::string>{};
  for (const Parameter& parameter : declaration.parameters) {
    if (!parameter.may_be_script || std::ranges::find(read, parameter.name) == read.end()) continue;
    if (auto digest = script_digest(text_in(values, parameter.name)))
      found.push_back({parameter.name, std::move(*digest)});
  }
  return found;
}

}  // namespace retrial::workloads::inline interface
