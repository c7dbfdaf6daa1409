// Group A of the specification of automated search: keys of draws.
#include "tests/catch.hpp"
#include "workloads/automl/streams/streams.hpp"

namespace retrial::automl_streams_tests {

using namespace retrial::automl;

TEST_CASE("keys of draws are those of the specification") {
  const std::uint64_t key = stream_key(1, "direction", 0, 0, 0);
  CHECK(word(key, 0) == 0xab3f28953bf535ce);
  CHECK(word(key, 1) == 0x7a4010c32b0d5eab);
  CHECK(word(key, 2) == 0xb6d28ff582771dfc);
  CHECK(word(key, 3) == 0x4b102d2e895298e5);
  CHECK(stream_key(1, "inner", 0, 0, 0) == 0xd3e6afcf42426c29);
  CHECK(stream_key(1, "inner", 0, 0, std::uint64_t{5} << 32) == 0xa80236589c999e21);
  CHECK(word(stream_key(7, "learner_seed", 1, 0, 12), 0) >> 33 == 740537421);
}

}  // namespace retrial::automl_streams_tests
