#include "variance/components/reml_contrasts.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "variance/samples/summary.hpp"

namespace retrial::variance::inline components::reml_parts {
namespace {

/// A column of Z less its projection on the basis has at least this squared length, or none but rounding: in a table of
/// two factors it is at least 1 / runs, since it is the conductance of a path through the runs.
constexpr double min_length = 1e-7;

std::size_t column_of(const Contrasts& contrasts, std::size_t factor, std::size_t run) {
  return contrasts.first[factor] + contrasts.factors[factor].level[run];
}

std::vector<double> level_sums(const Contrasts& contrasts, const std::vector<double>& x) {
  std::vector<double> sums(contrasts.first.back(), 0.0);
  for (std::size_t f = 0; f < contrasts.factors.size(); ++f)
    for (std::size_t i = 0; i < contrasts.runs; ++i) sums[column_of(contrasts, f, i)] += x[i];
  return sums;
}

/// Z'Z less the part of the mean: products of the centered columns.
Matrix centered_products(const Contrasts& contrasts, const std::vector<double>& counts) {
  Matrix out(counts.size(), counts.size());
  for (std::size_t f = 0; f < contrasts.factors.size(); ++f)
    for (std::size_t g = 0; g < contrasts.factors.size(); ++g)
      for (std::size_t i = 0; i < contrasts.runs; ++i)
        out(column_of(contrasts, f, i), column_of(contrasts, g, i)) += 1.0;
  for (std::size_t i = 0; i < out.rows; ++i)
    for (std::size_t j = 0; j < out.rows; ++j) out(i, j) -= counts[i] * counts[j] / static_cast<double>(contrasts.runs);
  return out;
}

/// The first `step` coordinates of all columns are known: adds the one in which column `next` is new.
void add_coordinate(const Matrix& products, std::size_t next, std::size_t step, Matrix& columns,
                    std::vector<double>& left) {
  const double length = std::sqrt(left[next]);
  for (std::size_t j = 0; j < left.size(); ++j) {
    if (left[j] == 0.0) continue;
    double sum = products(j, next);
    for (std::size_t k = 0; k < step; ++k) sum -= columns(j, k) * columns(next, k);
    columns(j, step) = j == next ? length : sum / length;
    left[j] = j == next ? 0.0 : std::max(0.0, left[j] - columns(j, step) * columns(j, step));
  }
}

/// Row j: the centered column j of Z in the basis Q, from a Cholesky factorization that goes through the factors in
/// order and takes the longest of a factor's columns next. The coordinates after those of a factor are 0 in its
/// columns.
Matrix columns_in_basis(const Contrasts& contrasts, const Matrix& products, std::vector<std::size_t>& basis) {
  Matrix columns(products.rows, products.rows);
  std::vector<double> left(products.rows);  // squared lengths outside the basis so far
  for (std::size_t j = 0; j < left.size(); ++j) left[j] = products(j, j);
  for (std::size_t f = 0; f < contrasts.factors.size(); ++f) {
    const auto begin = left.begin() + static_cast<std::ptrdiff_t>(contrasts.first[f]);
    const auto end = left.begin() + static_cast<std::ptrdiff_t>(contrasts.first[f + 1]);
    for (auto next = std::max_element(begin, end); *next >= min_length; next = std::max_element(begin, end)) {
      basis.push_back(static_cast<std::size_t>(next - left.begin()));
      add_coordinate(products, basis.back(), basis.size() - 1, columns, left);
    }
    std::fill(begin, end, 0.0);
  }
  return columns;
}

void set_kernels(Contrasts& contrasts, const Matrix& columns, const std::vector<double>& counts) {
  const std::size_t size = contrasts.size();
  const double runs = static_cast<double>(contrasts.runs);
  for (std::size_t f = 0; f < contrasts.factors.size(); ++f) {
    Matrix kernel(size, size);
    std::vector<double> with_mean(size, 0.0);
    double own = 0.0;
    for (std::size_t j = contrasts.first[f]; j < contrasts.first[f + 1]; ++j) {
      for (std::size_t a = 0; a < size; ++a) {
        for (std::size_t b = 0; b < size; ++b) kernel(a, b) += columns(j, a) * columns(j, b);
        with_mean[a] += columns(j, a) * counts[j] / std::sqrt(runs);
      }
      own += counts[j] * counts[j] / runs;
    }
    contrasts.kernels.push_back(std::move(kernel));
    contrasts.with_mean.push_back(std::move(with_mean));
    contrasts.own_mean.push_back(own);
  }
}

std::vector<double> forward(const Matrix& l, std::vector<double> b) {
  for (std::size_t i = 0; i < l.rows; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= l(i, k) * b[k];
    b[i] /= l(i, i);
  }
  return b;
}

std::vector<double> backward(const Matrix& l, std::vector<double> b) {
  for (std::size_t i = l.rows; i-- > 0;) {
    for (std::size_t k = i + 1; k < l.rows; ++k) b[i] -= l(k, i) * b[k];
    b[i] /= l(i, i);
  }
  return b;
}

/// Q'x for centered x.
std::vector<double> in_basis(const Contrasts& contrasts, const std::vector<double>& x) {
  const auto sums = level_sums(contrasts, x);
  std::vector<double> picked;
  for (const auto column : contrasts.basis) picked.push_back(sums[column]);
  return forward(contrasts.root, std::move(picked));
}

/// x less Q times `values`.
void take_away(const Contrasts& contrasts, const std::vector<double>& values, std::vector<double>& x) {
  const auto weights = backward(contrasts.root, values);
  std::vector<double> effect(contrasts.first.back(), 0.0);
  for (std::size_t i = 0; i < weights.size(); ++i) effect[contrasts.basis[i]] = weights[i];
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t f = 0; f < contrasts.factors.size(); ++f) x[i] -= effect[column_of(contrasts, f, i)];
  const double center = *mean(x);
  for (double& value : x) value -= center;
}

}  // namespace

Effect effect_of(const std::vector<std::uint32_t>& names) {
  std::map<std::uint32_t, std::size_t> seen;
  Effect effect;
  for (const auto name : names) effect.level.push_back(seen.emplace(name, seen.size()).first->second);
  effect.levels = seen.size();
  return effect;
}

Contrasts contrasts_of(std::vector<Effect> factors, std::size_t runs) {
  Contrasts out{.runs = runs, .factors = std::move(factors), .first = {0}};
  for (const Effect& factor : out.factors) out.first.push_back(out.first.back() + factor.levels);
  const auto counts = level_sums(out, std::vector<double>(runs, 1.0));
  const Matrix columns = columns_in_basis(out, centered_products(out, counts), out.basis);
  out.root = Matrix(out.size(), out.size());
  for (std::size_t i = 0; i < out.size(); ++i)
    for (std::size_t k = 0; k <= i; ++k) out.root(i, k) = columns(out.basis[i], k);
  set_kernels(out, columns, counts);
  return out;
}

Contrasted contrasted(const Contrasts& contrasts, std::span<const double> y) {
  Contrasted out{.mean = *mean(y), .values = std::vector<double>(contrasts.size(), 0.0)};
  std::vector<double> left(y.begin(), y.end());
  for (double& x : left) x -= out.mean;
  // The second pass takes away what rounding left in the first: an exact fit is recognized by the remainder.
  for (int pass = 0; pass < 2; ++pass) {
    const auto values = in_basis(contrasts, left);
    take_away(contrasts, values, left);
    for (std::size_t i = 0; i < values.size(); ++i) out.values[i] += values[i];
  }
  out.rest = std::inner_product(left.begin(), left.end(), left.begin(), 0.0);
  return out;
}

}  // namespace retrial::variance::inline components::reml_parts
