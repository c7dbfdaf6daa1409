#include "harness/study/options/study_options.hpp"

#include <algorithm>

#include "harness/command_line/settings.hpp"
#include "harness/study/file/study_file.hpp"
#include "harness/study/file/study_keys.hpp"
#include "harness/study/options/design_options.hpp"
#include "harness/study/options/key_options.hpp"
#include "harness/study/options/source_design_options.hpp"
#include "harness/text/names.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline study::inline options {
namespace {

/// A file that no study file is called like would be taken for the name of a workload.
void refuse_other_files(const std::string& name) {
  std::error_code ignored;
  const auto status = std::filesystem::status(name, ignored);
  if (!std::filesystem::exists(status)) {
    if (name.find('.') == std::string::npos) return;  // no workload has a point in its name
    throw Error({.code = "study.file",
                 .where = results::one_line(name, 200),
                 .problem = "does not exist, and no workload has this name",
                 .help = "the names of study files end in .toml; retrial list names the workloads"});
  }
  const bool folder = std::filesystem::is_directory(status);
  throw Error({.code = "study.file",
               .where = results::one_line(name, 200),
               .problem = folder ? "is a folder, not a study file" : "is not a study file: their names end in .toml",
               .help = folder ? "name a file in it: " + results::one_line(name, 200) + "/STUDY.toml"
                              : "study files are TOML 1.0; retrial --generate man-study explains the keys"});
}

/// A study file, a workload by its name, or the flags of a workload that name its variants.
StudyDraft named_study(const Arguments& arguments) {
  if (auto draft = draft_from_flags(arguments)) return *draft;
  if (arguments.positional.empty())
    refuse_usage("", "nothing to run", "give a study file (TOML), a workload (see retrial list)" + use_flags());
  if (arguments.positional.size() > 1)
    refuse_usage(arguments.positional[1], "unexpected argument: one study at a time", "");
  const auto& name = arguments.positional.front();
  if (name.find('/') != std::string::npos || name.ends_with(".toml")) return read_study_file(name);
  if (workloads::workload_if_known(name) == nullptr) refuse_other_files(name);
  return {.where = name, .workload = workloads::find_workload(name, "").name};
}

/// An option overrides the file, so an error in its value names the option.
void override_places(const Arguments& arguments, StudyDraft& draft) {
  for (const StudyKey& key : study_keys()) {
    if (!key.section.empty() && key.section != "compare") continue;
    const std::string option = option_for(key.name);
    if (arguments.has(option)) draft.places[key.section + (key.section.empty() ? "" : ".") + key.name] = "--" + option;
  }
}

void override_with(const Arguments& arguments, StudyDraft& draft) {
  override_places(arguments, draft);
  if (const auto name = arguments.value("name")) draft.name = *name;
  if (const auto seed = arguments.u64("seed"))
    draft.seed = seed;
  else if (!draft.seed)
    draft.seed = seed_setting();
  if (const auto pairs = arguments.integer("pairs", 1, 1'000'000)) draft.pairs = pairs;
  if (const auto vary = arguments.value("vary")) draft.vary = *vary == "all" ? std::nullopt : arguments.list("vary");
  if (const auto hold = arguments.list("hold")) draft.hold = hold;
  if (const auto mode = arguments.value("mode")) draft.mode = determinism::mode_from_name(*mode, "--mode");
  if (const auto metric = arguments.value("metric")) draft.metric = metric;
  if (const auto baseline = arguments.value("baseline")) draft.baseline = baseline;
  if (const auto candidate = arguments.value("candidate")) draft.candidate = candidate;
  override_design(arguments, draft.design);
  override_variance(arguments, draft);
}

}  // namespace

std::vector<Option> study_options() {
  const std::vector<Option> sampled{
      {.name = "pairs", .value_name = "N", .meaning = "trials per variant (default: set by the study, else 20)"},
      {.name = "seed",
       .value_name = "SEED",
       .meaning = "root seed, decimal or 0x and hex digits (default: drawn once, printed and stored)"},
      {.name = "vary",
       .value_name = "LIST",
       .meaning = "sources of variation that differ from pair to pair (default: all that the variants use)"},
      {.name = "hold", .value_name = "LIST", .meaning = "sources that keep the seeds of pair 0 in all trials"},
      {.name = "set",
       .value_name = "KEY=VALUE",
       .meaning = "set a key of the workload, for every variant",
       .repeats = true},
      {.name = "grid",
       .value_name = "KEY=A,B",
       .meaning = "values of a key: every combination of all grids becomes a variant",
       .repeats = true},
      {.name = "mode", .value_name = "MODE", .meaning = "kernel mode (retrial list modes); NAME,cuda on a GPU"},
      {.name = "name", .value_name = "NAME", .meaning = "name of the study, and of its store NAME.db"},
      {.name = "data",
       .value_name = "DIR",
       .meaning = "folder of the data set (default: current folder); base of relative paths in keys that name folders"},
  };
  const std::vector<Option> judged{
      {.name = "metric", .value_name = "NAME", .meaning = "metric to judge"},
      {.name = "baseline", .value_name = "NAME", .meaning = "variant to compare with (default: the first one listed)"},
      {.name = "candidate", .value_name = "NAME", .meaning = "variant to judge (default: the next one listed)"},
  };
  return workload_options() + under("Study", sampled) + under("Comparison and its design", judged + design_options()) +
         under("Variance by source, and search", variance_options());
}

StudyDraft draft_from(const Arguments& arguments) {
  auto draft = named_study(arguments);
  override_with(arguments, draft);
  override_keys(arguments, draft);
  return draft;
}

void keep_variant(const Arguments& arguments, Study& study) {
  const auto name = arguments.value("variant");
  if (!name) return;
  const auto known = names_in(study.variants);
  std::erase_if(study.variants, [&](const auto& variant) { return variant.name != *name; });
  if (study.variants.empty()) {
    const auto near = results::nearest(*name, known);
    throw Error({.code = "usage.variant",
                 .where = "--variant",
                 .value = results::one_line(*name, 100),
                 .problem = "unknown variant",
                 .allowed = results::joined(known),
                 .help = near ? "did you mean '" + *near + "'?" : ""});
  }
  study.compare.reset();
}

std::filesystem::path data_folder(const Arguments& arguments) {
  return std::filesystem::absolute(arguments.value("data").value_or("."));
}

}  // namespace retrial::harness::inline study::inline options
