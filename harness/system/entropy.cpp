#include "harness/system/entropy.hpp"

#include <sys/random.h>

#include <cstring>

#include "results/text/error.hpp"

namespace retrial::harness::inline system {
namespace {

void fill(void* bytes, std::size_t count) {
  if (getrandom(bytes, count, 0) != static_cast<ssize_t>(count))
    throw Error({.exit = Exit::measurement,
                 .code = "entropy",
                 .problem = "cannot read random bytes from the operating system"});
}

}  // namespace

std::uint64_t draw_root_seed() {
  std::uint64_t seed = 0;
  fill(&seed, sizeof seed);
  return seed;
}

results::Id16 draw_name() {
  results::Id16 name{};
  fill(name.data(), name.size());
  return name;
}

}  // namespace retrial::harness::inline system
