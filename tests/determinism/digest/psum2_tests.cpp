// Reference values: computed for the specification by a program that is independent of this one; XXH3 by xxHash 0.8.1.
#include <array>
#include <bit>
#include <cstring>
#include <numeric>

#include "determinism/digest/psum2.hpp"
#include "determinism/digest/xxh3c.hpp"
#include "results/text/text.hpp"
#include "tests/catch.hpp"
#include "variance/numbers/error.hpp"
#include "variance/random/rng.hpp"

namespace retrial::tests::psum2_tests {

using namespace retrial;
using namespace retrial::determinism;

namespace {

using Sizes = std::vector<std::int64_t>;

template <typename T>
std::string psum2_of(DType dtype, const Sizes& sizes, const std::vector<T>& values) {
  return hex(psum2(dtype, sizes, std::as_bytes(std::span(values))));
}
template <typename T>
std::string xxh3c_of(DType dtype, const Sizes& sizes, const std::vector<T>& values) {
  return results::hex16(xxh3c(dtype, sizes, std::as_bytes(std::span(values))));
}
template <typename T>
void check_both(DType dtype, const Sizes& sizes, const std::vector<T>& values, const std::string& psum,
                const std::string& xxh) {
  CHECK(psum2_of(dtype, sizes, values) == psum);
  CHECK(xxh3c_of(dtype, sizes, values) == xxh);
}
std::string floats(const std::vector<float>& values) {
  return psum2_of(DType::float32, {static_cast<std::int64_t>(values.size())}, values);
}

std::vector<std::uint64_t> random_words(std::size_t n) {
  variance::Stream stream(variance::derive(20210403, "digest-test"));
  std::vector<std::uint64_t> words(n);
  for (auto& word : words) word = stream.next();
  return words;
}

}  // namespace

TEST_CASE("psum2 has the reference intermediate values") {
  CHECK(psum2_term(0, 0).lane0 == 0x45388e6eb6e2be4d);
  CHECK(psum2_term(0, 0).lane1 == 0x4abcbc75d8bb8fbf);
  CHECK(psum2_term(1, 0).lane0 == 0x81a215e3c80e389b);
  CHECK(psum2_term(1, 0).lane1 == 0x146fe5f23753f6ac);
  CHECK(fmix64(1) == 0xb456bcfc34c2cb2c);
  CHECK(psum2_term(0x400000003f800000, 0).lane0 == 0xb7e34f503e0071b2);
  CHECK(psum2_term(0x400000003f800000, 0).lane1 == 0x972c5274d83b6485);
  const std::int64_t two = 2;
  const Psum2 both = psum2_finish(psum2_term(0x400000003f800000, 0), DType::float32, {&two, 1});
  CHECK(both == Psum2{fmix64(0xd0448542380f46dc), fmix64(0x3da880922f1493e6)});
}

TEST_CASE("psum2 and xxh3c have the reference values") {
  check_both<float>(DType::float32, {2}, {2, 1}, "43454db66a62858b76ab4086d6686741", "9c1faee010eab7da");
  check_both<float>(DType::float32, {2}, {3, 3}, "bb6bbfabc7b953ececd3f5adc8713dc2", "45c77213e37bcb3a");
  check_both<float>(DType::float32, {2}, {5, 5}, "c68ff21d99a317aa37c7edd9bb2ceb1e", "522e534cbb45a7ce");
  check_both<float>(DType::float32, {2}, {1, -1}, "318776daf708516f501ac62a770c110a", "668287276dcf1de6");
  check_both<float>(DType::float32, {0}, {}, "7fcda104489fe513751ac2177f4cd9e2", "62774439e416309d");
  check_both<float>(DType::float32, {1}, {1}, "624c4667945d3c1e093a54ea2efcbb97", "a8c8f9f4554088a7");
  check_both<std::uint32_t>(DType::float32, {1}, {0x7fc00001}, "547c7cdf5cf06632796f4d68727bb5e1", "1db38efd0ef735aa");
  check_both<double>(DType::float64, {1}, {0.1}, "b76d5ac8739e91c8f20baed1f12a173a", "a480b28a53cc4b0d");
  check_both<std::uint8_t>(DType::uint8, {4}, {1, 2, 3, 0}, "6d79915ea4c01854b249d25f6fdd4d08", "b2d56cb2dfbc7dcc");
  check_both<std::uint8_t>(DType::boolean, {3}, {1, 0, 1}, "70b88e44f0ee080e910dc5e95b27cccc", "c16b73f1650da7be");
  check_both<std::uint16_t>(DType::float16, {1}, {0x3c00}, "fc837ed690707503afea938d0369f509", "477737927bb23130");
}

TEST_CASE("shape counts: one row of eight is not two rows of four, nor their transpose") {
  std::vector<std::int64_t> eight(8), transposed{0, 4, 1, 5, 2, 6, 3, 7};
  std::iota(eight.begin(), eight.end(), 0);
  check_both(DType::int64, {2, 4}, eight, "2bc7e4120982e88c5d0795bcb1ddd0d4", "fd0f298f956874e5");
  check_both(DType::int64, {8}, eight, "caabdcdecfeabc0eb90cb7db423335c9", "f505146954667c10");
  check_both(DType::int64, {4, 2}, transposed, "1249dbe0c53a82cbf8d278de78ce6310", "b4cadccb8c65a041");
}

TEST_CASE("a tensor of one chunk and four bytes has the reference values") {
  std::vector<float> ramp(16385);
  std::iota(ramp.begin(), ramp.end(), 0.0f);
  check_both(DType::float32, {16385}, ramp, "763a9ed6915841f964fe0fd73d0db6fd", "adc9d8dda1a3148b");
}

TEST_CASE("XXH3 has the reference values") {
  CHECK(xxh3_64({}) == 0x2d06800538d394c2);
  const auto a = std::byte{'a'};
  CHECK(xxh3_64({&a, 1}) == 0xe6c632b61e964e1f);
}

TEST_CASE("a list digest depends on order and names, and has the reference values") {
  const std::vector<float> one_two{1, 2}, half{0.5f};
  const std::int64_t two = 2, one = 1;
  const std::pair<std::string, Psum2> w{"w", psum2(DType::float32, {&two, 1}, std::as_bytes(std::span(one_two)))};
  const std::pair<std::string, Psum2> b{"b", psum2(DType::float32, {&one, 1}, std::as_bytes(std::span(half)))};
  CHECK(hex(digest_list(std::array{w, b})) == "753e4ac386ed2c4bc799432a69248315");
  CHECK(hex(digest_list(std::array{b, w})) == "ff068b57323f98fbadbb8cd724e3c820");
  CHECK_THROWS_WITH(digest_list(std::array{w, b, w}), has_text("name = w"));
}

TEST_CASE("changes that sums and norms cannot detect change the digest") {
  CHECK(floats({1, 2}) != floats({2, 1}));           // a swap
  CHECK(floats({3, 3}) != floats({5, 5}));           // pairs, which an exclusive or drops
  CHECK(floats({1, -1}) != floats({1, 1}));          // a sign
  CHECK(floats({1, -2, 3}) != floats({-1, 2, -3}));  // all signs
  CHECK(floats({0.0f}) != floats({-0.0f}));          // signed zero
  CHECK(floats({1, 2, 0}) != floats({1, 2}));        // trailing zeros and padding
  CHECK(psum2_of<std::uint32_t>(DType::float32, {1}, {0x7fc00001}) !=
        psum2_of<std::uint32_t>(DType::float32, {1}, {0x7fc00002}));  // NaN payloads
  CHECK(psum2_of<std::uint32_t>(DType::float32, {1}, {0x3f800000}) !=
        psum2_of<std::uint32_t>(DType::int32, {1}, {0x3f800000}));  // the type
}

TEST_CASE("each of a million random single-bit flips changes the digest") {
  constexpr std::size_t n = 64, flips = 1'000'000;
  std::vector<std::uint64_t> words = random_words(n);
  const std::int64_t size = n;
  const Lanes clean = psum2_part(std::as_bytes(std::span(words)), 0);
  const Psum2 before = psum2_finish(clean, DType::int64, {&size, 1});
  variance::Stream stream(variance::derive(20210403, "flips"));
  std::size_t missed = 0;
  for (std::size_t i = 0; i < flips; ++i) {
    const std::uint64_t bit = variance::bounded(stream.next(), n * 64), at = bit / 64;
    words[at] ^= std::uint64_t{1} << bit % 64;
    missed += psum2(DType::int64, {&size, 1}, std::as_bytes(std::span(words))) == before;
    words[at] ^= std::uint64_t{1} << bit % 64;
  }
  CHECK(missed == 0);
}

TEST_CASE("swaps of unequal words change the digest, in each lane alone") {
  std::vector<std::uint64_t> words(16);
  for (std::size_t i = 0; i < words.size();
       ++i)  // neighbouring small floats: little entropy, all of it in the top bits
    words[i] = std::bit_cast<std::uint32_t>(static_cast<float>(i)) | std::uint64_t{0x3f800000} << 32;
  const Lanes before = psum2_part(std::as_bytes(std::span(words)), 0);
  for (std::size_t i = 0; i < words.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      std::swap(words[i], words[j]);
      const Lanes after = psum2_part(std::as_bytes(std::span(words)), 0);
      CHECK(after.lane0 != before.lane0);
      CHECK(after.lane1 != before.lane1);
      std::swap(words[i], words[j]);
    }
}

TEST_CASE("the digest does not depend on how the data is cut into parts") {
  const std::vector<std::uint64_t> words = random_words(1003);
  const auto bytes = std::as_bytes(std::span(words)).first(1003 * 8 - 3);  // a short last word
  const std::int64_t size = static_cast<std::int64_t>(bytes.size());
  const Psum2 whole = psum2(DType::uint8, {&size, 1}, bytes);
  for (const std::size_t cuts : {1u, 2u, 4u, 16u, 1003u}) {
    Lanes sum;
    for (std::size_t part = cuts; part-- > 0;) {  // backwards: the order of the parts is free
      const std::size_t first = 1003 * part / cuts, last = 1003 * (part + 1) / cuts;
      const Lanes lanes = psum2_part(bytes.subspan(first * 8, std::min(last * 8, bytes.size()) - first * 8), first);
      sum.lane0 += lanes.lane0;
      sum.lane1 += lanes.lane1;
    }
    CHECK(psum2_finish(sum, DType::uint8, {&size, 1}) == whole);
  }
}

TEST_CASE("the wide path equals the term-by-term sum at every length and alignment") {
  const std::vector<std::uint64_t> words = random_words(80);
  const auto all = std::as_bytes(std::span(words));
  for (std::size_t offset = 0; offset < 9; ++offset)
    for (std::size_t bytes = 0; bytes <= 600; bytes += 7) {
      Lanes slow;
      for (std::size_t at = 0, index = 5; at < bytes; at += 8, ++index) {
        std::uint64_t word = 0;
        std::memcpy(&word, all.data() + offset + at, std::min<std::size_t>(8, bytes - at));
        slow.lane0 += psum2_term(word, index).lane0;
        slow.lane1 += psum2_term(word, index).lane1;
      }
      const Lanes fast = psum2_part(all.subspan(offset, bytes), 5);
      REQUIRE(fast.lane0 == slow.lane0);
      REQUIRE(fast.lane1 == slow.lane1);
    }
}

TEST_CASE("xxh3c refuses a rank that its header cannot hold") {
  const std::vector<std::int64_t> sizes(256, 1);
  CHECK_THROWS_WITH(xxh3c(DType::uint8, sizes, {}), has_text("rank = 256"));
}

}  // namespace retrial::tests::psum2_tests
