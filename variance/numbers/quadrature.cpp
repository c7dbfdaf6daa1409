#include "variance/numbers/quadrature.hpp"

#include <boost/math/quadrature/gauss.hpp>

namespace retrial::variance::inline numbers {

double integrate(const std::function<double(double)>& f, double low, double high, int panels) {
  const double width = (high - low) / panels;
  double sum = 0.0;
  for (int i = 0; i < panels; ++i) {
    const double from = low + width * i;
    sum += boost::math::quadrature::gauss<double, 30>::integrate(f, from, from + width);
  }
  return sum;
}

}  // namespace retrial::variance::inline numbers
