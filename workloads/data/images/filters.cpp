#include "workloads/data/images/filters.hpp"

#include <cmath>
#include <numeric>

#include "variance/random/portable.hpp"

namespace retrial::corrupt {
namespace {

std::vector<double> normalised(std::vector<double> weights) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight /= sum;
  return weights;
}

double bell(double i, double sigma) {
  return variance::portable_exp(-(i * i) / (2.0 * sigma * sigma));
}

/// Places first + 0 .. count - 1, mapped into the image.
std::vector<int> places(int first, int count, int n, Border border) {
  std::vector<int> found(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) found[static_cast<std::size_t>(i)] = inside(first + i, n, border);
  return found;
}

/// One pass along `length` values with this `stride`.
void filter_line(const double* from, double* to, int length, int stride, const std::vector<double>& weights,
                 const std::vector<int>& place) {
  for (int i = 0; i < length; ++i) {
    double sum = 0;
    for (std::size_t k = 0; k < weights.size(); ++k)
      sum += weights[k] * from[place[static_cast<std::size_t>(i) + k] * stride];
    to[i * stride] = sum;
  }
}

/// Origin of the pixels of an enlarged line: the pixel before, and the distance from it.
struct Between {
  int left;
  double right_share;
};
std::vector<Between> enlarged_places(int n, double z) {
  const int m = static_cast<int>(std::ceil(n / z)), out = static_cast<int>(std::nearbyint(m * z));
  const int first = (n - m) / 2, trim = (out - n) / 2;
  std::vector<Between> found;
  for (int i = trim; i < trim + n; ++i) {
    const int above = i * (m - 1), below = out - 1;
    found.push_back({first + above / below, static_cast<double>(above % below) / below});
  }
  return found;
}

/// e^(-i^2 / 2 sigma^2), i = -radius .. radius, normalized; {1} for radius 0.
std::vector<double> gaussian_weights(double sigma, int radius) {
  if (radius == 0) return {1.0};
  std::vector<double> weights;
  for (int i = -radius; i <= radius; ++i) weights.push_back(bell(i, sigma));
  return normalised(std::move(weights));
}

}  // namespace

int inside(int i, int n, Border border) {
  if (i >= 0 && i < n) return i;
  if (border == Border::replicate) return i < 0 ? 0 : n - 1;
  if (n == 1) return 0;
  const bool repeats = border == Border::symmetric;
  const int period = repeats ? 2 * n : 2 * n - 2;
  const int phase = (i % period + period) % period;
  return phase < n ? phase : (repeats ? period - 1 : period) - phase;
}

Image filtered(const Image& image, const Gaussian& gaussian) {
  const int radius = static_cast<int>(std::floor(gaussian.truncate * gaussian.sigma + .5));
  if (radius == 0) return image;
  const auto weights = gaussian_weights(gaussian.sigma, radius);
  const auto [channels, height, width] = image.shape;
  const auto along = places(-radius, width + 2 * radius, width, gaussian.border);
  const auto down = places(-radius, height + 2 * radius, height, gaussian.border);
  Image rows = image, both = image;
  for (int c = 0; c < channels; ++c) {
    for (int y = 0; y < height; ++y)
      filter_line(image.plane(c) + y * width, rows.plane(c) + y * width, width, 1, weights, along);
    for (int x = 0; x < width; ++x) filter_line(rows.plane(c) + x, both.plane(c) + x, height, width, weights, down);
  }
  return both;
}

std::vector<double> disk_kernel(double radius, double alias) {
  constexpr int reach = 2, side = 2 * reach + 1;
  std::vector<double> disk(side * side, 0.0), kernel(side * side, 0.0);
  for (int a = -reach; a <= reach; ++a)
    for (int b = -reach; b <= reach; ++b)
      disk[static_cast<std::size_t>((a + reach) * side + b + reach)] = a * a + b * b <= radius * radius ? 1.0 : 0.0;
  disk = normalised(std::move(disk));
  const double e = variance::portable_exp(-1.0 / (2.0 * alias * alias)), k = e / (1.0 + 2.0 * e);
  const double smooth[3] = {k, 1.0 - 2.0 * k, k};
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x)
      for (int a = -1; a <= 1; ++a)
        for (int b = -1; b <= 1; ++b) {
          if (y + a < 0 || y + a >= side || x + b < 0 || x + b >= side) continue;
          kernel[static_cast<std::size_t>(y * side + x)] +=
              smooth[a + 1] * smooth[b + 1] * disk[static_cast<std::size_t>((y + a) * side + x + b)];
        }
  return kernel;
}

Image correlated(const Image& image, const std::vector<double>& kernel, Border border) {
  const auto [channels, height, width] = image.shape;
  const int side = static_cast<int>(std::lround(std::sqrt(static_cast<double>(kernel.size())))), reach = side / 2;
  const auto along = places(-reach, width + 2 * reach, width, border);
  const auto down = places(-reach, height + 2 * reach, height, border);
  Image result{image.shape, std::vector<double>(image.values.size(), 0.0), image.scale};
  for (int c = 0; c < channels; ++c)
    for (int tap = 0; tap < side * side; ++tap) {
      const double weight = kernel[static_cast<std::size_t>(tap)];
      if (weight == 0) continue;
      double* to = result.plane(c);
      for (int y = 0; y < height; ++y) {
        const double* row = image.plane(c) + down[static_cast<std::size_t>(y + tap / side)] * width;
        for (int x = 0; x < width; ++x) *to++ += weight * row[along[static_cast<std::size_t>(x + tap % side)]];
      }
    }
  return result;
}

std::vector<double> motion_weights(int radius, double sigma) {
  std::vector<double> weights;
  for (int i = 0; i <= 2 * radius; ++i) weights.push_back(bell(i, sigma));
  return normalised(std::move(weights));
}

Image moved(const Image& image, const std::vector<double>& weights, double degrees) {
  const auto [channels, height, width] = image.shape;
  const auto [sine, cosine] = variance::sine_cosine(degrees);
  Image result{image.shape, std::vector<double>(image.values.size(), 0.0), image.scale};
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double step = static_cast<double>(i);
    const auto down = places(static_cast<int>(std::ceil(step * sine - .5)), height, height, Border::replicate);
    const auto along = places(static_cast<int>(std::ceil(step * cosine - .5)), width, width, Border::replicate);
    for (int c = 0; c < channels; ++c) {
      double* to = result.plane(c);
      for (int y = 0; y < height; ++y) {
        const double* row = image.plane(c) + down[static_cast<std::size_t>(y)] * width;
        for (int x = 0; x < width; ++x) *to++ += weights[i] * row[along[static_cast<std::size_t>(x)]];
      }
    }
  }
  return result;
}

Image zoomed(const Image& image, double z) {
  const auto [channels, height, width] = image.shape;
  const auto down = enlarged_places(height, z), along = enlarged_places(width, z);
  Image result = image;
  for (int c = 0; c < channels; ++c) {
    double* to = result.plane(c);
    for (const Between& y : down) {
      const double* upper = image.plane(c) + y.left * width;
      const double* lower = y.right_share > 0 ? upper + width : upper;
      for (const Between& x : along) {
        const int right = x.right_share > 0 ? x.left + 1 : x.left;
        const double above = (1 - x.right_share) * upper[x.left] + x.right_share * upper[right];
        const double below = (1 - x.right_share) * lower[x.left] + x.right_share * lower[right];
        *to++ = (1 - y.right_share) * above + y.right_share * below;
      }
    }
  }
  return result;
}

double bilinear(const Image& image, int channel, double y, double x, Border border) {
  const auto [channels, height, width] = image.shape;
  const double top = std::floor(y), left = std::floor(x), down = y - top, right = x - left;
  const int y0 = inside(static_cast<int>(top), height, border), y1 = inside(static_cast<int>(top) + 1, height, border);
  const int x0 = inside(static_cast<int>(left), width, border), x1 = inside(static_cast<int>(left) + 1, width, border);
  const double* plane = image.plane(channel);
  const double above = (1 - right) * plane[y0 * width + x0] + right * plane[y0 * width + x1];
  const double below = (1 - right) * plane[y1 * width + x0] + right * plane[y1 * width + x1];
  return (1 - down) * above + down * below;
}

}  // namespace retrial::corrupt
