#include <algorithm>

#include "harness/plan/trial_name.hpp"
#include "harness/study_report/provenance/provenance.hpp"
#include "harness/text/output.hpp"
#include "workloads/data/sets/registry.hpp"
#include "workloads/interface/registry.hpp"
#include "workloads/interface/script_name.hpp"

namespace retrial::harness::inline study_report::inline provenance {
namespace {

/// The data set of a study that reads the user's files; empty where everything is built in. Their folder is private, so
/// readers fill in their own.
std::string data_set_in_files(const StudyView& study) {
  for (const VariantView& variant : study.variants) {
    const Json name = variant.values.value("dataset", Json());
    const auto* info = name.is_string() ? data::find_data_set(name.get<std::string>()) : nullptr;
    if (info != nullptr && !info->embedded) return info->name;
  }
  return "";
}

std::string data_option(const StudyView& study) {
  return data_set_in_files(study).empty() ? "" : " --data FOLDER";
}

TrialBody body_of(const Material& material, const results::PlanEntry& entry) {
  return TrialBody(material.store.trial_body(material.study.digest, entry.ordinal));
}

/// Whether a variant reads a network from a file of the user, whose name in the study file is its SHA-256.
bool loads_scripts(const StudyView& study) {
  const auto* declaration = workloads::workload_if_known(study.workload);
  return declaration != nullptr && std::ranges::any_of(study.variants, [&](const VariantView& variant) {
           return !workloads::scripts_read(*declaration, values_of(*declaration, variant)).empty();
         });
}

std::string checks(const Material& material) {
  const std::string db = shell_word(material.file);
  std::string out = "retrial verify " + db + " --full\n";
  if (material.judgement) out += "retrial compare " + db + "\n";
  for (const auto& trial : material.trials)
    if (trial.state == TrialState::done)
      return out + replay_line(material.file, trial.entry, body_of(material, trial.entry)) +
             data_option(material.study) + "\n";
  return out;
}

/// A file name that is safe in every shell and on every system.
std::string study_file_name(const StudyView& study) {
  static constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  const bool safe = !study.name.empty() && study.name.size() <= 60 &&
                    study.name.find_first_not_of(plain) == std::string::npos && study.name.front() != '-';
  return (safe ? study.name : "study") + ".toml";
}

}  // namespace

Part reproduce_part(const Material& material) {
  report::Section section{.id = "reproduce", .title = "How to reproduce", .blocks = {}};
  section.blocks.push_back(
      report::Paragraph{"From the store: recompute every digest, repeat the judgment, and run one trial again to "
                        "compare it bit by bit."});
  section.blocks.push_back(report::Code{checks(material)});
  if (const std::string set = data_set_in_files(material.study); !set.empty())
    section.blocks.push_back(report::Paragraph{"FOLDER is your copy of the files of " + set +
                                               " (retrial data list shows where they are published)."});
  const auto text = study_file_of(material.study);
  const std::string file = study_file_name(material.study);
  Json data{{"commands", checks(material)}, {"study_file", text ? Json(*text) : Json()}};
  if (!text) return {.section = std::move(section), .data = {{"reproduce", data}}};
  const bool scripts = loads_scripts(material.study);
  const std::string again = std::string(material.study.profile ? "retrial profile " : "retrial run ") + file +
                            data_option(material.study) + (scripts ? " --allow-scripts" : "") +
                            " --db again.db\nretrial report again.db -o again.html\n";
  section.blocks.push_back(
      report::Paragraph{"From scratch: with the version of retrial that made the store, this study file has the study "
                        "digest below. On the same class of machine with the same libraries the result digest is the "
                        "same too, for any number of jobs. " +
                        file + ":"});
  section.blocks.push_back(report::Code{*text});
  if (scripts)
    section.blocks.push_back(report::Paragraph{
        "script:SHA-256 is a TorchScript file that is not in the store. Write the name of your copy in "
        "its place (script:FILE). A file with another SHA-256 is another study."});
  section.blocks.push_back(report::Code{again});
  data["again"] = again;
  return {.section = std::move(section), .data = {{"reproduce", data}}};
}

}  // namespace retrial::harness::inline study_report::inline provenance
