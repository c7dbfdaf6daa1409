#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "harness/study.hpp"
#include "results/error.hpp"
#include "results/text.hpp"
#include "workloads/registry.hpp"

namespace retrial::harness {
namespace {

constexpr std::int64_t most_runs = 1'000'000, most_search_trials = 500, most_replicates = 1000;

bool contains(const std::vector<std::string>& list, const std::string& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

[[noreturn]] void refuse(const std::string& where, const std::string& field, const std::string& value,
                         const std::string& problem, const std::string& allowed, const std::string& help = "") {
  throw Error({.code = "study.variance",
               .where = where,
               .field = field,
               .value = results::one_line(value, 80),
               .problem = problem,
               .allowed = allowed,
               .help = help});
}

void known(const std::string& where, const std::string& field, const std::string& value,
           const std::vector<std::string>& words, const std::string& what) {
  if (contains(words, value)) return;
  const auto near = results::nearest(value, words);
  refuse(where, field, value, "unknown " + what, results::joined(words), near ? "did you mean \"" + *near + "\"?" : "");
}

std::int64_t in_range(const std::string& where, const std::string& field, std::int64_t value, std::int64_t low,
                      std::int64_t high) {
  if (value < low || value > high)
    refuse(where, field, std::to_string(value), "out of range", std::to_string(low) + " to " + std::to_string(high));
  return value;
}

double bound(const workloads::Declaration& declaration, const StudyDraft::Search::Key& key,
             const std::optional<double>& given, const char* name) {
  const std::string field = "search." + key.key + "." + name;
  if (!given) refuse(key.where, field, "", "missing", "a number; for example { low = 0.01, high = 1.0, log = true }");
  const auto& parameter = *workloads::find_parameter(declaration, key.key);
  if (std::holds_alternative<std::int64_t>(parameter.fallback)) {
    if (*given != std::floor(*given) || std::fabs(*given) > 1e15)
      refuse(key.where, field, results::text_of(*given), "not a whole number", workloads::allowed_text(parameter));
    static_cast<void>(workloads::checked(declaration, key.key, static_cast<std::int64_t>(*given), key.where));
  } else {
    static_cast<void>(workloads::checked(declaration, key.key, *given, key.where));
  }
  return *given;
}

/// A key that can be searched: a number that training reads, under every variant.
void demand_searchable(const workloads::Declaration& declaration, const Study& study,
                       const StudyDraft::Search::Key& key) {
  std::vector<std::string> numbers;
  for (const auto& parameter : declaration.parameters)
    if ((std::holds_alternative<std::int64_t>(parameter.fallback) ||
         std::holds_alternative<double>(parameter.fallback)) &&
        (parameter.reads == workloads::Reads::training || parameter.reads == workloads::Reads::schedule))
      numbers.push_back(parameter.name);
  known(key.where, "search.keys", key.key, numbers, "key that a search could try");
  if (!declaration.reads) return;
  for (const auto& variant : study.variants)
    if (!contains(declaration.reads(variant.values), key.key))
      refuse(key.where, "search.keys", key.key, "not read by variant " + variant.name,
             results::joined(declaration.reads(variant.values)));
}

SearchKey checked_key(const workloads::Declaration& declaration, const Study& study, const StudyDraft::Search::Key& key,
                      const std::string& method) {
  demand_searchable(declaration, study, key);
  SearchKey out{.key = key.key,
                .low = bound(declaration, key, key.low, "low"),
                .high = bound(declaration, key, key.high, "high"),
                .log = key.log};
  const std::string field = "search." + key.key;
  if (out.low >= out.high)
    refuse(key.where, field + ".high", results::text_of(out.high), "not above low",
           "more than " + results::text_of(out.low));
  if (out.log && out.low < 1e-300)
    refuse(key.where, field + ".low", results::text_of(out.low), "has no logarithm", "more than 0");
  if (method == "noisy-grid") {
    if (!key.points) refuse(key.where, field + ".points", "", "missing", "points of the grid along this key");
    out.points = in_range(key.where, field + ".points", *key.points, 2, most_search_trials);
  } else if (key.points) {
    refuse(key.where, field + ".points", std::to_string(*key.points), "only a noisy grid has points",
           "method = \"noisy-grid\"");
  }
  return out;
}

/// The search must not look at what is judged, nor at anything else that counts the test items.
std::string validation_metric(const StudyDraft::Search& draft, const workloads::Declaration& declaration,
                              const Study& study, const std::string& judged) {
  std::vector<std::string> names;
  for (const auto& variant : study.variants)
    for (const auto& def : workloads::metrics_under(declaration, variant.values))
      if (def.axis == results::Axis::none && def.nature == results::Nature::outcome &&
          def.direction != results::Direction::none && def.name != judged && !contains(names, def.name) &&
          !(declaration.test_items && declaration.test_items(variant.values, def.name)))
        names.push_back(def.name);
  if (!draft.metric)
    refuse(draft.where, "search.metric", "", "missing", results::joined(names),
           "name the validation metric by which the search chooses; it must not be the judged one");
  if (*draft.metric == judged)
    refuse(draft.where, "search.metric", judged, "is judged, so that the search would select on the test items",
           results::joined(names));
  known(draft.where, "search.metric", *draft.metric, names, "validation metric");
  return *draft.metric;
}

std::int64_t trials_of(const StudyDraft::Search& draft, const std::vector<SearchKey>& keys, const std::string& method) {
  if (method == "random") {
    if (!draft.trials)
      refuse(draft.where, "search.trials", "", "missing", "2 to " + std::to_string(most_search_trials));
    return in_range(draft.where, "search.trials", *draft.trials, 2, most_search_trials);
  }
  std::int64_t product = 1;
  for (const auto& key : keys) product = std::min(product * key.points, most_search_trials + 1);
  if (product > most_search_trials)
    refuse(draft.where, "search.points", "", "the grid has more than " + std::to_string(most_search_trials) + " cells",
           "fewer points");
  if (draft.trials && *draft.trials != product)
    refuse(draft.where, "search.trials", std::to_string(*draft.trials), "is not what the points of the grid give",
           std::to_string(product) + ", or left out");
  return product;
}

struct Limits {
  std::int64_t sources_least, sources_most, runs_least, groups_least, groups_default;  ///< groups_least 0: none
};

Limits limits_of(const std::string& design) {
  constexpr std::int64_t any = 1000;
  if (design == "crossed") return {2, 2, 2, 2, 0};
  if (design == "nested") return {2, any, 2, 2, 5};
  if (design == "fix_hopt") return {1, any, 2, 1, 1};
  return {1, any, 2, 0, 1};
}

/// "all" and "data" are the words of the published estimators; "init" is a source already.
std::vector<std::string> named_sources(const StudyDraft::Variance& draft, const std::string& design,
                                       const std::vector<std::string>& free) {
  std::vector<std::string> out = free;
  if (design == "fix_hopt") std::erase(out, std::string(search_source));
  if (!draft.sources || *draft.sources == std::vector<std::string>{"all"}) return out;
  std::vector<std::string> names;
  for (const auto& given : *draft.sources) {
    const std::string name = design == "fix_hopt" && given == "data" ? "data-split" : given;
    known(draft.where, "variance.sources", name, free, "source");
    if (design == "fix_hopt" && name == search_source)
      refuse(draft.where, "variance.sources", name, "fix_hopt draws the search once for each group",
             results::joined(out), "design = \"ideal\" searches anew for every run");
    if (contains(names, name)) refuse(draft.where, "variance.sources", name, "named twice", results::joined(free));
    names.push_back(name);
  }
  return names;
}

/// Sources that are neither held nor left out of `vary`.
std::vector<std::string> free_sources(const StudyDraft& draft, const std::vector<std::string>& honoured) {
  const auto vary = draft.vary.value_or(honoured), hold = draft.hold.value_or(std::vector<std::string>{});
  for (const auto& name : vary) known(draft.where, "vary", name, honoured, "source");
  for (const auto& name : hold) known(draft.where, "hold", name, honoured, "source");
  std::vector<std::string> out;
  for (const auto& name : honoured)
    if (contains(vary, name) && !contains(hold, name)) out.push_back(name);
  return out;
}

void refuse_what_contradicts(const StudyDraft& draft) {
  if (draft.pairs)
    refuse(draft.where, "pairs", std::to_string(*draft.pairs),
           "a study of variance has as many runs as its design says", "variance.runs");
  if (draft.vary && draft.variance->sources)
    refuse(draft.where, "vary", results::joined(*draft.vary), "given together with the sources of [variance]",
           "one of them");
  const std::string design = draft.variance->design.value_or("oat");
  if (design != "ideal" && (draft.baseline || draft.candidate || draft.alpha || draft.beta || draft.gamma))
    refuse(draft.where, "compare", design, "runs of this design share seeds, so that they are no independent pairs",
           "design = \"ideal\"", "retrial variance tells both variants' shares and what a claim about them rests on");
}

}  // namespace

std::string search_variant(const std::string& variant) {
  return variant + ".search";
}

std::vector<std::string> honoured_in_search(const Study& study, const StudyVariant& variant) {
  const auto& declaration = workloads::find_workload(study.workload, "");
  auto out = declaration.honours(variant.values);
  for (const bool high : {false, true}) {
    Values values = variant.values;
    for (const auto& key : study.search->keys) {
      const double end = high ? key.high : key.low;
      Value& value = values.at(key.key);
      value = std::holds_alternative<double>(value) ? Value(end) : Value(static_cast<std::int64_t>(end));
    }
    for (const auto& source : declaration.honours(values))
      if (!contains(out, source)) out.push_back(source);
  }
  return out;
}

SearchSpace checked_search(const StudyDraft& draft, const workloads::Declaration& declaration, const Study& study,
                           const std::string& judged) {
  const auto& given = *draft.search;
  SearchSpace out{.method = given.method.value_or("random"), .trials = 0, .metric = "", .keys = {}};
  known(given.where, "search.method", out.method, search_words(), "method");
  if (given.keys.empty())
    refuse(given.where, "search.keys", "", "missing", "", "for example lr = { low = 0.01, high = 1.0, log = true }");
  for (const auto& key : given.keys) out.keys.push_back(checked_key(declaration, study, key, out.method));
  std::sort(out.keys.begin(), out.keys.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
  for (std::size_t i = 1; i < out.keys.size(); ++i)
    if (out.keys[i].key == out.keys[i - 1].key) refuse(given.where, "search.keys", out.keys[i].key, "named twice", "");
  out.metric = validation_metric(given, declaration, study, judged);
  out.trials = trials_of(given, out.keys, out.method);
  for (const auto& variant : study.variants)
    for (const auto& other : study.variants)
      if (other.name == search_variant(variant.name))
        refuse(given.where, "variant", other.name, "is the name of the searches of " + variant.name, "another name");
  return out;
}

void set_variance(const StudyDraft& draft, const std::vector<std::string>& honoured, const std::string& judged,
                  Study& study) {
  const auto& given = *draft.variance;
  VarianceDesign out{.design = given.design.value_or("oat"), .sources = {}, .metric = judged};
  known(given.where, "variance.design", out.design, design_words(), "design");
  refuse_what_contradicts(draft);
  const auto free = free_sources(draft, honoured);
  out.sources = named_sources(given, out.design, free);
  const Limits limits = limits_of(out.design);
  const auto count = static_cast<std::int64_t>(out.sources.size());
  if (count < limits.sources_least || count > limits.sources_most)
    refuse(given.where, "variance.sources", results::joined(out.sources), "not a number of sources for " + out.design,
           limits.sources_most == limits.sources_least ? "exactly " + std::to_string(limits.sources_least)
                                                       : std::to_string(limits.sources_least) + " and more");
  out.runs = in_range(given.where, "variance.runs", given.runs.value_or(out.runs), limits.runs_least, most_runs);
  if (given.groups && limits.groups_least == 0)
    refuse(given.where, "variance.groups", std::to_string(*given.groups), "design " + out.design + " has no groups",
           "crossed, nested, fix_hopt");
  out.groups = given.groups.value_or(out.design == "crossed" ? out.runs : limits.groups_default);
  in_range(given.where, "variance.groups", out.groups, std::max<std::int64_t>(1, limits.groups_least), most_runs);
  if (out.design == "matched" && (out.runs % 2 != 0 || out.runs < count + 2))
    refuse(given.where, "variance.runs", std::to_string(out.runs), "cannot be matched",
           "an even number above the number of sources + 1");
  out.replicates = given.replicates.value_or(out.replicates);
  if (out.replicates != 0) in_range(given.where, "variance.replicates", out.replicates, 5, most_replicates);
  study.pairs = in_range(given.where, "variance.runs", row_count(out), 2, most_runs);
  const bool all_differ = out.design == "fix_hopt" && out.groups > 1;
  study.varied = all_differ ? free : out.sources;
  for (const auto& name : honoured)
    if (!contains(study.varied, name)) study.held.push_back(name);
  study.variance = std::move(out);
}

results::MetricDef searched_metric(const Study& study, const StudyVariant& variant) {
  for (const auto& def : workloads::metrics_under(workloads::find_workload(study.workload, ""), variant.values))
    if (def.name == study.search->metric) return def;
  throw Error({.code = "study.variance",
               .field = "search.metric",
               .value = study.search->metric,
               .problem = "is not reported by variant " + variant.name});
}

std::vector<DesignRow> rows_of(const Study& study) {
  if (study.variance) {
    std::vector<std::string> other;
    for (const auto& source : study.varied)
      if (!contains(study.variance->sources, source)) other.push_back(source);
    return rows_of(*study.variance, other, study.search.has_value(), study.seed.value());
  }
  std::vector<DesignRow> out(static_cast<std::size_t>(study.pairs));
  for (std::size_t pair = 0; pair < out.size(); ++pair) {
    for (const auto& source : study.varied) out[pair].indices[source] = pair;
    if (study.search) out[pair].search = out[pair].indices;
  }
  return out;
}

std::int64_t trial_count(const Study& study) {
  Study seeded = study;
  seeded.seed = study.seed.value_or(0);
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

}  // namespace retrial::harness
