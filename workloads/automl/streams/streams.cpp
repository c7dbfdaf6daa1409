#include "workloads/automl/streams/streams.hpp"

#include "variance/random/rng.hpp"

namespace retrial::automl::inline streams {

std::uint64_t stream_family(std::uint64_t seed, std::string_view purpose, std::uint64_t learner,
                            std::uint64_t restart) {
  return variance::derive(variance::derive(variance::derive(seed, purpose), learner), restart);
}

std::uint64_t stream_key(std::uint64_t seed, std::string_view purpose, std::uint64_t learner, std::uint64_t restart,
                         std::uint64_t index) {
  return variance::derive(stream_family(seed, purpose, learner, restart), index);
}

std::uint64_t word(std::uint64_t key, std::uint64_t i) {
  return variance::block(key, 0, static_cast<std::uint32_t>(i / 2))[i % 2];
}

}  // namespace retrial::automl::inline streams
