#include "workloads/pruning/distance_torch.hpp"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <cmath>

#include "variance/rng.hpp"
#include "workloads/nn/evaluate_torch.hpp"

namespace retrial::prune {
namespace {

/// In double, whatever the logits were computed in.
std::vector<double> softmax_of(const float* logits, std::int64_t classes) {
  const double most = *std::max_element(logits, logits + classes);
  std::vector<double> shares;
  double sum = 0;
  for (std::int64_t k = 0; k < classes; ++k) {
    shares.push_back(std::exp(double{logits[k]} - most));
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

/// One image under every draw, at one level.
at::Tensor noisy(const at::Tensor& images, std::int64_t image, const std::vector<std::vector<double>>& draws,
                 double level, const std::vector<double>& per_channel) {
  const auto count = static_cast<std::int64_t>(draws.size());
  const at::Tensor made = at::empty({count, images.size(1), images.size(2), images.size(3)}, at::kFloat);
  const std::int64_t values = images.numel() / images.size(0), plane = images.size(2) * images.size(3);
  const float* from = images.data_ptr<float>() + image * values;
  float* to = made.data_ptr<float>();
  for (const auto& u : draws)
    for (std::int64_t v = 0; v < values; ++v)
      *to++ = static_cast<float>(double{from[v]} + 2 * level * per_channel[static_cast<std::size_t>(v / plane)] *
                                                       (u[static_cast<std::size_t>(v)] - .5));
  return made;
}

/// Means over the draws of one image.
void add_draws(const at::Tensor& a, const at::Tensor& b, Distance& mean) {
  const std::int64_t classes = a.size(1);
  const auto draws = static_cast<double>(a.size(0));
  double of_image = 0;
  for (std::int64_t r = 0; r < a.size(0); ++r) {
    const LogitDistance one =
        logit_distance(a.data_ptr<float>() + r * classes, b.data_ptr<float>() + r * classes, classes);
    mean.match += (one.match ? 1 : 0) / draws;
    of_image += one.softmax_l2 / draws;
    mean.softmax_linf += one.softmax_linf / draws;
    mean.logit_l2 += one.logit_l2 / draws;
    mean.logit_linf += one.logit_linf / draws;
  }
  mean.softmax_l2 += of_image;
  mean.softmax_l2_sd += of_image * of_image;
}

void finish(Distance& sums, double images) {
  for (double* value :
       {&sums.match, &sums.softmax_l2, &sums.softmax_linf, &sums.logit_l2, &sums.logit_linf, &sums.softmax_l2_sd})
    *value /= images;
  const double spread = sums.softmax_l2_sd - sums.softmax_l2 * sums.softmax_l2;
  sums.softmax_l2_sd = images > 1 ? std::sqrt(std::max(0.0, spread) * images / (images - 1)) : 0;
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

std::vector<Distance> functional_distance(const nn::Model& a, const nn::Model& b, const at::Tensor& images,
                                          const data::Normalisation& normalisation, const NoiseOptions& options) {
  std::vector<double> per_channel;
  for (const double sd : normalisation.sd) per_channel.push_back(options.pixel_units ? 1 / sd : 1.0);
  std::vector<Distance> found;
  for (const double level : options.levels) found.push_back({.level = level});
  const auto order =
      variance::permutation(variance::derive(options.seed, "images"), static_cast<std::uint32_t>(images.size(0)));
  const std::int64_t count = std::min(options.images, images.size(0));
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint32_t image = order[static_cast<std::size_t>(i)];
    std::vector<std::vector<double>> draws;
    for (std::int64_t r = 0; r < options.draws; ++r)
      draws.push_back(uniform_image(
          variance::derive(variance::derive(options.seed, "draw"), static_cast<std::uint64_t>(r)), image, images));
    for (Distance& at_level : found) {
      const at::Tensor batch = noisy(images, image, draws, at_level.level, per_channel);
      add_draws(nn::logits_of(a, batch).contiguous(), nn::logits_of(b, batch).contiguous(), at_level);
    }
  }
  for (Distance& at_level : found) finish(at_level, static_cast<double>(count));
  return found;
}

}  // namespace retrial::prune
