#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "determinism/manifest/manifest.hpp"
#include "results/json/json.hpp"

namespace retrial::determinism::inline manifest {
namespace {

constexpr const char* not_recorded = "not_recorded";

struct Group {
  std::string_view name;
  FieldClass kind;
  int rank;  ///< order of explanatory fields, most specific first
};
constexpr std::array groups = {
    Group{"randomness", FieldClass::explanatory, 0}, Group{"inputs", FieldClass::explanatory, 1},
    Group{"numeric", FieldClass::explanatory, 2},    Group{"program", FieldClass::explanatory, 3},
    Group{"libraries", FieldClass::explanatory, 3},  Group{"trial", FieldClass::explanatory, 3},
    Group{"schema", FieldClass::explanatory, 3},     Group{"machine", FieldClass::explanatory, 4},
    Group{"volatile", FieldClass::volatile_, 5},     Group{"outcome", FieldClass::evidence, 5},
    Group{"evidence", FieldClass::evidence, 5}};
// An undeclared group explains nothing; otherwise an unknown field could hide a violation.
constexpr Group unknown_group{"", FieldClass::evidence, 5};

// Only machine fields that decide the choice of kernels. A kernel release or a governor differs between any two
// machines and cannot change a bit; if it counted, every violation between two machines would look explained.
constexpr std::array machine_fields = {"machine.cpu_model", "machine.cpu_stepping", "machine.cpu_flags",
                                       "machine.microcode", "machine.cpu_cores",    "machine.affinity",
                                       "machine.libc",      "machine.gpus",         "machine.gpu_driver"};
// The identity is a digest of fields that are themselves in the manifest, and the command line is made of them.
constexpr std::array trial_ids = {"trial.replicate", "trial.attempt", "trial.identity", "trial.parents", "trial.argv"};
// How files were traced changes none of them.
constexpr std::array program_remarks = {"program.imports", "program.unseen_files", "program.written_files"};
constexpr std::array learned_files = {"program.modules", "program.read_files"};

const Group& group_of(const std::string& path) {
  const std::string_view name = std::string_view(path).substr(0, path.find_first_of(".["));
  const auto found = std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return g.name == name; });
  return found == groups.end() ? unknown_group : *found;
}

bool below(const std::string& path, std::string_view field) {
  return path.starts_with(field) &&
         (path.size() == field.size() || path[field.size()] == '.' || path[field.size()] == '[');
}
bool below_any(const std::string& path, const auto& fields) {
  return std::any_of(fields.begin(), fields.end(), [&](const char* field) { return below(path, field); });
}

using Leaves = std::map<std::string, std::string>;

void collect(const Json& node, const std::string& path, Leaves& leaves) {
  if (node.is_object() && !node.empty()) {
    for (const auto& [key, value] : node.items()) collect(value, path.empty() ? key : path + "." + key, leaves);
  } else if (node.is_array() && !node.empty()) {
    for (std::size_t i = 0; i < node.size(); ++i) collect(node[i], path + "[" + std::to_string(i) + "]", leaves);
  } else {
    leaves[path] =
        node.is_string() ? node.get<std::string>() : node.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
}

std::string value_of(const Leaves& leaves, const std::string& path) {
  const auto found = leaves.find(path);
  return found == leaves.end() ? not_recorded : found->second;
}

std::vector<FieldDifference> differences(const Json& a, const Json& b) {
  Leaves left, right;
  collect(a, "", left);
  collect(b, "", right);
  std::set<std::string> paths;
  for (const Leaves* side : {&left, &right})
    for (const auto& [path, value] : *side) paths.insert(path);
  std::vector<FieldDifference> found;
  for (const std::string& path : paths)
    if (!left.contains(path) || !right.contains(path) || left[path] != right[path])
      found.push_back({path, value_of(left, path), value_of(right, path), class_of(path)});
  // Files are learned as trials use them: one that only later trials list may have been used before.
  for (auto& difference : found)
    if (below_any(difference.path, learned_files) && (difference.a == not_recorded || difference.b == not_recorded))
      difference.kind = FieldClass::evidence;
  return found;
}

bool claims_determinism(const Json& manifest) {
  static const Json::json_pointer place("/numeric/requested/deterministic");
  return manifest.is_object() && manifest.contains(place) && manifest.at(place) == Json(true);
}

}  // namespace

FieldClass class_of(const std::string& path) {
  const Group& group = group_of(path);
  if (group.name == "machine") return below_any(path, machine_fields) ? FieldClass::explanatory : FieldClass::evidence;
  if (group.name == "trial" && below_any(path, trial_ids)) return FieldClass::volatile_;
  if (group.name == "program" && below_any(path, program_remarks)) return FieldClass::evidence;
  return group.kind;
}

Explanation diff_manifests(const Json& a, const Json& b, bool digests_equal) {
  Explanation result;
  for (FieldDifference& difference : differences(a, b))
    (difference.kind == FieldClass::explanatory ? result.explanatory : result.others).push_back(std::move(difference));
  std::stable_sort(result.explanatory.begin(), result.explanatory.end(),
                   [](const auto& x, const auto& y) { return group_of(x.path).rank < group_of(y.path).rank; });
  if (digests_equal) {
    result.verdict = "same_bits";
  } else if (!result.explanatory.empty()) {
    result.verdict = "explained_by";
  } else {
    result.verdict = "unexplained";
    result.label = claims_determinism(a) && claims_determinism(b) ? "violation" : "permitted";
  }
  return result;
}

}  // namespace retrial::determinism::inline manifest
