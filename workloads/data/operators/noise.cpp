#include <cmath>

#include "workloads/data/images/poisson.hpp"
#include "workloads/data/operators/operators.hpp"

namespace retrial::corrupt::noise {

Image gaussian(const Image& image, const Constants& c, variance::Stream& draws) {
  Image noisy = image;
  noisy.for_each([&](double& x) { x = x + c[0] * variance::normal(draws.next()); });
  return noisy;
}

Image shot(const Image& image, const Constants& c, variance::Stream& draws) {
  const PoissonTables& tables = poisson_tables(c[0], image.scale);
  Image noisy = image;
  noisy.for_each([&](double& x) {
    const auto v = static_cast<std::size_t>(std::lround(x * image.scale));
    x = static_cast<double>(tables[v].inverse(variance::uniform_open(draws.next()))) / c[0];
  });
  return noisy;
}

Image impulse(const Image& image, const Constants& c, variance::Stream& draws) {
  Image noisy = image;
  noisy.for_each([&](double& x) {
    const double chosen = variance::uniform_open(draws.next()), side = variance::uniform_open(draws.next());
    if (chosen < c[0]) x = side < .5 ? 1.0 : 0.0;
  });
  return noisy;
}

Image speckle(const Image& image, const Constants& c, variance::Stream& draws) {
  Image noisy = image;
  noisy.for_each([&](double& x) { x = x + x * c[0] * variance::normal(draws.next()); });
  return noisy;
}

}  // namespace retrial::corrupt::noise
