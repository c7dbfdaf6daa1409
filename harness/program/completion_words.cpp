#include "harness/program/completion_words.hpp"

#include <algorithm>
#include <filesystem>

#include "determinism/mode/kernel_mode.hpp"
#include "harness/catalogue/catalogue.hpp"
#include "harness/plan/trial_name.hpp"
#include "harness/stored/plan_state.hpp"
#include "harness/stored/store_choice.hpp"
#include "harness/stored/stored_study.hpp"
#include "harness/study/file/study_file.hpp"
#include "results/text/text.hpp"
#include "variance/reproduce/reproduce.hpp"
#include "workloads/data/corrupt/corrupt.hpp"
#include "workloads/data/sets/registry.hpp"
#include "workloads/interface/formula.hpp"
#include "workloads/interface/registry.hpp"
#include "workloads/published/table.hpp"

namespace retrial::harness::inline program {
namespace {

namespace fs = std::filesystem;
using Candidates = std::vector<Candidate>;

/// Files in the folder that the word names; without endings all of them. Folders are always offered, to be continued.
Candidates files(const HalfLine& line, const std::vector<std::string>& endings) {
  const auto cut = line.word.rfind('/');
  const std::string folder = cut == std::string::npos ? "" : line.word.substr(0, cut + 1);
  Candidates out;
  std::error_code ignored;
  for (fs::directory_iterator at(folder.empty() ? "." : folder, ignored), end; !ignored && at != end;
       at.increment(ignored)) {
    const std::string name = at->path().filename().string();
    std::error_code unknown;
    const bool hidden = name.starts_with('.') && line.word.substr(folder.size()).empty();
    const bool fits = endings.empty() || std::any_of(endings.begin(), endings.end(),
                                                     [&](const std::string& ending) { return name.ends_with(ending); });
    if (at->is_directory(unknown) && !hidden)
      out.push_back({folder + name + "/", "folder"});
    else if (fits && !hidden)
      out.push_back({folder + name, ""});
  }
  return out;
}

Candidates any_file(const HalfLine& line) {
  return files(line, {});
}
Candidates folders(const HalfLine& line) {
  return files(line, {"/"});  // no file name contains a slash
}
Candidates stores(const HalfLine& line) {
  return files(line, {".db"});
}

Candidates workload_names(const HalfLine&) {
  Candidates out;
  for (const auto& workload : workloads::all_workloads()) out.push_back({workload.name, workload.summary});
  return out;
}

/// A second store follows a first one.
Candidates further_stores(const HalfLine& line) {
  return line.positional.empty() ? Candidates{} : stores(line);
}

Candidates studies_and_workloads(const HalfLine& line) {
  Candidates out = files(line, {".toml"});
  for (auto& workload : workload_names(line)) out.push_back(std::move(workload));
  return out;
}

Candidates topics(const HalfLine&) {
  Candidates out;
  for (const Topic& topic : all_topics()) out.push_back({topic.name, topic.meaning});
  return out;
}

Candidates reproductions(const HalfLine&) {
  Candidates out;
  for (const auto& row : variance::all_reproductions()) out.push_back({std::string(row.name), std::string(row.title)});
  for (const auto& each : published::all_tables()) out.push_back({each.name, each.title});
  return out;
}

Candidates modes(const HalfLine&) {
  Candidates out;
  for (const auto& row : find_topic("modes").rows({}))
    out.push_back({row.at("name").get<std::string>(), row.value("meaning", "")});
  return out;
}

results::Store named_store(const HalfLine& line) {
  return open_for_reading(
      store_choice({.positional = line.positional}, {.min = 0, .max = line.positional.size(), .usage = ""}).path);
}

/// For two stores, the one whose trial comes next.
results::Store last_store(const HalfLine& line) {
  const auto is_store = [](const std::string& word) { return word.ends_with(".db"); };
  const auto last = std::find_if(line.positional.rbegin(), line.positional.rend(), is_store);
  return last == line.positional.rend() ? named_store(line) : open_for_reading(existing_store(*last));
}

Candidates studies(const HalfLine& line) {
  Candidates out;
  for (const auto& study : named_store(line).studies())
    out.push_back({study.name, "study " + results::hex(study.digest).substr(0, 12)});
  return out;
}

StudyView newest_study(const results::Store& store) {
  const auto all = store.studies();
  return all.empty() ? StudyView{} : read_study(store, all.back());
}

Candidates trials(const HalfLine& line) {
  const results::Store store = last_store(line);
  Candidates out;
  for (const auto& trial : plan_state(store, newest_study(store).plan))
    out.push_back({trial_name(trial.entry), std::string(name_of(trial.state))});
  return out;
}

/// The subject of the first argument: a stored study, a study file, or a workload by name.
struct Subject {
  std::vector<std::string> variants, presets;
  std::string workload;
};

Subject stored_subject(const HalfLine& line) {
  const StudyView study = newest_study(named_store(line));
  Subject out{.workload = study.workload};
  for (const auto& variant : study.variants)
    out.variants.push_back(variant.name), out.presets.push_back(variant.preset);
  return out;
}

Subject workload_subject(const workloads::Declaration& workload) {
  Subject out{.workload = workload.name};
  for (const auto& variant : workload.variants) out.variants.push_back(variant.name);
  return out;
}

Subject file_subject(const std::string& path) {
  const StudyDraft draft = read_study_file(path);
  Subject out{.workload = draft.workload};
  for (const auto& variant : draft.variants)
    out.variants.push_back(variant.name), out.presets.push_back(variant.preset);
  return out;
}

Subject subject_of(const HalfLine& line) {
  if (line.command.arguments.find("STORE") != std::string::npos) return stored_subject(line);
  if (line.positional.empty()) return {};
  const auto* workload = workloads::workload_if_known(line.positional.front());
  return workload != nullptr ? workload_subject(*workload) : file_subject(line.positional.front());
}

Candidates variants(const HalfLine& line) {
  const Subject subject = subject_of(line);
  Candidates out;
  for (std::size_t i = 0; i < subject.variants.size(); ++i)
    out.push_back({subject.variants[i], i < subject.presets.size() ? subject.presets[i] : ""});
  return out;
}

const workloads::Declaration* workload_of(const HalfLine& line) {
  return workloads::workload_if_known(subject_of(line).workload);
}

Candidates metrics(const HalfLine& line) {
  Candidates out;
  if (const auto* workload = workload_of(line))
    for (const auto& metric : workload->metrics) out.push_back({metric.name, metric.unit});
  return out;
}

/// Completes the last name of a list: "data" in "init,data".
Candidates sources(const HalfLine& line) {
  const auto comma = line.word.rfind(',');
  const std::string before = comma == std::string::npos ? "" : line.word.substr(0, comma + 1);
  Candidates out;
  if (const auto* workload = workload_of(line))
    for (const auto& source : workload->sources) out.push_back({before + source.name, source.covers});
  return out;
}

Candidates values_for_key(const workloads::Parameter& parameter) {
  Candidates out;
  if (const auto* choices = std::get_if<std::vector<std::string>>(&parameter.allowed))
    for (const auto& choice : *choices) out.push_back({parameter.name + "=" + choice, ""});
  if (std::holds_alternative<bool>(parameter.fallback))
    for (const char* word : {"true", "false"}) out.push_back({parameter.name + "=" + word, ""});
  return out;
}

/// Keys for --set: options of views if the command has --view, else keys of the workload.
std::vector<workloads::Parameter> settable(const HalfLine& line, const workloads::Declaration& workload) {
  if (std::ranges::find(line.command.options, "view", &Option::name) == line.command.options.end())
    return workload.parameters;
  std::vector<workloads::Parameter> out;
  for (const auto& view : workload.contributes.views) out.insert(out.end(), view.options.begin(), view.options.end());
  return out;
}

Candidates views(const HalfLine& line) {
  Candidates out;
  if (const auto* workload = workload_of(line))
    for (const auto& view : workload->contributes.views) out.push_back({view.name, view.meaning});
  return out;
}

Candidates formulas(const HalfLine&) {
  Candidates out;
  for (const auto& formula : workloads::all_formulas()) out.push_back({formula.name, formula.meaning});
  return out;
}

Candidates keys(const HalfLine& line) {
  const auto* workload = workload_of(line);
  if (workload == nullptr) return {};
  const auto parameters = settable(line, *workload);
  const auto equals = line.word.find('=');
  if (equals != std::string::npos) {
    const auto found = std::ranges::find(parameters, line.word.substr(0, equals), &workloads::Parameter::name);
    return found == parameters.end() ? Candidates{} : values_for_key(*found);
  }
  Candidates out;
  for (const auto& parameter : parameters)
    out.push_back({parameter.name + "=", parameter.meaning + " (" + results::text_of(parameter.fallback) + ")"});
  return out;
}

struct Row {
  std::string name;
  Candidates (*words)(const HalfLine&);
};

/// Words for the values of these options, in every command.
const std::vector<Row>& by_option() {
  static const std::vector<Row> rows{{"study", studies},      {"metric", metrics},   {"baseline", variants},
                                     {"candidate", variants}, {"variant", variants}, {"mode", modes},
                                     {"vary", sources},       {"hold", sources},     {"set", keys},
                                     {"grid", keys},          {"view", views},       {"formula", formulas}};
  return rows;
}

Candidates data_sets(const HalfLine&) {
  Candidates out;
  for (const auto& set : data::all_data_sets()) out.push_back({set.name, set.summary});
  return out;
}

Candidates corruptions(const HalfLine&) {
  Candidates out;
  for (const auto& row : corrupt::table())
    if (row.op != nullptr || row.needs_folder()) out.push_back({row.name, row.summary});
  return out;
}

Candidates data_sets_and_folders(const HalfLine& line) {
  Candidates out = data_sets(line);
  for (auto& folder : folders(line)) out.push_back(std::move(folder));
  return out;
}

/// Words for arguments, and for values of other options, by their name in the usage.
const std::vector<Row>& by_value() {
  static const std::vector<Row> rows{{"STORE", stores},
                                     {"NEW_STORE", further_stores},
                                     {"OTHER_STORE", further_stores},
                                     {"TRIAL", trials},
                                     {"A", trials},
                                     {"B", trials},
                                     {"STUDY.toml|WORKLOAD", studies_and_workloads},
                                     {"WORKLOAD", workload_names},
                                     {"TOPIC", topics},
                                     {"TABLE", reproductions},
                                     {"FILE", any_file},
                                     {"PATH", any_file},
                                     {"DIR", folders},
                                     {"SET", data_sets},
                                     {"CORRUPTION", corruptions},
                                     {"NAME|DIR", data_sets_and_folders}};
  return rows;
}

Candidates words_of(const std::vector<Row>& rows, const std::string& name, const HalfLine& line) {
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const Row& r) { return r.name == name; });
  return row == rows.end() ? Candidates{} : row->words(line);
}

}  // namespace

Candidates words_for_option(const Option& option, const HalfLine& line) {
  if (!option.choices.empty()) {
    Candidates out;
    for (const auto& choice : option.choices) out.push_back({choice, ""});
    return out;
  }
  Candidates named = words_of(by_option(), option.name, line);
  return named.empty() ? words_of(by_value(), option.value_name, line) : named;
}

Candidates words_for_argument(const std::string& name, const HalfLine& line) {
  return words_of(by_value(), name, line);
}

}  // namespace retrial::harness::inline program
