#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include "workloads/pipeline/analysis/quadratic.hpp"

namespace retrial::pipeline::inline analysis {
namespace {

using Complex = std::complex<double>;

// The operators of std::complex look for infinities in every product, at several times the cost.
Complex product(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}
Complex quotient(Complex a, Complex b) {
  const double size = std::norm(b);
  return {(a.real() * b.real() + a.imag() * b.imag()) / size, (a.imag() * b.real() - a.real() * b.imag()) / size};
}

/// A polynomial and its derivative at z, by Horner, with a bound on the rounding of the former.
struct AtPoint {
  Complex value, slope;
  double rounding = 0;
};

AtPoint horner(const std::vector<double>& coefficients, Complex z) {
  AtPoint out;
  const double size = std::abs(z);
  for (const double c : coefficients) {
    out.slope = product(out.slope, z) + out.value;
    out.value = product(out.value, z) + c;
    out.rounding = out.rounding * size + std::fabs(c);
  }
  out.rounding *= 2 * std::numeric_limits<double>::epsilon();
  return out;
}

std::vector<Complex> first_guesses(std::size_t degree) {
  constexpr double radius = 0.9, offset = 0.4;
  std::vector<Complex> out;
  for (std::size_t i = 0; i < degree; ++i)
    out.push_back(
        std::polar(radius, 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(degree) + offset));
  return out;
}

/// One step of Aberth's iteration for root i; whether it still moves.
bool improve(const std::vector<double>& coefficients, std::vector<Complex>& roots, std::size_t i) {
  constexpr double settled = 1e-14;
  const auto at = horner(coefficients, roots[i]);
  if (std::abs(at.value) <= at.rounding) return false;
  Complex repulsion = 0;
  for (std::size_t j = 0; j < roots.size(); ++j)
    if (j != i) repulsion += quotient(1, roots[i] - roots[j]);
  const Complex step = quotient(at.value, at.slope - product(at.value, repulsion));
  if (!std::isfinite(step.real()) || !std::isfinite(step.imag())) return false;
  roots[i] -= step;
  return std::abs(step) > settled * std::abs(roots[i]);
}

Complex newton(const std::vector<double>& coefficients, Complex root) {
  const auto at = horner(coefficients, root);
  const Complex step = quotient(at.value, at.slope);
  // At a double root value and slope are both rounding, and their ratio leads away.
  return std::abs(at.value) <= at.rounding || !std::isfinite(std::abs(step)) ? root : root - step;
}

}  // namespace

double largest_root(std::vector<double> coefficients) {
  constexpr int rounds = 500;
  while (!coefficients.empty() && coefficients.back() == 0) coefficients.pop_back();  // roots at 0
  if (coefficients.size() < 2) return 0;
  auto roots = first_guesses(coefficients.size() - 1);
  std::vector<bool> moves(roots.size(), true);
  for (int round = 0; round < rounds && std::ranges::find(moves, true) != moves.end(); ++round)
    for (std::size_t i = 0; i < roots.size(); ++i)
      if (moves[i]) moves[i] = improve(coefficients, roots, i);
  double largest = 0;
  for (const Complex root : roots) largest = std::max(largest, std::abs(newton(coefficients, root)));
  return largest;
}

}  // namespace retrial::pipeline::inline analysis
