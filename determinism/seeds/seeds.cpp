#include "determinism/seeds/seeds.hpp"

#include <algorithm>
#include <array>

#include "results/text/text.hpp"
#include "variance/numbers/error.hpp"
#include "variance/random/rng.hpp"

namespace retrial::determinism::inline seeds {
namespace {

constexpr std::array harness_names = {"gate-order",  "gate-round", "calibrate",  "table",
                                      "digits-base", "mnist-base", "subset-base"};
constexpr std::size_t longest_name = 64;

bool allowed_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
}

}  // namespace

std::vector<std::uint32_t> epoch_order(std::uint64_t source_seed, std::uint32_t n, std::uint64_t epoch) {
  return variance::permutation(variance::derive(variance::derive(source_seed, "order"), epoch), n);
}

std::vector<std::uint8_t> keep_mask(std::uint64_t key, std::uint64_t step, double p, std::size_t n) {
  if (!(p >= 0.0 && p <= 1.0)) throw InvalidInput("p", results::text_of(p), "[0, 1]");
  std::vector<std::uint8_t> mask(n, 0);
  if (p == 1.0) return mask;
  const std::uint64_t mask_key = variance::derive(variance::derive(key, "mask"), step);
  for (std::size_t e = 0; e < n; ++e) mask[e] = variance::keep(variance::block(mask_key, e, 0)[0], p) ? 1 : 0;
  return mask;
}

bool valid_source_name(const std::string& name) {
  if (name.empty() || name.size() > longest_name) return false;
  if (!std::all_of(name.begin(), name.end(), allowed_letter)) return false;
  return std::find(harness_names.begin(), harness_names.end(), name) == harness_names.end();
}

}  // namespace retrial::determinism::inline seeds
