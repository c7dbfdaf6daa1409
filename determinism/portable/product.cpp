#include "determinism/portable/product.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "determinism/portable/lanes.hpp"

// Tiles of 6 x 2 vectors leave 4 of 16 registers for the operands. Columns of b are packed into panels two vectors
// wide, padded with zeros; a is read in place, because its elements are broadcast one by one and any stride serves.

namespace retrial::determinism::inline portable {
namespace {

constexpr std::int64_t tile_rows = 6;
template <typename T>
constexpr std::int64_t panel_width = 2 * static_cast<std::int64_t>(LanesOf<T>::count);

template <typename T>
using Lanes = typename LanesOf<T>::Type;

/// The panel of columns [first, first + width) of b: `panel_width` numbers for each term.
template <typename T>
RETRIAL_LANES void pack(const Matrix<const T>& b, std::int64_t first, std::int64_t width, T* panel) {
  constexpr std::int64_t stride = panel_width<T>;
  if (b.rows == 0) return;  // no terms, and perhaps no data to point into
  const T* from = b.data + first * b.column_stride;
  if (width < stride) std::fill(panel, panel + b.rows * stride, T{0});
  if (b.column_stride == 1 && width == stride) {
    for (std::int64_t p = 0; p < b.rows; ++p) std::copy_n(from + p * b.row_stride, stride, panel + p * stride);
    return;
  }
  for (std::int64_t j = 0; j < width; ++j)
    for (std::int64_t p = 0; p < b.rows; ++p) panel[p * stride + j] = from[p * b.row_stride + j * b.column_stride];
}

template <typename T>
RETRIAL_LANES_INLINE void add_term(const T* x, Lanes<T> left, Lanes<T> right, Lanes<T> (&sums)[2]) {
  const Lanes<T> factor = repeated(x);
  sums[0] = fused(factor, left, sums[0]);
  sums[1] = fused(factor, right, sums[1]);
}

/// One block of terms: to[row * panel_width + j] is the chain of that row and column. The rows are unrolled by the
/// template, because g++ 12 keeps an array in registers only if its indices are constants before it unrolls loops.
template <typename T, int... row>
RETRIAL_LANES_INLINE void chain(Matrix<const T> a, const T* panel, std::int64_t count, T* to,
                                std::integer_sequence<int, row...>) {
  constexpr std::int64_t width = panel_width<T>;
  Lanes<T> sums[sizeof...(row)][2] = {};
  for (std::int64_t p = 0; p < count; ++p, a.data += a.column_stride, panel += width) {
    const Lanes<T> left = load(panel), right = load(panel + width / 2);
    (add_term<T>(a.data + row * a.row_stride, left, right, sums[row]), ...);
  }
  (store(to + row * width, sums[row][0]), ...);
  (store(to + row * width + width / 2, sums[row][1]), ...);
}

/// totals[r * panel_width + j]: row r of a times column j of the panel.
template <typename T, int rows>
RETRIAL_LANES void sum_tile(Matrix<const T> a, const T* panel, T* totals) {
  constexpr std::make_integer_sequence<int, rows> all_rows;
  chain<T>(a, panel, std::min(terms_of_block, a.columns), totals, all_rows);
  for (std::int64_t first = terms_of_block; first < a.columns; first += terms_of_block) {
    a.data += terms_of_block * a.column_stride;
    panel += terms_of_block * panel_width<T>;
    T block[rows * panel_width<T>];
    chain<T>(a, panel, std::min(terms_of_block, a.columns - first), block, all_rows);
    for (std::int64_t i = 0; i < rows * panel_width<T>; ++i) totals[i] += block[i];
  }
}

template <typename T>
using TileSum = void (*)(Matrix<const T>, const T*, T*);
template <typename T>
constexpr TileSum<T> tile_sums[tile_rows] = {sum_tile<T, 1>, sum_tile<T, 2>, sum_tile<T, 3>,
                                             sum_tile<T, 4>, sum_tile<T, 5>, sum_tile<T, 6>};

/// A whole row of a panel, without gaps, for alpha = 1.
template <typename T>
RETRIAL_LANES_INLINE void finish_vectors(T beta, const T* totals, const T* self, T* result) {
  for (std::int64_t half : {std::int64_t{0}, panel_width<T> / 2}) {
    const Lanes<T> total = load(totals + half);
    store(result + half, beta == 0 ? total : fused(repeated(&beta), load(self + half), total));
  }
}

template <typename T>
RETRIAL_LANES_INLINE void finish_elements(T alpha, T beta, const T* totals, const T* self, std::int64_t self_stride,
                                          T* result, std::int64_t result_stride, std::int64_t count) {
  for (std::int64_t j = 0; j < count; ++j) {
    const T scaled = alpha * totals[j];
    result[j * result_stride] = beta == 0 ? scaled : std::fma(beta, self[j * self_stride], scaled);
  }
}

/// `rows` x `columns` elements of the result from the totals of a tile.
template <typename T>
RETRIAL_LANES void finish_tile(const T* totals, T alpha, T beta, Matrix<const T> self, Matrix<T> result) {
  const bool vectors = alpha == 1 && result.columns == panel_width<T> && result.column_stride == 1 &&
                       (beta == 0 || self.column_stride == 1);
  for (std::int64_t r = 0; r < result.rows; ++r) {
    if (vectors)
      finish_vectors(beta, totals, self.data, result.data);
    else
      finish_elements(alpha, beta, totals, self.data, self.column_stride, result.data, result.column_stride,
                      result.columns);
    totals += panel_width<T>;
    result.data += result.row_stride;
    if (beta != 0) self.data += self.row_stride;
  }
}

template <typename T>
Matrix<T> part(Matrix<T> whole, std::int64_t row, std::int64_t rows, std::int64_t column, std::int64_t columns) {
  if (whole.data != nullptr) whole.data += row * whole.row_stride + column * whole.column_stride;
  return {whole.data, rows, columns, whole.row_stride, whole.column_stride};
}

template <typename T>
void multiply_panels(const Product<T>& product) {
  const std::int64_t rows = product.result.rows, columns = product.result.columns, terms = product.a.columns;
  const auto panel = std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(terms * panel_width<T>));
  // Tiles of about equal height: one of a row or two would wait for each sum, six rows hide that.
  const std::int64_t tiles = (rows + tile_rows - 1) / tile_rows;
  T totals[tile_rows * panel_width<T>];
  for (std::int64_t j = 0; j < columns; j += panel_width<T>) {
    const std::int64_t width = std::min(panel_width<T>, columns - j);
    pack(product.b, j, width, panel.get());
    for (std::int64_t tile = 0; tile < tiles; ++tile) {
      const std::int64_t i = rows * tile / tiles, height = rows * (tile + 1) / tiles - i;
      tile_sums<T>[height - 1](part(product.a, i, height, 0, terms), panel.get(), totals);
      finish_tile<T>(totals, product.alpha, product.beta, part(product.self, i, height, j, width),
                     part(product.result, i, height, j, width));
    }
  }
}

template <typename T>
RETRIAL_LANES T sum_block(const T* x, std::int64_t x_stride, const T* y, std::int64_t y_stride, std::int64_t count) {
  T sum = 0;
  for (std::int64_t i = 0; i < count; ++i) sum = std::fma(x[i * x_stride], y[i * y_stride], sum);
  return sum;
}

/// The sums of consecutive whole blocks, side by side: a single chain waits for each of its sums.
template <typename T, int... block>
RETRIAL_LANES_INLINE void sum_blocks(const T* x, std::int64_t x_stride, const T* y, std::int64_t y_stride, T* to,
                                     std::integer_sequence<int, block...>) {
  T sums[sizeof...(block)] = {};
  for (std::int64_t i = 0; i < terms_of_block; ++i)
    ((sums[block] = std::fma(x[(block * terms_of_block + i) * x_stride], y[(block * terms_of_block + i) * y_stride],
                             sums[block])),
     ...);
  ((to[block] = sums[block]), ...);
}

template <typename T>
RETRIAL_LANES T sum_terms(const T* x, std::int64_t x_stride, const T* y, std::int64_t y_stride, std::int64_t count) {
  constexpr int at_once = 8;
  T total = sum_block(x, x_stride, y, y_stride, std::min(terms_of_block, count));
  std::int64_t first = terms_of_block;
  for (; first + at_once * terms_of_block <= count; first += at_once * terms_of_block) {
    T sums[at_once];
    sum_blocks(x + first * x_stride, x_stride, y + first * y_stride, y_stride, sums,
               std::make_integer_sequence<int, at_once>());
    for (const T sum : sums) total += sum;
  }
  for (; first < count; first += terms_of_block)
    total += sum_block(x + first * x_stride, x_stride, y + first * y_stride, y_stride,
                       std::min(terms_of_block, count - first));
  return total;
}

}  // namespace

// A product's factors commute, so the transposed product has the same bits.
template <typename T>
void multiply(const Product<T>& product) {
  const bool narrow = product.result.columns < static_cast<std::int64_t>(LanesOf<T>::count);
  if (narrow && product.result.rows > product.result.columns)
    multiply_panels<T>({.a = product.b.transposed(),
                        .b = product.a.transposed(),
                        .result = product.result.transposed(),
                        .alpha = product.alpha,
                        .beta = product.beta,
                        .self = product.self.transposed()});
  else
    multiply_panels(product);
}

template <typename T>
T dot_product(const T* x, std::int64_t x_stride, const T* y, std::int64_t y_stride, std::int64_t count) {
  return sum_terms(x, x_stride, y, y_stride, count);
}

template void multiply(const Product<float>&);
template void multiply(const Product<double>&);
template float dot_product(const float*, std::int64_t, const float*, std::int64_t, std::int64_t);
template double dot_product(const double*, std::int64_t, const double*, std::int64_t, std::int64_t);

}  // namespace retrial::determinism::inline portable
