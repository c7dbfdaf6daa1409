#include "workloads/data/formats/embedded.hpp"

#include <zlib.h>

#include <stdexcept>

#include "results/text/error.hpp"

namespace retrial::data::inline formats {

#ifdef RETRIAL_NO_DIGITS
namespace {

[[noreturn]] const ImageSet& refuse(const std::string& set) {
  throw Error(ErrorText{.exit = Exit::incomparable,
                        .code = "data.not_built",
                        .field = "dataset",
                        .value = set,
                        .problem = "its images are not compiled into this program",
                        .help = "configure with -DRETRIAL_EMBED_DIGITS=ON"});
}

}  // namespace

const ImageSet& digits() {
  return refuse("digits");
}

const ImageSet& mnist_5k() {
  return refuse("mnist-5k");
}

#else

extern const Packed digits_packed, mnist_5k_packed;

namespace {

std::vector<std::uint8_t> inflated(const Packed& packed, std::size_t size) {
  std::vector<std::uint8_t> bytes(size);
  uLongf got = size;
  const auto* const from = reinterpret_cast<const Bytef*>(packed.bytes);
  if (uncompress(bytes.data(), &got, from, packed.size) != Z_OK || got != size)
    throw std::logic_error("a set of images that is compiled in cannot be inflated");
  return bytes;
}

/// Handwritten digits of both kinds: square and gray, ten classes.
ImageSet handwriting(const std::string& name, int side, int scale, const Division& published, const Packed& packed) {
  ImageSet set{.name = name,
               .count = published.train + published.test,
               .shape = {1, side, side},
               .classes = 10,
               .scale = scale,
               .pixels = {},
               .labels = {},
               .class_names = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"},
               .files = {},
               .published = published};
  const std::size_t pixels = set.shape.pixels();
  const std::vector<std::uint8_t> records = inflated(packed, set.count * (pixels + 1));
  for (auto at = records.begin(); at != records.end(); at += static_cast<std::ptrdiff_t>(pixels) + 1) {
    const auto label = at + static_cast<std::ptrdiff_t>(pixels);
    set.pixels.insert(set.pixels.end(), at, label);
    set.labels.push_back(*label);
  }
  return set;
}

}  // namespace

const ImageSet& digits() {
  static const ImageSet set =
      handwriting("digits", 8, 16, {.train = 1000, .test = 797, .base = "digits-base"}, digits_packed);
  return set;
}

/// The file is sorted by class and has no division of its own: rows are permuted before it is cut.
const ImageSet& mnist_5k() {
  static const ImageSet set =
      handwriting("mnist-5k", 28, 255, {.train = 3000, .test = 2000, .base = "mnist-5k-base"}, mnist_5k_packed);
  return set;
}

#endif

results::Digest digits_identity() {
  return results::digest_from_hex("68aea062d35a127749050fa0e52dca09d6569ac08092c925610e0954e172dde2", "digits");
}

results::Digest mnist_5k_identity() {
  return results::digest_from_hex("1b845fda528288bf79346626fdf2fff6549f0170890dc9174bc1ef609807bbfa", "mnist-5k");
}

}  // namespace retrial::data::inline formats
