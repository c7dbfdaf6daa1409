#include "workloads/distillation/methods/negatives.hpp"

#include <algorithm>
#include <utility>

#include "variance/random/rng.hpp"

namespace retrial::distillation::inline methods {

Negatives::Negatives(std::vector<std::int64_t> labels, std::uint64_t seed, std::int64_t count)
    : labels_(std::move(labels)), key_(variance::derive(seed, "crd")), count_(static_cast<std::size_t>(count)) {
  others_.resize(static_cast<std::size_t>(*std::max_element(labels_.begin(), labels_.end())) + 1);
  for (std::size_t label = 0; label < others_.size(); ++label)
    for (std::size_t place = 0; place < labels_.size(); ++place)
      if (labels_[place] != static_cast<std::int64_t>(label))
        others_[label].push_back(static_cast<std::int64_t>(place));
}

void Negatives::draw(std::uint32_t place, std::int64_t epoch, std::int64_t* to) {
  variance::Stream stream(variance::derive(key_, static_cast<std::uint64_t>(epoch)), place);
  const std::vector<std::int64_t>& others = others_[static_cast<std::size_t>(labels_[place])];
  if (count_ > others.size()) {
    for (std::size_t i = 0; i < count_; ++i) to[i] = others[variance::bounded(stream.next(), others.size())];
    return;
  }
  left_ = others;
  for (std::size_t i = 0; i < count_; ++i) {
    std::swap(left_[i], left_[i + variance::bounded(stream.next(), others.size() - i)]);
    to[i] = left_[i];
  }
}

}  // namespace retrial::distillation::inline methods
