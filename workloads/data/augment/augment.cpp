#include "workloads/data/augment/augment.hpp"

#include <algorithm>

#include "results/text/text.hpp"
#include "variance/numbers/error.hpp"
#include "workloads/data/augment/steps.hpp"
#include "workloads/data/corrupt/mix.hpp"

namespace retrial::data::inline augment {
namespace {

std::vector<std::string> operator_names() {
  std::vector<std::string> names{"none"};
  for (const Operator& op : augmentations()) names.push_back(op.name);
  return names;
}

}  // namespace

const std::vector<Operator>& augmentations() {
  static const Step crop{.name = "crop_flip", .bytes = steps::crop_flip},
      policy{.name = "autoaugment", .bytes = steps::autoaugment_both, .channels = 3},
      one_way{.name = "autoaugment", .bytes = steps::autoaugment_positive, .channels = 3},
      mix{.name = "mix", .reading = corrupt::corrupt_mix};
  static const std::vector<Operator> table{
      {"shift1",
       "each image moved by -1, 0 or 1 pixels in both directions, zero fill",
       {{.name = "shift1", .bytes = steps::shift1}}},
      {"crop_flip", "padded by 4 black pixels, cropped at random, mirrored half of the time", {crop}},
      {"subpixel",
       "each image moved by up to half a pixel in both directions, bilinear, zero fill",
       {{.name = "subpixel", .values = steps::subpixel}}},
      {"noise", "normal noise with sd .1 on values from 0 to 1", {{.name = "noise", .values = steps::noise}}},
      {"autoaugment", "the 25 pairs of operations of AutoAugment for CIFAR-10", {policy}},
      {"autoaugment_positive", "autoaugment with rotations in one direction only", {one_way}},
      {"crop_flip+autoaugment", "crop_flip, then autoaugment", {crop, policy}},
      {"crop_flip+autoaugment_positive", "crop_flip, then autoaugment_positive", {crop, one_way}},
      {"mix1", "five of six images under one of nine corruptions at a random severity", {mix}},
      {"crop_flip+mix1", "crop_flip, then mix1", {crop, mix}},
  };
  return table;
}

const Operator& find_augmentation(const std::string& name) {
  const auto& table = augmentations();
  const auto found = std::find_if(table.begin(), table.end(), [&](const Operator& op) { return op.name == name; });
  if (found == table.end()) throw InvalidInput("augment", name, results::joined(operator_names()));
  return *found;
}

const Operator& find_augmentation(const std::string& name, RotateSign sign) {
  const bool turns = sign == RotateSign::positive && name.ends_with("autoaugment");
  return find_augmentation(turns ? name + "_positive" : name);
}

std::string augmentation_problem(const Operator& op, const Shape& shape) {
  for (const Step& step : op.steps)
    if (step.channels != 0 && step.channels != shape.channels)
      return step.name + " needs images of " + std::to_string(step.channels) + " channels, but these have " +
             std::to_string(shape.channels);
  return "";
}

AugmentationKey augmentation_key(std::uint64_t seed, const Operator& op, std::uint64_t epoch) {
  AugmentationKey keys;
  for (const Step& step : op.steps) keys.push_back(variance::derive(variance::derive(seed, step.name), epoch));
  return keys;
}

Augmenter::Augmenter(const Shape& shape)
    : shape_(shape),
      bytes_(shape.pixels()),
      next_bytes_(shape.pixels()),
      values_(shape.pixels()),
      next_values_(shape.pixels()) {}

const std::uint8_t* Augmenter::changed(const Operator& op, std::span<const std::uint64_t> keys, std::uint64_t sample,
                                       const std::uint8_t* image) {
  std::copy_n(image, bytes_.size(), bytes_.data());
  for (std::size_t i = 0; i < op.steps.size(); ++i) {
    if (op.steps[i].bytes == nullptr) continue;
    variance::Stream draws(keys[i], sample);
    op.steps[i].bytes({shape_, bytes_.data(), next_bytes_.data()}, draws);
    bytes_.swap(next_bytes_);
  }
  return bytes_.data();
}

void Augmenter::convert(const Operator& op, std::span<const std::uint64_t> keys, std::uint64_t sample,
                        const PixelTable& table, const std::uint8_t* image, float* to) {
  const std::uint8_t* bytes = changed(op, keys, sample, image);
  if (std::all_of(op.steps.begin(), op.steps.end(), [](const Step& step) { return step.bytes != nullptr; }))
    return table.convert(bytes, to);
  table.unit(bytes, values_.data());
  for (std::size_t i = 0; i < op.steps.size(); ++i) {
    variance::Stream draws(keys[i], sample);
    if (op.steps[i].reading != nullptr) op.steps[i].reading(shape_, table.scale(), bytes, values_.data(), draws);
    if (op.steps[i].values == nullptr) continue;
    op.steps[i].values(shape_, values_.data(), next_values_.data(), draws);
    values_.swap(next_values_);
  }
  table.normalise(values_.data(), to);
}

}  // namespace retrial::data::inline augment
