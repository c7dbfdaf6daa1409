#include "workloads/data/files/md5.hpp"

#include <nettle/md5.h>

#include <array>

#include "results/text/text.hpp"

namespace retrial::data::inline files {

std::string md5(std::span<const std::uint8_t> bytes) {
  md5_ctx state;
  md5_init(&state);
  md5_update(&state, bytes.size(), bytes.data());
  std::array<std::uint8_t, MD5_DIGEST_SIZE> digest{};
  md5_digest(&state, digest.size(), digest.data());
  return results::hex(std::span<const std::uint8_t>(digest));
}

}  // namespace retrial::data::inline files
