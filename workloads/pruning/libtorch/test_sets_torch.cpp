#include "workloads/pruning/libtorch/test_sets_torch.hpp"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "workloads/data/corrupt/corrupt.hpp"
#include "workloads/data/corrupt/shift.hpp"
#include "workloads/data/formats/cifar10c.hpp"
#include "workloads/nn/layers/samples_torch.hpp"
#include "workloads/pruning/keys/keys.hpp"
#include "workloads/pruning/steps/scoring_set.hpp"

namespace retrial::pruning::inline libtorch {
namespace {

at::Tensor shifted_images(const data::Inputs& inputs, const std::string& name, std::uint64_t seed) {
  const data::ImageSet& set = *inputs.set;
  const data::PixelTable table(set, inputs.normalisation);
  const std::vector<float> values = corrupt::shifted(set, inputs.parts.test, corrupt::find_shift(name), seed);
  const at::Tensor images = at::empty(
      {static_cast<std::int64_t>(inputs.parts.test.size()), set.shape.channels, set.shape.height, set.shape.width},
      at::kFloat);
  const std::size_t pixels = set.shape.pixels();
  for (std::size_t i = 0; i < inputs.parts.test.size(); ++i)
    table.normalise(values.data() + i * pixels, images.data_ptr<float>() + i * pixels);
  return images;
}

/// Read on demand: nineteen arrays of one severity are 580 MB. Test row r of the set is image
/// r - training rows of an array.
std::function<at::Tensor()> official_images(const Distribution& distribution, const data::Inputs& inputs,
                                            const std::shared_ptr<const data::Cifar10C>& arrays) {
  std::vector<std::uint32_t> rows;
  for (const std::uint32_t row : inputs.parts.test) rows.push_back(row - inputs.set->published.train);
  return [distribution, arrays, rows, normalisation = inputs.normalisation] {
    const data::ImageSet set = arrays->load(distribution.corruption, distribution.severity);
    return nn::images_of(set, rows, data::PixelTable(set, normalisation));
  };
}

std::function<at::Tensor()> images_under(const Distribution& distribution, const data::Inputs& inputs,
                                         std::uint64_t seed, std::shared_ptr<const corrupt::Textures> textures) {
  if (distribution.kind == Distribution::Kind::corruption) {
    auto changed = std::make_shared<const data::ImageSet>(corrupt::corrupted(*inputs.set, inputs.parts.test,
                                                                             {.name = distribution.corruption,
                                                                              .severity = distribution.severity,
                                                                              .seed = seed,
                                                                              .textures = std::move(textures)}));
    return [changed, normalisation = inputs.normalisation] {
      std::vector<std::uint32_t> rows(changed->count);
      std::iota(rows.begin(), rows.end(), 0U);
      return nn::images_of(*changed, rows, data::PixelTable(*changed, normalisation));
    };
  }
  const at::Tensor images =
      distribution.kind == Distribution::Kind::shift
          ? shifted_images(inputs, distribution.name, seed)
          : nn::images_of(*inputs.set, inputs.parts.test, data::PixelTable(*inputs.set, inputs.normalisation));
  return [images] { return images; };
}

bool has(const data::Cifar10C& arrays, const std::string& name) {
  return std::find(arrays.available().begin(), arrays.available().end(), name) != arrays.available().end();
}

}  // namespace

ScoringRows scoring_rows(const workloads::Trial& trial, const data::Inputs& inputs, const Network& network) {
  if (!pipeline_of(trial.values).prunes || !method_of(trial.values).reads_samples) return {};
  const auto& part = inputs.parts.valid.empty() ? inputs.parts.train : inputs.parts.valid;
  const auto rows = static_cast<std::int64_t>(part.size()), given = trial.integer("sample_size");
  const std::int64_t count = given > 0 ? given : sample_size(neurons_of(network), rows);
  std::vector<std::uint32_t> chosen;
  for (const std::uint32_t place : scoring_set(trial.seed("sample"), rows, count)) chosen.push_back(part[place]);
  return {nn::images_of(*inputs.set, chosen, data::PixelTable(*inputs.set, inputs.normalisation)),
          nn::labels_of(*inputs.set, chosen)};
}

std::vector<TestSet> test_sets(const Values& values, const data::Inputs& inputs, std::uint64_t seed) {
  std::vector<TestSet> sets;
  std::shared_ptr<const data::Cifar10C> arrays;
  const std::shared_ptr<const corrupt::Textures> textures = textures_of(values);
  for (const Distribution& distribution : distributions_of(values)) {
    const bool official = distribution.kind == Distribution::Kind::official;
    if (official && !arrays)
      arrays = std::make_shared<const data::Cifar10C>(text_in(values, "data_dir") + "/" + official_folder);
    if (official && !has(*arrays, distribution.corruption)) continue;
    if (needs_textures(distribution) && !textures) continue;
    sets.push_back({.name = distribution.name,
                    .images = official ? official_images(distribution, inputs, arrays)
                                       : images_under(distribution, inputs, seed, textures),
                    .labels = nn::labels_of(*inputs.set, inputs.parts.test)});
  }
  return sets;
}

}  // namespace retrial::pruning::inline libtorch
