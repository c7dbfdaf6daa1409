#include "harness/study/options/key_options.hpp"

#include <algorithm>

#include "harness/study/checks/own_keys.hpp"
#include "harness/study/options/script_options.hpp"
#include "harness/study/options/study_options.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline study::inline options {
namespace {

using workloads::Declaration, workloads::Flag;

bool is_name(const std::string& text) {
  return !text.empty() && text.size() <= 64 && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.';
  });
}

const Flag* flag_of_variants(const Declaration& declaration) {
  const auto& flags = declaration.contributes.flags;
  const auto found = std::ranges::find_if(flags, &Flag::names_variant);
  return found == flags.end() ? nullptr : &*found;
}

/// NAME=TEXT if NAME is one word; a text without a name gets the next letter.
StudyDraft::DraftVariant variant_of(const Flag& flag, const std::string& text, std::size_t place) {
  const auto equals = text.find('=');
  const bool named = equals != std::string::npos && is_name(text.substr(0, equals));
  const std::string name = named ? text.substr(0, equals) : std::string(1, static_cast<char>('a' + place % 26));
  return {.name = name,
          .where = "--" + flag.name,
          .keys = {{flag.key, named ? text.substr(equals + 1) : text, "--" + flag.name + " " + name}}};
}

/// Overrides [set] and the variants' own keys.
void set_key(StudyDraft& draft, StudyDraft::Key key) {
  for (auto& variant : draft.variants)
    std::erase_if(variant.keys, [&](const auto& each) { return each.key == key.key; });
  draft.set.push_back(std::move(key));
}

/// The texts of a repeated option, divided at the first '='.
std::vector<KeyText> keys_of_option(const Arguments& arguments, const std::string& option, const std::string& form,
                                    const std::string& example) {
  std::vector<KeyText> keys;
  for (const auto& text : arguments.values(option)) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      refuse_usage("--" + option + " " + results::one_line(text, 100), "not " + form,
                   "for example --" + option + " " + example);
    const auto key = text.substr(0, equals);
    if (std::ranges::find(keys, key, &KeyText::key) != keys.end())
      refuse_usage("--" + option + " " + results::one_line(text, 100), results::one_line(key, 100) + " is set twice",
                   "leave out one of the two");
    keys.push_back({key, text.substr(equals + 1)});
  }
  return keys;
}

std::string flag_text(const Declaration& declaration, const Flag& flag, const Arguments& arguments) {
  if (!flag.value_name.starts_with('['))
    return flag.value_name.empty() ? flag.value
                                   : results::joined(arguments.values(flag.name), declaration.list_separator);
  const auto names = arguments.list(flag.name);
  return names ? results::joined(*names, declaration.list_separator) : flag.value;
}

void override_from_flags(const Arguments& arguments, const Declaration& declaration, StudyDraft& draft) {
  std::vector<const Flag*> given;
  for (const Flag& flag : declaration.contributes.flags) {
    if (flag.names_variant || !arguments.has(flag.name)) continue;
    const auto same = std::ranges::find(given, flag.key, &Flag::key);
    if (same != given.end())
      refuse_usage("--" + flag.name, "given together with --" + (*same)->name, "use one of them");
    given.push_back(&flag);
    const std::string where = "--" + flag.name;
    const auto text = flag_text(declaration, flag, arguments);
    set_key(draft, {flag.key, workloads::parsed(declaration, flag.key, text, where), where});
  }
}

void refuse_flags_of_others(const Arguments& arguments, const std::string& workload) {
  for (const auto& other : workloads::all_workloads()) {
    if (other.name == workload) continue;
    for (const Flag& flag : other.contributes.flags) {
      if (!arguments.has(flag.name)) continue;
      const Flag* variants = flag_of_variants(other);
      refuse_usage(
          "--" + flag.name,
          "only for the workload " + other.name + (workload.empty() ? "" : ", and this study runs " + workload),
          variants == nullptr ? "" : "use it with --" + variants->name + " '...'");
    }
  }
}

/// A key of the user's own is the text as it was typed.
Value value_of(const Declaration& declaration, const std::string& key, const std::string& text,
               const std::string& where) {
  return is_own_key(declaration, key) ? Value(text) : workloads::parsed(declaration, key, text, where);
}

void override_from_set(const Arguments& arguments, const Declaration& declaration, StudyDraft& draft) {
  for (const auto& [key, text] : keys_set(arguments))
    set_key(draft, {key, value_of(declaration, key, text, "--set"), "--set"});
}

std::vector<std::string> between_commas(const std::string& text) {
  std::vector<std::string> parts{""};
  for (const char c : text) c == ',' ? parts.emplace_back() : parts.back() += c;
  return parts;
}

/// A key that the file's grid has takes these values instead.
void override_grid(const Arguments& arguments, const Declaration& declaration, StudyDraft& draft) {
  for (const auto& [key, text] : keys_of_option(arguments, "grid", "KEY=A,B", "lr=0.1,0.01")) {
    if (text.starts_with('[') && text.ends_with(']'))
      refuse_usage("--grid " + key + "=" + text, "brackets are for study files",
                   "write --grid " + key + "=" + text.substr(1, text.size() - 2));
    StudyDraft::GridKey row{.key = key, .where = "--grid", .levels = {}};
    for (const auto& part : between_commas(text))
      row.levels.push_back({key, value_of(declaration, key, part, "--grid"), "--grid"});
    const auto same = std::ranges::find(draft.grid, key, &StudyDraft::GridKey::key);
    same == draft.grid.end() ? draft.grid.push_back(std::move(row)) : void(*same = std::move(row));
  }
}

/// Makes the paths of this key absolute; true if it has any.
bool locate_key(const std::string& name, const std::filesystem::path& folder, std::vector<StudyDraft::Key>& keys) {
  bool named = false;
  for (auto& key : keys) {
    auto* text = std::get_if<std::string>(&key.value);
    if (key.key != name || text == nullptr || text->empty()) continue;
    *text = (folder / *text).lexically_normal().string();
    named = true;
  }
  return named;
}

/// --data is the value of the data set's key, unless that key was given.
void locate(const Arguments& arguments, const Declaration& declaration, StudyDraft& draft) {
  const auto folder = data_folder(arguments);
  for (const auto& parameter : declaration.parameters) {
    if (parameter.reads != workloads::Reads::place) continue;
    bool named = locate_key(parameter.name, folder, draft.set);
    for (auto& variant : draft.variants) named = locate_key(parameter.name, folder, variant.keys) || named;
    if (!named && parameter.name == declaration.data_key && arguments.has("data"))
      draft.set.push_back({parameter.name, folder.lexically_normal().string(), "--data"});
  }
}

}  // namespace

std::vector<Option> workload_options() {
  std::vector<Option> out;
  for (const auto& declaration : workloads::all_workloads())
    for (const Flag& flag : declaration.contributes.flags)
      out.push_back({.name = flag.name,
                     .value_name = flag.value_name,
                     .meaning = flag.meaning,
                     .repeats = flag.repeats,
                     .heading = "Options of the workload " + declaration.name});
  return out;
}

std::string use_flags() {
  std::string ways;
  for (const auto& declaration : workloads::all_workloads())
    if (const Flag* flag = flag_of_variants(declaration)) ways += ", or use --" + flag->name + " '...'";
  return ways;
}

std::optional<StudyDraft> draft_from_flags(const Arguments& arguments) {
  for (const auto& declaration : workloads::all_workloads()) {
    const Flag* flag = flag_of_variants(declaration);
    if (flag == nullptr || !arguments.has(flag->name)) continue;
    const std::string where = "--" + flag->name;
    if (!arguments.positional.empty())
      refuse_usage(arguments.positional.front(), "given together with " + where,
                   "give a study file or " + where + ", not both");
    StudyDraft draft{.where = where, .workload = declaration.name};
    for (const auto& text : arguments.values(flag->name))
      draft.variants.push_back(variant_of(*flag, text, draft.variants.size()));
    return draft;
  }
  return {};
}

std::vector<KeyText> keys_set(const Arguments& arguments) {
  return keys_of_option(arguments, "set", "KEY=VALUE", "epochs=3");
}

workloads::Folders folders_set(const Arguments& arguments, const std::vector<std::string>& places,
                               const workloads::Declaration* of) {
  workloads::Folders folders;
  for (const auto& [key, text] : keys_set(arguments)) {
    if (of != nullptr && sets_script(*of, key, text)) continue;
    if (std::ranges::find(places, key) == places.end()) {
      const auto near = results::nearest(key, places);
      throw Error({.code = "usage.option_value",
                   .field = "--set",
                   .value = results::one_line(key, 100),
                   .problem = "not a key that names a folder",
                   .allowed = results::joined(places),
                   .help = near ? "did you mean --set " + *near + "=" + results::one_line(text, 100) + "?" : ""});
    }
    folders[key] = (data_folder(arguments) / text).lexically_normal();
  }
  return folders;
}

std::vector<Renamed> spelled_as_options(const std::vector<std::string>& places) {
  std::vector<Renamed> out;
  for (const auto& key : places) out.push_back({option_for(key), "--set " + key + "=DIR"});
  return out;
}

void override_keys(const Arguments& arguments, StudyDraft& draft) {
  refuse_flags_of_others(arguments, draft.workload);
  if (draft.workload.empty() && !arguments.has("set") && !arguments.has("grid"))
    return;  // checked() reports the missing workload
  const auto& declaration = workloads::find_workload(draft.workload, draft.at("workload"));
  override_from_flags(arguments, declaration, draft);
  override_from_set(arguments, declaration, draft);
  override_grid(arguments, declaration, draft);
  locate(arguments, declaration, draft);
  read_scripts(arguments, declaration, draft);
}

}  // namespace retrial::harness::inline study::inline options
