#include "workloads/distillation/keys/fit.hpp"

#include <algorithm>

#include "results/text/text.hpp"
#include "variance/numbers/error.hpp"
#include "workloads/distillation/keys/batches.hpp"
#include "workloads/distillation/keys/inputs.hpp"

namespace retrial::distillation::inline keys {
namespace {

using Problems = std::vector<workloads::Problem>;

std::string named(const Network& network) {
  return network.role + " " + network.name;
}
std::string size_of(const nn::MapShape& map) {
  return std::to_string(map.height) + "x" + std::to_string(map.width);
}

/// Whether hint's convolution can reach the teacher's size: half, double, or anything smaller.
std::string hint_misfit(std::int64_t layer, const Network& student, const Network& teacher) {
  for (const Network* network : {&student, &teacher}) {
    if (layer == 0 && !network->outline.stem) return named(*network) + " has no stem";
    if (layer > static_cast<std::int64_t>(network->outline.stages.size()))
      return named(*network) + " has no stage " + std::to_string(layer);
  }
  const auto map = [&](const nn::Outline& outline) {
    return layer == 0 ? *outline.stem : outline.stages[static_cast<std::size_t>(layer - 1)].map;
  };
  const nn::MapShape s = map(student.outline), t = map(teacher.outline);
  if (s.height >= t.height || 2 * s.height == t.height) return "";
  return named(student) + " has maps of " + size_of(s) + " in stage " + std::to_string(layer) +
         ", which no convolution turns into " + size_of(t);
}

std::string stage_misfit(const Needs& needs, const Network& student, const Network& teacher, std::size_t i) {
  const nn::StageOutline &s = student.outline.stages[i], &t = teacher.outline.stages[i];
  const std::string where = " in stage " + std::to_string(i + 1) + ", " + named(teacher);
  if (needs.equal_channels && s.map.channels != t.map.channels)
    return named(student) + " has " + std::to_string(s.map.channels) + " channels" + where + " has " +
           std::to_string(t.map.channels);
  if (needs.equal_sizes && (s.before.height != t.before.height || s.before.width != t.before.width))
    return named(student) + " has maps of " + size_of(s.before) + where + " of " + size_of(t.before);
  if (needs.norms && !t.normed) return named(teacher) + " has no batch norm before the ReLU of a stage";
  return "";
}

std::string maps_misfit(const Needs& needs, const Network& student, const Network& teacher) {
  for (const Network* network : {&student, &teacher})
    if (network->outline.stages.empty()) return named(*network) + " has no spatial features";
  const std::size_t stages = student.outline.stages.size();
  if (stages != teacher.outline.stages.size())
    return named(student) + " has " + std::to_string(stages) + " stages, " + named(teacher) + " has " +
           std::to_string(teacher.outline.stages.size());
  for (std::size_t i = 0; i < stages; ++i)
    if (std::string wrong = stage_misfit(needs, student, teacher, i); !wrong.empty()) return wrong;
  return "";
}

Network network_of(const Values& values, const std::string& role) {
  return {role, text_in(values, role), nn::outline_of(architecture_of(values, role), data::image_shape(values)),
          is_script(values, role)};
}

bool compares_features(const Method& method) {
  return std::ranges::any_of(method.terms, [](const TermUse& use) { return sees_features(use.term); });
}

/// The student's teacher: with takd the assistant, compared by logits only.
void check_fit(const Values& values, Problems& problems) try {
  const Method& method = method_of(values);
  if (!has_teacher(values)) return;
  const Network student = network_of(values, "student"), teacher = network_of(values, "teacher");
  const std::string wrong = misfit(method, values, student, teacher);
  if (wrong.empty()) return;
  std::vector<std::string> fitting;
  for (const Method& other : all_methods())
    if (misfit(other, values, student, teacher).empty()) fitting.push_back(other.name);
  std::sort(fitting.begin(), fitting.end());
  problems.push_back(
      {"method", "method " + method.name + ": " + wrong, "for these networks: " + results::joined(fitting)});
} catch (const InvalidInput&) {
  return;
}

void check_mode(const Values& values, Problems& problems) {
  const Method& method = method_of(values);
  const std::string& mode = text_in(values, "mode");
  if (mode == "default" || method.modes.empty()) return;  // a method without modes does not read the key
  if (std::find(method.modes.begin(), method.modes.end(), mode) == method.modes.end())
    problems.push_back(
        {"mode", "method " + method.name + " has no mode " + mode, "default, " + results::joined(method.modes)});
}

void check_weights(const Values& values, Problems& problems) {
  const Method& method = method_of(values);
  if (const double given = number_in(values, "w_feat"); given < 0 && given != -1)
    problems.push_back({"w_feat", "a negative weight", "-1 (the weight of the method's source), or 0 and above"});
  if (number_in(values, "beta") != 8 && method.name != "dkd")
    problems.push_back({"beta", "is ambiguous; use w_ce and w_soft", "beta with method dkd only"});
  double sum = 0;
  const PhasePlan main = phases_of(values).back();
  for (const WeightedTerm& term : main.terms) sum += std::max(term.weight, 0.0);
  if (sum == 0)
    problems.push_back(
        {"w_ce", "w_ce and w_soft are both 0, so method " + method.name + " has no objective", "at least one above 0"});
}

/// A phase whose terms all have weight 0 has no objective.
void check_first_phase(const Values& values, Problems& problems) {
  const std::vector<PhasePlan> phases = phases_of(values);
  if (phases.size() < 2 || phases.front().preparation) return;
  for (const WeightedTerm& term : phases.front().terms)
    if (term.weight > 0) return;
  problems.push_back({"w_feat", "0, so the first phase of method " + text_in(values, "method") + " has no objective",
                      "above 0, or init_epochs = 0"});
}

void check_dot(const Values& values, Problems& problems) {
  if (text_in(values, "optimizer") != "dot") return;
  if (!has_soft_term(values))
    problems.push_back({"optimizer",
                        "dot needs a term with softened logits; method " + text_in(values, "method") + " has none",
                        "sgd; dot with kd, multikd, takd, uda, cosine, lstd, dkd, dist, or base = kd"});
  const double momentum = number_in(values, "momentum"), delta = number_in(values, "dot_delta");
  if (momentum - delta < 0 || momentum + delta >= 1)
    problems.push_back({"dot_delta", "moves a momentum of " + results::text_of(momentum) + " out of [0, 1)",
                        "at most the momentum, and below 1 - momentum"});
}

void check_own_augmentation(const Values& values, Problems& problems) {
  if (method_of(values).name != "uda" || text_in(values, "augment") == "none") return;
  problems.push_back({"augment", "method uda has its own augmentation, autoaugment", "none with method uda"});
}

void check_cache(const Values& values, Problems& problems) {
  if (!has_teacher(values) || text_in(values, "teacher_cache") != "logits") return;
  if (augmentation_of(values, "augment") != nullptr)
    problems.push_back(
        {"teacher_cache", "the teacher must see each augmented image", "logits with augment = none; off"});
  for (const PhasePlan& phase : phases_of(values))
    for (const WeightedTerm& term : phase.terms)
      if (sees_features(term.term)) {
        problems.push_back(
            {"teacher_cache", "method " + text_in(values, "method") + " needs features, not only logits", "off"});
        return;
      }
}

}  // namespace

std::string misfit(const Method& method, const Values& values, const Network& student, const Network& teacher) {
  for (const Network* network : {&student, &teacher})
    if (network->script && compares_features(method))
      return named(*network) + " shows its logits alone, and this method compares features";
  if (method.name == "hint") {
    const std::string wrong = maps_misfit({.maps = true}, student, teacher);
    return wrong.empty() ? hint_misfit(integer_in(values, "hint_layer"), student, teacher) : wrong;
  }
  return method.needs.maps ? maps_misfit(method.needs, student, teacher) : "";
}

Problems method_problems(const Values& values) {
  Problems problems;
  check_fit(values, problems);
  check_mode(values, problems);
  check_weights(values, problems);
  check_dot(values, problems);
  check_first_phase(values, problems);
  for (workloads::Problem& problem : batch_problems(values)) problems.push_back(std::move(problem));
  check_own_augmentation(values, problems);
  check_cache(values, problems);
  return problems;
}

}  // namespace retrial::distillation::inline keys
