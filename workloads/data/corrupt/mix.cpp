#include "workloads/data/corrupt/mix.hpp"

#include <algorithm>

#include "workloads/data/corrupt/corrupt.hpp"

namespace retrial::corrupt {

const std::vector<std::string>& mix1() {
  static const std::vector<std::string> names{"contrast", "elastic",    "gaussian_blur", "impulse_noise", "motion_blur",
                                              "pixelate", "shot_noise", "snow",          "zoom_blur"};
  return names;
}

const std::vector<std::string>& mix2() {
  static const std::vector<std::string> names{"brightness", "defocus_blur",     "fog",      "frost",   "gaussian_noise",
                                              "glass_blur", "jpeg_compression", "saturate", "spatter", "speckle_noise"};
  return names;
}

Usable usable(const std::vector<std::string>& names) {
  Usable found;
  for (const std::string& name : names)
    (corrupt::find(name).op != nullptr ? found.names : found.left_out).push_back(name);
  return found;
}

Choice choose(variance::Stream& draws) {
  static const std::vector<std::string> names = usable(mix1()).names;
  const bool clean = variance::bounded(draws.next(), 6) == 0;
  const std::string& name = names[variance::bounded(draws.next(), names.size())];
  const int severity = 1 + static_cast<int>(variance::bounded(draws.next(), 5));
  return clean ? Choice{} : Choice{name, severity};
}

void corrupt_mix(const data::Shape& shape, int scale, const std::uint8_t* from, float* to, variance::Stream& draws) {
  const Choice choice = choose(draws);
  const auto count = shape.pixels();
  const auto unit = [](const std::uint8_t* bytes, std::size_t n, float divisor, float* values) {
    std::transform(bytes, bytes + n, values, [divisor](std::uint8_t v) { return static_cast<float>(v) / divisor; });
  };
  if (choice.name.empty()) return unit(from, count, static_cast<float>(scale), to);
  std::vector<std::uint8_t> changed(count);
  corrupt::apply(corrupt::find(choice.name), choice.severity, {shape, from, scale}, changed, draws);
  unit(changed.data(), count, 255.0F, to);
}

}  // namespace retrial::corrupt
