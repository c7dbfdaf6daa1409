#include "harness/study_report/whole/contributed.hpp"

#include <algorithm>

#include "harness/judge/design/study_looks.hpp"
#include "harness/plan/profile_blocks.hpp"
#include "harness/stored/trial_audits.hpp"
#include "harness/text/output.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline study_report::inline whole {
namespace {

using report::Part;
using workloads::Contributor, workloads::StudyEvidence;

workloads::VariantTrials trials_of(const Material& material, const workloads::Declaration& declaration,
                                   const VariantView& variant) {
  workloads::VariantTrials out{.name = variant.name, .values = values_of(declaration, variant), .trials = {}};
  for (const std::size_t place : places_of_pairs(material.study.plan, material.study.profile)) {
    const PlannedTrial& trial = material.trials.at(place);
    if (trial.entry.variant == variant.name && trial.state == TrialState::done)
      out.trials.push_back(finished_trial(material.store, trial));
  }
  std::ranges::sort(out.trials, {}, &workloads::FinishedTrial::pair);
  return out;
}

std::string compare_line(const Material& material, const ComparisonChoice& choice) {
  return "retrial compare " + shell_word(material.file) + " --baseline " + shell_word(*choice.baseline) +
         " --candidate " + shell_word(*choice.candidate) + " --metric " + shell_word(*choice.metric);
}

std::optional<workloads::JudgedPair> judged_pair(const Material& material, const ComparisonChoice& choice) try {
  Comparison comparison = read_comparison(material.store, material.study, material.trials, choice);
  workloads::JudgedPair out{.scores = comparison.scores,
                            .tie_limit = comparison.design.tie_limit,
                            .verdict = {},
                            .command = compare_line(material, choice)};
  const bool declared = comparison.undeclared.empty();
  if (declared) out.verdict = verdict_of(comparison);
  material.asked->push_back(declared ? comparison.look
                                     : look_by(comparison, "the tables of study " + material.study.name,
                                               {{"rule", "workload table"}},
                                               rate_of(comparison.design.alpha, comparison.design.sides)));
  return out;
} catch (const Error& error) {
  if (error.text.exit == Exit::integrity) throw;
  return std::nullopt;
}

bool before_verdict(const Material& material) {
  return !material.finished && material.study.design;
}

report::Warning open_warning(const Material& material) {
  const auto open = std::ranges::count_if(material.trials, [](const auto& t) { return t.state != TrialState::done; });
  return {std::to_string(open) + " of " + counted(static_cast<std::int64_t>(material.trials.size()), "trial") +
          " are not finished: " +
          (material.study.design ? "no numbers before the declared verdict" : "these are the pairs so far")};
}

bool shown(const Contributor& by, const std::vector<ChosenView>& views) {
  return std::ranges::any_of(views, [&](const ChosenView& view) { return view.by.name == by.name; });
}

report::Section notes_section(const Material& material, const StudyEvidence& evidence,
                              const std::vector<ChosenView>& views) {
  report::Section out{.id = "notes", .title = "", .blocks = {}};
  if (!material.finished) out.blocks.emplace_back(open_warning(material));
  for (const Contributor& by : contributors_of(material.study)) {
    if (!by.contributes->notes || !shown(by, views)) continue;
    for (report::Block& block : by.contributes->notes(evidence).blocks) out.blocks.push_back(std::move(block));
  }
  return out;
}

/// The workloads with a view of this name, as a hint for a user who names the wrong store.
std::vector<std::string> owners_of(const std::string& name) {
  std::vector<std::string> out;
  for (const auto& workload : workloads::all_workloads())
    for (const auto& view : workload.contributes.views)
      if (view.name == name) out.push_back(workload.name);
  return out;
}

[[noreturn]] void refuse_view(const StudyView& study, const std::string& name, const std::vector<std::string>& known) {
  const auto near = results::nearest(name, known);
  const auto owners = owners_of(name);
  throw Error({.code = "report.view",
               .field = "--view",
               .value = results::one_line(name, 100),
               .problem = "no such view for workload " + study.workload,
               .allowed = known.empty() ? "none: it has no views" : results::joined(known),
               .help = near             ? "did you mean --view " + *near + "?"
                       : owners.empty() ? ""
                                        : "it is a view of " + results::joined(owners)});
}

ChosenView chosen_view(const StudyView& study, const std::vector<Contributor>& contributors, const std::string& name) {
  std::vector<std::string> known;
  for (const Contributor& by : contributors)
    for (const workloads::View& view : by.contributes->views) {
      if (view.name == name) return {.by = by, .view = &view, .set = {}};
      known.push_back(view.name);
    }
  refuse_view(study, name, known);
}

/// Its options under its name, to be checked like the keys of a workload.
workloads::Declaration options_of(const workloads::View& view) {
  workloads::Declaration out;
  out.name = view.name;
  out.parameters = view.options;
  return out;
}

[[noreturn]] void refuse_key(const std::vector<ChosenView>& views, const std::string& key) {
  std::vector<std::string> known;
  for (const ChosenView& each : views)
    for (const workloads::Parameter& option : each.view->options) known.push_back(option.name);
  const auto near = results::nearest(key, known);
  throw Error({.code = "report.view_key",
               .field = "--set",
               .value = results::one_line(key, 100),
               .problem = "no option of " + std::string(views.size() == 1 ? "this view" : "these views"),
               .allowed = known.empty() ? "none: it takes no options" : results::joined(known),
               .help = near ? "did you mean --set " + *near + "=VALUE?" : ""});
}

/// In every view that has this option.
void set_option(std::vector<ChosenView>& views, const KeyText& setting) {
  const auto& [key, text] = setting;
  bool known = false;
  for (ChosenView& each : views) {
    const workloads::Declaration options = options_of(*each.view);
    if (workloads::find_parameter(options, key) == nullptr) continue;
    each.set[key] = workloads::parsed(options, key, text, "--set");
    known = true;
  }
  if (!known) refuse_key(views, key);
}

}  // namespace

StudyEvidence evidence_of(const Material& material) {
  const StudyView& study = material.study;
  const auto& declaration = workloads::find_workload(study.workload, "");
  const auto variants = judged_variants(study);
  StudyEvidence out{.study = study.name,
                    .baseline = study.baseline.value_or(variants.front().name),
                    .candidate = study.candidate,
                    .alpha = study.design ? study.design->alpha : .05,
                    .finished = material.finished,
                    .variants = {},
                    .judge = {}};
  for (const VariantView& variant : variants) out.variants.push_back(trials_of(material, declaration, variant));
  out.judge = [&material, baseline = out.baseline](const std::string& candidate, const std::string& metric) {
    return judged_pair(material, {.metric = metric, .baseline = baseline, .candidate = candidate, .scope = {}});
  };
  return out;
}

std::vector<Part> contributed_parts(const Material& material) {
  std::vector<Part> out;
  if (!material.finished) return out;
  std::optional<StudyEvidence> evidence;
  for (const Contributor& by : contributors_of(material.study)) {
    if (!by.contributes->section) continue;
    if (!evidence) evidence = evidence_of(material);
    Part part = by.contributes->section(*evidence);
    out.push_back({.section = std::move(part.section), .data = {{by.name, std::move(part.data)}}});
  }
  return out;
}

std::vector<ChosenView> chosen_views(const StudyView& study, const std::vector<std::string>& names,
                                     const std::vector<KeyText>& settings) {
  const auto contributors = contributors_of(study);
  std::vector<ChosenView> out;
  for (const std::string& name : names) out.push_back(chosen_view(study, contributors, name));
  for (const KeyText& setting : settings) set_option(out, setting);
  return out;
}

std::vector<report::Section> view_sections(const Material& material, const std::vector<ChosenView>& views) {
  const StudyEvidence evidence = evidence_of(material);
  std::vector<report::Section> out;
  if (!before_verdict(material))
    for (const ChosenView& each : views)
      if (Part part = each.view->make(evidence, each.set); part.section) out.push_back(std::move(*part.section));
  out.push_back(notes_section(material, evidence, views));
  return out;
}

Json view_document(const Material& material, const std::vector<ChosenView>& views) {
  Json out{{"schema", "retrial." + material.study.workload + "/1"},
           {"study", material.study.name},
           {"finished", material.finished}};
  if (before_verdict(material)) return out;
  const StudyEvidence evidence = evidence_of(material);
  for (const ChosenView& each : views) out.update(each.view->make(evidence, each.set).data);
  return out;
}

}  // namespace retrial::harness::inline study_report::inline whole
