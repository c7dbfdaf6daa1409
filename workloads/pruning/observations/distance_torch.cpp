#include "workloads/pruning/observations/distance_torch.hpp"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "variance/random/rng.hpp"
#include "variance/samples/summary.hpp"
#include "workloads/nn/training/evaluate_torch.hpp"

namespace retrial::pruning::inline observations {
namespace {

/// In double, whatever the type of the logits.
std::vector<double> softmax_of(const float* logits, std::int64_t classes) {
  const double max = *std::max_element(logits, logits + classes);
  std::vector<double> shares;
  double sum = 0;
  for (std::int64_t k = 0; k < classes; ++k) {
    shares.push_back(std::exp(double{logits[k]} - max));
    sum += shares.back();
  }
  for (double& share : shares) share /= sum;
  return shares;
}

/// (channels, height, width) of uniform numbers, drawn channel by channel within each pixel.
std::vector<double> uniform_image(std::uint64_t key, std::uint64_t image, const at::Tensor& images) {
  const std::int64_t channels = images.size(1), plane = images.size(2) * images.size(3);
  std::vector<double> values(static_cast<std::size_t>(channels * plane));
  variance::Stream stream(key, image);
  for (std::int64_t place = 0; place < plane; ++place)
    for (std::int64_t c = 0; c < channels; ++c)
      values[static_cast<std::size_t>(c * plane + place)] = variance::uniform(stream.next());
  return values;
}

using Draws = std::vector<std::vector<double>>;  ///< draws for one image

/// Images under each of their draws, at one level; the draws of an image are adjacent.
class Noise {
 public:
  Noise(const at::Tensor& images, const data::Normalisation& normalisation, const NoiseOptions& options)
      : images_(images), options_(options) {
    for (const double sd : normalisation.sd) per_channel_.push_back(options.pixel_units ? 1 / sd : 1.0);
  }

  [[nodiscard]] Draws draws_of(std::uint32_t image) const {
    Draws draws;
    for (std::int64_t r = 0; r < options_.draws; ++r)
      draws.push_back(uniform_image(
          variance::derive(variance::derive(options_.seed, "draw"), static_cast<std::uint64_t>(r)), image, images_));
    return draws;
  }

  [[nodiscard]] at::Tensor noisy(std::span<const std::uint32_t> chosen, const std::vector<Draws>& draws,
                                 double level) const {
    const auto count = static_cast<std::int64_t>(chosen.size()) * options_.draws;
    const at::Tensor made = at::empty({count, images_.size(1), images_.size(2), images_.size(3)}, at::kFloat);
    float* to = made.data_ptr<float>();
    for (std::size_t i = 0; i < chosen.size(); ++i)
      for (const auto& u : draws[i]) to = add(chosen[i], u, level, to);
    return made;
  }

 private:
  float* add(std::uint32_t image, const std::vector<double>& u, double level, float* to) const {
    const std::int64_t values = images_.numel() / images_.size(0), plane = images_.size(2) * images_.size(3);
    const float* from = images_.data_ptr<float>() + image * values;
    for (std::int64_t v = 0; v < values; ++v)
      *to++ = static_cast<float>(double{from[v]} + 2 * level * per_channel_[static_cast<std::size_t>(v / plane)] *
                                                       (u[static_cast<std::size_t>(v)] - .5));
    return to;
  }

  const at::Tensor& images_;
  const NoiseOptions& options_;
  std::vector<double> per_channel_;
};

/// The mean over the draws of each image.
struct ImageMeans {
  std::vector<double> match, softmax_l2, softmax_linf, logit_l2, logit_linf;
  std::int64_t noisy = 0, wrong = 0;

  /// Logits of the draws of one image.
  void add(const float* a, const float* b, std::int64_t classes, std::int64_t draws, std::int64_t label) {
    LogitDistance sum;
    double equal = 0;
    for (std::int64_t r = 0; r < draws; ++r, a += classes, b += classes) {
      const LogitDistance one = logit_distance(a, b, classes);
      equal += one.match ? 1 : 0;
      sum.softmax_l2 += one.softmax_l2;
      sum.softmax_linf += one.softmax_linf;
      sum.logit_l2 += one.logit_l2;
      sum.logit_linf += one.logit_linf;
      wrong += std::max_element(a, a + classes) - a == label ? 0 : 1;
    }
    noisy += draws;
    const auto count = static_cast<double>(draws);
    match.push_back(equal / count);
    softmax_l2.push_back(sum.softmax_l2 / count);
    softmax_linf.push_back(sum.softmax_linf / count);
    logit_l2.push_back(sum.logit_l2 / count);
    logit_linf.push_back(sum.logit_linf / count);
  }
};

/// Nothing can be measured on logits that are not finite.
Spread spread_of(const std::vector<double>& values) {
  if (!std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); })) return {NAN, NAN};
  return {variance::mean(values).value_or(0), variance::sd(values).value_or(0)};
}

Distance distance_of(const ImageMeans& means, double level) {
  return {.level = level,
          .match = spread_of(means.match),
          .softmax_l2 = spread_of(means.softmax_l2),
          .softmax_linf = spread_of(means.softmax_linf),
          .logit_l2 = spread_of(means.logit_l2),
          .logit_linf = spread_of(means.logit_linf),
          .images = means.noisy,
          .wrong = means.wrong};
}

}  // namespace

LogitDistance logit_distance(const float* a, const float* b, std::int64_t classes) {
  const auto p = softmax_of(a, classes), q = softmax_of(b, classes);
  LogitDistance found;
  for (std::int64_t k = 0; k < classes; ++k) {
    const double soft = p[static_cast<std::size_t>(k)] - q[static_cast<std::size_t>(k)],
                 raw = double{a[k]} - double{b[k]};
    found.softmax_l2 += soft * soft;
    found.logit_l2 += raw * raw;
    found.softmax_linf = std::max(found.softmax_linf, std::abs(soft));
    found.logit_linf = std::max(found.logit_linf, std::abs(raw));
  }
  found.softmax_l2 = std::sqrt(found.softmax_l2);
  found.logit_l2 = std::sqrt(found.logit_l2);
  found.match = std::max_element(a, a + classes) - a == std::max_element(b, b + classes) - b;
  return found;
}

std::vector<Distance> functional_distance(const nn::Model& network, const nn::Model& reference,
                                          const at::Tensor& images, const at::Tensor& labels,
                                          const data::Normalisation& normalisation, const NoiseOptions& options) {
  const Noise noise(images, normalisation, options);
  std::vector<ImageMeans> means(options.levels.size());
  const auto order =
      variance::permutation(variance::derive(options.seed, "images"), static_cast<std::uint32_t>(images.size(0)));
  const auto count = static_cast<std::size_t>(std::min(options.images, images.size(0))),
             at_once = static_cast<std::size_t>(std::max<std::int64_t>(1, nn::evaluation_batch / options.draws));
  for (std::size_t from = 0; from < count; from += at_once) {
    const std::span chosen(order.data() + from, std::min(at_once, count - from));
    std::vector<Draws> draws;
    for (const std::uint32_t image : chosen) draws.push_back(noise.draws_of(image));
    for (std::size_t l = 0; l < means.size(); ++l) {
      const at::Tensor batch = noise.noisy(chosen, draws, options.levels[l]),
                       a = nn::logits_of(network, batch).contiguous(), b = nn::logits_of(reference, batch).contiguous();
      const std::int64_t classes = a.size(1), step = options.draws * classes;
      for (std::size_t i = 0; i < chosen.size(); ++i)
        means[l].add(a.data_ptr<float>() + static_cast<std::int64_t>(i) * step,
                     b.data_ptr<float>() + static_cast<std::int64_t>(i) * step, classes, options.draws,
                     labels.data_ptr<std::int64_t>()[chosen[i]]);
    }
  }
  std::vector<Distance> found;
  for (std::size_t l = 0; l < means.size(); ++l) found.push_back(distance_of(means[l], options.levels[l]));
  return found;
}

}  // namespace retrial::pruning::inline observations
