#include "workloads/pruning/network/masks.hpp"

#include <algorithm>
#include <numeric>
#include <sstream>

#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/interface/trial/trial.hpp"

namespace retrial::pruning::inline network {
namespace {

std::string little_endian(std::uint64_t value) {
  std::string bytes;
  for (int shift = 0; shift < 64; shift += 8) bytes.push_back(static_cast<char>(value >> shift & 0xff));
  return bytes;
}

[[noreturn]] void refuse(const std::string& trial, std::int64_t step, const std::string& found) {
  throw Error({.exit = Exit::integrity,
               .code = "prune.mask_differs",
               .where = "trial " + trial,
               .field = "mask of step " + std::to_string(step),
               .value = found,
               .problem = "the stored mask does not have the recorded digest"});
}

std::optional<LayerMask> layer_from(std::istringstream& line) {
  std::string name, count, hex;
  if (!(line >> name >> count >> hex)) return std::nullopt;
  const auto weights = results::parse_int(count);
  const auto bytes = results::bytes_from_hex(hex);
  if (!weights || *weights < 1 || !bytes || static_cast<std::int64_t>(bytes->size()) != (*weights + 7) / 8)
    return std::nullopt;
  return unpacked(name, *weights, {reinterpret_cast<const char*>(bytes->data()), bytes->size()});
}

}  // namespace

std::int64_t LayerMask::live() const {
  return std::accumulate(bits.begin(), bits.end(), std::int64_t{0});
}

std::int64_t MaskSet::live() const {
  std::int64_t sum = 0;
  for (const LayerMask& layer : layers) sum += layer.live();
  return sum;
}

std::int64_t MaskSet::weights() const {
  std::int64_t sum = 0;
  for (const LayerMask& layer : layers) sum += static_cast<std::int64_t>(layer.bits.size());
  return sum;
}

results::Digest MaskSet::digest() const {
  results::Sha256 sum;
  for (const LayerMask& layer : layers) {
    sum.update(layer.name + '\0' + little_endian(layer.bits.size()));
    sum.update(packed(layer));
  }
  return sum.finish();
}

MaskSet all_live(const Network& network) {
  MaskSet masks;
  for (const Layer& layer : network.layers)
    masks.layers.push_back({layer.name, std::vector<std::uint8_t>(static_cast<std::size_t>(layer.weights()), 1)});
  return masks;
}

std::string packed(const LayerMask& mask) {
  std::string bytes((mask.bits.size() + 7) / 8, '\0');
  for (std::size_t e = 0; e < mask.bits.size(); ++e)
    if (mask.bits[e] != 0) bytes[e / 8] = static_cast<char>(bytes[e / 8] | 1 << e % 8);
  return bytes;
}

LayerMask unpacked(std::string name, std::int64_t weights, std::string_view bytes) {
  const auto count = static_cast<std::size_t>(weights);
  if (bytes.size() != (count + 7) / 8)
    throw workloads::TrialFailure("prune.mask_damaged", "the mask of " + name + " has " + std::to_string(bytes.size()) +
                                                            " bytes for " + std::to_string(count) + " weights");
  LayerMask mask{std::move(name), std::vector<std::uint8_t>(count)};
  for (std::size_t e = 0; e < count; ++e) mask.bits[e] = static_cast<std::uint8_t>(bytes[e / 8] >> e % 8 & 1);
  return mask;
}

std::string mask_text(const MaskSet& masks) {
  std::string text;
  for (const LayerMask& layer : masks.layers) {
    const std::string bytes = packed(layer);
    const std::span<const std::uint8_t> raw(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    text += layer.name + ' ' + std::to_string(layer.bits.size()) + ' ' + results::hex(raw) + '\n';
  }
  return text;
}

MaskSet masks_from(const std::string& text, const results::Digest& expected, const std::string& trial,
                   std::int64_t step) {
  MaskSet masks;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    auto layer = layer_from(words);
    if (!layer) refuse(trial, step, results::one_line(line, 40));
    masks.layers.push_back(std::move(*layer));
  }
  if (const results::Digest found = masks.digest(); found != expected) refuse(trial, step, results::hex(found));
  return masks;
}

bool within(const MaskSet& later, const MaskSet& earlier) {
  for (std::size_t l = 0; l < later.layers.size(); ++l)
    for (std::size_t e = 0; e < later.layers[l].bits.size(); ++e)
      if (later.layers[l].bits[e] > earlier.layers[l].bits[e]) return false;
  return later.layers.size() == earlier.layers.size();
}

}  // namespace retrial::pruning::inline network
