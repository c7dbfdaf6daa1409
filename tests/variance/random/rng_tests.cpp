#include "variance/random/rng.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "tests/catch.hpp"
#include "tests/variance/reproduce/known_answers.hpp"
#include "tests/variance/verdict/fields.hpp"

namespace retrial::tests::rng_tests {

using namespace retrial::variance;

namespace {

void check_all(const known::Answers& answers) {
  for (const auto& answer : answers) {
    INFO(answer.name);
    CHECK(answer.got == answer.expected);
  }
}

template <typename T>
constexpr bool derivable = requires(T n) {
  derive(std::uint64_t{1}, n);
};

}  // namespace

TEST_CASE("the reference SHA-256 gives the published digests") {
  // FIPS 180-4, examples of one and two blocks.
  const auto digest = [](std::string_view text) { return reference::sha256({text.begin(), text.end()}); };
  CHECK(digest("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(digest("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST_CASE("the core gives the published answers of Random123") {
  check_all(known::core_answers());
}
TEST_CASE("keys and blocks have their known bits") {
  check_all(known::key_answers());
}
TEST_CASE("conversions have their known bits") {
  check_all(known::conversion_answers());
}
TEST_CASE("three keys give the whole table of known bits") {
  for (const auto& column : known::columns) check_all(known::column_answers(column));
}
TEST_CASE("the ends of the conversions have their known bits") {
  check_all(known::end_answers());
}
TEST_CASE("the draws of a comparison have their known bits") {
  check_all(known::comparison_answers());
}

TEST_CASE("Dirichlet weights of a resample are exponentials over their sum") {
  // Values of the specification of randomness, 12 decimals.
  Stream stream(derive(derive(42, "comparison:A|B"), "dirichlet"));
  const double expected[] = {3.213566984264, .832231890783, .230923059259, 2.384406073779};
  const double weights[] = {.482435854763, .124938582440, .034667260407, .357958302390};
  double drawn[4], sum = 0;
  for (double& x : drawn) sum += x = exponential(stream.next());
  for (int i = 0; i < 4; ++i) {
    CHECK_THAT(drawn[i], WithinAbs(expected[i], 1e-12));
    CHECK_THAT(drawn[i] / sum, WithinAbs(weights[i], 1e-12));
  }
}

TEST_CASE("the normal quantile is right to 1e-15") {
  // 40-digit arithmetic, quoted in the specification of the statistics.
  CHECK_THAT(quantile(.25), WithinAbs(-.6744897501960817, 1e-15));
  CHECK_THAT(quantile(.001), WithinAbs(-3.090232306167814, 4e-15));
  CHECK_THAT(quantile(.025), WithinAbs(-1.9599639845400545, 2e-15));
  CHECK_THAT(quantile(.1), WithinAbs(-1.2815515655446004, 2e-15));
  CHECK_THAT(quantile(1e-20), WithinAbs(-9.262340089798408, 1e-14));
}

TEST_CASE("the logarithm agrees with the library's to 4e-16") {
  Stream stream(derive(1, "log"));
  for (int i = 0; i < 20000; ++i) {
    const double x = std::ldexp(1.0 + uniform(stream.next()), static_cast<int>(bounded(stream.next(), 2000)) - 1000);
    REQUIRE(std::fabs(retrial::variance::log(x) - std::log(x)) <= 5e-16 * std::fabs(std::log(x)));
  }
}

TEST_CASE("logarithm and quantile refuse what lies outside their domain") {
  for (const double x : {0.0, -1.0, 1e-310, HUGE_VAL, std::nan("")})
    CHECK(refused_field([x] { (void)retrial::variance::log(x); }) == "x");
  for (const double p : {0.0, 1.0, -.1, 2.0, std::nan("")}) CHECK(refused_field([p] { (void)quantile(p); }) == "p");
}

TEST_CASE("a number is never spelled as a name, and only an unsigned number derives a key") {
  CHECK(derive(42, 7U) != derive(42, "7"));
  CHECK(derive(42, 7U) == derive(42, std::uint64_t{7}));
  STATIC_REQUIRE(derivable<unsigned>);
  STATIC_REQUIRE(derivable<const char*>);
  STATIC_REQUIRE_FALSE(derivable<int>);
  STATIC_REQUIRE_FALSE(derivable<long long>);
  STATIC_REQUIRE_FALSE(derivable<double>);
  STATIC_REQUIRE_FALSE(derivable<bool>);
  STATIC_REQUIRE_FALSE(derivable<std::nullptr_t>);
  STATIC_REQUIRE_FALSE(derivable<int*>);
}

TEST_CASE("word j of a stream is word j mod 2 of block j / 2") {
  Stream stream(99, 5);
  for (std::uint32_t b = 0; b < 1000; ++b)
    for (const std::uint64_t word : block(99, 5, b)) REQUIRE(stream.next() == word);
}

TEST_CASE("skipping words leads to the word that drawing them would have led to") {
  for (const std::uint64_t words : {0, 1, 2, 3, 17, 256}) {
    Stream drawn(7), skipped(7);
    drawn.next(), skipped.next();
    for (std::uint64_t i = 0; i < words; ++i) drawn.next();
    skipped.skip(words);
    for (int i = 0; i < 3; ++i) CHECK(drawn.next() == skipped.next());
  }
}

TEST_CASE("a stream ends after 2^33 words and says so") {
  Stream stream(7);
  stream.skip((std::uint64_t{1} << 33) - 2);
  const auto last = block(7, 0, ~std::uint32_t{0});
  CHECK(stream.next() == last[0]);
  CHECK(stream.next() == last[1]);
  CHECK_THROWS_AS(stream.next(), std::length_error);
  CHECK_THROWS_AS(stream.skip(1), std::length_error);
}

TEST_CASE("bounded stays below n, takes its word for n = 1 and refuses n = 0") {
  CHECK(bounded(~std::uint64_t{0}, 1) == 0);
  CHECK(bounded(~std::uint64_t{0}, ~std::uint64_t{0}) == ~std::uint64_t{0} - 1);
  CHECK(refused_field([] { (void)bounded(1, 0); }) == "n");
}

TEST_CASE("keep is the integer comparison with the rounded-up threshold") {
  Stream stream(3);
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t x = stream.next();
    const double p = uniform(stream.next());
    REQUIRE(keep(x, p) == (x >> 40 >= static_cast<std::uint64_t>(std::ceil(p * 0x1p24))));
  }
  CHECK(keep(0, 0.0));
  CHECK_FALSE(keep(~std::uint64_t{0}, 1.0));
  for (const double p : {-.1, 1.1, std::nan("")}) CHECK(refused_field([p] { (void)keep(0, p); }) == "p");
}

TEST_CASE("uniform between two ends rounds three times in the written order") {
  const std::uint64_t x = 0xb228fb15a420d173;
  CHECK(uniform(x, -1.0, 3.0) == -1.0 + 4.0 * uniform(x));
  CHECK(uniform(0, 2.0, 5.0) == 2.0);
  const volatile double u = uniform(x);  // volatile: nothing may be fused across it
  const volatile double product = (0.7 - 0.1) * u;
  CHECK(uniform(x, 0.1, 0.7) == 0.1 + product);
}

TEST_CASE("uniform_open reaches neither end, and 1 minus it is exact") {
  for (const std::uint64_t x : {std::uint64_t{0}, std::uint64_t{0xfff}, ~std::uint64_t{0}, std::uint64_t{1} << 63}) {
    const double u = uniform_open(x);
    CHECK(u > 0.0);
    CHECK(u < 1.0);
    CHECK(1.0 - (1.0 - u) == u);
  }
}

TEST_CASE("a permutation is one, and of fewer than two items it is the identity") {
  for (const std::uint32_t n : {0U, 1U, 2U, 3U, 100U, 1000U}) {
    auto order = permutation(derive(5, "order"), n);
    REQUIRE(order.size() == n);
    std::sort(order.begin(), order.end());
    for (std::uint32_t i = 0; i < n; ++i) REQUIRE(order[i] == i);
  }
}

TEST_CASE("all orders of four items are equally frequent") {
  // Chi-square of 24 cells, 24,000 permutations: 23 degrees of freedom, .001 limit 49.7.
  std::array<int, 256> counts{};
  for (std::uint64_t i = 0; i < 24000; ++i) {
    const auto order = permutation(derive(5, "orders"), 4, i);
    ++counts[order[0] | order[1] << 2 | order[2] << 4 | order[3] << 6];
  }
  double chi_square = 0;
  for (const int count : counts)
    if (count > 0) chi_square += (count - 1000.0) * (count - 1000.0) / 1000.0;
  CHECK(std::count_if(counts.begin(), counts.end(), [](int count) { return count > 0; }) == 24);
  CHECK(chi_square < 49.7);
}

TEST_CASE("a unit direction has length one and needs a dimension") {
  Stream stream(11);
  for (const std::size_t d : {1U, 2U, 3U, 50U}) {
    double squares = 0;
    for (const double x : unit_direction(stream, d)) squares += x * x;
    CHECK_THAT(squares, WithinAbs(1.0, 1e-14));
  }
  CHECK(refused_field([&] { (void)unit_direction(stream, 0); }) == "d");
}

TEST_CASE("normals and exponentials have their moments") {
  // Standard errors at 200,000 draws: mean .0022, variance .0032 (normal), .0063 (exponential); four of them allowed.
  Stream stream(derive(13, "moments"));
  constexpr int count = 200000;
  double z1 = 0, z2 = 0, e1 = 0, e2 = 0, g1 = 0;
  for (int i = 0; i < count; ++i) {
    const double z = normal(stream.next()), e = exponential(stream.next());
    z1 += z, z2 += z * z, e1 += e, e2 += e * e, g1 += gamma_half(stream.next());
  }
  CHECK_THAT(z1 / count, WithinAbs(0.0, .009));
  CHECK_THAT(z2 / count, WithinAbs(1.0, .013));
  CHECK_THAT(e1 / count, WithinAbs(1.0, .009));
  CHECK_THAT(e2 / count, WithinAbs(2.0, .04));
  CHECK_THAT(g1 / count, WithinAbs(.5, .0065));
}

}  // namespace retrial::tests::rng_tests
