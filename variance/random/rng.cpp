#include "variance/random/rng.hpp"

#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

#include "variance/numbers/number_text.hpp"

namespace retrial::variance::inline random {
namespace {

// AS 241, PPND16 (Wichura 1988), constant term first.
constexpr double a_central[8] = {3.3871328727963666080, 133.14166789178437745, 1971.5909503065514427,
                                 13731.693765509461125, 45921.953931549871457, 67265.770927008700853,
                                 33430.575583588128105, 2509.0809287301226727};
constexpr double b_central[8] = {1.0,
                                 42.313330701600911252,
                                 687.18700749205790830,
                                 5394.1960214247511077,
                                 21213.794301586595867,
                                 39307.895800092710610,
                                 28729.085735721942674,
                                 5226.4952788528545610};
constexpr double c_middle[8] = {1.42343711074968357734,   4.63033784615654529590,   5.76949722146069140550,
                                3.64784832476320460504,   1.27045825245236838258,   0.241780725177450611770,
                                0.0227238449892691845833, 7.74545014278341407640e-4};
constexpr double d_middle[8] = {1.0,
                                2.05319162663775882187,
                                1.67638483018380384940,
                                0.689767334985100004550,
                                0.148103976427480074590,
                                0.0151986665636164571966,
                                5.47593808499534494600e-4,
                                1.05075007164441684324e-9};
constexpr double e_tail[8] = {6.65790464350110377720,    5.46378491116411436990,   1.78482653991729133580,
                              0.296560571828504891230,   0.0265321895265761230930, 1.24266094738807843860e-3,
                              2.71155556874348757815e-5, 2.01033439929228813265e-7};
constexpr double f_tail[8] = {1.0,
                              0.599832206555887937690,
                              0.136929880922735805310,
                              0.0148753612908506148525,
                              7.86869131145613259100e-4,
                              1.84631831751005468180e-5,
                              1.42151175831644588870e-7,
                              2.04426310338993978564e-15};

// 1 / (2k + 1): the series of 2 artanh(s) / s in s * s.
constexpr double artanh_series[12] = {1.0,        1.0 / 3.0,  1.0 / 5.0,  1.0 / 7.0,  1.0 / 9.0,  1.0 / 11.0,
                                      1.0 / 13.0, 1.0 / 15.0, 1.0 / 17.0, 1.0 / 19.0, 1.0 / 21.0, 1.0 / 23.0};

template <std::size_t Size>
double horner(const double (&coefficients)[Size], double x) {
  double value = coefficients[Size - 1];
  for (std::size_t i = Size - 1; i-- > 0;) value = value * x + coefficients[i];
  return value;
}

double tail_quantile(double tail) {
  const double r = std::sqrt(-log(tail));
  if (r <= 5.0) return horner(c_middle, r - 1.6) / horner(d_middle, r - 1.6);
  return horner(e_tail, r - 5.0) / horner(f_tail, r - 5.0);
}

}  // namespace

namespace detail {

void throw_stream_exhausted() {
  throw std::length_error("a stream has 2^33 words; derive a key for each use");
}
void throw_bounded_zero() {
  throw InvalidInput("n", "0", "1 or more");
}
void throw_keep(double p) {
  throw InvalidInput("p", shortest(p), "0 to 1");
}

}  // namespace detail

std::uint64_t fnv1a64(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  return hash;
}

std::uint64_t derive(std::uint64_t key, std::string_view name) {
  const std::uint64_t hash = fnv1a64(name);
  const Block4 r = philox4x32({detail::low(hash), detail::high(hash), 0, detail::tag_name}, key);
  return detail::joined(r[0], r[1]);
}

std::uint64_t source_seed(std::uint64_t root, std::string_view source, std::uint64_t pair) {
  return derive(derive(root, source), pair);
}

void Stream::skip(std::uint64_t words) {
  constexpr std::uint64_t length = std::uint64_t{1} << 33;
  if (words > length - place_) detail::throw_stream_exhausted();
  place_ += words;
  if ((place_ & 1) != 0) second_ = block(key_, index_, static_cast<std::uint32_t>(place_ >> 1))[1];
}

double uniform(std::uint64_t x, double a, double b) {
  return a + (b - a) * uniform(x);
}

double log(double x) {
  if (!(x >= 0x1p-1022) || std::isinf(x)) throw InvalidInput("x", shortest(x), "positive normal numbers");
  constexpr std::uint64_t fraction_bits = (std::uint64_t{1} << 52) - 1;
  constexpr std::uint64_t exponent_of_half = std::uint64_t{1022} << 52;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  int exponent = static_cast<int>(bits >> 52) - 1022;
  double f = std::bit_cast<double>((bits & fraction_bits) | exponent_of_half);  // [1/2, 1)
  if (f < 0x1.6a09e667f3bcdp-1) {
    f *= 2.0;
    --exponent;
  }
  const double e = exponent;
  const double s = (f - 1.0) / (f + 1.0);
  const double series = horner(artanh_series, s * s);
  return e * 0x1.62e42fee00000p-1 + ((2.0 * s) * series + e * 0x1.a39ef35793c76p-33);
}

double quantile(double p) {
  if (!(p > 0.0 && p < 1.0)) throw InvalidInput("p", shortest(p), "between 0 and 1, both left out");
  const double q = p - 0.5;
  if (std::fabs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * horner(a_central, r) / horner(b_central, r);
  }
  return q < 0.0 ? -tail_quantile(p) : tail_quantile(1.0 - p);
}

double normal(std::uint64_t x) {
  return quantile(uniform_open(x));
}

double exponential(std::uint64_t x) {
  return -log(uniform_open(x));
}

double gamma_half(std::uint64_t x) {
  const double z = normal(x);
  return z * z / 2.0;
}

std::vector<std::uint32_t> permutation(std::uint64_t key, std::uint32_t n, std::uint64_t index) {
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0U);
  Stream stream(key, index);
  for (std::uint32_t i = n; i-- > 1;) std::swap(order[i], order[bounded(stream.next(), i + std::uint64_t{1})]);
  return order;
}

std::vector<double> unit_direction(Stream& stream, std::size_t d) {
  if (d == 0) throw InvalidInput("d", "0", "1 or more");
  std::vector<double> axis(d);
  double squares = 0.0;
  for (double& x : axis) {
    x = normal(stream.next());
    squares += x * x;
  }
  const double norm = std::sqrt(squares);
  if (norm < 1e-12) {
    axis.assign(d, 0.0);
    axis[0] = 1.0;
    return axis;
  }
  for (double& x : axis) x /= norm;
  return axis;
}

}  // namespace retrial::variance::inline random
