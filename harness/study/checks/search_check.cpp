#include <algorithm>
#include <cmath>

#include "harness/study/checks/draft_checks.hpp"
#include "harness/study/checks/study.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline study::inline checks {
namespace {

using draft_checks::contains, draft_checks::in_range, draft_checks::known, draft_checks::refuse;

constexpr std::int64_t max_search_trials = 500;

std::vector<std::string> names_of(const std::vector<SearchKey>& keys) {
  std::vector<std::string> names;
  for (const SearchKey& key : keys) names.push_back(key.key);
  return names;
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

bool is_read(const workloads::Declaration& declaration, const StudyVariant& variant, const std::string& key) {
  return !declaration.reads || contains(declaration.reads(variant.values), key);
}

/// A searchable key is a number that training reads, in one variant at least.
void demand_searchable(const workloads::Declaration& declaration, const Study& study,
                       const StudyDraft::Search::Key& key) {
  std::vector<std::string> numbers;
  for (const auto& parameter : declaration.parameters)
    if ((std::holds_alternative<std::int64_t>(parameter.fallback) ||
         std::holds_alternative<double>(parameter.fallback)) &&
        (parameter.reads == workloads::Reads::training || parameter.reads == workloads::Reads::schedule))
      numbers.push_back(parameter.name);
  known(key.where, "search.keys", key.key, numbers, "searchable key");
  if (std::ranges::none_of(study.variants, [&](const auto& each) { return is_read(declaration, each, key.key); }))
    refuse(key.where, "search.keys", key.key, "not read by any variant of this study",
           results::joined(declaration.reads(study.variants.front().values)));
}

/// Every variant uses the whole budget: it reads one of the keys, and on a grid all of them.
void demand_equal_budgets(const std::string& where, const workloads::Declaration& declaration, const Study& study,
                          const SearchSpace& space) {
  for (const auto& variant : study.variants) {
    const auto read = searched_by(declaration, space, variant).keys;
    if (read.empty() || (space.method == "noisy-grid" && read.size() < space.keys.size()))
      refuse(where, "search.keys", results::joined(names_of(space.keys)),
             "variant " + variant.name + " reads " +
                 (read.empty() ? "none" : "only " + results::joined(names_of(read))) +
                 " of them, so it would be tuned less than the others",
             results::joined(declaration.reads(variant.values)),
             read.empty() ? "" : "or method = \"random\", whose budget does not depend on the number of keys");
  }
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
    out.points = in_range(key.where, field + ".points", *key.points, 2, max_search_trials);
  } else if (key.points) {
    refuse(key.where, field + ".points", std::to_string(*key.points), "is for a noisy grid only",
           "method = \"noisy-grid\"");
  }
  return out;
}

/// The search must not use the judged metric or any other metric computed from the test items.
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
           "name the validation metric that the search selects by; it must not be the judged one");
  if (*draft.metric == judged)
    refuse(draft.where, "search.metric", judged, "is the judged metric, so the search would select on the test items",
           results::joined(names));
  known(draft.where, "search.metric", *draft.metric, names, "validation metric");
  return *draft.metric;
}

std::int64_t trials_of(const StudyDraft::Search& draft, const std::vector<SearchKey>& keys, const std::string& method) {
  if (method == "random") {
    if (!draft.trials) refuse(draft.where, "search.trials", "", "missing", "2 to " + std::to_string(max_search_trials));
    return in_range(draft.where, "search.trials", *draft.trials, 2, max_search_trials);
  }
  std::int64_t product = 1;
  for (const auto& key : keys) product = std::min(product * key.points, max_search_trials + 1);
  if (product > max_search_trials)
    refuse(draft.where, "search.points", "", "the grid has more than " + std::to_string(max_search_trials) + " cells",
           "fewer points");
  if (draft.trials && *draft.trials != product)
    refuse(draft.where, "search.trials", std::to_string(*draft.trials), "contradicts the points of the grid",
           std::to_string(product) + ", or left out");
  return product;
}

}  // namespace

std::string search_variant(const std::string& variant) {
  return variant + ".search";
}

SearchSpace searched_by(const workloads::Declaration& declaration, const SearchSpace& space,
                        const StudyVariant& variant) {
  SearchSpace own = space;
  std::erase_if(own.keys, [&](const SearchKey& key) { return !is_read(declaration, variant, key.key); });
  return own;
}

std::vector<std::string> honoured_in_search(const Study& study, const StudyVariant& variant) {
  const auto& declaration = workloads::find_workload(study.workload, "");
  auto out = declaration.honours(variant.values);
  for (const bool high : {false, true}) {
    Values values = variant.values;
    for (const auto& key : searched_by(declaration, *study.search, variant).keys) {
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
  demand_equal_budgets(given.where, declaration, study, out);
  out.metric = validation_metric(given, declaration, study, judged);
  out.trials = trials_of(given, out.keys, out.method);
  for (const auto& variant : study.variants)
    for (const auto& other : study.variants)
      if (other.name == search_variant(variant.name))
        refuse(given.where, "variant", other.name, "is the name of the searches of " + variant.name, "another name");
  return out;
}

results::MetricDef searched_metric(const Study& study, const StudyVariant& variant) {
  for (const auto& def : workloads::metrics_under(workloads::find_workload(study.workload, ""), variant.values))
    if (def.name == study.search->metric) return def;
  throw Error({.code = "study.variance",
               .field = "search.metric",
               .value = study.search->metric,
               .problem = "is not reported by variant " + variant.name});
}

}  // namespace retrial::harness::inline study::inline checks
