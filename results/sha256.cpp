#include "results/sha256.hpp"

#include <algorithm>
#include <fstream>
#include <vector>

#include "results/error.hpp"
#include "results/sha256_block.hpp"
#include "results/text.hpp"

namespace retrial::results {
namespace {

// FIPS 180-4, 5.3.3.
constexpr Sha256State start = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                               0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

std::array<std::uint8_t, 8> big_endian(std::uint64_t value) {
  std::array<std::uint8_t, 8> out;
  for (std::size_t i = 8; i-- > 0; value >>= 8) out[i] = static_cast<std::uint8_t>(value & 0xff);
  return out;
}

template <std::size_t N>
std::array<std::uint8_t, N> fixed_from_hex(std::string_view text, const std::string& what) {
  const auto bytes = bytes_from_hex(text);
  if (!bytes || bytes->size() != N)
    throw Error({.exit = Exit::integrity,
                 .code = "digest.malformed",
                 .field = what,
                 .value = one_line(text, 100),
                 .problem = "is not a digest",
                 .allowed = std::to_string(2 * N) + " hex digits"});
  std::array<std::uint8_t, N> out;
  std::copy(bytes->begin(), bytes->end(), out.begin());
  return out;
}

}  // namespace

Sha256::Sha256() : state_(start) {}

void Sha256::block(const std::uint8_t* bytes) {
  static const auto fold = sha256_instructions() ? sha256_block_x86 : sha256_block_portable;
  fold(state_, bytes);
}

void Sha256::update(std::span<const std::uint8_t> bytes) {
  std::size_t filled = static_cast<std::size_t>(length_ % 64);
  length_ += bytes.size();
  if (filled > 0) {
    const std::size_t taken = std::min(bytes.size(), 64 - filled);
    std::copy_n(bytes.begin(), taken, buffer_.begin() + static_cast<std::ptrdiff_t>(filled));
    bytes = bytes.subspan(taken);
    if (filled + taken < 64) return;
    block(buffer_.data());
  }
  for (; bytes.size() >= 64; bytes = bytes.subspan(64)) block(bytes.data());
  std::copy(bytes.begin(), bytes.end(), buffer_.begin());
}

void Sha256::update(std::string_view text) {
  update(std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
}

Digest Sha256::finish() {
  static constexpr std::array<std::uint8_t, 64> padding = {0x80};
  const auto bits = big_endian(length_ * 8);
  const std::size_t filled = static_cast<std::size_t>(length_ % 64);
  update(std::span(padding).first(filled < 56 ? 56 - filled : 120 - filled));
  update(std::span(bits));
  Digest out;
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = static_cast<std::uint8_t>(state_[i / 4] >> (24 - 8 * (i % 4)) & 0xff);
  return out;
}

Digest sha256(std::string_view bytes) {
  Sha256 hash;
  hash.update(bytes);
  return hash.finish();
}

Digest sha256(std::span<const std::uint8_t> bytes) {
  Sha256 hash;
  hash.update(bytes);
  return hash.finish();
}

Digest sha256_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  Sha256 hash;
  std::vector<char> piece(1 << 16);
  while (in.read(piece.data(), static_cast<std::streamsize>(piece.size())) || in.gcount() > 0)
    hash.update(std::string_view(piece.data(), static_cast<std::size_t>(in.gcount())));
  if (!in.eof() || in.bad())
    throw Error(
        {.exit = Exit::incomparable, .code = "file.unreadable", .where = file.string(), .problem = "cannot be read"});
  return hash.finish();
}

Digest digest_of(const Json& document) {
  return sha256(canonical(document));
}

std::string hex(const Digest& digest) {
  return hex(std::span<const std::uint8_t>(digest));
}
std::string hex(const Id16& id) {
  return hex(std::span<const std::uint8_t>(id));
}

Digest digest_from_hex(std::string_view text, const std::string& what) {
  return fixed_from_hex<32>(text, what);
}
Id16 id16_from_hex(std::string_view text, const std::string& what) {
  return fixed_from_hex<16>(text, what);
}

}  // namespace retrial::results
