#include "harness/study_report/provenance/own_program.hpp"

#include <set>

#include "results/json/json.hpp"
#include "results/report/drawing/numbers.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline study_report::inline provenance {
namespace {

const Json* program_in(const Json& environment) {
  if (!environment.is_object() || !environment.contains("program")) return nullptr;
  const Json& program = environment.at("program");
  return program.is_object() && program.contains("working_folder") ? &program : nullptr;
}

/// The text at a place; empty if it is absent.
std::string text_at(const Json& document, const char* place) {
  const Json::json_pointer pointer(place);
  return document.contains(pointer) && document.at(pointer).is_string() ? document.at(pointer).get<std::string>() : "";
}

void add_text(report::Facts& facts, const std::string& name, const std::string& value) {
  if (!value.empty()) facts.rows.push_back({name, value});
}

std::string interpreter_text(const Json& program) {
  const auto file = text_at(program, "/interpreter/file"), version = text_at(program, "/interpreter/version");
  return version.empty() ? file : file + ", " + version;
}

std::string changes_text(const Json& git) {
  const auto changed = git.value("changed_files", 0);
  if (changed == 0) return "none in the files that git knows";
  const auto diff = text_at(git, "/diff");
  return std::to_string(changed) + (changed == 1 ? " file" : " files") +
         (diff.empty() ? "" : ", sha256 of the diff " + diff);
}

void add_git(report::Facts& facts, const Json& program) {
  if (!program.contains("git") || !program.at("git").is_object()) return;
  const Json& git = program.at("git");
  if (const auto problem = text_at(git, "/problem"); !problem.empty()) return add_text(facts, "git", problem);
  add_text(facts, "git commit", text_at(git, "/commit"));
  add_text(facts, "git branch", text_at(git, "/branch"));
  facts.rows.push_back({"uncommitted changes", changes_text(git)});
}

report::Facts facts_of(const Json& environment, const Json& program) {
  report::Facts facts;
  add_text(facts, "interpreter", interpreter_text(program));
  add_text(facts, "working folder", text_at(program, "/working_folder"));
  add_git(facts, program);
  add_text(facts, "imports", text_at(program, "/imports"));
  add_text(facts, "files read", text_at(program, "/read_files"));
  add_text(facts, "not watched", text_at(program, "/unseen_files"));
  if (program.contains("packages") && program.at("packages").is_string())
    add_text(facts, "packages", text_at(program, "/packages"));
  add_text(facts, "measured by", "retrial " + text_at(environment, "/worker/version"));
  return facts;
}

report::Table variables_table(const Json& program) {
  report::Table table{.caption = "Environment variables of the program (of a short list, those that were set)",
                      .columns = {{"variable"}, {"value"}},
                      .rows = {}};
  if (!program.contains("variables")) return table;
  for (const auto& [name, value] : program.at("variables").items())
    if (value.is_string() && value != "unset") table.rows.push_back({name, value.get<std::string>()});
  return table;
}

report::Table packages_table(const Json& program) {
  report::Table table{.columns = {{"package"}, {"version"}}, .rows = {}, .folded = true};
  if (!program.contains("packages") || !program.at("packages").is_object()) return table;
  for (const auto& [name, version] : program.at("packages").items())
    table.rows.push_back({name, version.is_string() ? version.get<std::string>() : "unknown"});
  table.caption =
      "Packages of the interpreter: " + report::counted(static_cast<std::int64_t>(table.rows.size()), "package");
  return table;
}

}  // namespace

Json without_program_files(Json environment) {
  if (program_in(environment) != nullptr)
    for (const char* key : {"files", "option_files", "modules", "read_files", "written_files"})
      environment["program"].erase(key);
  return environment;
}

std::vector<report::Block> own_program_blocks(const Json& environment) {
  const Json* program = program_in(environment);
  if (program == nullptr) return {};
  std::vector<report::Block> blocks{facts_of(environment, *program)};
  for (auto table : {variables_table(*program), packages_table(*program)})
    if (!table.rows.empty()) blocks.emplace_back(std::move(table));
  return blocks;
}

report::Table program_files_table(const std::vector<Json>& environments) {
  std::set<std::vector<std::string>> rows;
  for (const auto& environment : environments) {
    const Json* program = program_in(environment);
    for (const auto& [key, is] :
         {std::pair{"files", "named by a command"}, std::pair{"option_files", "named by an option"},
          std::pair{"modules", "imported"}, std::pair{"read_files", "read"}})
      if (program != nullptr && program->contains(key) && program->at(key).is_object())
        for (const auto& [name, digest] : program->at(key).items())
          if (digest.is_string()) rows.insert({name, is, digest.get<std::string>()});
  }
  report::Table table{.caption = "Files of the programs", .columns = {{"file"}, {""}, {"sha256"}}, .rows = {}};
  for (const auto& row : rows) table.rows.push_back({row[0], row[1], row[2]});
  return table;
}

}  // namespace retrial::harness::inline study_report::inline provenance
