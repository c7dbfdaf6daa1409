#include "harness/price/subjects.hpp"

#include <algorithm>

#include "determinism/price/layers.hpp"
#include "harness/text/names.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::harness::inline price {
namespace {

using determinism::PricedLayer;

constexpr std::uint64_t root_seed = 1;  // no time depends on it

void demand_some(const std::vector<PriceSubject>& subjects, const std::vector<std::int64_t>& kernels) {
  if (!subjects.empty()) return;
  std::vector<std::string> sides;
  for (const PricedLayer& layer : determinism::priced_layers())
    if (layer.kernel > 0 && std::ranges::find(sides, std::to_string(layer.kernel)) == sides.end())
      sides.push_back(std::to_string(layer.kernel));
  throw Error({.code = "price.nothing",
               .where = "--kernel-sizes",
               .value = std::to_string(kernels.front()),
               .problem = "no layer that is priced has a convolution of this size",
               .allowed = results::joined(sides)});
}

PriceSubject training_of(const Study& study, const StudyVariant& variant, const PlanInputs& inputs) {
  return {.name = study.name + ": " + variant.name,
          .trial = TrialBody(make_trial(study, variant, inputs, {}, 0)),
          .place = {.data = inputs.data}};
}

std::vector<PriceSubject> all_trainings(const determinism::KernelMode& mode, const PlanInputs& inputs) {
  std::vector<PriceSubject> out;
  for (const auto& declaration : workloads::all_workloads()) {
    if (!declaration.contributes.trainings) continue;
    if (mode.on_gpu() && declaration.trains == workloads::Trains::on_cpu) continue;
    for (const auto& training : declaration.contributes.trainings()) {
      const Study study{.name = declaration.name, .workload = declaration.name, .seed = root_seed, .mode = mode};
      out.push_back(training_of(study, {training.name, "", workloads::resolved(declaration, training.keys)}, inputs));
      out.back().meaning = "a training of workload " + declaration.name;
    }
  }
  return out;
}

}  // namespace

std::vector<PriceSubject> layer_subjects(const std::vector<std::string>& names,
                                         const std::vector<std::int64_t>& batches,
                                         const std::vector<std::int64_t>& kernels) {
  std::vector<PriceSubject> out;
  for (const std::string& name : names.empty() ? names_in(determinism::priced_layers()) : names) {
    const PricedLayer& layer = determinism::priced_layer(name, "--layers");
    if (!kernels.empty() && std::ranges::find(kernels, layer.kernel) == kernels.end()) continue;
    for (const std::int64_t batch : batches.empty() ? std::vector{layer.batch} : batches)
      out.push_back({.name = layer.name + ", batch " + std::to_string(batch),
                     .meaning = layer.meaning,
                     .order = {.layer = layer.name, .batch = batch}});
  }
  demand_some(out, kernels);
  return out;
}

std::vector<PriceSubject> training_subjects(const std::vector<std::string>& names, const determinism::KernelMode& mode,
                                            const PlanInputs& inputs) {
  auto all = all_trainings(mode, inputs);
  if (names.empty()) return all;
  const auto known = names_in(all);
  std::vector<PriceSubject> out;
  for (const std::string& name : names) {
    const auto found = std::ranges::find(all, name, &PriceSubject::name);
    if (found != all.end()) {
      out.push_back(*found);
      continue;
    }
    auto near = results::nearest(name, known);
    if (const auto part = std::ranges::find_if(known, [&](const auto& each) { return each.find(name) != each.npos; });
        !near && part != known.end())
      near = *part;
    throw Error({.code = "price.network",
                 .where = "--network",
                 .value = results::one_line(name, 100),
                 .problem = "unknown training of a network",
                 .allowed = results::joined(known, "; "),
                 .help = near ? "did you mean '" + *near + "'?"
                              : "a workload or a study has a price too: retrial price WORKLOAD"});
  }
  return out;
}

std::vector<PriceSubject> study_subjects(const Study& study, const PlanInputs& inputs,
                                         const std::filesystem::path& data) {
  const auto& declaration = workloads::find_workload(study.workload, "");
  if (!declaration.contributes.trainings) {
    std::vector<std::string> known;
    for (const auto& each : workloads::all_workloads())
      if (each.contributes.trainings) known.push_back(each.name);
    throw Error({.code = "price.workload",
                 .where = study.workload,
                 .problem = "trains no network on LibTorch, whose kernels have the price",
                 .allowed = results::joined(known)});
  }
  std::vector<PriceSubject> out;
  for (const StudyVariant& variant : study.variants) {
    out.push_back(training_of(study, variant, inputs));
    out.back().meaning = "a training of workload " + declaration.name;
    out.back().place = {.data = data, .folders = study.folders};
  }
  return out;
}

}  // namespace retrial::harness::inline price
