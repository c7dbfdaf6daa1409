#include "harness/run/program/program_guard.hpp"

#include <algorithm>

#include "harness/run/program/program_change.hpp"
#include "results/text/text.hpp"

namespace retrial::harness::inline run::inline program {

ProgramGuard::ProgramGuard(std::span<const results::PlanEntry> plan, Since since) {
  for (const auto& entry : plan) {
    if (variants_.contains(entry.variant)) continue;
    const TrialBody body(entry);
    declaration_ = &body.declaration();
    if (!declaration_->program_files) return;
    auto& program = variants_[entry.variant];
    program.values = body.trial().values;
    const Json& planned = body.program();
    program.labelled = !planned.is_array();
    const auto [files, options, unseen] = declaration_->program_files(program.values);
    for (const auto& file : options) program.options.push_back(watched(file));
    const bool as_planned = since == Since::plan && planned.is_array() && planned.size() == files.size();
    for (std::size_t i = 0; i < files.size(); ++i)
      program.files.push_back(
          as_planned ? Watched{.name = files[i].name,
                               .path = files[i].path,
                               .before = results::digest_from_hex(planned.at(i).get<std::string>(), "program")}
                     : watched(files[i]));
  }
}

ProgramGuard::Watched ProgramGuard::watched(const workloads::ProgramFile& file) {
  return {.name = file.name, .path = file.path, .before = digests_.of(file.path).value_or(results::Digest{})};
}

void ProgramGuard::compare(const std::filesystem::path& base, const ModuleVersions& before,
                           std::set<std::string>& changes) {
  for (const auto& [name, versions] : before) {
    const auto now = digests_.of(base / name);
    // A file outside of the working folder may be elsewhere on this machine.
    if (!now && std::filesystem::path(name).is_absolute()) continue;
    for (const auto& version : versions)
      if (now != version.digest) changes.insert(file_change(name, version.digest, now));
  }
}

void ProgramGuard::expect(Program& program, const VariantFiles& before, std::set<std::string>& changes) {
  const auto& base = program.facts->imports.base;
  compare(base, before.modules, changes);
  if (before.read.certain()) compare(base, before.read.files, changes);
  for (const auto& [name, versions] : before.modules)
    if (std::ranges::find(program.options, name, &Watched::name) == program.options.end() &&
        (digests_.of(base / name) || std::filesystem::path(name).is_relative()))
      imports_.expect(program.trace, name, versions.front().digest);
}

std::vector<std::string> ProgramGuard::learn_surroundings(const StoredModules& before,
                                                          const std::filesystem::path& store) {
  if (declaration_ == nullptr || !declaration_->program_facts) return {};
  std::set<std::string> changes;
  for (auto& [variant, program] : variants_) {
    program.facts = declaration_->program_facts(program.values);
    program.trace = imports_.add(program.facts->imports);
    // Named, because items() of a temporary would outlive it.
    const Json modules = program.facts->program.value("modules", Json::object());
    for (const auto& [name, digest] : modules.items())
      imports_.expect(program.trace, name, results::digest_from_hex(digest.get<std::string>(), "module"));
    const auto stored = before.find(variant);
    const bool compared = stored != before.end() && !program.labelled;
    if (compared) expect(program, stored->second, changes);
    if (program.labelled) continue;
    const auto& base = program.facts->imports.base;
    std::set<std::string> known;
    for (const auto* files : {&program.files, &program.options})
      for (const auto& file : *files) known.insert(name_of_source(absolute(file.path).lexically_normal(), base));
    const auto ours = name_of_source(absolute(store).lexically_normal(), base);
    reads_.add(variant, base, program.facts->reads.folders,
               [known, ours](const std::string& name) { return known.contains(name) || name.starts_with(ours); });
    if (compared) reads_.expect(variant, stored->second.read);
  }
  return {changes.begin(), changes.end()};
}

void ProgramGuard::listen() {
  imports_.listen(digests_);
  reads_.listen(digests_);
}

std::optional<std::string> ProgramGuard::change(const std::string& variant) {
  const auto program = variants_.find(variant);
  if (program == variants_.end() || program->second.labelled) return std::nullopt;
  std::vector<std::string> changes;
  for (const auto* files : {&program->second.files, &program->second.options})
    for (const auto& file : *files)
      if (const auto now = digests_.of(file.path); now != file.before)
        changes.push_back(file_change(file.name, file.before, now));
  if (program->second.facts) {
    listen();
    for (auto& text : imports_.changes(program->second.trace, digests_)) changes.push_back(std::move(text));
    for (auto& text : reads_.changes(variant, digests_))  // Python may read the source of a module each time
      if (std::ranges::find(changes, text) == changes.end()) changes.push_back(std::move(text));
  }
  return changes.empty() ? std::nullopt : std::optional(results::joined(changes));
}

std::optional<std::string> ProgramGuard::doubt() {
  std::set<std::string> out;
  listen();
  for (const auto& [variant, program] : variants_)
    for (auto& text : program.labelled ? std::vector<std::string>() : reads_.doubts(variant, digests_))
      out.insert(std::move(text));
  if (out.empty()) return std::nullopt;
  return results::joined(std::vector<std::string>(out.begin(), out.end()));
}

void ProgramGuard::describe(const TrialBody& body, Json& manifest) {
  const auto trial = body.trial();
  const auto found = variants_.find(trial.variant);
  if (found == variants_.end() || !found->second.facts) return;
  const auto& [values, files, options, labelled, facts, trace] = found->second;
  const Json ours = manifest.value("program", Json::object());
  manifest["worker"] = {{"version", ours.value("version", Json())}, {"build_id", ours.value("build_id", Json())}};
  manifest.erase("libraries");
  if (manifest.contains("numeric")) manifest["numeric"].erase("effective");
  Json& program = manifest["program"] = facts->program;
  program["files"] = Json::object();
  for (const auto& file : files) program["files"][file.name] = results::hex(file.before);
  for (const auto& file : options) program["option_files"][file.name] = results::hex(file.before);
  program["modules"] = imports_.modules(trace);
  if (Json read = reads_.files(trial.variant); !read.is_null()) {
    if (read.is_object())
      for (const auto& [name, digest] : program["modules"].items()) read.erase(name);
    program["read_files"] = std::move(read);
    if (Json written = reads_.written(trial.variant); !written.empty()) program["written_files"] = std::move(written);
    if (!facts->reads.unseen.empty()) program["unseen_files"] = facts->reads.unseen;
  }
  if (!facts->imports.folders.empty() && !imports_.complete())
    program["imports"] = "known in part: the kernel did not report every opened file";
  for (const auto& [name, value] : facts->machine.items()) manifest["machine"][name] = value;
  if (declaration_->argv) manifest["trial"]["argv"] = declaration_->argv(trial);
}

}  // namespace retrial::harness::inline run::inline program
