#include "workloads/data/augment.hpp"

#include <algorithm>

#include "variance/error.hpp"
#include "variance/rng.hpp"

namespace retrial::data {
namespace {

void shift1(const Shape& shape, const std::uint8_t* from, std::uint8_t* to, std::uint64_t key, std::uint64_t sample) {
  variance::Stream draws(key, sample);
  const int dy = static_cast<int>(variance::bounded(draws.next(), 3)) - 1;
  const int dx = static_cast<int>(variance::bounded(draws.next(), 3)) - 1;
  shift(shape, from, to, dy, dx);
}

}  // namespace

void shift(const Shape& shape, const std::uint8_t* from, std::uint8_t* to, int dy, int dx) {
  std::fill_n(to, shape.pixels(), std::uint8_t{0});
  const int top = std::max(0, dy), bottom = std::min(shape.height, shape.height + dy);
  const int left = std::max(0, dx), right = std::min(shape.width, shape.width + dx);
  for (int c = 0; c < shape.channels; ++c)
    for (int y = top; y < bottom; ++y)
      for (int x = left; x < right; ++x)
        to[(c * shape.height + y) * shape.width + x] = from[(c * shape.height + y - dy) * shape.width + x - dx];
}

const std::vector<Operator>& augmentations() {
  static const std::vector<Operator> table{
      {"shift1", "each image moved by -1, 0 or 1 pixels in both directions, zero fill", shift1},
  };
  return table;
}

const Operator& find_augmentation(const std::string& name) {
  const auto& table = augmentations();
  const auto found = std::find_if(table.begin(), table.end(), [&](const Operator& op) { return op.name == name; });
  if (found == table.end()) throw InvalidInput("augment", name, "none, shift1");
  return *found;
}

std::uint64_t augmentation_key(std::uint64_t seed, const Operator& op, std::uint64_t epoch) {
  return variance::derive(variance::derive(seed, op.name), epoch);
}

}  // namespace retrial::data
