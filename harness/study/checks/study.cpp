#include "harness/study/checks/study.hpp"

#include <algorithm>

#include "harness/study/checks/design_check.hpp"
#include "harness/study/checks/draft_checks.hpp"
#include "harness/study/checks/grid.hpp"
#include "harness/study/checks/name_problem.hpp"
#include "harness/study/checks/variants.hpp"
#include "harness/text/names.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline study::inline checks {
namespace {

using workloads::Declaration;

using draft_checks::contains, draft_checks::unknown;

std::vector<std::string> all_honoured(const Declaration& declaration, const std::vector<StudyVariant>& variants) {
  std::vector<std::string> out;
  for (const auto& variant : variants)
    for (const auto& source : declaration.honours(variant.values))
      if (!contains(out, source)) out.push_back(source);
  return out;
}

/// Sources that differ from pair to pair by default: all but those of the test data.
std::vector<std::string> varied_by_default(const Declaration& declaration, std::vector<std::string> honoured_sources) {
  std::erase_if(honoured_sources, [&](const std::string& name) {
    return std::any_of(declaration.sources.begin(), declaration.sources.end(),
                       [&](const auto& source) { return source.name == name && source.of_test_data; });
  });
  return honoured_sources;
}

void set_sources(const Declaration& declaration, const StudyDraft& draft,
                 const std::vector<std::string>& honoured_sources, Study& study) {
  const auto check = [&](const std::vector<std::string>& names, const char* field) {
    for (const auto& name : names) {
      if (contains(honoured_sources, name)) continue;
      if (workloads::find_source(declaration, name) == nullptr)
        unknown(draft.at(field), field, name, honoured_sources, "source");
      throw Error({.code = "study.idle_source",
                   .where = draft.at(field),
                   .field = field,
                   .value = name,
                   .problem = "no variant draws from it under these keys",
                   .allowed = results::joined(honoured_sources)});
    }
    for (auto name = names.begin(); name != names.end(); ++name)
      if (std::find(names.begin(), name, *name) != name)
        throw Error({.code = "study.source_twice",
                     .where = draft.at(field),
                     .field = field,
                     .value = *name,
                     .problem = "named twice"});
  };
  const auto vary = draft.vary.value_or(varied_by_default(declaration, honoured_sources));
  const auto hold = draft.hold.value_or(std::vector<std::string>{});
  check(vary, "vary");
  check(hold, "hold");
  if (draft.vary)
    for (const auto& name : hold)
      if (contains(vary, name))
        throw Error({.code = "study.vary_and_hold",
                     .where = draft.at("hold"),
                     .field = "hold",
                     .value = name,
                     .problem = "is varied and held",
                     .help = "list a source in vary or in hold, not in both"});
  for (const auto& name : honoured_sources)
    (contains(vary, name) && !contains(hold, name) ? study.varied : study.held).push_back(name);
}

/// The judged metric: the one the study names, else the workload's first outcome metric, which must have a direction.
std::string judged_name(const Declaration& declaration, const StudyDraft& draft, const Study& study) {
  std::vector<std::string> known;
  std::optional<results::MetricDef> first;
  for (const auto& variant : study.variants)
    for (const auto& def : workloads::metrics_under(declaration, variant.values)) {
      if (def.axis != results::Axis::none) continue;
      if (!first && def.nature == results::Nature::outcome) first = def;
      if (def.direction != results::Direction::none && !contains(known, def.name)) known.push_back(def.name);
    }
  if (draft.metric) {
    if (!contains(known, *draft.metric))
      unknown(draft.at("compare.metric"), "compare.metric", *draft.metric, known, "metric");
    return *draft.metric;
  }
  if (!first || first->direction == results::Direction::none)
    throw Error({.code = "study.no_direction",
                 .where = draft.where,
                 .field = "compare.metric",
                 .problem = first ? first->name + " has no direction: declare whether higher or lower is better"
                                  : "no metric to judge",
                 .help = first ? "add --higher or --lower (in a study file: direction = \"higher\" in [set])"
                               : "name the number to read with --read NAME"});
  return first->name;
}

/// A study of one variant compares nothing: what would declare how is refused.
void refuse_idle_comparison(const StudyDraft& draft) {
  std::vector<std::string> given;
  if (draft.metric) given.emplace_back("metric");
  if (draft.baseline) given.emplace_back("baseline");
  if (draft.candidate) given.emplace_back("candidate");
  for (const auto& [name, value] : draft.design) given.push_back(name);
  if (given.empty()) return;
  throw Error({.code = "study.idle_comparison",
               .where = draft.at("compare." + given.front()),
               .field = "compare." + given.front(),
               .problem = "a study of one variant compares nothing",
               .help = "add a second variant, or leave it out"});
}

variance::Design compare_of(const Declaration& declaration, const StudyDraft& draft, const Study& study) {
  const auto names = names_in(study.variants);
  variance::Design out{.metric = judged_name(declaration, draft, study), .pairs = study.pairs};
  const auto pick = [&](const std::optional<std::string>& given, const char* field, const std::string& other) {
    if (given) {
      if (!contains(names, *given)) unknown(draft.at(field), field, *given, names, "variant");
      return *given;
    }
    for (const auto& name : names)
      if (name != other) return name;
    return names.front();
  };
  out.baseline = pick(draft.baseline, "compare.baseline", draft.candidate.value_or(""));
  out.candidate = pick(draft.candidate, "compare.candidate", out.baseline);
  if (out.baseline == out.candidate)
    throw Error({.code = "study.same_variant",
                 .where = draft.at(draft.candidate ? "compare.candidate" : "compare.baseline"),
                 .field = "compare.candidate",
                 .value = out.candidate,
                 .problem = "is also the baseline",
                 .allowed = results::joined(names)});
  return out;
}

/// The folder of each key that names one: a worker receives only one per key.
workloads::Folders folders_of(const workloads::Declaration& declaration, const std::vector<StudyVariant>& variants) {
  workloads::Folders found;
  for (const auto& variant : variants)
    for (const auto& parameter : declaration.parameters) {
      if (parameter.reads != workloads::Reads::place) continue;
      const auto& folder = text_in(variant.values, parameter.name);
      if (folder.empty()) continue;
      const auto [known, added] = found.try_emplace(parameter.name, folder);
      if (!added && known->second != folder)
        throw Error({.code = "usage",
                     .where = parameter.name,
                     .problem = "names two folders in one study: " + known->second.string() + " and " + folder,
                     .help = "set one folder in [set]"});
    }
  return found;
}

/// The name of the study, which is the workload's where nothing names it. Its store is named for it.
std::string checked_name(const StudyDraft& draft) {
  const std::string& name = draft.name.empty() && !draft.places.contains("name") ? draft.workload : draft.name;
  std::string problem = name_problem(name, 200, "/");
  if (problem.empty() && name.front() == '.') problem = "begins with '.': its store would be hidden";
  if (!problem.empty())
    throw Error({.code = "study.name",
                 .where = draft.at("name"),
                 .field = "name",
                 .value = results::one_line(name, 80),
                 .problem = "not a name: " + problem,
                 .allowed = "1 to 200 characters without '/', not beginning with '-' or '.'"});
  return name;
}

/// On the CPU in place of a GPU the numbers would answer another question.
void demand_trained_there(const workloads::Declaration& declaration, const determinism::KernelMode& mode,
                          const std::string& where) {
  if (!mode.on_gpu() || declaration.trains != workloads::Trains::on_cpu) return;
  std::vector<std::string> others;
  for (const auto& each : workloads::all_workloads())
    if (each.trains == workloads::Trains::on_cpu_and_gpu) others.push_back(each.name);
  throw Error({.code = "study.cpu_only",
               .where = where,
               .field = "mode.device",
               .value = "cuda",
               .problem = "workload " + declaration.name + " trains its networks on the CPU only",
               .allowed = "cpu",
               .help = "workloads that are trained on a GPU too: " + results::joined(others)});
}

}  // namespace

Study checked(const StudyDraft& draft) {
  if (draft.workload.empty())
    throw Error({.code = "study.no_workload",
                 .where = draft.where,
                 .field = "workload",
                 .problem = "missing",
                 .help = "retrial list shows the workloads"});
  const auto& declaration = workloads::find_workload(draft.workload, draft.at("workload"));
  Study study{.name = checked_name(draft), .workload = declaration.name, .seed = draft.seed};
  study.pairs = draft.profile ? draft.pairs.value_or(5) : declared_pairs(draft);
  if (study.pairs < 1 || study.pairs > 1'000'000)
    throw Error({.code = "study.pairs",
                 .where = draft.at("pairs"),
                 .field = "pairs",
                 .value = std::to_string(study.pairs),
                 .problem = "out of range",
                 .allowed = "1 to 1000000"});
  study.mode = draft.mode
                   ? *draft.mode
                   : determinism::mode_from_name(declaration.inherits_mode ? "inherit" : "deterministic", draft.where);
  demand_trained_there(declaration, study.mode, draft.at("mode"));
  study.variants = resolved_variants(declaration, with_grid_written_out(declaration, draft), study.mode);
  auto sources = all_honoured(declaration, study.variants);
  if (draft.search) {
    study.search = checked_search(draft, declaration, study, judged_name(declaration, draft, study));
    for (const auto& variant : study.variants)
      for (const auto& source : honoured_in_search(study, variant))
        if (!contains(sources, source)) sources.push_back(source);
    sources.emplace_back(search_source);
  }
  if (draft.variance)
    set_variance(draft, sources, judged_name(declaration, draft, study), study);
  else
    set_sources(declaration, draft, sources, study);
  if (draft.profile)
    study.profile = checked_profile(draft, study);
  else if (study.variants.size() > 1 && (!study.variance || study.variance->design == "ideal")) {
    study.compare = compare_of(declaration, draft, study);
    declare_design(draft, *study.compare);
    if (study.variance && study.compare->sequential())
      throw Error({.code = "study.design_conflict",
                   .where = draft.at("compare.family"),
                   .field = "family",
                   .value = study.compare->family,
                   .problem = "a study of variance runs all its trials",
                   .allowed = "fixed",
                   .help = "leave family out, or leave out [variance] (--design)"});
  }
  if (study.variants.size() == 1 && !draft.variance && !draft.search && !draft.profile && draft.claims.empty())
    refuse_idle_comparison(draft);
  study.claims = checked_claims(draft, declaration, study);
  study.folders = folders_of(declaration, study.variants);
  study.scripts = draft.scripts;
  return study;
}

std::vector<std::string> honoured(const Study& study, const StudyVariant& variant) {
  return workloads::find_workload(study.workload, "").honours(variant.values);
}

results::MetricDef judged_metric(const Study& study) {
  const auto& declaration = workloads::find_workload(study.workload, "");
  for (const auto& variant : study.variants)
    for (const auto& def : workloads::metrics_under(declaration, variant.values))
      if (study.compare && def.name == study.compare->metric) return def;
  return {};
}

}  // namespace retrial::harness::inline study::inline checks
