#include "results/record/manifest_split.hpp"

#include <algorithm>
#include <array>

#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::results::inline record {
namespace {

constexpr std::array<std::string_view, 5> groups_of_one_trial = {"trial", "randomness", "outcome", "evidence",
                                                                 "volatile"};
constexpr std::size_t longest_delta = 65536;  // CHECK of the column

bool of_one_trial(const std::string& group) {
  return std::find(groups_of_one_trial.begin(), groups_of_one_trial.end(), group) != groups_of_one_trial.end();
}

}  // namespace

Json merged(const Json& base, const Json& delta) {
  if (!base.is_object() || !delta.is_object()) return delta;
  Json out = base;
  for (const auto& [key, value] : delta.items()) {
    const auto old = out.find(key);
    if (old == out.end())
      out[key] = value;
    else
      *old = merged(*old, value);
  }
  return out;
}

SplitManifest split_manifest(const Json& manifest) {
  if (!manifest.is_object())
    throw Error({.code = "manifest.not_object",
                 .field = "manifest",
                 .value = one_line(printed(manifest), 60),
                 .problem = "is not a JSON object"});
  SplitManifest split{.base = Json::object(), .delta = delta_of(manifest)};
  if (!fits(canonical(split.delta))) return {.base = manifest, .delta = Json::object()};
  for (const auto& [group, value] : manifest.items())
    if (!of_one_trial(group)) split.base[group] = value;
  return split;
}

Json delta_of(const Json& manifest) {
  Json delta = Json::object();
  for (const std::string_view group : groups_of_one_trial)
    if (const auto found = manifest.find(group); found != manifest.end()) delta[std::string(group)] = *found;
  return delta;
}

bool fits(const std::string& delta) {
  return delta.size() <= longest_delta;
}

bool has_base(const Json& manifest, const Json& base) {
  if (!manifest.is_object() || !base.is_object()) return false;
  std::size_t shared = 0;
  for (const auto& [group, value] : manifest.items()) {
    if (of_one_trial(group)) continue;
    const auto found = base.find(group);
    if (found == base.end() || *found != value) return false;
    ++shared;
  }
  return shared == base.size();
}

}  // namespace retrial::results::inline record
