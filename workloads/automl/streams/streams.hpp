#pragma once

#include <cstdint>
#include <string_view>

namespace retrial::automl::inline streams {

/// The parent of S(seed, purpose, learner, restart, index) for every index.
[[nodiscard]] std::uint64_t stream_family(std::uint64_t seed, std::string_view purpose, std::uint64_t learner,
                                          std::uint64_t restart);
/// S(seed, purpose, learner, restart, index): the key of the draws for one purpose. `seed` is a source seed, `learner`
/// the place of a learner in the list of the search.
[[nodiscard]] std::uint64_t stream_key(std::uint64_t seed, std::string_view purpose, std::uint64_t learner,
                                       std::uint64_t restart, std::uint64_t index);
/// Word i of a key, by random access.
[[nodiscard]] std::uint64_t word(std::uint64_t key, std::uint64_t i);

}  // namespace retrial::automl::inline streams
