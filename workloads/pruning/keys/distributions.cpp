#include "workloads/pruning/keys/distributions.hpp"

#include <algorithm>

#include "results/json/json.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "variance/numbers/error.hpp"
#include "workloads/data/corrupt/corrupt.hpp"
#include "workloads/data/corrupt/mix.hpp"
#include "workloads/data/corrupt/shift.hpp"
#include "workloads/interface/trial/split.hpp"

namespace retrial::pruning::inline keys {
namespace {

bool is_shift(const std::string& name) {
  const auto names = corrupt::shift_names();
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_official(const Values& values) {
  return text_in(values, "corruptions") == "official";
}

std::vector<std::string> official_names() {
  std::vector<std::string> names;
  for (const corrupt::Corruption& corruption : corrupt::table()) names.push_back(corruption.name);
  return names;
}

void require_makeable(const corrupt::Corruption& corruption) {
  if (!corruption.needs_folder()) corrupt::require_available(corruption);
}

/// Error for a corruption that this program cannot make, whatever files exist; InvalidInput for an unknown name, with
/// the nearest one.
void require_known(const std::string& name) {
  if (is_shift(name)) return;
  std::vector<std::string> known = official_names();
  if (std::find(known.begin(), known.end(), name) != known.end()) return require_makeable(corrupt::find(name));
  for (const std::string& shift : corrupt::shift_names()) known.push_back(shift);
  std::sort(known.begin(), known.end());
  for (const char* word : {"default", "portable", "official", "mix2", "none"}) known.emplace_back(word);
  const auto near = results::nearest(name, known);
  throw InvalidInput("corruptions", name, results::joined(known) + (near ? "; did you mean \"" + *near + "\"?" : ""));
}

/// Includes those that need photographs, whether these exist or not.
std::vector<std::string> makeable(std::vector<std::string> names) {
  std::erase_if(names, [](const std::string& name) {
    const corrupt::Corruption& row = corrupt::find(name);
    return row.op == nullptr && !row.needs_folder();
  });
  return names;
}

std::vector<std::string> names_of(const Values& values) {
  const std::string& list = text_in(values, "corruptions");
  const bool small = text_in(values, "dataset") == "digits";
  if (list == "none") return {};
  if (list == "default") return small ? corrupt::shift_names() : corrupt::portable();
  if (list == "portable") return corrupt::portable();
  if (is_official(values)) return official_names();
  if (list == "mix2") return makeable(corrupt::mix2());
  std::vector<std::string> names = workloads::split(list, ',', " ");
  for (const std::string& name : names) require_known(name);
  return names;
}

std::vector<int> severities_of(const std::string& list) {
  std::vector<int> severities;
  for (const std::string& item : workloads::split(list, ',', " ")) {
    const auto severity = results::parse_int(item);
    if (!severity || *severity < 1 || *severity > 5) throw InvalidInput("severities", item, "1..5");
    if (std::find(severities.begin(), severities.end(), *severity) != severities.end())
      throw InvalidInput("severities", item + " is repeated", "each of 1..5 once");
    severities.push_back(static_cast<int>(*severity));
  }
  return severities;
}

/// Names of metrics contain them, and contrast at severity 1 (of 1, 2) would have the name of the shift contrast_1.
void require_distinct(const std::vector<Distribution>& all) {
  for (auto one = all.begin(); one != all.end(); ++one)
    if (std::any_of(all.begin(), one, [&](const Distribution& earlier) { return earlier.name == one->name; }))
      throw InvalidInput("corruptions", one->name + " is repeated", "each distribution once");
}

}  // namespace

std::vector<Distribution> distributions_of(const Values& values) {
  using Kind = Distribution::Kind;
  std::vector<Distribution> all{{.kind = Kind::plain, .name = nominal, .corruption = "", .severity = 0}};
  const std::vector<int> severities = severities_of(text_in(values, "severities"));
  for (const std::string& name : names_of(values)) {
    if (is_shift(name) && !is_official(values)) {
      all.push_back({.kind = Kind::shift, .name = name, .corruption = "", .severity = 0});
      continue;
    }
    for (const int severity : severities)
      all.push_back({.kind = is_official(values) ? Kind::official : Kind::corruption,
                     .name = severities.size() == 1 ? name : name + "_" + std::to_string(severity),
                     .corruption = name,
                     .severity = severity});
  }
  require_distinct(all);
  return all;
}

bool needs_textures(const Distribution& distribution) {
  return distribution.kind == Distribution::Kind::corruption && corrupt::find(distribution.corruption).needs_folder();
}

bool wants_textures(const Values& values) {
  const auto all = distributions_of(values);
  return std::any_of(all.begin(), all.end(), needs_textures);
}

std::shared_ptr<const corrupt::Textures> textures_of(const Values& values) {
  if (!wants_textures(values)) return nullptr;
  return corrupt::load_textures(text_in(values, "frost_dir"));
}

std::vector<std::string> distribution_names(const Values& values) {
  std::vector<std::string> names;
  for (const Distribution& distribution : distributions_of(values)) names.push_back(distribution.name);
  return names;
}

Json distribution_document(const Values& values) {
  const std::vector<Distribution> all = distributions_of(values);
  const auto has = [&](Distribution::Kind kind) {
    return std::any_of(all.begin(), all.end(), [&](const Distribution& one) { return one.kind == kind; });
  };
  const bool trained = text_in(values, "augment").ends_with("mix1");
  const Json made = has(Distribution::Kind::corruption) ? Json(corrupt::table_name) : Json();
  return {{"names", distribution_names(values)},
          {"severities", severities_of(text_in(values, "severities"))},
          {"tested_by", has(Distribution::Kind::official) ? Json("CIFAR-10-C") : made},
          {"trained_by", trained ? Json(corrupt::table_name) : Json()}};
}

std::vector<std::string> distribution_notes(const Values& values, const data::Shape& shape) {
  std::vector<std::string> notes;
  if (text_in(values, "corruptions") == "mix2")
    for (const std::string& name : corrupt::usable(corrupt::mix2()).left_out)
      if (!corrupt::find(name).needs_folder())
        notes.push_back("corruptions = mix2: " + name + " is not available in this program and is left out");
  for (const Distribution& distribution : distributions_of(values)) {
    if (distribution.kind != Distribution::Kind::corruption) continue;
    std::string note = corrupt::note_on(corrupt::find(distribution.corruption), shape);
    if (!note.empty() && std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(std::move(note));
  }
  return notes;
}

}  // namespace retrial::pruning::inline keys
