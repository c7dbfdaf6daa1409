#include "workloads/distillation/methods/methods.hpp"

#include <algorithm>

#include "results/text/text.hpp"
#include "variance/numbers/error.hpp"

namespace retrial::distillation::inline methods {
namespace {

const std::vector<std::string> soft_keys{"w_ce", "w_soft", "temperature", "t_squared", "reduction"};

void add_new(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

/// w_feat below 0 means the weight of the source.
double weight_of(const TermUse& use, const Method& method, const Values& values) {
  if (use.weight_key.empty()) return use.factor;
  const double given = number_in(values, use.weight_key);
  return use.factor * (use.weight_key == "w_feat" && given < 0 ? method.w_feat : given);
}

WeightedTerm weighted(const TermUse& use, const Method& method, const Values& values) {
  return {use.term, weight_of(use, method, values), use.warms_up};
}

Base base_of(const Values& values) {
  const Method& method = method_of(values);
  const std::string& given = text_in(values, "base");
  if (method.base == Base::none || given == "default") return method.base;
  return given == "kd" ? Base::kd : Base::ce;
}

std::vector<WeightedTerm> base_terms(const Method& method, const Values& values) {
  switch (base_of(values)) {
    case Base::none:
      return {};
    case Base::ce:
      return {{.term = "ce"}};
    case Base::kd:
      return {weighted({"ce", "w_ce"}, method, values), weighted({"soft", "w_soft"}, method, values)};
  }
  return {};
}

std::vector<WeightedTerm> own_terms(const Method& method, const Values& values) {
  if (method.needs_teacher && !has_teacher(values)) return {{.term = "ce"}};
  std::vector<WeightedTerm> terms;
  for (const TermUse& use : method.terms) terms.push_back(weighted(use, method, values));
  return terms;
}

/// A preparation has no gradient for the student, so its term is not weighted.
std::vector<WeightedTerm> prepared_terms(const Method& method) {
  std::vector<WeightedTerm> terms;
  for (const TermUse& use : method.terms) terms.push_back({.term = use.term});
  return terms;
}

std::int64_t init_epochs_of(const Method& method, const Values& values) {
  if (method.first == Method::First::none) return 0;
  const auto given = integer_in(values, "init_epochs");
  return given < 0 ? method.init_epochs : given;
}

bool compares_logits(const std::string& term) {
  return term == "soft" || term == "lstd" || term == "tckd" || term == "nckd" || term == "dist_inter" ||
         term == "dist_intra";
}

std::string mode_of(const Values& values) {
  const Method& method = method_of(values);
  const std::string& given = text_in(values, "mode");
  return given == "default" && !method.modes.empty() ? method.modes.front() : given;
}

}  // namespace

const std::vector<std::string>& reduction_names() {
  static const std::vector<std::string> names{"batch_mean", "element_mean", "sum"};
  return names;
}

Weights weights_of(const Values& values) {
  const auto& names = reduction_names();
  const auto reduction = std::find(names.begin(), names.end(), text_in(values, "reduction")) - names.begin();
  return {.w_ce = number_in(values, "w_ce"),
          .w_soft = number_in(values, "w_soft"),
          .temperature = number_in(values, "temperature"),
          .t_squared = flag_in(values, "t_squared"),
          .reduction = static_cast<Reduction>(reduction)};
}

const Method& find_method(const std::string& name) {
  const auto& table = all_methods();
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const Method& method) { return method.name == name; });
  if (found == table.end()) throw InvalidInput("method", name, results::joined(method_names()));
  return *found;
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const Method& method : all_methods()) names.push_back(method.name);
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> mode_names() {
  std::vector<std::string> names{"default"};
  for (const Method& method : all_methods())
    for (const std::string& mode : method.modes) add_new(names, mode);
  return names;
}

std::vector<std::string> term_names() {
  std::vector<std::string> names;
  for (const Method& method : all_methods())
    for (const TermUse& use : method.terms) add_new(names, use.term);
  return names;
}

const Method& method_of(const Values& values) {
  return find_method(text_in(values, "method"));
}

bool has_teacher(const Values& values) {
  const Method& method = method_of(values);
  return method.needs_teacher && !(method.teacher_optional && text_in(values, "teacher") == "none");
}

bool has_assistant(const Values& values) {
  return method_of(values).needs_assistant;
}

bool sees_features(const std::string& term) {
  return !compares_logits(term) && term != "ce" && term != "cosine";
}

bool has_soft_term(const Values& values) {
  for (const PhasePlan& phase : phases_of(values))
    for (const WeightedTerm& term : phase.terms)
      if (compares_logits(term.term)) return true;
  return false;
}

std::vector<std::string> method_keys(const Values& values) {
  const Method& method = method_of(values);
  std::vector<std::string> keys{"optimizer"};
  const auto add = [&](const std::vector<std::string>& more) { keys.insert(keys.end(), more.begin(), more.end()); };
  add(method.keys);
  if (method.base != Base::none) add({"base"});
  if (method.w_feat > 0) add({"w_feat"});
  if (!method.modes.empty()) add({"mode"});
  if (method.first != Method::First::none) add({"init_epochs"});
  if (method.needs_assistant) add({"assistant"});
  if (text_in(values, "optimizer") == "dot") add({"dot_delta"});
  bool soft = base_of(values) == Base::kd;
  for (const TermUse& use : method.terms) soft = soft || (use.weight_key == "w_soft" && has_teacher(values));
  if (soft)
    add(soft_keys);
  else if (has_soft_term(values))
    add({"temperature"});
  for (const TermUse& use : method.terms)
    if (use.weight_key == "beta") add({"beta"});
  // The square of 1: the key would change nothing.
  if (number_in(values, "temperature") == 1) std::erase(keys, "t_squared");
  return keys;
}

double WeightedTerm::weight_at(std::int64_t epoch) const {
  constexpr double warm = 20;
  return warms_up ? weight * std::min(static_cast<double>(epoch + 1) / warm, 1.0) : weight;
}

std::vector<PhasePlan> phases_of(const Values& values) {
  const Method& method = method_of(values);
  const std::int64_t first = init_epochs_of(method, values);
  const bool alone = first > 0 && method.first == Method::First::alone;
  std::vector<PhasePlan> phases;
  if (first > 0)
    phases.push_back({.name = "init",
                      .epochs = first,
                      .terms = alone ? own_terms(method, values) : prepared_terms(method),
                      .preparation = !alone});
  std::vector<WeightedTerm> terms = base_terms(method, values);
  if (!alone)
    for (WeightedTerm& term : own_terms(method, values)) terms.push_back(std::move(term));
  phases.push_back({.name = "", .epochs = integer_in(values, "epochs"), .terms = std::move(terms)});
  return phases;
}

Options options_of(const Values& values) {
  return {.weights = weights_of(values),
          .mode = mode_of(values),
          .hint_layer = integer_in(values, "hint_layer"),
          .negatives = integer_in(values, "negatives")};
}

}  // namespace retrial::distillation::inline methods
