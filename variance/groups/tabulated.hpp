#pragma once

#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

/// For .cpp files only: a smooth function of one number at the price of a polynomial.
namespace retrial::variance::inline groups {

/// A function f on [0, reach] that has its last value beyond, by Chebyshev polynomials on pieces that are equal in
/// sqrt(x): narrow at 0, where the law of the largest of strongly correlated means bends sharply. To about 13 digits
/// where f is as smooth as a normal law. Built once for many values: a quantile, or every pair of a family.
class Tabulated {
 public:
  template <typename Function>
  Tabulated(Function&& f, double reach) : reach_(reach), last_(f(reach)) {
    coefficients_.reserve(pieces * degree);
    for (std::size_t piece = 0; piece < pieces; ++piece) add_piece(f, static_cast<double>(piece));
  }

  [[nodiscard]] double operator()(double x) const {
    const double place = std::sqrt(x / reach_) * static_cast<double>(pieces);
    if (place >= static_cast<double>(pieces)) return last_;
    const auto piece = static_cast<std::size_t>(place);
    const double t = 2.0 * (place - static_cast<double>(piece)) - 1.0;
    // Clenshaw's recurrence.
    double one = 0.0, two = 0.0;
    for (std::size_t m = degree - 1; m > 0; --m) {
      const double next = 2.0 * t * one - two + coefficients_[piece * degree + m];
      two = one, one = next;
    }
    return coefficients_[piece * degree] + t * one - two;
  }

 private:
  static constexpr std::size_t pieces = 24, degree = 20;

  template <typename Function>
  void add_piece(Function&& f, double piece) {
    std::vector<double> values;
    const auto angle = [](std::size_t j) { return std::numbers::pi * (static_cast<double>(j) + 0.5) / degree; };
    for (std::size_t j = 0; j < degree; ++j) {
      const double root = (piece + (1.0 + std::cos(angle(j))) / 2.0) / static_cast<double>(pieces);
      values.push_back(f(reach_ * root * root));
    }
    for (std::size_t m = 0; m < degree; ++m) {
      double sum = 0.0;
      for (std::size_t j = 0; j < degree; ++j) sum += values[j] * std::cos(static_cast<double>(m) * angle(j));
      coefficients_.push_back(sum * (m == 0 ? 1.0 : 2.0) / degree);
    }
  }

  double reach_, last_;
  std::vector<double> coefficients_;  ///< piece by piece
};

}  // namespace retrial::variance::inline groups
