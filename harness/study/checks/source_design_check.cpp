#include <algorithm>
#include <set>

#include "harness/study/checks/draft_checks.hpp"
#include "harness/study/checks/study.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline study::inline checks {
namespace {

using draft_checks::contains, draft_checks::in_range, draft_checks::known, draft_checks::refuse;

constexpr std::int64_t max_runs = 1'000'000, max_replicates = 1000;

struct Limits {
  std::int64_t min_sources, max_sources, min_runs, min_groups, default_groups;  ///< min_groups 0: no groups
};

Limits limits_of(const std::string& design) {
  constexpr std::int64_t any = 1000;
  if (design == "crossed") return {2, 2, 2, 2, 0};
  if (design == "nested") return {2, any, 2, 2, 5};
  if (design == "fix_hopt") return {1, any, 2, 1, 1};
  return {1, any, 2, 0, 1};
}

/// "all" and "data" are the words of the published estimators; "init" is a source already.
std::string source_named(const std::string& word, const std::string& design, const std::string& workload) {
  if (design != "fix_hopt" || word != "data") return word;
  const auto& sources = workloads::find_workload(workload, "").sources;
  const auto split = std::ranges::find_if(sources, &workloads::Source::splits_data);
  return split == sources.end() ? word : split->name;
}

std::vector<std::string> named_sources(const StudyDraft::Variance& draft, const std::string& design,
                                       const std::string& workload, const std::vector<std::string>& free) {
  std::vector<std::string> out = free;
  if (design == "fix_hopt") std::erase(out, std::string(search_source));
  if (!draft.sources || *draft.sources == std::vector<std::string>{"all"}) return out;
  std::vector<std::string> names;
  for (const auto& given : *draft.sources) {
    const std::string name = source_named(given, design, workload);
    known(draft.where, "variance.sources", name, free, "source");
    if (design == "fix_hopt" && name == search_source)
      refuse(draft.where, "variance.sources", name, "fix_hopt draws the search once per group", results::joined(out),
             "design = \"ideal\" searches again for every run");
    if (contains(names, name)) refuse(draft.where, "variance.sources", name, "named twice", results::joined(free));
    names.push_back(name);
  }
  return names;
}

/// Sources in `vary` that are not held.
std::vector<std::string> free_sources(const StudyDraft& draft, const std::vector<std::string>& honoured) {
  const auto vary = draft.vary.value_or(honoured), hold = draft.hold.value_or(std::vector<std::string>{});
  for (const auto& name : vary) known(draft.at("vary"), "vary", name, honoured, "source");
  for (const auto& name : hold) known(draft.at("hold"), "hold", name, honoured, "source");
  std::vector<std::string> out;
  for (const auto& name : honoured)
    if (contains(vary, name) && !contains(hold, name)) out.push_back(name);
  return out;
}

void refuse_what_contradicts(const StudyDraft& draft) {
  if (draft.pairs)
    refuse(draft.at("pairs"), "pairs", std::to_string(*draft.pairs),
           "the number of runs of a study of variance is set by its design", "variance.runs");
  if (draft.vary && draft.variance->sources)
    refuse(draft.at("vary"), "vary", results::joined(*draft.vary), "given together with the sources of [variance]",
           "one of them");
  const std::string design = draft.variance->design.value_or("oat");
  const bool levels = draft.design.contains("alpha") || draft.design.contains("beta") || draft.design.contains("gamma");
  if (design != "ideal" && (draft.baseline || draft.candidate || levels))
    refuse(draft.at("compare"), "compare", design, "runs of this design share seeds, so they are not independent pairs",
           "design = \"ideal\"",
           "retrial variance shows the shares of both variants and the basis for a claim about them");
}

}  // namespace

void set_variance(const StudyDraft& draft, const std::vector<std::string>& honoured, const std::string& judged,
                  Study& study) {
  const auto& given = *draft.variance;
  VarianceDesign out{.design = given.design.value_or("oat"), .sources = {}, .metric = judged};
  known(given.where, "variance.design", out.design, design_words(), "design");
  refuse_what_contradicts(draft);
  const auto free = free_sources(draft, honoured);
  out.sources = named_sources(given, out.design, study.workload, free);
  const Limits limits = limits_of(out.design);
  const auto count = static_cast<std::int64_t>(out.sources.size());
  if (count < limits.min_sources || count > limits.max_sources)
    refuse(given.where, "variance.sources", results::joined(out.sources),
           "wrong number of sources for design " + out.design,
           limits.max_sources == limits.min_sources ? "exactly " + std::to_string(limits.min_sources)
                                                    : std::to_string(limits.min_sources) + " or more");
  out.runs = in_range(given.where, "variance.runs", given.runs.value_or(out.runs), limits.min_runs, max_runs);
  if (given.groups && limits.min_groups == 0)
    refuse(given.where, "variance.groups", std::to_string(*given.groups), "design " + out.design + " has no groups",
           "crossed, nested, fix_hopt");
  out.groups = given.groups.value_or(out.design == "crossed" ? out.runs : limits.default_groups);
  in_range(given.where, "variance.groups", out.groups, std::max<std::int64_t>(1, limits.min_groups), max_runs);
  if (out.design == "matched" && (out.runs % 2 != 0 || out.runs < count + 2))
    refuse(given.where, "variance.runs", std::to_string(out.runs), "cannot be matched",
           "an even number, at least the number of sources + 2");
  out.replicates = given.replicates.value_or(out.replicates);
  if (out.replicates != 0) in_range(given.where, "variance.replicates", out.replicates, 5, max_replicates);
  study.pairs = in_range(given.where, "variance.runs", row_count(out), 2, max_runs);
  const bool all_differ = out.design == "fix_hopt" && out.groups > 1;
  study.varied = all_differ ? free : out.sources;
  for (const auto& name : honoured)
    if (!contains(study.varied, name)) study.held.push_back(name);
  study.variance = std::move(out);
}

std::vector<DesignRow> rows_of(const Study& study) {
  if (study.variance) {
    std::vector<std::string> other;
    for (const auto& source : study.varied)
      if (!contains(study.variance->sources, source)) other.push_back(source);
    return rows_of(*study.variance, other, study.search.has_value(), study.seed.value());
  }
  const bool own_searches = contains(study.varied, std::string(search_source));
  std::vector<DesignRow> out(static_cast<std::size_t>(study.pairs));
  for (std::size_t pair = 0; pair < out.size(); ++pair) {
    for (const auto& source : study.varied) out[pair].indices[source] = pair;
    if (study.search) out[pair].search = own_searches ? out[pair].indices : Indices{};
  }
  return out;
}

std::int64_t trial_count(const Study& study) {
  Study seeded = study;
  seeded.seed = study.seed.value_or(0);
  if (study.profile) return profile_run_count(study);
  std::set<Indices> searches;
  std::int64_t each = 0;
  for (const auto& row : rows_of(seeded)) {
    ++each;
    if (row.search) searches.insert(*row.search);
  }
  if (study.variance && study.variance->replicates > 0) each += study.variance->replicates - 1;
  if (study.search) each += static_cast<std::int64_t>(searches.size()) * study.search->trials;
  return each * static_cast<std::int64_t>(study.variants.size());
}

}  // namespace retrial::harness::inline study::inline checks
