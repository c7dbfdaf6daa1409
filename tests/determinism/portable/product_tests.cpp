// The oracle is the order that product.hpp states, summed element by element with std::fma, which is one operation of
// IEEE 754; the bounds are compared with sums in 113 bits.
#include "determinism/portable/product.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/catch.hpp"
#include "variance/random/rng.hpp"

namespace retrial::tests::product_tests {

using namespace retrial::determinism;

namespace {

__extension__ using Quad = __float128;

/// Numbers anywhere in memory, and the view of them that is multiplied.
template <typename T>
struct Stored {
  std::vector<T> numbers;
  Matrix<T> view;

  [[nodiscard]] Matrix<const T> in() const {
    return {numbers.data(), view.rows, view.columns, view.row_stride, view.column_stride};
  }
  [[nodiscard]] T at(std::int64_t i, std::int64_t j) const {
    return numbers[static_cast<std::size_t>(i * view.row_stride + j * view.column_stride)];
  }
};

enum class Layout { rows, columns, every_second };

/// Uniform draws in [-1, 1).
template <typename T>
Stored<T> drawn(std::int64_t rows, std::int64_t columns, Layout layout, std::uint64_t key) {
  const std::int64_t step = layout == Layout::every_second ? 2 : 1;
  const bool by_column = layout == Layout::columns;
  Stored<T> stored{std::vector<T>(static_cast<std::size_t>(rows * columns * step * step)), {}};
  variance::Stream stream(key, 0);
  for (T& number : stored.numbers) number = static_cast<T>(variance::uniform(stream.next(), -1, 1));
  stored.view = {stored.numbers.data(), rows, columns, by_column ? 1 : columns * step * step, by_column ? rows : step};
  return stored;
}

template <typename T>
T stated_sum(const Stored<T>& a, const Stored<T>& b, std::int64_t i, std::int64_t j) {
  T total = 0;
  for (std::int64_t first = 0; first < a.view.columns; first += 256) {
    T chain = 0;
    for (std::int64_t p = first; p < std::min(first + 256, a.view.columns); ++p)
      chain = std::fma(a.at(i, p), b.at(p, j), chain);
    total = first == 0 ? chain : total + chain;
  }
  return total;
}

template <typename T>
auto bits(T x) {
  if constexpr (sizeof(T) == 4)
    return std::bit_cast<std::uint32_t>(x);
  else
    return std::bit_cast<std::uint64_t>(x);
}

/// The number of elements whose bits are not those of the stated order.
template <typename T>
int wrong_elements(const Stored<T>& a, const Stored<T>& b, Layout layout = Layout::rows) {
  Stored<T> result = drawn<T>(a.view.rows, b.view.columns, layout, 9);
  multiply<T>({.a = a.in(), .b = b.in(), .result = result.view});
  int wrong = 0;
  for (std::int64_t i = 0; i < a.view.rows; ++i)
    for (std::int64_t j = 0; j < b.view.columns; ++j) wrong += bits(result.at(i, j)) != bits(stated_sum(a, b, i, j));
  return wrong;
}

}  // namespace

TEMPLATE_TEST_CASE("a product has the bits of its stated order for every tail of rows and columns", "", float, double) {
  for (std::int64_t m = 1; m <= 17; ++m)
    for (std::int64_t n = 1; n <= 17; ++n)
      CHECK(wrong_elements(drawn<TestType>(m, 7, Layout::rows, 1), drawn<TestType>(7, n, Layout::rows, 2)) == 0);
}

TEMPLATE_TEST_CASE("a product has the bits of its stated order for every number of terms", "", float, double) {
  for (const std::int64_t terms : {0, 1, 2, 31, 255, 256, 257, 512, 700})
    for (const auto& [m, n] : {std::pair{13, 35}, {40, 3}, {1, 1}})
      CHECK(wrong_elements(drawn<TestType>(m, terms, Layout::rows, 3), drawn<TestType>(terms, n, Layout::rows, 4)) ==
            0);
}

TEMPLATE_TEST_CASE("transposed and strided matrices give the same bits as rows", "", float, double) {
  for (const Layout a : {Layout::rows, Layout::columns, Layout::every_second})
    for (const Layout b : {Layout::rows, Layout::columns, Layout::every_second})
      for (const Layout result : {Layout::rows, Layout::columns, Layout::every_second})
        for (const auto& [m, n] : {std::pair{11, 37}, {37, 2}})
          CHECK(wrong_elements(drawn<TestType>(m, 300, a, 5), drawn<TestType>(300, n, b, 6), result) == 0);
}

TEMPLATE_TEST_CASE("a row has the bits in a batch that it has alone", "", float, double) {
  const auto batch = drawn<TestType>(33, 300, Layout::rows, 7), weights = drawn<TestType>(300, 21, Layout::columns, 8);
  auto whole = drawn<TestType>(33, 21, Layout::rows, 9);
  multiply<TestType>({.a = batch.in(), .b = weights.in(), .result = whole.view});
  for (std::int64_t i = 0; i < 33; ++i) {
    std::vector<TestType> alone(21);
    Matrix<const TestType> row = batch.in();
    row.data += i * row.row_stride;
    row.rows = 1;
    multiply<TestType>({.a = row, .b = weights.in(), .result = {alone.data(), 1, 21, 21, 1}});
    for (std::int64_t j = 0; j < 21; ++j) CHECK(bits(whole.at(i, j)) == bits(alone[static_cast<std::size_t>(j)]));
  }
}

TEMPLATE_TEST_CASE("alpha and beta are applied as stated, also to a repeated row and to the result itself", "", float,
                   double) {
  const auto a = drawn<TestType>(13, 40, Layout::rows, 10), b = drawn<TestType>(40, 35, Layout::rows, 11);
  for (const TestType alpha : {TestType(1), TestType(-0.7)})
    for (const TestType beta : {TestType(0), TestType(1), TestType(0.3)})
      for (const bool repeated : {false, true}) {
        const auto added = drawn<TestType>(13, 35, Layout::rows, 12);
        auto result = added;
        result.view.data = result.numbers.data();
        Matrix<const TestType> self = repeated ? added.in() : result.in();
        if (repeated) self.row_stride = 0;
        multiply<TestType>(
            {.a = a.in(), .b = b.in(), .result = result.view, .alpha = alpha, .beta = beta, .self = self});
        int wrong = 0;
        for (std::int64_t i = 0; i < 13; ++i)
          for (std::int64_t j = 0; j < 35; ++j) {
            const TestType scaled = alpha * stated_sum(a, b, i, j);
            const TestType expected = beta == 0 ? scaled : std::fma(beta, added.at(repeated ? 0 : i, j), scaled);
            wrong += bits(result.at(i, j)) != bits(expected);
          }
        CHECK(wrong == 0);
      }
}

TEST_CASE("with beta 0 what the result held is not read") {
  const std::vector<float> a{2}, b{3};
  float result = std::numeric_limits<float>::quiet_NaN();
  multiply<float>({.a = {a.data(), 1, 1, 1, 1}, .b = {b.data(), 1, 1, 1, 1}, .result = {&result, 1, 1, 1, 1}});
  CHECK(result == 6);
}

TEMPLATE_TEST_CASE("infinities, denormals and NaN go the way of std::fma", "", float, double) {
  using Limits = std::numeric_limits<TestType>;
  auto a = drawn<TestType>(6, 9, Layout::rows, 13), b = drawn<TestType>(9, 16, Layout::rows, 14);
  a.numbers[0] = Limits::infinity();
  a.numbers[9] = Limits::max();
  a.numbers[10] = Limits::max();
  for (std::size_t p = 18; p < 27; ++p) a.numbers[p] = Limits::denorm_min();
  CHECK(wrong_elements(a, b) == 0);
  a.numbers[40] = Limits::quiet_NaN();
  auto result = drawn<TestType>(6, 16, Layout::rows, 9);
  multiply<TestType>({.a = a.in(), .b = b.in(), .result = result.view});
  CHECK(std::isnan(result.at(4, 3)));
  CHECK(std::isfinite(result.at(5, 3)));
}

TEMPLATE_TEST_CASE("a sum is within its bound of the sum in 113 bits", "", float, double) {
  for (const std::int64_t terms : {10, 256, 3000}) {
    const auto a = drawn<TestType>(7, terms, Layout::rows, 15), b = drawn<TestType>(terms, 18, Layout::rows, 16);
    auto result = drawn<TestType>(7, 18, Layout::rows, 9);
    multiply<TestType>({.a = a.in(), .b = b.in(), .result = result.view});
    const Quad half_ulp = std::numeric_limits<TestType>::epsilon() / 2;
    for (std::int64_t i = 0; i < 7; ++i)
      for (std::int64_t j = 0; j < 18; ++j) {
        Quad exact = 0, magnitudes = 0;
        for (std::int64_t p = 0; p < terms; ++p) {
          const Quad term = static_cast<Quad>(a.at(i, p)) * b.at(p, j);
          exact += term;
          magnitudes += term < 0 ? -term : term;
        }
        const Quad error = result.at(i, j) - exact, roundings = std::min<std::int64_t>(terms, 256) + terms / 256;
        CHECK(static_cast<bool>((error < 0 ? -error : error) <= roundings * half_ulp * magnitudes));
      }
  }
}

TEMPLATE_TEST_CASE("a dot product is the product of a row and a column", "", float, double) {
  for (const std::int64_t terms : {0, 1, 17, 256, 1000, 2303, 2304, 7000}) {
    const auto x = drawn<TestType>(1, terms, Layout::rows, 17), y = drawn<TestType>(terms, 1, Layout::every_second, 18);
    const TestType found = dot_product(x.numbers.data(), 1, y.numbers.data(), y.view.row_stride, terms);
    CHECK(bits(found) == bits(stated_sum(x, y, 0, 0)));
  }
}

}  // namespace retrial::tests::product_tests
