#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace retrial::determinism::inline seeds {

/// Order of n samples in epoch e: permutation(derive(derive(S, "order"), e), n), S the source seed of data-order.
[[nodiscard]] std::vector<std::uint32_t> epoch_order(std::uint64_t source_seed, std::uint32_t n, std::uint64_t epoch);

/// Element e is kept (1) iff keep(p) holds for word 0 of block(derive(derive(K, "mask"), step), e, 0); K the source
/// seed of dropout or its child for one layer. p = 1 drops all; p outside [0, 1] throws InvalidInput naming p.
[[nodiscard]] std::vector<std::uint8_t> keep_mask(std::uint64_t key, std::uint64_t step, double p, std::size_t n);

/// 1 to 64 characters of a-z, 0-9 and '-', and not one of the names that the harness uses itself.
[[nodiscard]] bool valid_source_name(const std::string& name);

}  // namespace retrial::determinism::inline seeds
