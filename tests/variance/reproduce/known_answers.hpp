// Known answers of the generator, its keys and its conversions. They were computed by two programs written apart from
// this code (one in Python, one in C++) from the text of the specification of randomness, with equal bits; the core
// vectors are those that Random123 publishes. Doubles are the hex digits of their bits. The Catch tests and the
// stand-alone program that is compiled by every compiler at every optimization level share this table.
#pragma once

#include <bit>
#include <string>
#include <utility>
#include <vector>

#include "tests/variance/random/reference_sha256.hpp"
#include "variance/random/rng.hpp"

namespace known {

using namespace retrial::variance;

inline std::string hex(std::uint64_t value, int digits) {
  std::string text;
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) text += "0123456789abcdef"[value >> shift & 15];
  return text;
}
inline std::string hex16(std::uint64_t value) {
  return hex(value, 16);
}
inline std::string hex16(double value) {
  return hex16(std::bit_cast<std::uint64_t>(value));
}
inline std::string hex8(std::uint32_t value) {
  return hex(value, 8);
}

template <typename Items, typename Text>
std::string row(const Items& items, Text&& text) {
  std::string line;
  for (const auto& item : items) {
    if (!line.empty()) line += ' ';
    line += text(item);
  }
  return line;
}
inline std::string decimal(std::uint64_t value) {
  return std::to_string(value);
}

struct Answer {
  std::string name, expected, got;
};
using Answers = std::vector<Answer>;

inline std::vector<std::uint64_t> words(std::uint64_t key, std::size_t count, std::uint64_t index = 0) {
  Stream stream(key, index);
  std::vector<std::uint64_t> result(count);
  for (auto& word : result) word = stream.next();
  return result;
}

template <typename Convert>
std::string row_of(std::uint64_t key, std::size_t count, Convert&& convert, std::uint64_t index = 0) {
  return row(words(key, count, index), std::forward<Convert>(convert));
}

inline auto bounded_by(std::uint64_t n) {
  return [n](std::uint64_t x) { return decimal(bounded(x, n)); };
}
inline std::string order(std::uint64_t key, std::uint32_t n, std::uint64_t index = 0) {
  return row(permutation(key, n, index), [](std::uint32_t i) { return decimal(i); });
}
inline std::string block_text(std::uint64_t key, std::uint64_t index, std::uint32_t b) {
  return row(block(key, index, b), [](std::uint64_t word) { return hex16(word); });
}
inline std::string normal_text(std::uint64_t x) {
  return hex16(normal(x));
}
inline std::string exponential_text(std::uint64_t x) {
  return hex16(exponential(x));
}
inline std::string uniform_text(std::uint64_t x) {
  return hex16(uniform(x));
}
inline std::string open_text(std::uint64_t x) {
  return hex16(uniform_open(x));
}

/// First 32 digits of the SHA-256 of 20,000 converted words, little-endian.
template <typename Convert>
std::string digest_of(std::uint64_t key, Convert&& convert) {
  std::vector<std::uint8_t> bytes;
  for (const std::uint64_t word : words(key, 20000)) {
    const auto value = convert(word);
    using Bits = std::conditional_t<sizeof(value) == 4, std::uint32_t, std::uint64_t>;
    const auto bits = std::bit_cast<Bits>(value);
    for (std::size_t i = 0; i < sizeof bits; ++i) bytes.push_back(static_cast<std::uint8_t>(bits >> 8 * i));
  }
  return reference::sha256(std::move(bytes)).substr(0, 32);
}

inline Answers core_answers() {
  const auto run = [](Block4 counter, std::uint64_t key) { return row(philox4x32(counter, key), hex8); };
  return {
      {"Random123: counter 0, key 0", "6627e8d5 e169c58d bc57ac4c 9b00dbd8", run({0, 0, 0, 0}, 0)},
      {"Random123: all ones", "408f276d 41c83b0e a20bc7c6 6d5451fd", run({~0U, ~0U, ~0U, ~0U}, ~std::uint64_t{0})},
      {"Random123: digits of pi", "d16cfe09 94fdcceb 5001e420 24126ea1",
       run({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, 0x299f31d0a4093822)},
  };
}

constexpr std::uint64_t s_key = 0x406e6b5de64c0d5d;

inline Answers key_answers() {
  constexpr std::uint64_t all = ~std::uint64_t{0};
  return {
      {"FNV-1a of the empty name", "cbf29ce484222325", hex16(fnv1a64(""))},
      {"FNV-1a of init", "f5d2afc57ab57213", hex16(fnv1a64("init"))},
      {"FNV-1a of data-order", "ec68805bdc893510", hex16(fnv1a64("data-order"))},
      {"FNV-1a of a", "af63dc4c8601ec8c", hex16(fnv1a64("a"))},
      {"FNV-1a of foobar", "85944171f73967e8", hex16(fnv1a64("foobar"))},
      {"FNV-1a of comparison:A|B", "9840642b8d847adf", hex16(fnv1a64("comparison:A|B"))},
      {"derive(42, init)", "b8ac800ca260e797", hex16(derive(42, "init"))},
      {"source_seed(42, init, 7)", "406e6b5de64c0d5d", hex16(source_seed(42, "init", 7))},
      {"source_seed(42, data-order, 0)", "14031431a98d3a31", hex16(source_seed(42, "data-order", 0))},
      {"source_seed(0, init, 0)", "d5b3ae176ac5df78", hex16(source_seed(0, "init", 0))},
      {"derive(2^64-1, 2^64-1)", "19a7f4d48bfb1612", hex16(derive(all, all))},
      {"block(S, 0, 0)", "b228fb15a420d173 34b837a6d54f1c37", block_text(s_key, 0, 0)},
      {"block(S, 5, 0)", "718e8895f513e8ff 30675880c89b6bd5", block_text(s_key, 5, 0)},
      {"block(S, 2^40+3, 9)", "78306d55d874c81f 16bb0b364bf74b81", block_text(s_key, (std::uint64_t{1} << 40) + 3, 9)},
  };
}

inline Answers conversion_answers() {
  const auto float_text = [](std::uint64_t x) { return hex16(static_cast<double>(uniform_float(x))); };
  const auto bits = [](double x) { return hex16(x); };
  return {
      {"Stream(S)", "b228fb15a420d173 34b837a6d54f1c37 999b5862b3c0249c 810e90591047b60b",
       row_of(s_key, 4, [](std::uint64_t x) { return hex16(x); })},
      {"uniform of Stream(S)",
       row(std::vector{0x1.6451f62b4841ap-1, 0x1.a5c1bd36aa78cp-3, 0x1.3336b0c567804p-1, 0x1.021d20b2208f6p-1}, bits),
       row_of(s_key, 4, uniform_text)},
      {"uniform_open of Stream(S)",
       row(std::vector{0x1.6451f62b4841bp-1, 0x1.a5c1bd36aa78cp-3, 0x1.3336b0c567805p-1, 0x1.021d20b2208f7p-1}, bits),
       row_of(s_key, 4, open_text)},
      {"uniform_float of Stream(S)",
       row(std::vector{0.6959378123283386, 0.20593589544296265, 0.6000266075134277}, bits),
       row_of(s_key, 3, float_text)},
      {"bounded(10) of Stream(S)", "6 2 6 5", row_of(s_key, 4, bounded_by(10))},
      {"bounded(60000) of Stream(S)", "41756 12356 36001 30247", row_of(s_key, 4, bounded_by(60000))},
      {"bounded(7) of 2^64-1", "6", decimal(bounded(~std::uint64_t{0}, 7))},
      {"normal of Stream(S), shortest decimals",
       row(std::vector{0.5127526358298331, -0.8206039999159236, 0.2534160334878944, 0.010348741525475299}, bits),
       row_of(s_key, 4, normal_text)},
      {"permutation(S, 10)", "9 0 2 8 5 7 3 4 1 6", order(s_key, 10)},
      {"permutation(S, 10, 3)", "7 1 6 2 4 3 0 9 8 5", order(s_key, 10, 3)},
      {"permutation(S, 1)", "0", order(s_key, 1)},
      {"bounded(29) of Stream(derive(S, bootstrap))",
       "16 8 10 25 26 18 18 22 0 10 2 14 13 23 18 5 10 27 22 27 8 2 0 27 23 23 11 15 5",
       row_of(derive(s_key, "bootstrap"), 29, bounded_by(29))},
  };
}

/// One column of the table of the specification.
struct Column {
  std::uint64_t key;
  const char *block0, *block1, *uniform, *normal, *exponential, *gamma_half, *direction, *order0, *order3, *mask, *kept,
      *bootstrap, *resample1, *sha_words, *sha_uniform, *sha_float, *sha_normal, *sha_exponential;
};

inline constexpr Column columns[] = {
    {s_key, "a420d173 b228fb15 d54f1c37 34b837a6", "b3c0249c 999b5862 1047b60b 810e9059",
     "3fe6451f62b4841a 3fca5c1bd36aa78c", "3fe06878373a7638 bfea426351d361b8 3fd037f7e20733f9 3f8531b89340de11",
     "3fd7331e15730d55 3ff9487579681c74", "3fc0d39a8cca219c", "3fe4138517652bfa bfe584818c22cdc6 3fd922751780ea0c",
     "9 0 2 8 5 7 3 4 1 6", "7 1 6 2 4 3 0 9 8 5", "6d818e3606a2d5b1", "11010111111011110111111101010111",
     "041b9345b520c5f1", "7 24 18 1 7 19 17 26 5 4 6 13 23 17 3", "fcdfc8a7f6387c078977ce886b8002f8",
     "819cc298f2771b5b0a4a974e6f517738", "75e951a0ecfa4fb959391511e8d689fb", "b196cdc4544b4e8750282d56e1cacbb1",
     "318132854eddd9f8a95ccd501b233b47"},
    {0, "30cd4f1a 4f653722 7ff96ce6 2cf7f6de", "0346abf5 76d27e3d 4d8afdef 09baddb3",
     "3fd3d94dc88c3352 3fc67bfb6f3ffcb4", "bfdfb5988723720d bfedd33fccbd190e bfb7094a1c8ed195 bffc637de1f90624",
     "3ff2bb5718b048e3 3ffbd3d0bc969429", "3fbf6bde0e2473ff", "bfeefd0cec69647f 3fae9b771c08e65e 3fceff7ddbaa9ba2",
     "5 2 4 7 8 6 0 9 1 3", "4 6 3 7 8 0 1 2 5 9", "b4873319aedaf027", "11011100101010110100111111110101",
     "675a10bccf8b0c42", "2 15 14 28 9 14 3 4 18 8 15 4 1 22 20", "13d176fbbf7ef80c5c8d4e12a392c6d3",
     "f89988facfd20c54a124184b1da29be6", "3a45c8dfeb72733618bd2aeb3aa470c5", "640b16ee8bd33a8b15f358375a031f4b",
     "25aeddfd7b23ba019015af1db815b550"},
    {~std::uint64_t{0}, "9e272f1b 898b5b59 27be10b0 f37881e4", "bb9756f3 602782d8 8697d670 8942f0d0",
     "3fe1316b6b33c4e5 3fee6f103c84f7c2", "3fb7f58796c8227e 3ffa7badf93426ee bfd44a8b6ae807c1 3fb73f3c6cd4e7f6",
     "3fe3e11fb66739e0 3fa9b149198e4b77", "3f71f04ecf330d24", "bfefb197cfef170e 3fc0637d503601a1 3faa64d59390300f",
     "0 6 4 1 9 2 7 3 8 5", "0 6 8 5 2 1 7 4 3 9", "0d60a7737236732e", "11101110111111111111101100100111",
     "6c5e36ab3ff30296", "2 24 1 16 24 15 12 28 18 12 24 27 7 15 14", "7f66aba6d27faf3d26ab33aad7aef839",
     "b5ae497d71cf481d0da0c9e58892d26e", "0ad88a29d1da0f15b246d2420ccf8b30", "c95f273b6ef40af7de6d06ec80a79648",
     "2d512c52893106b3ee81ec3ac110b81d"},
};

inline std::string halves(std::uint64_t key, std::uint32_t b) {
  const auto [first, second] = block(key, 0, b);
  const auto half = [](std::uint64_t x, int shift) { return static_cast<std::uint32_t>(x >> shift); };
  return row(std::vector{half(first, 0), half(first, 32), half(second, 0), half(second, 32)}, hex8);
}

inline std::string kept(std::uint64_t mask) {
  std::string text;
  for (std::uint64_t e = 0; e < 32; ++e) text += keep(block(mask, e, 0)[0], 0.3) ? '1' : '0';
  return text;
}

inline std::string direction(std::uint64_t key) {
  Stream stream(derive(key, "direction"));
  return row(unit_direction(stream, 3), [](double x) { return hex16(x); });
}

inline Answers column_answers(const Column& c) {
  const std::string key = "key " + hex16(c.key) + ": ";
  const std::uint64_t k = c.key;
  const std::uint64_t mask = derive(derive(k, "mask"), std::uint64_t{1}), bootstrap = derive(k, "bootstrap");
  return {
      {key + "block 0", c.block0, halves(k, 0)},
      {key + "block 1", c.block1, halves(k, 1)},
      {key + "uniform", c.uniform, row_of(k, 2, uniform_text)},
      {key + "normal", c.normal, row_of(k, 4, normal_text)},
      {key + "exponential", c.exponential, row_of(k, 2, exponential_text)},
      {key + "gamma_half", c.gamma_half, row_of(k, 1, [](std::uint64_t x) { return hex16(gamma_half(x)); })},
      {key + "direction", c.direction, direction(k)},
      {key + "permutation", c.order0, order(k, 10)},
      {key + "permutation 3", c.order3, order(k, 10, 3)},
      {key + "mask key", c.mask, hex16(mask)},
      {key + "keep(0.3)", c.kept, kept(mask)},
      {key + "bootstrap key", c.bootstrap, hex16(bootstrap)},
      {key + "resample 1", c.resample1, row_of(bootstrap, 15, bounded_by(29), 1)},
      {key + "20,000 words", c.sha_words, digest_of(k, [](std::uint64_t x) { return x; })},
      {key + "20,000 uniform", c.sha_uniform, digest_of(k, [](std::uint64_t x) { return uniform(x); })},
      {key + "20,000 uniform_float", c.sha_float, digest_of(k, uniform_float)},
      {key + "20,000 normal", c.sha_normal, digest_of(k, normal)},
      {key + "20,000 exponential", c.sha_exponential, digest_of(k, exponential)},
  };
}

inline Answers end_answers() {
  const auto ends = [](std::uint64_t x) { return open_text(x) + " " + normal_text(x) + " " + exponential_text(x); };
  constexpr std::uint64_t half = std::uint64_t{1} << 63;
  return {
      {"word 0", "3ca0000000000000 c0206b48528cea51 40425e4f7b2737fa", ends(0)},
      {"word 2^64-1", "3fefffffffffffff 40206b48528cea51 3ca0000000000000", ends(~std::uint64_t{0})},
      {"word 2^63", "3fe0000000000001 3cb40d931ff62707 3fe62e42fefa39ed", ends(half)},
      {"word 2^63-1", "3fdffffffffffffe bcb40d931ff62707 3fe62e42fefa39f1", ends(half - 1)},
      {"quantile(.075)", "bff7085226d3e523", hex16(quantile(.075))},
      {"quantile(.925)", "3ff7085226d3e524", hex16(quantile(.925))},
      {"quantile(2^-36)", "c01a9aa904c4b7b7", hex16(quantile(0x1p-36))},
      {"quantile(1e-300)", "c04286074064c26e", hex16(quantile(1e-300))},
      {"log(.001)", "c01ba18a998fffa0", hex16(retrial::variance::log(.001))},
      {"log(1e-20)", "c047069e2aa2aa5b", hex16(retrial::variance::log(1e-20))},
  };
}

/// Keys and draws of the statistics of the comparison "A|B" under root seed 42.
inline Answers comparison_answers() {
  const std::uint64_t comparison = derive(42, "comparison:A|B");
  const std::uint64_t bootstrap = derive(comparison, "bootstrap");
  return {
      {"comparison key", "a3fc82bc81b3034b", hex16(comparison)},
      {"bootstrap key", "b5f9c99146c90fce", hex16(bootstrap)},
      {"resample 0", "0f681075754670cb a55c0f74a78f0f87 106a62925c0bf1a6 3a1095b9746d7c6e",
       row_of(bootstrap, 4, [](std::uint64_t x) { return hex16(x); })},
      {"resample 0, bounded(29)", "1 18 1 6 3 8 5 19", row_of(bootstrap, 8, bounded_by(29))},
      {"permutation key", "b91d9d8d080a3783", hex16(derive(comparison, "permutation"))},
      {"permutation 0", "8 5 3 6 9 7 1 4 0 2", order(derive(comparison, "permutation"), 10)},
      {"dirichlet key", "d6a2c94151405110", hex16(derive(comparison, "dirichlet"))},
  };
}

inline Answers all_answers() {
  Answers all;
  const auto take = [&all](Answers some) { all.insert(all.end(), some.begin(), some.end()); };
  take(core_answers());
  take(key_answers());
  take(conversion_answers());
  for (const Column& column : columns) take(column_answers(column));
  take(end_answers());
  take(comparison_answers());
  return all;
}

}  // namespace known
