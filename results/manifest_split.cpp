#include "results/manifest_split.hpp"

#include <algorithm>
#include <array>

#include "results/error.hpp"
#include "results/text.hpp"

namespace retrial::results {
namespace {

constexpr std::array<std::string_view, 5> groups_of_one_trial = {"trial", "randomness", "outcome", "evidence", "volatile"};
constexpr std::size_t longest_delta = 65536;  // CHECK of the column

bool of_one_trial(const std::string& group) {
  return std::find(groups_of_one_trial.begin(), groups_of_one_trial.end(), group) != groups_of_one_trial.end();
}

bool gives_back(const SplitManifest& split, const Json& manifest) {
  return merged(split.base, split.delta) == manifest;
}

}  // namespace

Json merged(const Json& base, const Json& delta) {
  if (!base.is_object() || !delta.is_object()) return delta;
  Json out = base;
  for (const auto& [key, value] : delta.items()) {
    const auto old = out.find(key);
    if (old == out.end()) out[key] = value;
    else *old = merged(*old, value);
  }
  return out;
}

SplitManifest split_manifest(const Json& manifest) {
  if (!manifest.is_object())
    throw Error({.code = "manifest.not_object", .field = "manifest", .value = one_line(printed(manifest), 60),
                 .problem = "is not a JSON object"});
  SplitManifest split{.base = Json::object(), .delta = Json::object()};
  for (const auto& [group, value] : manifest.items()) (of_one_trial(group) ? split.delta : split.base)[group] = value;
  if (!gives_back(split, manifest)) split = {.base = Json::object(), .delta = manifest};
  if (canonical(split.delta).size() > longest_delta) split = {.base = manifest, .delta = Json::object()};
  return split;
}

}  // namespace retrial::results
