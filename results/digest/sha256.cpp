#include "results/digest/sha256.hpp"

#include <algorithm>
#include <fstream>
#include <vector>

#include "results/json/json.hpp"
#include "results/text/error.hpp"
#include "results/text/text.hpp"

namespace retrial::results::inline digest {
namespace {

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

Sha256::Sha256() {
  sha256_init(&state_);
}

void Sha256::update(std::span<const std::uint8_t> bytes) {
  sha256_update(&state_, bytes.size(), bytes.data());
}

void Sha256::update(std::string_view text) {
  update(std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
}

Digest Sha256::finish() {
  Digest out;
  sha256_digest(&state_, out.size(), out.data());
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
  return results::hex(std::span<const std::uint8_t>(digest));
}
std::string hex(const Id16& id) {
  return results::hex(std::span<const std::uint8_t>(id));
}

Digest digest_from_hex(std::string_view text, const std::string& what) {
  return fixed_from_hex<32>(text, what);
}
Id16 id16_from_hex(std::string_view text, const std::string& what) {
  return fixed_from_hex<16>(text, what);
}

}  // namespace retrial::results::inline digest
