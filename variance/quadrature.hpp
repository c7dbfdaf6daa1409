#pragma once

#include <boost/math/quadrature/gauss.hpp>

/// For .cpp files only: integrals of smooth functions over panels of fixed width, deterministic, without allocation.
namespace retrial::variance {

/// Sum of 30-point Gauss-Legendre rules over `panels` equal panels of [low, high].
template <typename Function>
double integrate(Function&& f, double low, double high, int panels) {
  double sum = 0.0;
  const double width = (high - low) / panels;
  for (int i = 0; i < panels; ++i) {
    const double from = low + width * i;
    sum += boost::math::quadrature::gauss<double, 30>::integrate(f, from, from + width);
  }
  return sum;
}

}  // namespace retrial::variance
