#include "harness/study/options/script_options.hpp"

#include "harness/study/options/key_options.hpp"
#include "harness/study/options/study_options.hpp"
#include "results/digest/sha256.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline study::inline options {
namespace {

struct ReadScript {
  std::string digest;
  std::filesystem::path file;
};

ReadScript read_script(const std::filesystem::path& folder, const std::string& value, const std::string& key,
                       const std::string& where) {
  const auto file = (folder / workloads::script_part(value)).lexically_normal();
  const bool stored = workloads::script_digest(value).has_value();
  if (!std::filesystem::is_regular_file(file))
    throw Error({.exit = Exit::incomparable,
                 .code = "script.no_file",
                 .where = where,
                 .field = key,
                 .value = results::one_line(value, 200),
                 .problem = "no such file: " + results::one_line(file.string(), 300),
                 .help = stored ? "this is the SHA-256 of a file, as stores name it; name the file: --set " + key +
                                      "=script:FILE"
                                : "script:FILE names a TorchScript file, relative to the folder of --data"});
  return {results::hex(results::sha256_file(file)), file};
}

}  // namespace

Option allow_scripts_option() {
  return {.name = "allow-scripts",
          .meaning = "load networks of your own from TorchScript files (KEY = \"script:FILE\"), which are programs"};
}

void read_scripts(const Arguments& arguments, const workloads::Declaration& declaration, StudyDraft& draft) {
  const auto folder = data_folder(arguments);
  const auto read = [&](std::vector<StudyDraft::Key>& keys) {
    for (auto& key : keys) {
      auto* text = std::get_if<std::string>(&key.value);
      if (text == nullptr || !sets_script(declaration, key.key, *text)) continue;
      const auto script = read_script(folder, *text, key.key, key.where);
      draft.scripts[script.digest] = script.file;
      *text = workloads::script_name(script.digest);
    }
  };
  read(draft.set);
  for (auto& variant : draft.variants) read(variant.keys);
  for (auto& row : draft.grid) read(row.levels);
}

bool sets_script(const workloads::Declaration& declaration, const std::string& key, const std::string& text) {
  const auto* parameter = workloads::find_parameter(declaration, key);
  return parameter != nullptr && parameter->may_be_script && workloads::names_script(text);
}

workloads::Scripts scripts_set(const Arguments& arguments, const workloads::Declaration& declaration) {
  workloads::Scripts scripts;
  for (const auto& [key, text] : keys_set(arguments)) {
    if (!sets_script(declaration, key, text)) continue;
    auto script = read_script(data_folder(arguments), text, key, "--set");
    scripts[script.digest] = std::move(script.file);
  }
  return scripts;
}

workloads::Scripts allowed_scripts(const Arguments& arguments, const Study& study) {
  workloads::Scripts allowed;
  for (const auto& variant : study.variants)
    for (const auto& [key, digest] :
         workloads::scripts_read(workloads::find_workload(study.workload, ""), variant.values)) {
      const auto& file = study.scripts.at(digest);
      if (!arguments.has("allow-scripts"))
        throw Error({.code = "run.script",
                     .where = "variant " + variant.name,
                     .field = "--allow-scripts",
                     .problem = "is not given, and " + key + " is a program: " + results::one_line(file.string(), 300) +
                                ", SHA-256 " + digest,
                     .help = "if you trust that file, add --allow-scripts"});
      allowed[digest] = file;
    }
  return allowed;
}

}  // namespace retrial::harness::inline study::inline options
